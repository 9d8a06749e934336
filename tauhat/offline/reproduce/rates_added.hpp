// The page of the diagnostics' rates, where a run of some of them adds to what the others left.
#pragma once

#include <string>

namespace tauhat::rates {

// The rates of both pages, in the order in which they are provoked: of two of one provocation that of more records, and
// of equal ones the other's. What is not provoked any more is left out.
std::string added_to_page(const std::string& before, const std::string& now);

}  // namespace tauhat::rates
