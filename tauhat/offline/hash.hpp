// The fingerprint of a file, for records that are signed.
#pragma once

#include <string>

namespace tauhat {

// SHA-256 in hexadecimal of a log as it was read: also of one that came through a pipe ("-"). Throws Error
// (unusable_data).
std::string sha256_of_log(const std::string& path);

}  // namespace tauhat
