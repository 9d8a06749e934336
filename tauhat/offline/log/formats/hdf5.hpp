// HDF5 files, MATLAB 7.3 among them. Datasets of numbers by their path, "axis1/velocity" as "axis1.velocity"; their
// unit from an attribute "unit" or "units", their clock from an attribute "clock" or from "time", "t" or "Time" beside
// them.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

// As Format::read, Format::list and Format::objects. Throw Error (unusable_data).
Recording read_hdf5(const std::string& path, const std::vector<std::string>& wanted);
std::vector<ColumnInfo> list_hdf5(const std::string& path);
std::vector<std::string> objects_in_hdf5(const std::string& path);  // of MATLAB

// One dataset a column, in their order, with attributes "unit" and "clock"; read_hdf5 gives the same columns again, but
// for a slash in a name, which becomes an underscore. Throws Error (unusable_data).
void write_hdf5(const std::string& path, const Recording& recording);

}  // namespace tauhat
