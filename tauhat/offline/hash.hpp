// Fingerprints: of a file, for records that are signed, and of a recording, whatever file it came from.
#pragma once

#include <string>

#include "tauhat/offline/log/log.hpp"

namespace tauhat {

// SHA-256 in hexadecimal of a log as it was read: also of one that came through a pipe ("-"). Throws Error
// (unusable_data).
std::string sha256_of_log(const std::string& path);

// Of every channel's signal, times and values.
std::string sha256_of_samples(const Log& log);

}  // namespace tauhat
