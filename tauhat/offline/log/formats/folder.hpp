// A recording whose signals lie in several files of one folder. A column is called by its file and its name there:
// "torques.dat:#2", "run.csv:speed". Where a file holds the values of several signals one below the other, sample by
// sample, "positions.txt:3/7" is every seventh number of its first column, from the third on.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

Recording read_folder(const std::string& path, const std::vector<std::string>& wanted);
std::vector<ColumnInfo> list_folder(const std::string& path);

}  // namespace tauhat
