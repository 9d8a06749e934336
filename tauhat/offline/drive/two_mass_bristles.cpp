#include <fmt/format.h>

#include "tauhat/core/models/with_bristles.hpp"
#include "tauhat/offline/drive/two_mass_estimated.hpp"

namespace tauhat {
namespace {

// Faster than drives are controlled: bristles that settle within a quarter of a millisecond are not followed while they
// do.
constexpr double kFastestBristles = 4000.0;  // 1/s

template <template <class> class Friction>
std::unique_ptr<Estimator> with(const Friction<double>& law, const Drive& drive, double intensity,
                                const TwoMassPrior& prior) {
  using Bristled = WithBristles<Drive, Friction>;
  using M = Augmented<Bristled, RandomWalk<Drive::transmission_torque>>;
  using F = Ekf<M>;
  const M model{Bristled{drive, law, kFastestBristles}, intensity, 0.0};
  Vector<double, M::kStates> mean = Vector<double, M::kStates>::Zero(), variances = mean;
  // At the start the contact may be bent by any share of what it takes to slide.
  const auto bent = law.presliding();
  variances.template segment<Bristled::kMemory>(Drive::kStates)
      .setConstant(std::pow(law.steady_torque(1e-9) / bent.stiffness, 2));
  for (int i = 0; i < Drive::kStates; ++i) mean[i] = prior.mean[i], variances[i] = prior.variances[i];
  mean[M::kWalk] = prior.mean[Drive::kStates], variances[M::kWalk] = prior.variances[Drive::kStates];
  EstimatorTraits<F> traits;
  traits.outputs = drive_outputs();
  traits.set_intensity = [](M& m, double value) { m.intensity = value; };
  traits.intensity = [](const M& m) { return m.intensity; };
  return std::make_unique<EstimatorOf<F>>(F(model, Gaussian<double, M::kStates>::from_variances(mean, variances)),
                                          std::move(traits));
}

}  // namespace

std::unique_ptr<Estimator> make_torque_estimator(const Drive& drive, const AnyBristles& bristles, double intensity,
                                                 const TwoMassPrior& prior) {
  return std::visit([&]<template <class> class Friction>(
                        const Friction<double>& law) { return with<Friction>(law, drive, intensity, prior); },
                    bristles);
}

}  // namespace tauhat
