#include "tauhat/offline/log/formats/mdf4.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/log/formats/mdf4_catalogue.hpp"
#include "tauhat/offline/log/formats/mdf4_data.hpp"
#include "tauhat/offline/log/formats/mdf4_names.hpp"
#include "tauhat/offline/log/formats/mdf4_records.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

using namespace mdf4;

// A channel that is read, and where its numbers go.
struct Wanted {
  const Channel* channel;
  std::vector<double>* values;
};

const Channel& channel_of(const Catalogue& catalogue, const NamedChannel& named) {
  return catalogue.data_groups[named.data_group].groups[named.group].channels[named.channel];
}

// All records of one data group, each group's counted.
class DataGroupReader {
 public:
  // `values` counts the numbers of all data groups.
  DataGroupReader(const BinaryFile& file, const Catalogue& catalogue, const DataGroup& data_group, DataReader& data,
                  std::uint64_t& values)
      : file_(file),
        catalogue_(catalogue),
        data_group_(data_group),
        data_(data),
        values_(values),
        wanted_(data_group.groups.size()),
        records_(data_group.groups.size(), 0) {}

  void want(std::size_t group, Wanted wanted) { wanted_[group].push_back(wanted); }

  // The number of records of each group. Throws Error (unusable_data) where a closed log has fewer than it says.
  const std::vector<std::uint64_t>& read() {
    if (data_group_.groups.empty()) return records_;
    if (data_group_.record_id_bytes == 0 && data_group_.groups.front().record_bytes() == 0)
      count_virtual_records();
    else
      read_data();
    for (std::size_t i = 0; i < records_.size(); ++i) check_count(data_group_.groups[i], records_[i]);
    return records_;
  }

 private:
  // Records without bytes: all channels are virtual, and nothing but the counter says how many there are.
  void count_virtual_records() {
    constexpr std::uint64_t kMost = 1 << 20;
    const Group& group = data_group_.groups.front();
    if (!wanted_.front().empty()) {
      if (group.cycles > kMost)
        Place{&file_, data_group_.offset}.refuse(fmt::format(
            "group \"{}\" has {} records without a byte; at most {} are read", shown(group.name), group.cycles, kMost));
      file_.check_values(values_ + group.cycles * wanted_.front().size());
      for (std::uint64_t i = 0; i < group.cycles; ++i) take(0, {});
    }
    records_.front() = group.cycles;
  }

  void read_data() {
    const std::vector<DataPart> parts = data_.parts(data_group_.data);
    reserve(parts);
    RecordCutter cutter(file_, data_group_, [this](std::size_t group, Bytes record) { take(group, record); });
    data_.for_each_piece(parts, [&cutter](Bytes piece) { cutter.feed(piece); });
  }

  // Only where the data themselves say how many records there are.
  void reserve(const std::vector<DataPart>& parts) {
    if (data_group_.record_id_bytes > 0) return;
    std::uint64_t bytes = 0;
    for (const DataPart& part : parts) bytes += part.bytes;
    const std::uint64_t records = std::min(bytes / data_group_.groups.front().record_bytes(), limit(0));
    file_.check_values(values_ + records * wanted_.front().size());
    for (const Wanted& wanted : wanted_.front()) wanted.values->reserve(records);
  }

  void take(std::size_t group, Bytes record) {
    if (records_[group] == limit(group)) return;
    values_ += wanted_[group].size();
    file_.check_values(values_);
    for (const Wanted& wanted : wanted_[group])
      wanted.values->push_back(wanted.channel->value(record, records_[group]));
    ++records_[group];
  }

  std::uint64_t limit(std::size_t group) const {
    return catalogue_.cycles_are_valid ? data_group_.groups[group].cycles : std::numeric_limits<std::uint64_t>::max();
  }

  void check_count(const Group& group, std::uint64_t records) const {
    if (!catalogue_.finalised || group.variable_length || records >= group.cycles) return;
    Place{&file_, data_group_.offset}.refuse(fmt::format("group \"{}\" has {} records, but its data end after {}",
                                                         shown(group.name), group.cycles, records));
  }

  const BinaryFile& file_;
  const Catalogue& catalogue_;
  const DataGroup& data_group_;
  DataReader& data_;
  std::uint64_t& values_;
  std::vector<std::vector<Wanted>> wanted_;  // of each group
  std::vector<std::uint64_t> records_;
};

