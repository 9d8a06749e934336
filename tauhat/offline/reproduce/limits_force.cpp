#include "tauhat/offline/reproduce/limits_misfit.hpp"
namespace tauhat::limits {
std::vector<Cell> force_cells() { return {}; }
}  // namespace tauhat::limits
