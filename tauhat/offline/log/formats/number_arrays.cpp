#include "tauhat/offline/log/formats/number_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/binary_file.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

// A damaged file may claim any number of arrays, each of many columns and a long name.
constexpr std::size_t kMostArrays = 20000;
constexpr std::uint64_t kMostLetters = std::uint64_t{1} << 26;

using Lengths = std::unordered_map<std::string, std::size_t>;  // of the vectors that can be clocks

// One column: where it lies in its array.
struct Slice {
  std::size_t array, first, stride, samples;
};

bool time_along_rows(const NumberArray& array, const Lengths& clocks) {
  const auto clock = clocks.find(array.clock);
  if (clock != clocks.end() && array.rows != array.columns) return array.rows == clock->second;
  return array.rows >= array.columns;
}

bool is_in_seconds(const std::string& unit) {
  return unit.empty() || unit == "s" || unit == "sec" || unit == "second" || unit == "seconds";
}

Lengths possible_clocks(const std::vector<NumberArray>& arrays) {
  Lengths lengths;
  for (const NumberArray& array : arrays)
    if (array.is_vector() && is_in_seconds(array.unit)) lengths.emplace(array.path, array.size());
  return lengths;
}

bool can_stamp(std::size_t length, const NumberArray& array) {
  return (length == array.rows && array.columns <= NumberArrays::kMostAlongside) ||
         (length == array.columns && array.rows <= NumberArrays::kMostAlongside);
}

// "a.b.c" -> "a.b." and "c".
std::pair<std::string, std::string> group_and_leaf(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t leaf = dot == std::string_view::npos ? 0 : dot + 1;
  return {std::string(path.substr(0, leaf)), std::string(path.substr(leaf))};
}

std::vector<std::string> clock_paths(const NumberArray& array, ClockRule rule) {
  if (!array.clock.empty()) return {array.clock};
  const auto [group, leaf] = group_and_leaf(array.path);
  if (rule == ClockRule::siblings) {
    if (leaf == "time" || leaf == "t" || leaf == "Time") return {};
    return {group + "time", group + "t", group + "Time"};
  }
  if (leaf == "Data") return {group + "Time"};
  if (leaf != "values" || group.empty()) return {};
  const auto [outer, signals] = group_and_leaf(std::string_view(group).substr(0, group.size() - 1));
  if (signals != "signals" && !signals.starts_with("signals(")) return {};
  return {outer + "time"};
}

std::string title_path(const NumberArray& array) {
  const auto [group, leaf] = group_and_leaf(array.path);
  return leaf == "values" ? group + "label" : leaf == "Data" ? group + "Name" : "";
}

// The columns of all arrays, and their slices.
std::vector<Slice> slices_of(const std::vector<NumberArray>& arrays, std::vector<ColumnInfo>& list) {
  const Lengths clocks = possible_clocks(arrays);
  std::vector<Slice> slices;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const NumberArray& array = arrays[a];
    const bool along_rows = time_along_rows(array, clocks);
    const std::size_t samples = along_rows ? array.rows : array.columns;
    const std::size_t alongside = along_rows ? array.columns : array.rows;
    const bool neighbours = along_rows != array.row_major;  // in memory, along time
    for (std::size_t i = 0; i < alongside; ++i) {
      slices.push_back({a, neighbours ? i * samples : i, neighbours ? 1 : alongside, samples});
      const std::string name = alongside == 1 ? array.path : fmt::format("{}[{}]", array.path, i + 1);
      list.push_back({name, array.unit, samples, array.clock, array.title});
    }
  }
  return slices;
}

bool is_object(const NoColumn& other) { return other.reason.starts_with("is of class"); }

std::string sentence_of(const NoColumn& other) { return fmt::format("\"{}\" {}", shown(other.path), other.reason); }

bool is_or_is_in(std::string_view wanted, std::string_view path) {
  if (!wanted.starts_with(path)) return false;
  const std::string_view rest = wanted.substr(path.size());
  return rest.empty() || std::string_view(".[({").find(rest.front()) != std::string_view::npos;
}

}  // namespace

void NumberArrays::count_one_more(std::size_t columns, std::size_t letters) {
  if (arrays_.size() + others_.size() >= kMostArrays)
    throw Error(ExitCode::unusable_data, fmt::format("{}: holds more than {} arrays", source_, kMostArrays));
  letters_ += columns * letters;
  if (letters_ > kMostLetters)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: the names of its columns have more than {} letters", source_, kMostLetters));
}

bool NumberArrays::add(NumberArray array, const std::vector<std::size_t>& dimensions) {
  std::vector<std::size_t> lengths;
  bool is_empty = false;
  for (const std::size_t length : dimensions) {
    is_empty = is_empty || length == 0;
    if (length != 1) lengths.push_back(length);
  }
  const std::size_t rank = lengths.size();
  lengths.resize(std::max<std::size_t>(rank, 2), 1);
  const auto refuse = [&](const std::string& reason) {
    add_no_column(array.path, reason);
    return false;
  };
  if (is_empty) return refuse("is empty");
  if (rank > 2) return refuse(fmt::format("has {} dimensions; a column needs one or two", rank));
  const auto [shorter, longer] = std::minmax(lengths[0], lengths[1]);
  if (shorter > kMostAlongside)
    return refuse(fmt::format("is a matrix of {} by {}; at most {} columns are read of one", lengths[0], lengths[1],
                              kMostAlongside));
  if (longer > kMostElements / shorter) return refuse(fmt::format("has more than {} numbers", kMostElements));
  count_one_more(shorter, array.path.size() + array.unit.size() + array.clock.size());
  array.rows = lengths[0];
  array.columns = lengths[1];
  arrays_.push_back(std::move(array));
  return true;
}