// How many records each group has: as it says, or counted where the log was not closed.
std::vector<std::vector<std::uint64_t>> count_records(const BinaryFile& file, const Catalogue& catalogue) {
  std::vector<std::vector<std::uint64_t>> counts;
  DataReader data(file, catalogue.finalised);
  std::uint64_t none = 0;
  for (const DataGroup& data_group : catalogue.data_groups) {
    counts.emplace_back();
    for (const Group& group : data_group.groups) counts.back().push_back(group.cycles);
    if (!catalogue.cycles_are_valid) counts.back() = DataGroupReader(file, catalogue, data_group, data, none).read();
  }
  return counts;
}

// What the file holds, and which channel is which column.
struct Contents {
  Catalogue catalogue;
  std::vector<NamedChannel> columns, refused;
  std::vector<ColumnInfo> infos;  // of the columns
};

// The name of each group's clock; empty where it has none.
std::vector<std::vector<std::string>> clock_names(const Contents& contents) {
  std::vector<std::vector<std::string>> names;
  for (const DataGroup& data_group : contents.catalogue.data_groups) names.emplace_back(data_group.groups.size());
  for (const NamedChannel& column : contents.columns) {
    std::string& name = names[column.data_group][column.group];
    if (name.empty() && channel_of(contents.catalogue, column).is_clock) name = column.name;
  }
  return names;
}

Contents read_contents(const BinaryFile& file) {
  Contents contents{read_catalogue(file), {}, {}, {}};
  const Catalogue& catalogue = contents.catalogue;
  for (const NamedChannel& named : name_channels(catalogue))
    (channel_of(catalogue, named).refusal.empty() ? contents.columns : contents.refused).push_back(named);
  const auto counts = count_records(file, catalogue);
  const auto clocks = clock_names(contents);
  for (const NamedChannel& column : contents.columns) {
    const std::string& clock = clocks[column.data_group][column.group];
    contents.infos.push_back({column.name, channel_of(catalogue, column).unit, counts[column.data_group][column.group],
                              clock == column.name ? "" : clock});
  }
  return contents;
}

void check_wanted(const BinaryFile& file, const Contents& contents, const std::vector<std::string>& wanted) {
  for (const NamedChannel& refused : contents.refused)
    if (std::find(wanted.begin(), wanted.end(), refused.name) != wanted.end())
      throw Error(ExitCode::unusable_data, fmt::format("{}: channel \"{}\" {}", file.source(), refused.name,
                                                       channel_of(contents.catalogue, refused).refusal));
}

}  // namespace

std::vector<ColumnInfo> list_mdf4(const BinaryFile& file) { return read_contents(file).infos; }

Recording read_mdf4(const BinaryFile& file, const std::vector<std::string>& wanted) try {
  const Contents contents = read_contents(file);
  check_wanted(file, contents, wanted);
  const std::vector<std::size_t> found = wanted_and_their_clocks(contents.infos, wanted, file.source());
  Recording recording{file.source(), {}};
  for (const std::size_t i : found) {
    const ColumnInfo& info = contents.infos[i];
    recording.columns.push_back({info.name, info.unit, {}, false, info.clock});
  }
  DataReader data(file, contents.catalogue.finalised);
  std::uint64_t values = 0;
  for (std::size_t d = 0; d < contents.catalogue.data_groups.size(); ++d) {
    DataGroupReader reader(file, contents.catalogue, contents.catalogue.data_groups[d], data, values);
    bool is_wanted = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const NamedChannel& column = contents.columns[found[i]];
      if (column.data_group != d) continue;
      reader.want(column.group, {&channel_of(contents.catalogue, column), &recording.columns[i].values});
      is_wanted = true;
    }
    if (is_wanted) reader.read();
  }
  return recording;
} catch (const std::bad_alloc&) {
  throw Error(ExitCode::unusable_data, fmt::format("{}: the wanted columns do not fit in memory", file.source()));
}

std::vector<ColumnInfo> list_mdf4(const std::string& path) { return list_mdf4(BinaryFile(path)); }

Recording read_mdf4(const std::string& path, const std::vector<std::string>& wanted) {
  return read_mdf4(BinaryFile(path), wanted);
}

}  // namespace tauhat
