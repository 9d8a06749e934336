// The one sentence for a file that cannot be read, whoever wants it: a study, a log of any format, a fingerprint.
#pragma once

#include <string>

#include "tauhat/offline/error.hpp"

namespace tauhat {

// Throws Error where there is no file by that name, or none that may be read: "run3.csv: no such file". Standard input
// ("-") and pipes pass. Opens nothing.
void require_readable(const std::string& path, ExitCode code);

}  // namespace tauhat
