#include "tauhat/offline/log/formats/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;

// "3/7": which of how many that lie one below the other.
struct Interleaving {
  std::size_t place = 1, of = 1;
};

std::optional<Interleaving> interleaving_of(std::string_view text) {
  Interleaving result;
  const char* const end = text.data() + text.size();
  const auto place = std::from_chars(text.data(), end, result.place);
  if (place.ec != std::errc{} || place.ptr == end || *place.ptr != '/') return std::nullopt;
  const auto of = std::from_chars(place.ptr + 1, end, result.of);
  if (of.ec != std::errc{} || of.ptr != end || result.place < 1 || result.place > result.of) return std::nullopt;
  return result;
}

// "positions.txt:3/7": what of which file.
struct Address {
  std::string file, column;
  std::optional<Interleaving> interleaving;
};

std::vector<std::string> files_in(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Address address_of(const std::string& name, const std::string& path) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: is a folder: a column is called by its file, as in \"{}:{}\", not \"{}\"", path,
                            files_in(path).empty() ? "run.csv" : files_in(path).front(), name, name));
  Address address{name.substr(0, colon), name.substr(colon + 1), {}};
  if (!fs::is_regular_file(fs::path(path) / address.file)) {
    const std::vector<std::string> files = files_in(path);
    const std::string nearest = nearest_name(address.file, files);
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: has no file \"{}\"; {}", path, address.file,
                            nearest.empty() ? fmt::format("there are {}", fmt::join(files, ", "))
                                            : fmt::format("did you mean \"{}\"?", nearest)));
  }
  address.interleaving = interleaving_of(address.column);
  if (address.interleaving) address.column = "#1";
  return address;
}

std::vector<double> taken_apart(const std::vector<double>& all, const Interleaving& interleaving,
                                const std::string& source) {
  if (all.size() % interleaving.of != 0)
    throw Error(ExitCode::unusable_data, fmt::format("{}: holds {} numbers, which is not a multiple of {}", source,
                                                     all.size(), interleaving.of));
  std::vector<double> values;
  values.reserve(all.size() / interleaving.of);
  for (std::size_t i = interleaving.place - 1; i < all.size(); i += interleaving.of) values.push_back(all[i]);
  return values;
}

}  // namespace

Recording read_folder(const std::string& path, const std::vector<std::string>& wanted) {
  std::vector<std::string> names = wanted;
  if (names.empty())
    for (const ColumnInfo& column : list_folder(path)) names.push_back(column.name);
  std::vector<Address> addresses;
  std::map<std::string, std::vector<std::string>> columns_of_file;
  for (const std::string& name : names) {
    addresses.push_back(address_of(name, path));
    std::vector<std::string>& columns = columns_of_file[addresses.back().file];
    if (std::find(columns.begin(), columns.end(), addresses.back().column) == columns.end())
      columns.push_back(addresses.back().column);
  }
  // Each file is read once.
  std::map<std::string, Recording> parts;
  for (const auto& [file, columns] : columns_of_file) {
    const std::string whole = (fs::path(path) / file).string();
    parts.emplace(file, format_of(whole).read(whole, columns));
  }
  Recording recording{path, {}};
  const auto add = [&](const std::string& name, const std::string& file, const Column& found) {
    recording.columns.push_back(found);
    recording.columns.back().name = name;
    if (!found.clock.empty()) recording.columns.back().clock = fmt::format("{}:{}", file, found.clock);
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& [file, column, interleaving] = addresses[i];
    const std::vector<std::string>& columns = columns_of_file[file];
    const auto place = std::find(columns.begin(), columns.end(), column) - columns.begin();
    const Recording& part = parts.at(file);
    add(names[i], file, part.columns[static_cast<std::size_t>(place)]);
    if (interleaving)
      recording.columns.back().values = taken_apart(recording.columns.back().values, *interleaving, part.source);
  }
  // The columns that a file's reader added, since they stamp others.
  for (const auto& [file, part] : parts)
    for (std::size_t i = columns_of_file[file].size(); i < part.columns.size(); ++i)
      add(fmt::format("{}:{}", file, part.columns[i].name), file, part.columns[i]);
  return recording;
}

std::vector<ColumnInfo> list_folder(const std::string& path) {
  std::vector<ColumnInfo> list;
  for (const std::string& file : files_in(path)) {
    if (!is_log_format(file)) continue;
    const std::string whole = (fs::path(path) / file).string();
    for (ColumnInfo column : format_of(whole).list(whole)) {
      column.name = fmt::format("{}:{}", file, column.name);
      if (!column.clock.empty()) column.clock = fmt::format("{}:{}", file, column.clock);
      list.push_back(std::move(column));
    }
  }
  return list;
}

}  // namespace tauhat
