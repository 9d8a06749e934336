// A log whose fingerprint goes on the page to sign.
#pragma once

#include <string>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {

// Reads the log and adds its name and fingerprint to the certificate. Throws Error (unusable_data), also where the file
// changes meanwhile.
Log read_certified_log(const std::string& path, const LogSpec& spec, Certificate& certificate);

}  // namespace tauhat
