#include "tauhat/offline/log/formats/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/hdf5_file.hpp"
#include "tauhat/offline/log/formats/hdf5_handle.hpp"
#include "tauhat/offline/log/formats/hdf5_rehearsal.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

[[noreturn]] void refuse_to_write(const std::string& path, const std::string& reason) {
  throw Error(ExitCode::unusable_data, fmt::format("{}: {}", path, reason));
}

// HDF5 takes a slash for the end of a group's name.
std::string link_of(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

bool write_text(hid_t object, const char* name, const std::string& text) {
  if (text.empty()) return true;
  const Hdf5Handle type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR));
  H5Tset_size(type.get(), text.size());
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const Hdf5Handle attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  return attribute && H5Awrite(attribute.get(), type.get(), text.data()) >= 0;
}

void write_column(hid_t file, const std::string& path, const Column& column) {
  const hsize_t length = column.values.size();
  const Hdf5Handle space(H5Screate_simple(1, &length, nullptr));
  const Hdf5Handle names(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_char_encoding(names.get(), H5T_CSET_UTF8);
  const std::string link = link_of(column.name);
  if (H5Lexists(file, link.c_str(), H5P_DEFAULT) > 0)
    refuse_to_write(path, fmt::format("two columns would be called \"{}\"", link));
  const Hdf5Handle dataset(
      H5Dcreate2(file, link.c_str(), H5T_IEEE_F64LE, space.get(), names.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (!dataset) refuse_to_write(path, fmt::format("\"{}\" cannot be the name of an HDF5 dataset", link));
  const std::string unit = column.unit.empty() && column.time_stamps ? "s" : column.unit;
  const bool written =
      H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()) >= 0 &&
      write_text(dataset.get(), "unit", unit) && write_text(dataset.get(), "clock", link_of(column.clock));
  if (!written) refuse_to_write(path, fmt::format("column \"{}\" cannot be written", link));
}

// The numbers of a large file are read without a rehearsal: it would take too long, and damage shows in what is walked.
bool is_small(const std::string& path) {
  constexpr std::uintmax_t kSmall = std::uintmax_t{1} << 26;
  std::error_code error;
  return std::filesystem::file_size(path, error) <= kSmall && !error;
}

Recording read_columns(const std::string& path, const std::vector<std::string>& wanted) {
  const Hdf5File file(path);
  return file.arrays().read(wanted, [&file](std::size_t array) { return file.values(array); });
}

}  // namespace

Recording read_hdf5(const std::string& path, const std::vector<std::string>& wanted) {
  rehearse_hdf5(source_name(path), [&] { is_small(path) ? void(read_columns(path, wanted)) : void(Hdf5File(path)); });
  return read_columns(path, wanted);
}

std::vector<ColumnInfo> list_hdf5(const std::string& path) {
  rehearse_hdf5(source_name(path), [&path] { Hdf5File{path}; });
  return Hdf5File(path).arrays().list();
}

std::vector<std::string> objects_in_hdf5(const std::string& path) {
  rehearse_hdf5(source_name(path), [&path] { Hdf5File{path}; });
  return Hdf5File(path).arrays().objects();
}

void write_hdf5(const std::string& path, const Recording& recording) {
  silence_hdf5();
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), H5P_DEFAULT));
  if (!file) refuse_to_write(path, "cannot be written");
  for (const Column& column : recording.columns) write_column(file.get(), path, column);
  if (H5Fflush(file.get(), H5F_SCOPE_LOCAL) < 0) refuse_to_write(path, "cannot be written to its end");
}

}  // namespace tauhat
