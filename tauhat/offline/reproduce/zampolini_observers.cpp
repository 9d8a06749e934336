#include "tauhat/offline/reproduce/zampolini_observers.hpp"

#include <Eigen/Core>

#include <cmath>
#include <numbers>

namespace tauhat::zampolini {
namespace {

constexpr double kRatio = 120.0, kDamping = 0.9;
constexpr double kThesisVariance = 1.1039e-6;           // rad^2, per sample
constexpr double kLeak = 2.0 * std::numbers::pi * 0.2;  // 1/s

using Root = Eigen::MatrixXd;

// The thesis orders a joint's states [v_l, (v_n,) v_m, q_l, (q_n,) q_m], and so it orders G.
ObserverSpec with_root(ObserverSpec observer, const Root& thesis) {
  const std::vector<int> place =
      observer.with_neighbour ? std::vector<int>{5, 3, 4, 2, 0, 1} : std::vector<int>{3, 2, 1, 0};
  const auto thesis_index = [&](Eigen::Index i) {
    return i < static_cast<Eigen::Index>(place.size()) ? place[static_cast<std::size_t>(i)] : static_cast<int>(i);
  };
  for (Eigen::Index row = 0; row < thesis.rows(); ++row) {
    observer.covariance_root.emplace_back();
    for (Eigen::Index column = 0; column < thesis.cols(); ++column)
      observer.covariance_root.back().push_back(thesis(thesis_index(row), thesis_index(column)));
  }
  observer.kind = ObserverSpec::Kind::kalman;
  observer.sensor_variance = kThesisVariance;
  return observer;
}

Root six_states(const Eigen::VectorXd& diagonal) {
  Root g = diagonal.asDiagonal();
  const auto set = [&](int i, int j, double value) { g(i - 1, j - 1) = g(j - 1, i - 1) = value; };
  for (const auto& [i, j] : {std::pair{1, 3}, {3, 4}, {4, 6}}) set(i, j, 0.1 / kRatio);
  set(1, 4, 0.01), set(2, 5, 0.01), set(3, 6, 0.1);
  return g;
}

Root five_states() {
  const double i = 1.0 / kRatio;
  Root g(5, 5);
  g << 0.1, i, 0.1, 0, 0, i, 0.1, i, 0.1, 0, 0.1, i, 0.1, i, 0, 0, 0.1, i, 0.1, 0, 0, 0, 0, 0, 500;
  return g;
}

Root seven_states() {
  const double i = 1.0 / kRatio;
  Root g = Root::Zero(7, 7);
  g.topLeftCorner(4, 4) << 0.01, i, 0.1, 0, i, 1, i, 0.1, 0.1, i, 0.01, i, 0, 0.1, i, 500;
  g.block(4, 4, 2, 2) << 5e6, 100, 100, 1;
  g(6, 6) = 1.0;
  return g;
}

ObserverSpec alone(ObserverSpec observer) {
  observer.with_neighbour = false;
  return observer;
}

ObserverSpec placed(ObserverSpec observer, std::initializer_list<double> pairs) {
  observer.kind = ObserverSpec::Kind::luenberger;
  for (const double frequency : pairs) observer.poles.push_back({frequency, kDamping});
  return observer;
}

}  // namespace

ObserverSpec thesis_observer(const std::string& name) {
  ObserverSpec observer;
  observer.name = name;
  observer.predicts = true;
  observer.friction_compensation = true;
  const bool has_integrator = name == "L5" || name == "K5" || name == "K7";
  if (!has_integrator) observer.disturbance_observer = ObserverSpec::DisturbanceObserver{};
  if (name == "L5" || name == "K5") observer.external_torque = TorqueWalk{};
  if (name == "K7") observer.external_resonance = TorqueResonance{.frequency = 20.0, .relative_damping = 0.2};
  if (name == "L4") return placed(alone(observer), {500, 600});
  if (name == "L5") {
    ObserverSpec five = placed(alone(observer), {200, 300});
    five.poles.push_back({1000, 1.0});
    return five;
  }
  if (name == "L6lo") return placed(observer, {40, 80, 100});
  if (name == "L6hi") return placed(observer, {200, 250, 300});
  if (name == "K5") return with_root(alone(observer), five_states());
  if (name == "K7") return with_root(alone(observer), seven_states());
  Eigen::VectorXd diagonal(6);
  if (name == "K6lo") {
    diagonal << 0.1, 0.1, 100, 0.1, 0.1, 100;
  } else {
    diagonal << 1, 100, 1, 1, 1, 1;
  }
  return with_root(observer, six_states(diagonal));
}

ObserverSpec disturbance_filter() {
  ObserverSpec observer;
  observer.name = "K6d";
  observer.motor_noise = std::sqrt(1e-6), observer.load_noise = std::sqrt(0.1);
  observer.motor_disturbance = TorqueWalk{std::pow(10.0, -0.2), kLeak};
  return observer;
}

ObserverSpec bristle_filter() {
  ObserverSpec observer = disturbance_filter();
  observer.name = "lugre";
  observer.kind = ObserverSpec::Kind::bristle_kalman;
  observer.neighbour_noise = std::sqrt(0.1);
  observer.motor_disturbance->intensity = std::pow(10.0, -0.25);
  observer.bristle_noise = 1e-4;
  return observer;
}

MeshLuGre<double> assumed_friction(double coulomb, double breakaway_over_coulomb, double stribeck_velocity,
                                   double bristle_stiffness) {
  MeshLuGre<double> law;
  law.bristles = {.bristle_stiffness = bristle_stiffness,
                  .bristle_damping = 0.03,
                  .viscous = 0.0,
                  .coulomb = coulomb,
                  .breakaway = breakaway_over_coulomb * coulomb,
                  .stribeck_velocity = stribeck_velocity};
  law.fading_velocity = 5.0;
  return law;
}

}  // namespace tauhat::zampolini
