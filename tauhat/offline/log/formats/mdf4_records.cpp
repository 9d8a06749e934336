#include "tauhat/offline/log/formats/mdf4_records.hpp"

#include <fmt/format.h>

#include <utility>

namespace tauhat::mdf4 {
namespace {

constexpr std::size_t kLengthBytes = 4;  // before a value of variable length

std::uint64_t little_endian(Bytes bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

}  // namespace

RecordCutter::RecordCutter(const BinaryFile& file, const DataGroup& data_group, Use use)
    : file_(file), data_group_(data_group), use_(std::move(use)) {
  for (std::size_t i = 0; i < data_group.groups.size(); ++i)
    if (!group_of_id_.emplace(data_group.groups[i].record_id, i).second && data_group.record_id_bytes > 0)
      Place{&file, data_group.offset}.refuse(
          fmt::format("two channel groups have the record id {}", data_group.groups[i].record_id));
}

RecordCutter::Record RecordCutter::record_at(Bytes rest) const {
  const std::size_t id_bytes = data_group_.record_id_bytes;
  if (id_bytes == 0) return {0, 0, data_group_.groups.front().record_bytes()};
  if (rest.size() < id_bytes) return {0, id_bytes, 0};
  const std::uint64_t id = little_endian(rest.first(id_bytes));
  const auto found = group_of_id_.find(id);
  if (found == group_of_id_.end())
    Place{&file_, data_group_.offset}.refuse(
        fmt::format("byte {} of this group's data begins a record of the unknown id {}", position_, id));
  const Group& group = data_group_.groups[found->second];
  if (!group.variable_length) return {found->second, id_bytes, group.record_bytes()};
  const std::size_t start = id_bytes + kLengthBytes;
  if (rest.size() < start) return {found->second, start, 0};
  return {found->second, start, little_endian(rest.subspan(id_bytes, kLengthBytes))};
}

std::size_t RecordCutter::cut(Bytes bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const Record record = record_at(bytes.subspan(done));
    if (record.bytes > kLargestBlock)
      Place{&file_, data_group_.offset}.refuse(
          fmt::format("byte {} of this group's data begins a record of {} bytes; at most {} are read", position_,
                      record.bytes, kLargestBlock));
    if (record.end() > bytes.size() - done) break;
    use_(record.group, bytes.subspan(done + record.start, record.bytes));
    done += record.end();
    position_ += record.end();
  }
  return done;
}

void RecordCutter::feed(Bytes piece) {
  if (begun_.empty()) {
    const std::size_t done = cut(piece);
    begun_.assign(piece.begin() + static_cast<std::ptrdiff_t>(done), piece.end());
    return;
  }
  begun_.insert(begun_.end(), piece.begin(), piece.end());
  const std::size_t done = cut(begun_);
  begun_.erase(begun_.begin(), begun_.begin() + static_cast<std::ptrdiff_t>(done));
}

}  // namespace tauhat::mdf4
