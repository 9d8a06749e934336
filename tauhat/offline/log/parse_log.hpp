// A log from a text table that is at hand, read and checked as read_log does a file.
#pragma once

#include <string>
#include <string_view>

#include "tauhat/offline/log/log.hpp"

namespace tauhat {

// Throws Error (unusable_data) as read_log does; `source` stands for the file's name.
Log parse_log(std::string_view csv, const std::string& source, const LogSpec& spec);

}  // namespace tauhat
