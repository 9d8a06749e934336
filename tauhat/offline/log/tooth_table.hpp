// The learned errors of a wheel's teeth, as a file: sensor, tooth, error [rad], std [rad].
#pragma once

#include <string>
#include <vector>

namespace tauhat {

struct ToothTable {
  std::string signal;              // "load.position"
  std::vector<double> error, std;  // rad, of each tooth; a std of 0: not learned
};

// The errors of one sensor. Throws Error (unusable_data) where the file has other teeth.
std::vector<double> read_tooth_table(const std::string& path, const std::string& signal, int teeth);

std::string tooth_table_text(const std::vector<ToothTable>& tables);

}  // namespace tauhat
