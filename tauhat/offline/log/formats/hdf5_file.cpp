#include "tauhat/offline/log/formats/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/binary_file.hpp"
#include "tauhat/offline/log/formats/matlab_class.hpp"
#include "tauhat/offline/log/text.hpp"
#include "tauhat/offline/unreadable.hpp"

namespace tauhat {
namespace {

constexpr int kDeepest = 16;
constexpr std::size_t kMostVisits = 100000;
constexpr std::size_t kWidestNumber = 16;                          // bytes
constexpr std::uintmax_t kAlwaysChunks = std::uintmax_t{1} << 16;  // others take a byte of the file each

std::uintmax_t size_of(const std::string& path) {
  require_readable(path, ExitCode::unusable_data);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error)
    throw Error(ExitCode::unusable_data, fmt::format("{}: cannot be read: {}", source_name(path), error.message()));
  return size;
}

Hdf5Handle open_file(const std::string& path) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.get(), false, true);  // a recorder may still hold the file, or the folder be read-only
  return Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
}

bool starts_like_matlab(const std::string& path) {
  std::string start(10, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == "MATLAB 7.3";
}

struct Links {
  std::vector<std::string> names;
  bool of_matlab = false;
};

// Links into other files are not followed.
herr_t collect_link(hid_t, const char* name, const H5L_info_t* info, void* data) {
  auto& links = *static_cast<Links*>(data);
  if (info->type != H5L_TYPE_HARD && info->type != H5L_TYPE_SOFT) return 0;
  if (links.of_matlab && *name == '#') return 0;  // MATLAB's own
  try {
    links.names.emplace_back(name);
  } catch (...) {  // nothing may pass through the library
    return -1;
  }
  return links.names.size() < kMostVisits ? 0 : 1;
}

// In the order of their creation, where the group knows it.
std::vector<std::string> links_of(hid_t group, bool of_matlab) {
  const Hdf5Handle creation(H5Gget_create_plist(group));
  unsigned order = 0;
  if (creation) H5Pget_link_creation_order(creation.get(), &order);
  const H5_index_t index = (order & H5P_CRT_ORDER_INDEXED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  Links links{{}, of_matlab};
  H5Literate(group, index, H5_ITER_INC, nullptr, collect_link, &links);
  return links.names;
}

std::vector<std::size_t> dimensions_of(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset));
  if (!space || H5Sget_simple_extent_type(space.get()) == H5S_NULL) return {0};
  hsize_t lengths[H5S_MAX_RANK] = {};
  const int rank = H5Sget_simple_extent_dims(space.get(), lengths, nullptr);
  if (rank < 0) return {0};
  return {lengths, lengths + rank};
}

// How many elements a dataset has; more than `most` where there are more.
std::size_t elements_of(hid_t dataset, std::size_t most) {
  std::size_t count = 1;
  for (const std::size_t length : dimensions_of(dataset))
    count = std::min(count, most + 1) * std::min(length, most + 1);
  return count;
}

H5T_class_t class_of(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset));
  return type ? H5Tget_class(type.get()) : H5T_NO_CLASS;
}

// MATLAB keeps a text as numbers, UTF-16. Empty where it is too long for a name.
std::string text_of_matlab(hid_t dataset) {
  constexpr std::size_t kLongest = 128;
  const std::size_t count = elements_of(dataset, kLongest);
  if (count > kLongest || class_of(dataset) != H5T_INTEGER) return "";
  std::vector<std::uint16_t> letters(count);
  if (H5Dread(dataset, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()) < 0) return "";
  std::string text = "\xFF\xFE";
  for (const unsigned letter : letters) {
    text += static_cast<char>(letter & 0xFF);
    text += static_cast<char>(letter >> 8);
  }
  return utf8_from_utf16(text);
}

bool holds_numbers(H5T_class_t type) { return type == H5T_INTEGER || type == H5T_FLOAT || type == H5T_ENUM; }

std::size_t element_bytes(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset));
  return type ? H5Tget_size(type.get()) : 0;
}

