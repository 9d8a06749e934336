#include "tauhat/offline/gap/gap_estimator.hpp"

#include "tauhat/offline/gap/gap_estimator_of.hpp"
#include "tauhat/offline/gap/gap_stages.hpp"

namespace tauhat {

std::unique_ptr<Estimator> make_gap_estimator(const GapSpec& spec) {
  if (spec.is_of_stages()) return gap::make_stages(spec);
  if (spec.runs_several()) return std::make_unique<gap::GapEstimatorOf<GapImm<double>>>(spec);
  return std::make_unique<gap::GapEstimatorOf<GapFilter<double>>>(spec);
}

}  // namespace tauhat
