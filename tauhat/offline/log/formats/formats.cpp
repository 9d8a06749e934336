#include "tauhat/offline/log/formats/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/columns.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/log/formats/folder.hpp"
#include "tauhat/offline/log/formats/hdf5.hpp"
#include "tauhat/offline/log/formats/mat.hpp"
#include "tauhat/offline/log/formats/mcap.hpp"
#include "tauhat/offline/log/formats/mdf4.hpp"

namespace tauhat {
namespace {

Recording read_text(const std::string& path, const std::vector<std::string>& wanted) {
  CsvTable table = read_csv(path, wanted);
  return std::move(static_cast<Recording&>(table));
}

std::vector<ColumnInfo> list_text(const std::string& path) { return list_csv(path); }

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {"text table", {".csv", ".txt", ".tsv", ".dat", ".asc", ".log"}, read_text, list_text, words_in_csv},
      {"MATLAB file", {".mat"}, read_mat, list_mat, objects_in_mat},
      {"HDF5 file", {".h5", ".hdf5"}, read_hdf5, list_hdf5},
      {"MDF4 file", {".mf4"}, read_mdf4, list_mdf4},
      {"MCAP file", {".mcap"}, read_mcap, list_mcap},
  };
  return all;
}

std::string extension_of(const std::string& path) {
  return path == "-" ? "" : std::filesystem::path(path).extension().string();
}

// Null where no format has this extension.
const Format* find_format(std::string extension) {
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  for (const Format& format : formats())
    if (std::find(format.extensions.begin(), format.extensions.end(), extension) != format.extensions.end())
      return &format;
  return nullptr;
}

}  // namespace

const Format& format_of(const std::string& path) {
  static const Format folder{"folder", {}, read_folder, list_folder};
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) return folder;
  const std::string extension = extension_of(path);
  if (extension.empty()) return formats().front();
  if (const Format* format = find_format(extension)) return *format;
  std::vector<std::string_view> known;
  for (const Format& format : formats()) known.insert(known.end(), format.extensions.begin(), format.extensions.end());
  throw Error(ExitCode::unusable_data,
              fmt::format("{}: unknown log format \"{}\"; tauhat reads {}", path, extension, fmt::join(known, ", ")));
}

bool is_log_format(const std::string& path) { return find_format(extension_of(path)) != nullptr; }

std::vector<std::size_t> wanted_and_their_clocks(const std::vector<ColumnInfo>& columns,
                                                 const std::vector<std::string>& wanted, const std::string& source) {
  std::vector<CsvHeading> headings;
  for (const ColumnInfo& column : columns) headings.push_back({column.name, column.name, column.unit});
  std::vector<std::size_t> found = find_columns(headings, source, wanted);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string& name = columns[found[i]].clock;
    if (name.empty()) continue;
    const std::size_t clock = find_columns(headings, source, {name}).front();
    if (std::find(found.begin(), found.end(), clock) == found.end()) found.push_back(clock);
  }
  return found;
}

}  // namespace tauhat
