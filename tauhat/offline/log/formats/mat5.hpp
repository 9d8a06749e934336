// The variables of a MATLAB 5 or 7 file. Structs and cells are walked: "rec.position", "runs(2).t", "cases{3}.w".
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/formats/mat5_elements.hpp"
#include "tauhat/offline/log/formats/number_arrays.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {

class Mat5File {
 public:
  // Reads the file and finds its arrays; of packed ones, only the heads are unpacked. Throws Error (unusable_data).
  explicit Mat5File(const std::string& path);

  const NumberArrays& arrays() const noexcept { return arrays_; }
  std::vector<double> values(std::size_t array);

  // Where an array's numbers lie.
  struct Numbers {
    std::size_t variable;
    Mat5Element element;  // in the unpacked variable
  };

 private:
  Mat5Bytes body(std::size_t variable, bool whole);
  void walk(std::size_t variable);

  FileText text_;
  Mat5Bytes file_;
  std::vector<Mat5Element> variables_;
  std::string unpacked_;  // the packed variable that was looked at last: its head, or all of it
  std::size_t unpacked_variable_ = static_cast<std::size_t>(-1);
  NumberArrays arrays_;
  std::vector<Numbers> numbers_;  // one for each array
};

}  // namespace tauhat
