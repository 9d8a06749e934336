#include "tauhat/offline/robot/own_rows_check.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/long_run_covariance.hpp"

namespace tauhat {
namespace {

// By whole samples: the mean of two would have less noise than either, and fit better for that alone.
Eigen::VectorXd shifted(const std::vector<double>& series, const std::vector<std::size_t>& at, std::ptrdiff_t samples) {
  const auto last = static_cast<std::ptrdiff_t>(series.size()) - 1;
  Eigen::VectorXd values(static_cast<Eigen::Index>(at.size()));
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto k = std::clamp(static_cast<std::ptrdiff_t>(at[i]) + samples, std::ptrdiff_t{0}, last);
    values[static_cast<Eigen::Index>(i)] = series[static_cast<std::size_t>(k)];
  }
  return values;
}

// The joint's rows alone.
class OwnFit {
 public:
  explicit OwnFit(const Eigen::MatrixXd& regressor) : solver_(regressor) {
    solver_.setThreshold(1e-9);
    span_ = solver_.householderQ() * Eigen::MatrixXd::Identity(regressor.rows(), solver_.rank());
  }
  Eigen::VectorXd solve(const Eigen::VectorXd& torque) const { return solver_.solve(torque); }
  Eigen::VectorXd residual(const Eigen::VectorXd& torque) const {
    return torque - span_ * (span_.transpose() * torque);
  }
  double misfit(const Eigen::VectorXd& torque) const { return residual(torque).squaredNorm(); }
  // What rows near each other share of it: every other one, for neighbours are means of samples that touch, and a
  // torque that is held is the mean of two.
  double lasting_misfit(const Eigen::VectorXd& torque) const {
    constexpr Eigen::Index kApart = 2;
    const Eigen::VectorXd left = residual(torque);
    const Eigen::Index pairs = left.size() - kApart;
    return std::max(left.head(pairs).dot(left.tail(pairs)), 0.0);
  }
  // A combination of the parameters as one of the torques: weights that give the same.
  Eigen::VectorXd weights_of(const Eigen::VectorXd& combination) const {
    const Eigen::VectorXd permuted = solver_.colsPermutation().transpose() * combination;
    const Eigen::Index rank = solver_.rank();
    const auto triangle = solver_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
    return span_ * triangle.transpose().solve(permuted.head(rank));
  }

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver_;
  Eigen::MatrixXd span_;
};

// The best of shifts that are some ms apart.
std::ptrdiff_t coarse_shift(const OwnFit& fit, const std::vector<double>& torque, const std::vector<std::size_t>& at,
                            double period) {
  constexpr double kWidest = 0.06, kStep = 0.004;  // s
  const auto widest = std::max<std::ptrdiff_t>(2, std::lround(kWidest / period));
  const auto step = std::max<std::ptrdiff_t>(1, std::lround(kStep / period));
  std::ptrdiff_t best = 0;
  double least = fit.misfit(shifted(torque, at, 0));
  for (std::ptrdiff_t shift = -widest; shift <= widest; shift += step) {
    if (const double value = fit.misfit(shifted(torque, at, shift)); value < least) best = shift, least = value;
  }
  return best;
}

// Steps of Gauss and Newton with the rate of the predicted torque, which has no noise:
//   tau(t - d) ~ Y beta - d (Y beta)'
// The measured torque is shifted by whole samples until less than half of one is left. What the model lacks is
// correlated in time: the deviation is that of the sum of the scores.
void find_delay(const OwnFit& fit, const OwnRows& rows, const std::vector<double>& torque, double period,
                const std::vector<std::size_t>& at, double turn_std, OwnCheck& check) {
  std::ptrdiff_t shift = coarse_shift(fit, torque, at, period);
  constexpr int kMostSteps = 10;
  for (int step = 0; step < kMostSteps; ++step) {
    const Eigen::VectorXd measured = shifted(torque, at, shift), left = fit.residual(measured);
    const Eigen::VectorXd rate = fit.residual((rows.after - rows.before) * fit.solve(measured) / (2.0 * period));
    const double information = rate.squaredNorm();
    if (!(information > 0.0)) return;  // nothing moves
    const double delay = -rate.dot(left) / information;
    check.delay = static_cast<double>(shift) * period + delay;
    const LongRun scores = long_run(rate.cwiseProduct(left + delay * rate));
    check.delay_std = std::hypot(std::sqrt(scores.covariance(0, 0)) / information, turn_std);
    check.delay_freedom = long_run_freedom(rate.cwiseAbs2(), scores.bandwidth);
    const auto whole = std::lround(delay / period);
    if (whole == 0) break;
    shift += whole;
  }
  check.is_delayed = std::abs(check.delay) > std::max(OwnCheck::kCertain * check.delay_std, OwnCheck::kGrain);
  const double lasting = fit.lasting_misfit(shifted(torque, at, 0));
  if (lasting > 0.0) check.explained = 1.0 - fit.lasting_misfit(shifted(torque, at, shift)) / lasting;
}

// The rows as they were if the joint's Coulomb friction were that of contacts that bend over `reach`.
Eigen::MatrixXd with_bending(const TorqueColumns& columns, const BaseParameters& base, int joint, Eigen::MatrixXd rows,
                             const std::vector<std::vector<double>>& velocity, double interval, double reach) {
  AssumedFriction shape = columns.terms().shape();
  shape.law = SlidingLaw::dahl;
  shape.reach.assign(velocity.size(), 0.0);
  shape.reach[static_cast<std::size_t>(joint)] = reach;
  const FrictionHistory history(shape, velocity, interval);
  const std::vector<int>& own = base.of_joint[static_cast<std::size_t>(joint)];
  for (std::size_t c = 0; c < own.size(); ++c) {
    const int column = base.columns[static_cast<std::size_t>(own[c])];
    if (column < columns.inertial() || columns.joint(column) != joint ||
        columns.friction_kind(column) != TorqueColumns::FrictionKind::coulomb)
      continue;
    for (Eigen::Index k = 0; k < rows.rows(); ++k)
      rows(k, static_cast<Eigen::Index>(c)) = history.at(joint, static_cast<std::size_t>(k)).coulomb;
  }
  return rows;
}

void find_bending(const TorqueColumns& columns, const BaseParameters& base, int joint, const Eigen::MatrixXd& rows,
                  const CheckedSamples& samples, double period, const ShapeRange& reaches, OwnCheck& check) {
  const Eigen::VectorXd torque = samples.torque.col(joint);
  const double without = OwnFit(rows).lasting_misfit(torque);
  if (!(without > 0.0) || samples.size() < 2) return;
  const Eigen::MatrixXd of_actuators = samples.actuator_velocity(columns.robot());
  std::vector<std::vector<double>> velocity;
  for (const auto& each : of_actuators.colwise()) velocity.emplace_back(each.begin(), each.end());
  const double interval = static_cast<double>(samples.at[1] - samples.at[0]) * period;
  constexpr double kStep = 1.5;  // of a reach: nearer ones explain about as much
  double least = OwnFit(rows).misfit(torque);
  for (double reach = reaches.least; reach < reaches.most; reach *= kStep) {
    const OwnFit fit(with_bending(columns, base, joint, rows, velocity, interval, reach));
    const double misfit = fit.misfit(torque);
    if (misfit >= least) continue;
    least = misfit, check.reach = reach;
    check.explained_by_bending = 1.0 - fit.lasting_misfit(torque) / without;
  }
}

// One for the joint's own friction, zero for the rest.
Eigen::VectorXd friction_share(const TorqueColumns& columns, const BaseParameters& base, int joint) {
  const std::vector<int>& own = base.of_joint[static_cast<std::size_t>(joint)];
  Eigen::VectorXd share = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(own.size()));
  for (std::size_t c = 0; c < own.size(); ++c) {
    const int column = base.columns[static_cast<std::size_t>(own[c])];
    if (column >= columns.inertial() && columns.joint(column) == joint) share[static_cast<Eigen::Index>(c)] = 1.0;
  }
  return share;
}

