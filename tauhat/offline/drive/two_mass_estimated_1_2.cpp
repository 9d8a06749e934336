#include "tauhat/offline/drive/two_mass_estimated.hpp"

namespace tauhat {

template std::unique_ptr<Estimator> with_estimated<1>(const FreeTorque&, const TwoMassPrior&,
                                                      const std::vector<UncertainParameter>&);
template std::unique_ptr<Estimator> with_estimated<2>(const FreeTorque&, const TwoMassPrior&,
                                                      const std::vector<UncertainParameter>&);

}  // namespace tauhat
