// What a column may have been in, where its study says another unit: the usual mistake behind a number that is six,
// ten, 57 or a thousand times off.
#pragma once

#include <string>
#include <vector>

namespace tauhat {

struct OtherUnit {
  std::string unit;              // "deg/s"
  double times_too_large = 1.0;  // what was read, where the column is in it
};

// None where people write the quantity in one unit alone. `unit` is as the study has it.
std::vector<OtherUnit> other_units(const std::string& unit);

}  // namespace tauhat