// Mean power that friction takes of the joint's actuator: linear in its viscous and Coulomb friction.
void find_friction_power(const OwnFit& fit, const Eigen::MatrixXd& rows, const Eigen::VectorXd& is_friction,
                         const Eigen::VectorXd& velocity, const Eigen::VectorXd& torque, OwnCheck& check) {
  const Eigen::VectorXd power =
      is_friction.cwiseProduct(rows.transpose() * velocity) / static_cast<double>(velocity.size());
  const Eigen::VectorXd weights = fit.weights_of(power);
  check.friction_power = weights.dot(torque);
  check.friction_power_std = std::sqrt(long_run_covariance(weights.cwiseProduct(fit.residual(torque)))(0, 0));
}

// What normal_equivalent() makes `size` of.
double student_equivalent(double size, double freedom) {
  const double scaled = size * (8.0 * freedom + 3.0) / (8.0 * freedom + 1.0);
  return std::sqrt(freedom * std::expm1(scaled * scaled / freedom));
}

}  // namespace

double OwnCheck::unseen_delay() const noexcept {
  return std::max(student_equivalent(kLikely, delay_freedom) * delay_std, kGrain);
}

OwnCheck check_own_rows(const TorqueColumns& columns, const BaseParameters& base, int joint, const OwnRows& rows,
                        const CheckedSamples& samples, const RobotRecord& record, const ShapeRange& reaches) {
  const OwnFit fit(rows.now);
  const Eigen::VectorXd is_friction = friction_share(columns, base, joint);
  OwnCheck check;
  find_delay(fit, rows, centred_mean(record.torque[static_cast<std::size_t>(joint)], samples.averaged), record.period,
             samples.at, samples.turn_std, check);
  if (check.is_delayed) find_bending(columns, base, joint, rows.now, samples, record.period, reaches, check);
  find_friction_power(fit, rows.now, is_friction, samples.actuator_velocity(columns.robot()).col(joint),
                      samples.torque.col(joint), check);
  return check;
}

}  // namespace tauhat
