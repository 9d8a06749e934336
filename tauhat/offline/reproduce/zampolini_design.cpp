#include "tauhat/offline/reproduce/zampolini_design.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/joint/joint_core.hpp"
#include "tauhat/offline/reproduce/zampolini_identification.hpp"
#include "tauhat/offline/reproduce/zampolini_observers.hpp"
#include "tauhat/offline/reproduce/zampolini_setup.hpp"

namespace tauhat::zampolini {
namespace {

JointSpec true_axis() {
  JointSpec spec;
  spec.joint = true_parameters().joint;
  spec.has_neighbour = true;
  return spec;
}

template <class Use>
auto with_gain(const ObserverSpec& observer, Use&& use) {
  return with_joint_model(true_axis(), observer, [&](const auto& joint) {
    return use(observer_gain(joint, observer, kPeriod, kMeasurementVariance));
  });
}

// Distance of the poles that were reached from those that were wanted.
double eigenvalue_error(const ObserverSpec& observer) {
  return with_gain(observer, [&](const auto& gain) {
    constexpr int kStates = std::decay_t<decltype(gain)>::kStates;
    ContinuousPoles<double, kStates> wanted;
    for (const PoleSpec& pole : observer.poles)
      pole.damping < 1.0 ? wanted.pair(pole.frequency, pole.damping) : wanted.real(pole.frequency);
    return largest_distance<double, kStates>(wanted.sampled(kPeriod), observer_poles(gain));
  });
}

ObserverSpec seven_states_by_poles() {
  ObserverSpec observer = thesis_observer("K7");
  observer.kind = ObserverSpec::Kind::luenberger;
  observer.poles = {{40, 0.9}, {80, 0.9}, {100, 0.9}, {200, 1.0}};
  return observer;
}

// The largest deviation, relative, from the gain in the order [v_l v_n v_m q_l q_n q_m].
double gain_error(const std::string& name, const std::array<double, 6>& expected) {
  return with_gain(thesis_observer(name), [&](const auto& gain) {
    constexpr std::array<int, 6> kPlace{4, 5, 3, 1, 2, 0};
    double worst = 0.0;
    if constexpr (std::decay_t<decltype(gain)>::kStates == 6)
      for (std::size_t i = 0; i < 6; ++i)
        worst = std::max(worst, std::abs(gain.predictor[kPlace[i]] / expected[i] - 1.0));
    return worst;
  });
}

double residual_of(const ObserverSpec& observer) {
  return with_gain(observer, [](const auto& gain) { return gain.residual; });
}

// The disturbance that an observer of the joint finds in the normal record, A.
std::vector<double> disturbance_seen_by(const std::string& name, const Record& record) {
  ObserverSpec observer = thesis_observer(name);
  observer.friction_compensation = false;
  const ParameterSet set = true_parameters();
  JointSpec spec = true_axis();
  spec.gravity = {set.gravity_sine, set.gravity_cosine};
  const std::vector<double> current = saturated_current({}, record.current);
  return with_joint_model(spec, observer, [&](const auto& joint) {
    FixedGainCore<std::decay_t<decltype(joint)>::kStates> core(joint, spec, observer, kPeriod, kMeasurementVariance);
    JointState start = JointState::Zero();
    start[0] = record.motor_position.front();
    start[1] = start[0] / set.joint.ratio - spec.gravity.torque(start[0] / set.joint.ratio) / set.joint.stiffness;
    core.start(start);
    std::vector<double> seen;
    for (std::size_t k = 0; k < record.size(); ++k) {
      core.correct(record.motor_position[k], kMeasurementVariance);
      core.predict({set.torque_constant * current[k], 0.0, 0.0}, kPeriod);
      seen.push_back(core.disturbance() / set.torque_constant);
    }
    return seen;
  });
}

double invariance() {
  const Record record = normal({.seed = 1});
  const std::vector<double> reference = disturbance_seen_by("L6lo", record);
  double worst = 0.0;
  for (const char* name : {"L6hi", "K6lo", "K6hi"}) {
    const std::vector<double> seen = disturbance_seen_by(name, record);
    for (auto k = static_cast<std::size_t>(1.0 / kPeriod); k < seen.size(); ++k)
      worst = std::max(worst, std::abs(seen[k] - reference[k]));
  }
  return worst;
}

}  // namespace

RunFigures design_figures() {
  RunFigures figures;
  double& placed = figures["place.eigenvalue_error"];
  for (const char* name : {"L4", "L5", "L6lo", "L6hi"})
    placed = std::max(placed, eigenvalue_error(thesis_observer(name)));
  placed = std::max(placed, eigenvalue_error(seven_states_by_poles()));
  figures["l6.gain_error"] = gain_error("L6lo", {68.1174, -5.44319, 775.617, 0.231023, 2.88575, 0.906997});
  figures["k6.gain_error"] = gain_error("K6lo", {5.43777e-3, -0.0618384, 1.6098, 1.28472e-4, 6.47032e-5, 1.00159});
  double& residual = figures["dare.residual"];
  for (const ObserverSpec& observer :
       {thesis_observer("K5"), thesis_observer("K6lo"), thesis_observer("K6hi"), disturbance_filter()})
    residual = std::max(residual, residual_of(observer));
  figures["dare.residual_of_seven_states"] = residual_of(thesis_observer("K7"));
  figures["disturbance_observer.invariance"] = invariance();
  return figures;
}

}  // namespace tauhat::zampolini
