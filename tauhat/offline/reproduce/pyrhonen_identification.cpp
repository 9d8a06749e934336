#include "tauhat/offline/reproduce/pyrhonen_identification.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "tauhat/offline/robot/consistent_parameters.hpp"
#include "tauhat/offline/robot/simulated_record.hpp"

namespace tauhat::pyrhonen {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kPeriod = 1e-3;            // s
constexpr double kForceModelCutOff = 8.0;   // Hz, of the model for the force
constexpr double kValidationPeriod = 1e-2;  // s
constexpr std::uint64_t kExcitationSeed = 1, kValidationSeed = 2;

VectorXd parameters_of(const ArmModel& model, const TorqueColumns& columns) {
  return columns.parameters(model.arm.cast<double, Eigen::Dynamic>(), model.friction.cast<double, Eigen::Dynamic>());
}

Identification made() {
  const ArmModel model = true_model();
  TorqueColumns columns(model.arm.cast<double, Eigen::Dynamic>(), {.width = model.friction.width});
  BaseParameters base = base_parameters(columns);
  VectorXd truth = base.grouping * parameters_of(model, columns);
  ExcitingMotion excitation = optimise_excitation(columns, base, motion_limits(), {.seed = kExcitationSeed});
  ExcitingMotion validation = optimise_excitation(columns, base, motion_limits(), {.seed = kValidationSeed});
  return {std::move(columns), std::move(base), std::move(truth), std::move(excitation), std::move(validation)};
}

// All samples of the validation trajectory below each other.
struct Validation {
  MatrixXd regressor;
  VectorXd torque;

  static const Validation& of_the_arm() {
    static const Validation all = [] {
      const Identification& arm = Identification::of_the_arm();
      const FourierTrajectory& motion = arm.validation.trajectory;
      const auto samples = static_cast<int>(std::lround(motion.period / kValidationPeriod));
      Validation found;
      found.regressor.resize(kJoints * samples, arm.base.count());
      TorqueRows rows;
      for (int k = 0; k < samples; ++k) {
        const JointMotion at = motion.at(k * kValidationPeriod);
        arm.columns.fill(at.position, at.velocity, at.acceleration, rows);
        found.regressor.middleRows(kJoints * k, kJoints) = rows(Eigen::all, arm.base.columns);
      }
      found.torque = found.regressor * arm.truth;
      return found;
    }();
    return all;
  }

  // %
  double error(const VectorXd& values) const { return 100.0 * (torque - regressor * values).norm() / torque.norm(); }
};

RobotFit fit(const Noise& noise, std::uint64_t seed, const MotionRowOptions& options = {}) {
  const Identification& arm = Identification::of_the_arm();
  const RobotRecord record = exciting_record(noise, seed);
  return fit_robot(sum_rows(MotionRowSource(record, arm.columns, arm.base, options)));
}

// The smallest eigenvalue, the ratio and the iterations of the worse of both noises.
void add_consistent(const RobotFit& fit, double validation_error, std::uint64_t seed, RunFigures& figures) {
  const Identification& arm = Identification::of_the_arm();
  const ConsistentFit found =
      consistent_parameters(arm.columns, arm.base, fit.sums, parameters_of(nominal_model(seed), arm.columns));
  const double smallest = found.converged ? found.smallest_eigenvalue.minCoeff() : std::nan("");
  const double ratio = Validation::of_the_arm().error(found.base) / validation_error;
  const auto add = [&](const char* name, double value, bool largest) {
    const auto [at, is_new] = figures.try_emplace(name, value);
    if (is_new || std::isnan(at->second)) return;
    const bool is_worse = largest ? value > at->second : value < at->second;
    if (is_worse || std::isnan(value)) at->second = value;  // what did not converge is the worst
  };
  add("consistent.min_eigenvalue", smallest, false);
  add("consistent.validation_ratio", ratio, true);
  add("consistent.iterations", found.iterations, true);
}

}  // namespace

const Identification& Identification::of_the_arm() {
  static const Identification arm = made();
  return arm;
}

