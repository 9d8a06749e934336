// "did you mean": the known name nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

// By edit distance, a wrong case counting half. Ties go to the earlier name; empty when none is near.
std::string nearest_name(std::string_view text, const std::vector<std::string>& known);

}  // namespace tauhat
