// The fingerprint of a file, for records that are signed.
#pragma once

#include <string>

namespace tauhat {

// SHA-256 in hexadecimal; of standard input ("-"), which is gone once read, an empty text.
std::string sha256_of_file(const std::string& path);

}  // namespace tauhat
