// MCAP (.mcap): what ROS 2 and Foxglove record. Messages in JSON, any of their numbers: "topic.header.seq",
// "topic.position[1]"; and ROS 2's joint states: "joint_states.elbow.position". A topic's columns are stamped by
// "topic.time": the message's own header.stamp, or when it was recorded, in s since the first message of the file.
//   Specification: https://mcap.dev/spec
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/formats/binary_file.hpp"
#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

// As Format::read and Format::list say.
Recording read_mcap(const std::string& path, const std::vector<std::string>& wanted);
std::vector<ColumnInfo> list_mcap(const std::string& path);

Recording read_mcap(const BinaryFile& file, const std::vector<std::string>& wanted);
std::vector<ColumnInfo> list_mcap(const BinaryFile& file);

}  // namespace tauhat
