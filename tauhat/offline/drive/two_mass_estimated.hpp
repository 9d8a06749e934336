// The filter of a two-mass drive with K parameters estimated along. Two K are compiled in a file: together
// they are the slowest file of the project.
#pragma once

#include <fmt/format.h>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/unknowns/constants.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"
#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/replay/estimator_of.hpp"

namespace tauhat {

using FreeTorque = Augmented<Drive, RandomWalk<Drive::transmission_torque>>;

inline std::vector<OutputInfo> drive_outputs() {
  std::vector<OutputInfo> outputs;
  for (const Signal& signal : Drive::kOutputs) outputs.push_back({std::string(signal.name), std::string(signal.unit)});
  return outputs;
}

template <int N>
Gaussian<double, N> start_belief(const TwoMassPrior& prior) {
  Vector<double, N> mean = Vector<double, N>::Ones(), variances = Vector<double, N>::Ones();
  for (int i = 0; i < FreeTorque::kStates; ++i) {
    mean[i] = prior.mean[i];
    variances[i] = prior.variances[i];
  }
  return Gaussian<double, N>::from_variances(mean, variances);
}

template <int K>
std::unique_ptr<Estimator> with_estimated(const FreeTorque& torque, const TwoMassPrior& prior,
                                          const std::vector<UncertainParameter>& estimated) {
  using M = Augmented<FreeTorque, Constants<K>>;
  using F = Ekf<M>;
  M model{torque, {}};
  auto belief = start_belief<M::kStates>(prior);
  EstimatorTraits<F> traits;
  traits.outputs = drive_outputs();
  for (int i = 0; i < K; ++i) {
    const UncertainParameter& unknown = estimated[static_cast<std::size_t>(i)];
    const double start = parameter_value(torque.model, unknown.index);
    const std::string name = parameter_name(torque.model, unknown.index);
    if (start == 0.0) {
      throw Error(ExitCode::wrong_use, fmt::format("{} = 0 cannot be estimated along: give it a start value", name));
    }
    model.parameter[static_cast<std::size_t>(i)] = unknown.index;
    belief.covariance()(M::kFirst + i, M::kFirst + i) = (unknown.std / start) * (unknown.std / start);
    traits.outputs.push_back({name, parameter_unit(torque.model, unknown.index)});
    traits.state_outputs.push_back({M::kFirst + i, start});
  }
  traits.set_intensity = [](M& m, double value) { m.model.intensity = value; };
  traits.intensity = [](const M& m) { return m.model.intensity; };
  return std::make_unique<EstimatorOf<F>>(F(model, belief), std::move(traits));
}

extern template std::unique_ptr<Estimator> with_estimated<1>(const FreeTorque&, const TwoMassPrior&,
                                                             const std::vector<UncertainParameter>&);
extern template std::unique_ptr<Estimator> with_estimated<2>(const FreeTorque&, const TwoMassPrior&,
                                                             const std::vector<UncertainParameter>&);
extern template std::unique_ptr<Estimator> with_estimated<3>(const FreeTorque&, const TwoMassPrior&,
                                                             const std::vector<UncertainParameter>&);
extern template std::unique_ptr<Estimator> with_estimated<4>(const FreeTorque&, const TwoMassPrior&,
                                                             const std::vector<UncertainParameter>&);

}  // namespace tauhat
