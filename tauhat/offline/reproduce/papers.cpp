#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{{"hovland", "backlash by a state-augmented filter", reproduce_hovland},
                                      {"shimizu", "solid friction by filters and smoothers", reproduce_shimizu}};
  return all;
}

}  // namespace tauhat
