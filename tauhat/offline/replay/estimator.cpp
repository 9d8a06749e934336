#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

int Estimator::find_output(const std::string& name) const {
  const auto& all = outputs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tauhat
