#include "tauhat/offline/log/ordered_rows.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {

void OrderedRows::read(Row& row) const {
  row.values.resize(rows_.columns());
  row.dates.resize(rows_.columns());
  for (std::size_t i = 0; i < rows_.columns(); ++i) row.values[i] = rows_.value(i), row.dates[i] = rows_.is_date(i);
  row.line = rows_.line();
}

double OrderedRows::stamp_of(const Row& row) const {
  return (row.dates[order_.stamp] ? 1.0 : order_.scale) * row.values[order_.stamp];
}

// Once no row that is late by less can come before it.
bool OrderedRows::is_due() const {
  return !held_.empty() && (ended_ || is_set_back_ || held_.begin()->first <= newest_ - order_.hold_back);
}

RowStream::Next OrderedRows::next() {
  for (;;) {
    if (is_due()) {
      row_ = std::move(held_.extract(held_.begin()).mapped());
      return RowStream::Next::row;
    }
    if (is_set_back_) {
      // Behind all that was held before it: the clock was set back, or one stamp is wrong. The reader finds out which.
      is_set_back_ = false;
      row_ = std::move(behind_);
      newest_ = stamp_of(row_);
      return RowStream::Next::row;
    }
    if (ended_) return RowStream::Next::end;
    const RowStream::Next next = rows_.next();
    if (next == RowStream::Next::bad_row) return next;
    if (next == RowStream::Next::end) {
      ended_ = true;
      continue;
    }
    read(row_);
    if (order_.hold_back == 0.0) return next;
    const double stamp = stamp_of(row_);
    if (!std::isfinite(stamp)) return next;
    if (stamp < newest_ - order_.hold_back) {
      is_set_back_ = true;
      behind_ = std::move(row_);
      continue;
    }
    newest_ = std::max(newest_, stamp);
    held_.emplace(stamp, std::move(row_));
  }
}

}  // namespace tauhat
