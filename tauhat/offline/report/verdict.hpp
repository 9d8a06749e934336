// Conforming, nonconforming or inconclusive: an interval against a limit.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {

// The interval lies inside the limit: conforming; outside: nonconforming; on both sides of it, or not to be trusted:
// inconclusive.
Verdict judge(const Result& result, double limit, bool at_most, const std::string& limit_text, bool trusted);

bool is_trusted(const std::vector<Diagnostic>& diagnostics);
ExitCode exit_code_of(const Report& report);

}  // namespace tauhat