MotionLimits motion_limits() {
  struct Row {
    double lower, upper, most;      // degrees; of the position
    double velocity, acceleration;  // degrees/s, rad/s^2
  };
  constexpr std::array<Row, kJoints> kRows{{{-180.0, 180.0, 170.0, 287.0, 10.0},
                                            {-125.0, 125.0, 110.0, 287.0, 10.0},
                                            {-138.0, 138.0, 120.0, 430.0, 15.0},
                                            {-270.0, 270.0, 170.0, 410.0, 20.0},
                                            {-120.0, 133.5, 110.0, 320.0, 20.0},
                                            {-270.0, 270.0, 170.0, 700.0, 30.0}}};
  constexpr double kDegree = std::numbers::pi / 180.0, kOfRange = 0.85, kOfVelocity = 0.75;
  MotionLimits limits{VectorXd(kJoints), VectorXd(kJoints), VectorXd(kJoints), VectorXd(kJoints)};
  for (int j = 0; j < kJoints; ++j) {
    const Row& row = kRows[static_cast<std::size_t>(j)];
    const double middle = 0.5 * (row.lower + row.upper), half = 0.5 * kOfRange * (row.upper - row.lower);
    limits.lower[j] = kDegree * std::max(middle - half, -row.most);
    limits.upper[j] = kDegree * std::min(middle + half, row.most);
    limits.velocity[j] = kDegree * kOfVelocity * row.velocity;
    limits.acceleration[j] = row.acceleration;
  }
  return limits;
}

RobotRecord exciting_record(const Noise& noise, std::uint64_t seed) {
  const Identification& arm = Identification::of_the_arm();
  const FourierTrajectory& motion = arm.excitation.trajectory;
  return simulated_record(motion, arm.columns, parameters_of(true_model(), arm.columns), motion.period, kPeriod,
                          noise.deviations, seed);
}

ArmModel identified_model(std::uint64_t seed) {
  const Identification& arm = Identification::of_the_arm();
  const RobotFit found = fit(kHighNoise, seed, {.cut_off = kForceModelCutOff});
  const VectorXd standard = standard_parameters(arm.columns, arm.base, found.base.values);
  return {arm.columns.robot_with(standard).cast<double, kJoints>(),
          arm.columns.friction_with(standard).cast<double, kJoints>()};
}

RobotFit high_noise_fit(std::uint64_t seed) { return fit(kHighNoise, seed); }

VectorXd nominal_base_parameters(std::uint64_t seed) {
  const Identification& arm = Identification::of_the_arm();
  return arm.base.grouping * parameters_of(nominal_model(seed), arm.columns);
}

RunFigures base_figures(std::uint64_t seed) {
  constexpr int kPublished = 52;
  const BaseParameters base = base_parameters(Identification::of_the_arm().columns, {.seed = seed});
  const double gap = base.singular_values[kPublished - 1] / base.singular_values[kPublished];
  return {{"base.rank", base.count()}, {"base.gap", gap}};
}

RunFigures excitation_figures() {
  const Identification& arm = Identification::of_the_arm();
  return {{"excitation.condition", arm.excitation.condition},
          {"excitation.evaluations", arm.excitation.evaluations},
          {"excitation.validation_condition", arm.validation.condition}};
}

RunFigures identification_figures(std::uint64_t seed) {
  const Identification& arm = Identification::of_the_arm();
  RunFigures figures;
  for (const Noise& noise : {kNoiseFree, kLowNoise, kHighNoise}) {
    const RobotFit found = fit(noise, seed);
    const std::string prefix = std::string("identification.") + noise.name;
    const double validation_error = Validation::of_the_arm().error(found.base.values);
    figures[prefix + ".parameter_error"] = 100.0 * (found.base.values - arm.truth).norm() / arm.truth.norm();
    figures[prefix + ".validation_error"] = validation_error;
    if (noise.deviations.torque == 0.0) continue;
    figures[prefix + ".essential_parameters"] = static_cast<double>(essential_parameters(found).parameters.size());
    add_consistent(found, validation_error, seed, figures);
  }
  return figures;
}

}  // namespace tauhat::pyrhonen
