#include "tauhat/offline/reproduce/pyrhonen_setup.hpp"

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::pyrhonen {
namespace {

constexpr double kFrictionWidth = 0.05;                              // rad/s
constexpr double kScale = 0.2, kStretch = 0.1, kCentreShift = 0.01;  // 1, 1, m

// A body that is stretched along its axes, shifted and made heavier stays a body:  P -> s T P T^T.
LinkInertia<double> believed(const LinkInertia<double>& link, Random& random) {
  const double scale = 1.0 + random.uniform(-kScale, kScale);
  Matrix<double, 4> t = Matrix<double, 4>::Identity();
  for (int axis = 0; axis < 3; ++axis) t(axis, axis) += random.uniform(-kStretch, kStretch);
  for (int axis = 0; axis < 3; ++axis) t(axis, 3) = random.uniform(-kCentreShift, kCentreShift);
  return LinkInertia<double>::from_pseudo_inertia(scale * t * link.pseudo_inertia() * t.transpose());
}

}  // namespace

ArmModel true_model() {
  ArmModel model{tx40(), {}};
  for (int i = 0; i < kJoints; ++i) {
    model.friction.viscous[i] = kTable[static_cast<std::size_t>(i)].viscous;
    model.friction.coulomb[i] = kTable[static_cast<std::size_t>(i)].coulomb;
  }
  model.friction.width = kFrictionWidth;
  return model;
}

ArmModel nominal_model(std::uint64_t seed) {
  ArmModel model = true_model();
  Random random(seed, "nominal");
  for (int i = 0; i < kJoints; ++i) model.arm.set_link(i, believed(model.arm.link(i), random));
  for (auto* values : {&model.arm.actuator_inertia(), &model.friction.viscous, &model.friction.coulomb})
    for (double& value : *values) value *= 1.0 + random.uniform(-kScale, kScale);
  return model;
}

}  // namespace tauhat::pyrhonen
