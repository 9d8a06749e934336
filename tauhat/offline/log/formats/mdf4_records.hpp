// Cuts a data group's stream into records. Sorted: all alike, back to back. Unsorted: each led by its group's id.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "tauhat/offline/log/formats/mdf4_catalogue.hpp"

namespace tauhat::mdf4 {

class RecordCutter {
 public:
  // `use` gets the group's place in the data group and the record without its id.
  using Use = std::function<void(std::size_t group, Bytes record)>;
  RecordCutter(const BinaryFile& file, const DataGroup& data_group, Use use);

  // The next bytes of the stream; a record may begin in one piece and end in another. Throws Error (unusable_data)
  // where a record's id is unknown.
  void feed(Bytes piece);

 private:
  struct Record {
    std::size_t group;
    std::uint64_t start, bytes;  // after the id, and after the length where it varies
    std::uint64_t end() const noexcept { return start + bytes; }
  };
  Record record_at(Bytes rest) const;  // its end may lie beyond the bytes that are there
  std::size_t cut(Bytes bytes);        // all whole records; how many bytes they are

  const BinaryFile& file_;
  const DataGroup& data_group_;
  Use use_;
  std::unordered_map<std::uint64_t, std::size_t> group_of_id_;
  std::vector<std::uint8_t> begun_;  // of a record that the last piece did not end
  std::uint64_t position_ = 0;       // in the stream, for messages
};

}  // namespace tauhat::mdf4
