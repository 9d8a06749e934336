// Words in messages: "did you mean", one and many.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

// The known name nearest to a misspelt one, by edit distance, a wrong case counting half. Ties go to the earlier name;
// empty when none is near.
std::string nearest_name(std::string_view text, const std::vector<std::string>& known);

// "1 pulse", "2 pulses".
std::string counted(std::size_t count, std::string_view one, std::string_view more);

}  // namespace tauhat
