// Rows of a stream in the order of their stamps, where those of one sensor come later than the others': each is held
// back for a time, by the stamps that have come.
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "tauhat/offline/log/row_stream.hpp"

namespace tauhat {

class OrderedRows {
 public:
  // `stamp` is its place among the wanted columns; times `scale` it is in seconds, a date is so already. Without a
  // `hold_back` (s) rows come as they do in the stream.
  struct Order {
    double hold_back = 0.0;
    std::size_t stamp = 0;
    double scale = 1.0;
  };
  OrderedRows(RowStream& rows, const Order& order) : rows_(rows), order_(order) {}

  RowStream::Next next();

  // Of the row, as RowStream has them.
  double value(std::size_t column) const { return row_.values[column]; }
  bool is_date(std::size_t column) const { return row_.dates[column]; }
  std::size_t line() const noexcept { return row_.line; }

 private:
  struct Row {
    std::vector<double> values;
    std::vector<bool> dates;
    std::size_t line = 0;
  };
  void read(Row& row) const;
  double stamp_of(const Row& row) const;
  bool is_due() const;

  RowStream& rows_;
  Order order_;
  Row row_, behind_;                                          // the one to read; one that came later than it may
  std::multimap<double, Row> held_;                           // by their stamps; those of one stamp as they came
  double newest_ = -std::numeric_limits<double>::infinity();  // s, of the stamps
  bool ended_ = false, is_set_back_ = false;
};

}  // namespace tauhat
