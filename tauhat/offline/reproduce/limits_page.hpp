// docs/limits.md: a row each cell of the grid. A run of some cells adds its rows to a page that has the others.
#pragma once

#include <string>

#include "tauhat/offline/reproduce/limits_grid.hpp"

namespace tauhat::limits {

// The page as it was, with the rows of another: of two rows of a cell that of more records, and of equal ones the
// other's. A cell that is new comes at the end of its method.
std::string added_to_page(const std::string& before, const std::string& now);

}  // namespace tauhat::limits
