#include "tauhat/offline/log/formats/mat.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/hdf5.hpp"
#include "tauhat/offline/log/formats/mat5.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kHeaderSize = 128, kVersionPlace = 124;
constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

// Empty when the file cannot be opened: the reader says why.
std::string first_bytes(const std::string& path) {
  std::string bytes(512 + kHdf5Signature.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

// True: HDF5. Refuses what is neither that nor version 5.
bool is_hdf5(const std::string& path) {
  const std::string bytes = first_bytes(path);
  const std::string_view view = bytes;
  if (view.starts_with(kHdf5Signature) || view.ends_with(kHdf5Signature)) return true;
  if (bytes.empty()) return false;
  const auto refuse = [&](const std::string& reason) {
    throw Error(ExitCode::unusable_data, fmt::format("{}: {}", source_name(path), reason));
  };
  const std::string_view version = view.size() < kHeaderSize ? "" : view.substr(kVersionPlace, 4);
  if (version == std::string_view("\0\1IM", 4) || version == std::string_view("\1\0MI", 4)) return false;
  if (version == std::string_view("\0\2IM", 4)) refuse("is a MATLAB 7.3 file that is cut short or damaged");
  // Version 4 starts with a type below 5000, in either byte order.
  if (bytes.size() >= 20 && view.substr(0, 4).find('\0') != std::string_view::npos)
    refuse("is no MATLAB file of version 5 or later; an older one is converted by load and save in MATLAB or Octave");
  refuse(fmt::format("is not a MATLAB file; it starts with \"{}\"", shown(view.substr(0, 20))));
  return false;
}

}  // namespace

Recording read_mat(const std::string& path, const std::vector<std::string>& wanted) {
  if (is_hdf5(path)) return read_hdf5(path, wanted);
  Mat5File file(path);
  return file.arrays().read(wanted, [&file](std::size_t array) { return file.values(array); });
}

std::vector<ColumnInfo> list_mat(const std::string& path) {
  if (is_hdf5(path)) return list_hdf5(path);
  return Mat5File(path).arrays().list();
}

std::vector<std::string> objects_in_mat(const std::string& path) {
  if (is_hdf5(path)) return objects_in_hdf5(path);
  return Mat5File(path).arrays().objects();
}

}  // namespace tauhat