void NumberArrays::add_no_column(const std::string& path, const std::string& reason) {
  count_one_more(1, path.size() + reason.size());
  others_.push_back({path, reason});
}

void NumberArrays::add_text(const std::string& path, const std::string& text) {
  add_no_column(path, "holds text, not numbers");
  texts_.emplace(path, text);
}

void NumberArrays::find_clocks(ClockRule rule) {
  const Lengths clocks = possible_clocks(arrays_);
  for (NumberArray& array : arrays_) {
    std::string found;
    for (const std::string& path : clock_paths(array, rule)) {
      const auto clock = clocks.find(path);
      if (clock == clocks.end() || path == array.path || !can_stamp(clock->second, array)) continue;
      found = path;
      break;
    }
    array.clock = found;
    if (const auto title = texts_.find(title_path(array)); title != texts_.end()) array.title = title->second;
  }
}

std::vector<std::string> NumberArrays::objects() const {
  std::vector<std::string> sentences;
  for (const NoColumn& other : others_)
    if (is_object(other)) sentences.push_back(sentence_of(other));
  return sentences;
}

std::vector<ColumnInfo> NumberArrays::list() const {
  std::vector<ColumnInfo> columns;
  slices_of(arrays_, columns);
  if (columns.empty()) refuse_empty();
  return columns;
}

// What the file holds instead, where that may be what its owner looks for.
void NumberArrays::refuse_empty() const {
  const auto object = std::find_if(others_.begin(), others_.end(), is_object);
  const auto other = object != others_.end() ? object : others_.begin();
  const std::string instead = other == others_.end() ? "" : "; " + sentence_of(*other);
  throw Error(ExitCode::unusable_data, fmt::format("{}: holds no arrays of numbers{}", source_, instead));
}

// A better sentence than that there is no such column.
void NumberArrays::refuse_no_column(const std::string& wanted) const {
  for (const NoColumn& other : others_)
    if (is_or_is_in(wanted, other.path))
      throw Error(ExitCode::unusable_data, fmt::format("{}: {}", source_, sentence_of(other)));
  for (const NumberArray& array : arrays_)
    if (array.path == wanted && !array.is_vector())
      throw Error(ExitCode::unusable_data,
                  fmt::format("{0}: \"{1}\" has {2} columns; name one of them, \"{1}[1]\" to \"{1}[{2}]\"", source_,
                              wanted, std::min(array.rows, array.columns)));
}

// Before the memory is taken.
void NumberArrays::check_size(const std::vector<std::size_t>& arrays) const {
  std::uint64_t total = 0;
  for (const std::size_t a : arrays) {
    const NumberArray& array = arrays_[a];
    if (array.size() > most_values(file_bytes_))
      throw Error(ExitCode::unusable_data,
                  fmt::format("{}: \"{}\" should have {} numbers, which do not fit into a file of {} bytes", source_,
                              shown(array.path), array.size(), file_bytes_));
    check_values(source_, file_bytes_, total += array.size());
  }
}

Recording NumberArrays::read(const std::vector<std::string>& wanted,
                             const std::function<std::vector<double>(std::size_t array)>& values) const try {
  std::vector<ColumnInfo> columns;
  const std::vector<Slice> slices = slices_of(arrays_, columns);
  for (const std::string& name : wanted)
    if (std::none_of(columns.begin(), columns.end(), [&](const ColumnInfo& column) { return column.name == name; }))
      refuse_no_column(name);
  if (columns.empty()) refuse_empty();

  const std::vector<std::size_t> selected = wanted_and_their_clocks(columns, wanted, source_);
  Recording recording{source_, {}};
  for (const std::size_t c : selected)
    recording.columns.push_back({columns[c].name, columns[c].unit, {}, false, columns[c].clock});
  std::vector<std::size_t> by_array(selected.size());  // each array is read once
  for (std::size_t i = 0; i < by_array.size(); ++i) by_array[i] = i;
  std::stable_sort(by_array.begin(), by_array.end(),
                   [&](std::size_t a, std::size_t b) { return slices[selected[a]].array < slices[selected[b]].array; });
  std::vector<std::size_t> arrays;
  for (const std::size_t i : by_array) arrays.push_back(slices[selected[i]].array);
  std::vector<std::size_t> once = arrays;
  once.erase(std::unique(once.begin(), once.end()), once.end());
  check_size(once);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < by_array.size(); ++i) {
    const Slice& slice = slices[selected[by_array[i]]];
    if (i == 0 || arrays[i - 1] != slice.array) numbers = values(slice.array);
    std::vector<double>& column = recording.columns[by_array[i]].values;
    column.resize(slice.samples);
    for (std::size_t k = 0; k < slice.samples; ++k) column[k] = numbers[slice.first + k * slice.stride];
  }
  return recording;
} catch (const std::bad_alloc&) {
  throw Error(ExitCode::unusable_data, fmt::format("{}: the wanted columns do not fit in memory", source_));
}

}  // namespace tauhat
