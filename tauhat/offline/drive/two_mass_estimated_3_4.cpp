#include "tauhat/offline/drive/two_mass_estimated.hpp"

namespace tauhat {

template std::unique_ptr<Estimator> with_estimated<3>(const FreeTorque&, const TwoMassPrior&,
                                                      const std::vector<UncertainParameter>&);
template std::unique_ptr<Estimator> with_estimated<4>(const FreeTorque&, const TwoMassPrior&,
                                                      const std::vector<UncertainParameter>&);

}  // namespace tauhat