std::string reason_of_type(H5T_class_t type, bool of_matlab) {
  if (type == H5T_STRING) return "holds text, not numbers";
  if (type == H5T_COMPOUND) return of_matlab ? "holds complex numbers" : "holds records or complex numbers";
  if (type == H5T_REFERENCE) return "holds references, not numbers";
  return "holds no plain numbers";
}

// The library takes memory for a whole chunk whatever it holds, and for a list of all chunks, written or not.
struct Chunks {
  std::uintmax_t bytes = 0;  // of one
  std::uintmax_t count = 0;
};

Chunks chunks_of(hid_t dataset) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset)), type(H5Dget_type(dataset));
  if (!creation || !type || H5Pget_layout(creation.get()) != H5D_CHUNKED) return {};
  hsize_t lengths[H5S_MAX_RANK] = {};
  const int rank = H5Pget_chunk(creation.get(), H5S_MAX_RANK, lengths);
  const std::vector<std::size_t> dimensions = dimensions_of(dataset);
  Chunks chunks{H5Tget_size(type.get()), 1};
  for (std::size_t i = 0; i < dimensions.size() && static_cast<int>(i) < rank; ++i) {
    const std::uintmax_t length = std::max<std::uintmax_t>(lengths[i], 1);
    if (chunks.bytes > UINTMAX_MAX / length) return {UINTMAX_MAX, 1};
    chunks.bytes *= length;
    chunks.count *= dimensions[i] / length + (dimensions[i] % length != 0 ? 1 : 0);  // at most one an element
  }
  return chunks;
}

}  // namespace

void Hdf5File::refuse(const std::string& reason) const {
  throw Error(ExitCode::unusable_data, fmt::format("{}: {}", arrays_.source(), reason));
}

Hdf5File::Hdf5File(const std::string& path)
    : file_size_(size_of(path)), arrays_(source_name(path), file_size_), file_(H5I_INVALID_HID) {
  silence_hdf5();
  const htri_t recognised = H5Fis_hdf5(path.c_str());
  if (recognised == 0) refuse("is not an HDF5 file");
  if (recognised > 0) file_ = open_file(path);
  if (!file_) refuse("cannot be opened as HDF5: it is damaged, cut short or protected");
  of_matlab_ = starts_like_matlab(path);
  const Hdf5Handle root(H5Oopen(file_.get(), "/", H5P_DEFAULT));
  if (!root) refuse("its HDF5 root group is damaged");
  walk_group(root.get(), "", 0);
  arrays_.find_clocks(of_matlab_ ? ClockRule::matlab : ClockRule::siblings);
}

void Hdf5File::walk_group(hid_t group, const std::string& path, int depth) {
  if (depth > 0 && has_attribute(group, "MATLAB_sparse"))
    return arrays_.add_no_column(path, reason_of_class(path, "sparse"));
  if (depth >= kDeepest) return arrays_.add_no_column(path, "lies too deep inside others");
  H5O_info_t info{};
  if (H5Oget_info2(group, &info, H5O_INFO_BASIC) < 0 || !open_groups_.insert(info.addr).second) return;
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const std::string& link : links_of(group, of_matlab_)) {
    if (++visits_ > kMostVisits) refuse(fmt::format("holds more than {} objects", kMostVisits));
    const std::string leaf = utf8_from_unknown(link);
    const Hdf5Handle object(H5Oopen(group, link.c_str(), H5P_DEFAULT));
    if (!object) {
      arrays_.add_no_column(prefix + leaf, "is damaged, or a link to nothing");
      continue;
    }
    const bool of_struct_array = of_matlab_ && H5Iget_type(object.get()) == H5I_DATASET &&
                                 class_of(object.get()) == H5T_REFERENCE &&
                                 !has_attribute(object.get(), "MATLAB_class");
    if (of_struct_array)
      walk_references(object.get(), path, leaf, depth);
    else
      walk_object(object.get(), prefix + leaf, depth);
  }
  open_groups_.erase(info.addr);
}

