#include "tauhat/offline/drive/two_mass.hpp"

#include <fmt/format.h>

#include "tauhat/offline/drive/two_mass_estimated.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

std::unique_ptr<Estimator> with_known_parameters(const FreeTorque& model, const TwoMassPrior& prior) {
  using F = Ekf<FreeTorque>;
  EstimatorTraits<F> traits;
  traits.outputs = drive_outputs();
  traits.set_intensity = [](FreeTorque& m, double value) { m.intensity = value; };
  traits.intensity = [](const FreeTorque& m) { return m.intensity; };
  return std::make_unique<EstimatorOf<F>>(F(model, start_belief<FreeTorque::kStates>(prior)), std::move(traits));
}

}  // namespace

std::unique_ptr<Estimator> make_torque_estimator(const Drive& drive, double intensity, const TwoMassPrior& prior,
                                                 const std::vector<UncertainParameter>& estimated) {
  const FreeTorque model{drive, intensity, 0.0};
  switch (estimated.size()) {
    case 0:
      return with_known_parameters(model, prior);
    case 1:
      return with_estimated<1>(model, prior, estimated);
    case 2:
      return with_estimated<2>(model, prior, estimated);
    case 3:
      return with_estimated<3>(model, prior, estimated);
    case 4:
      return with_estimated<4>(model, prior, estimated);
    default:
      throw Error(ExitCode::wrong_use,
                  fmt::format("{} parameters are to be estimated along; at most 4 can be", estimated.size()));
  }
}

}  // namespace tauhat
