// The datasets of an HDF5 file. A file that MATLAB 7.3 wrote is read as MATLAB shows it: its dimensions in MATLAB's
// order, struct arrays and cells by their index ("runs(2).t", "cases{3}"), and nothing of what MATLAB keeps for itself.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tauhat/offline/log/formats/hdf5_handle.hpp"
#include "tauhat/offline/log/formats/number_arrays.hpp"

namespace tauhat {

class Hdf5File {
 public:
  // Finds the datasets, without their numbers. Throws Error (unusable_data).
  explicit Hdf5File(const std::string& path);

  const NumberArrays& arrays() const noexcept { return arrays_; }
  std::vector<double> values(std::size_t array) const;

 private:
  void walk_group(hid_t group, const std::string& path, int depth);
  void walk_object(hid_t object, const std::string& path, int depth);
  void walk_references(hid_t dataset, const std::string& group, const std::string& leaf, int depth);
  void add_dataset(hid_t dataset, const std::string& path);
  [[noreturn]] void refuse(const std::string& reason) const;

  std::uintmax_t file_size_;
  NumberArrays arrays_;
  bool of_matlab_ = false;
  Hdf5Handle file_;
  std::set<haddr_t> open_groups_;  // from the root to the one that is walked: links may go in a circle
  std::size_t visits_ = 0;
  std::vector<haddr_t> addresses_;  // one for each array
};

}  // namespace tauhat