void Hdf5File::walk_object(hid_t object, const std::string& path, int depth) {
  const H5I_type_t kind = H5Iget_type(object);
  if (kind == H5I_GROUP) return walk_group(object, path, depth + 1);
  if (kind != H5I_DATASET) return;
  const std::string matlab_class = text_attribute(object, "MATLAB_class");
  if (of_matlab_ && matlab_class == "cell") return walk_references(object, path, "", depth);
  if (has_attribute(object, "MATLAB_empty")) return arrays_.add_no_column(path, "is empty");
  if (of_matlab_ && matlab_class == "char") return arrays_.add_text(path, text_of_matlab(object));
  if (!matlab_class.empty() && !is_number_class(matlab_class))
    return arrays_.add_no_column(path, reason_of_class(path, matlab_class));
  add_dataset(object, path);
}

// The elements of a cell, or one field of all elements of a struct array.
void Hdf5File::walk_references(hid_t dataset, const std::string& group, const std::string& leaf, int depth) {
  const std::string path = leaf.empty() ? group : group + "." + leaf;
  const std::size_t count = elements_of(dataset, NumberArrays::kMostAlongside);
  if (count > NumberArrays::kMostAlongside || depth >= kDeepest)
    return arrays_.add_no_column(path, fmt::format("has more than {} elements", NumberArrays::kMostAlongside));
  std::vector<hobj_ref_t> references(count);
  if (class_of(dataset) != H5T_REFERENCE ||
      H5Dread(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, references.data()) < 0)
    return arrays_.add_no_column(path, "is damaged");
  for (std::size_t i = 0; i < count; ++i) {
    if (++visits_ > kMostVisits) refuse(fmt::format("holds more than {} objects", kMostVisits));
    const Hdf5Handle object(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, &references[i]));
    if (!object) continue;
    const std::string name =
        leaf.empty() ? fmt::format("{}{{{}}}", group, i + 1) : fmt::format("{}({}).{}", group, i + 1, leaf);
    walk_object(object.get(), name, depth + 1);
  }
}

void Hdf5File::add_dataset(hid_t dataset, const std::string& path) {
  const H5T_class_t type = class_of(dataset);
  if (!holds_numbers(type)) return arrays_.add_no_column(path, reason_of_type(type, of_matlab_));
  if (const std::size_t bytes = element_bytes(dataset); bytes > kWidestNumber)
    return arrays_.add_no_column(path,
                                 fmt::format("holds numbers of {} bytes; at most {} are read", bytes, kWidestNumber));
  std::string unit = text_attribute(dataset, "unit");
  if (unit.empty()) unit = text_attribute(dataset, "units");
  std::string clock = text_attribute(dataset, "clock");
  std::replace(clock.begin(), clock.end(), '/', '.');
  if (clock.starts_with('.')) clock.erase(0, 1);
  std::vector<std::size_t> dimensions = dimensions_of(dataset);
  if (of_matlab_) std::reverse(dimensions.begin(), dimensions.end());
  H5O_info_t info{};
  if (H5Oget_info2(dataset, &info, H5O_INFO_BASIC) < 0) return arrays_.add_no_column(path, "is damaged");
  if (arrays_.add({.path = path, .unit = unit, .row_major = !of_matlab_, .clock = clock}, dimensions))
    addresses_.push_back(info.addr);
}

std::vector<double> Hdf5File::values(std::size_t array) const {
  const NumberArray& wanted = arrays_.all().at(array);
  const auto fail = [&](const std::string& reason) { refuse(fmt::format("\"{}\" {}", shown(wanted.path), reason)); };
  const Hdf5Handle dataset(H5Oopen_by_addr(file_.get(), addresses_.at(array)));
  if (!dataset) fail("is damaged");
  const Chunks chunks = chunks_of(dataset.get());
  if (chunks.bytes / sizeof(double) > most_values(file_size_) || chunks.count > kAlwaysChunks + file_size_)
    fail(fmt::format("is cut into {} chunks of {} bytes, which do not fit into a file of {}", chunks.count,
                     chunks.bytes, file_size_));
  std::vector<double> numbers(wanted.size());
  if (H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    fail("cannot be read: it is damaged, or packed by a filter that the HDF5 library does not have");
  return numbers;
}

}  // namespace tauhat
