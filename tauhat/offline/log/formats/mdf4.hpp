// ASAM MDF 4.x (.mf4): what CANape, INCA, vSignalyzer and most measurement boxes write. Numbers of any bit width,
// sorted and unsorted, plain and deflated, with their conversions; a channel is stamped by its group's time. A name
// that several groups use is written "group.channel" with the group's acquisition name, or "cg2.channel" for the second
// group of the file. Text, arrays and dates are no columns.
//   ASAM MDF, Measurement Data Format, version 4.1.1: https://www.asam.net/standards/detail/mdf/
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/formats/binary_file.hpp"
#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

// As Format::read and Format::list say.
Recording read_mdf4(const std::string& path, const std::vector<std::string>& wanted);
std::vector<ColumnInfo> list_mdf4(const std::string& path);

Recording read_mdf4(const BinaryFile& file, const std::vector<std::string>& wanted);
std::vector<ColumnInfo> list_mdf4(const BinaryFile& file);

}  // namespace tauhat
