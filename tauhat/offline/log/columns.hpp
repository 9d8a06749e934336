// Which of a file's columns the caller wants.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tauhat/offline/log/heading.hpp"

namespace tauhat {

// Indices of the wanted columns, in the order asked for; of all when the list is empty. Throws Error
// (unusable_data) for a column that is missing or named twice; `note` ends the list of those that exist.
std::vector<std::size_t> find_columns(const std::vector<CsvHeading>& headings, const std::string& source,
                                      const std::vector<std::string>& wanted, const std::string& note = "");

}  // namespace tauhat
