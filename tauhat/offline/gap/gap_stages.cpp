#include "tauhat/offline/gap/gap_stages.hpp"

#include "tauhat/core/filters/followed_observer.hpp"
#include "tauhat/core/filters/time_varying_observer.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/gap/gap_estimator_of.hpp"

namespace tauhat::gap {
namespace {

template <class First, class Second>
std::unique_ptr<Estimator> cascade_of(const GapSpec& spec) {
  using F = GapCascade<double, First, Second>;
  if (!F(spec.drive, Belief{}, StagesOf<F>::tuning(spec)).usable())
    throw Error(ExitCode::wrong_use,
                "estimator.kind: there are no stationary gains for this drive and its [noise]; use \"direct\"");
  return std::make_unique<GapEstimatorOf<F>>(spec);
}

template <class First>
std::unique_ptr<Estimator> switching_behind(const GapSpec& spec) {
  return spec.gain_is_time_varying ? cascade_of<First, TimeVaryingObserver<double>>(spec)
                                   : cascade_of<First, FollowedObserver<double>>(spec);
}

}  // namespace

std::unique_ptr<Estimator> make_stages(const GapSpec& spec) {
  switch (spec.filter) {
    case GapSpec::Filter::events:
      return std::make_unique<GapEstimatorOf<PulsePositions<double>>>(spec);
    case GapSpec::Filter::staircase:
      return cascade_of<StaircasePositions<double>, StationaryPositions<double>>(spec);
    case GapSpec::Filter::switching:
      return switching_behind<StaircasePositions<double>>(spec);
    default:
      return switching_behind<PulsePositions<double>>(spec);
  }
}

}  // namespace tauhat::gap
