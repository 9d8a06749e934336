// MATLAB files: versions 5 to 7 (mat5.hpp), and 7.3, which is HDF5. Variables, fields of structs and elements of cells
// by their path: "rec.velocity", "runs(2).t". Numbers of any class but complex and sparse ones.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

// As Format::read and Format::list. Throw Error (unusable_data).
Recording read_mat(const std::string& path, const std::vector<std::string>& wanted);
std::vector<ColumnInfo> list_mat(const std::string& path);

// As Format::objects: timeseries, tables and other objects, which MATLAB alone can open.
std::vector<std::string> objects_in_mat(const std::string& path);

}  // namespace tauhat
