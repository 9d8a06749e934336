#include "tauhat/offline/reproduce/limits_misfit.hpp"
namespace tauhat::limits {
std::vector<Cell> link_cells() { return {}; }
}  // namespace tauhat::limits
