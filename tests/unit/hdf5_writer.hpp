// Writes HDF5 files for tests as h5py and MATLAB do, by the library's own calls.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace tauhat {

using Lengths = std::vector<hsize_t>;

inline std::vector<double> ramp(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return numbers;
}

inline std::string temporary(const std::string& extension) {
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  return (std::filesystem::path(testing::TempDir()) / ("hdf5_" + name + extension)).string();
}

// A file that is written first, by its datasets' paths, and lives as long as its test.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(bool of_matlab = false) : path_(temporary(of_matlab ? ".mat" : ".h5")), of_matlab_(of_matlab) {
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (of_matlab) H5Pset_userblock(creation, 512);
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
  }
  ~Hdf5Writer() {
    close();
    std::filesystem::remove(path_);
  }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  hid_t file() const { return file_; }
  void group(const std::string& path) {
    H5Gclose(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (of_matlab_ && path.front() != '#') text(path, "MATLAB_class", "struct");
  }
  void dataset(const std::string& path, hid_t type, const Lengths& lengths, hid_t memory, const void* data,
               hid_t creation = H5P_DEFAULT) {
    const hid_t space = H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr);
    const hid_t made = H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    EXPECT_GE(made, 0) << path;
    if (data != nullptr) H5Dwrite(made, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(made);
    H5Sclose(space);
  }
  void ramp_of(const std::string& path, const Lengths& lengths, hid_t type = H5T_IEEE_F64LE,
               const std::string& matlab_class = "double") {
    const std::vector<double> numbers =
        ramp(std::accumulate(lengths.begin(), lengths.end(), std::size_t{1}, std::multiplies<>()));
    dataset(path, type, lengths, H5T_NATIVE_DOUBLE, numbers.data());
    if (of_matlab_) text(path, "MATLAB_class", matlab_class);
  }
  void text(const std::string& path, const char* name, const std::string& value, bool variable = false) {
    const hid_t object = H5Oopen(file_, path.c_str(), H5P_DEFAULT), type = H5Tcopy(H5T_C_S1),
                space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, variable ? H5T_VARIABLE : value.size());
    const hid_t made = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* start = value.data();
    H5Awrite(made, type, variable ? static_cast<const void*>(&start) : start);
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
    H5Oclose(object);
  }
  // What MATLAB writes for a cell, and for a field of a struct array.
  void references(const std::string& path, const std::vector<std::string>& to) {
    std::vector<hobj_ref_t> all(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) H5Rcreate(&all[i], file_, to[i].c_str(), H5R_OBJECT, -1);
    dataset(path, H5T_STD_REF_OBJ, {to.size(), 1}, H5T_STD_REF_OBJ, all.data());
  }
  const std::string& close() {
    if (file_ >= 0) H5Fclose(file_);
    if (file_ >= 0 && of_matlab_) {
      std::string header = "MATLAB 7.3 MAT-file, Platform: GLNXA64";
      header.resize(124, ' ');
      std::fstream(path_, std::ios::binary | std::ios::in | std::ios::out) << header << '\0' << '\2' << "IM";
    }
    file_ = -1;
    return path_;
  }

 private:
  std::string path_;
  bool of_matlab_;
  hid_t file_ = -1;
};

}  // namespace tauhat
