#include "tauhat/offline/robot/robot_suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/report/suspect.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A column of which less than this is left beside the base parameters (as a share of its square) is one of theirs.
constexpr double kToldApart = 1e-6;

// The motion at the rows' times: filtered as the regressor's is, but not decimated with it.
struct RowMotion {
  MatrixXd position, velocity, acceleration;  // a row each time, a column each joint
};

RowMotion motion_of_rows(const RobotRecord& record, const MotionRowOptions& options, const MotionRowSource& source) {
  constexpr int kOrder = 4;  // of the Butterworth filter
  const auto rows = static_cast<Index>(source.size());
  const Index joints = source.joints();
  RowMotion motion{MatrixXd(rows, joints), MatrixXd(rows, joints), MatrixXd(rows, joints)};
  const auto smoothed = [&](const std::vector<double>& series) {
    if (options.cut_off <= 0.0) return series;
    return filter_zero_phase(butterworth_low_pass(kOrder, 2.0 * options.cut_off * record.period), series);
  };
  for_each_in_parallel(static_cast<std::size_t>(joints), [&](std::size_t joint) {
    const auto j = static_cast<Index>(joint);
    const auto position = smoothed(record.position[joint]);
    const auto velocity =
        record.velocity.empty() ? differentiate(position, record.period) : smoothed(record.velocity[joint]);
    const auto acceleration = differentiate(velocity, record.period);
    for (Index k = 0; k < rows; ++k) {
      const auto at = static_cast<std::size_t>(std::lround(source.time(static_cast<std::size_t>(k)) / record.period));
      motion.position(k, j) = position[at], motion.velocity(k, j) = velocity[at];
      motion.acceleration(k, j) = acceleration[at];
    }
  });
  return motion;
}

// Some rows of all records below each other.
struct Rows {
  std::vector<MatrixXd> regressor;  // of each joint
  MatrixXd torque;
  RowMotion motion;
  VectorXd time;    // s, from the beginning of each record, one after the other
  double interval;  // s, from row to row

  Index size() const { return torque.rows(); }
  int joints() const { return static_cast<int>(torque.cols()); }
};

void append(MatrixXd& all, const MatrixXd& more) {
  if (all.size() == 0) {
    all = more;
    return;
  }
  all.conservativeResize(all.rows() + more.rows(), Eigen::NoChange);
  all.bottomRows(more.rows()) = more;
}

MatrixXd every(const MatrixXd& from, std::size_t stride) {
  const auto step = static_cast<Index>(stride);
  return from(Eigen::seq(Index{0}, from.rows() - 1, step), Eigen::all);
}

Rows rows_of(const RobotIdentification& identification, const std::vector<RobotRecord>& records,
             const std::vector<RowSample>& samples) {
  Rows all;
  all.regressor.resize(static_cast<std::size_t>(identification.robot().count()));
  MatrixXd time;
  double begin = 0.0;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const MotionRowSource source = identification.rows(records[r]);
    const std::size_t stride = samples[r].stride;
    for (std::size_t j = 0; j < all.regressor.size(); ++j) append(all.regressor[j], samples[r].regressor[j]);
    append(all.torque, samples[r].torque);
    const RowMotion motion = motion_of_rows(records[r], identification.robot().rows, source);
    append(all.motion.position, every(motion.position, stride));
    append(all.motion.velocity, every(motion.velocity, stride));
    append(all.motion.acceleration, every(motion.acceleration, stride));
    MatrixXd own(static_cast<Index>(source.size()), 1);
    for (Index k = 0; k < own.rows(); ++k) own(k, 0) = begin + source.time(static_cast<std::size_t>(k));
    append(time, every(own, stride));
    begin = own(own.rows() - 1, 0);
  }
  all.time = time.col(0);
  all.interval = all.size() > 1 ? all.time[1] - all.time[0] : 1.0;
  return all;
}

// Weighed by each joint's residual, as the robot's own fit is.
class Fit {
 public:
  Fit(const Rows& rows, const BaseParameters& base) : rows_(rows), base_(base), weight_(VectorXd::Ones(rows.joints())) {
    constexpr int kPasses = 3;
    for (int pass = 0; pass < kPasses; ++pass) {
      solve();
      const VectorXd square = residual_.colwise().squaredNorm().transpose() / static_cast<double>(rows.size());
      weight_ = square.cwiseMax(1e-30).cwiseInverse();
    }
    solve();
  }

  const VectorXd& values() const { return values_; }
  const MatrixXd& residual() const { return residual_; }

  // What a column adds to all joints' torques, a column each joint, is no combination of the base parameters.
  struct Beside {
    MatrixXd rest;     // of the column
    VectorXd follows;  // base parameters that would take its place
    double told_apart = 0.0;
  };
  Beside beside(const MatrixXd& column) const {
    VectorXd product = VectorXd::Zero(base_.count());
    double square = 0.0;
    for (int j = 0; j < rows_.joints(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      if (column.col(j).isZero(0.0)) continue;
      product(base_.of_joint[at]) += weight_[j] * rows_.regressor[at].transpose() * column.col(j);
      square += weight_[j] * column.col(j).squaredNorm();
    }
    Beside result{column, inverse_ * product, 0.0};
    for (int j = 0; j < rows_.joints(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const VectorXd own = result.follows(base_.of_joint[at]);
      result.rest.col(j) -= rows_.regressor[at] * own;
    }
    if (square > 0.0) result.told_apart = weighed(result.rest, result.rest).sum() / square;
    return result;
  }
  // Over the joints of each row.
  VectorXd weighed(const MatrixXd& a, const MatrixXd& b) const { return a.cwiseProduct(b) * weight_; }

 private:
  void solve() {
    const Index n = base_.count();
    MatrixXd gram = MatrixXd::Zero(n, n);
    VectorXd product = VectorXd::Zero(n);
    for (int j = 0; j < rows_.joints(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const std::vector<int>& own = base_.of_joint[at];
      gram(own, own) += weight_[j] * rows_.regressor[at].transpose() * rows_.regressor[at];
      product(own) += weight_[j] * rows_.regressor[at].transpose() * rows_.torque.col(j);
    }
    VectorXd scale = gram.diagonal();
    for (double& s : scale) s = s > 0.0 ? 1.0 / std::sqrt(s) : 0.0;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(scale.asDiagonal() * gram * scale.asDiagonal());
    constexpr double kShortest = 1e-6;  // of the squared length of a direction, the columns scaled to unit length
    const VectorXd inverse = spectrum.eigenvalues().unaryExpr([](double x) { return x > kShortest ? 1.0 / x : 0.0; });
    const MatrixXd directions = scale.asDiagonal() * spectrum.eigenvectors();
    inverse_ = directions * inverse.asDiagonal() * directions.transpose();
    values_ = inverse_ * product;
    residual_ = rows_.torque;
    for (int j = 0; j < rows_.joints(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const VectorXd own = values_(base_.of_joint[at]);
      residual_.col(j) -= rows_.regressor[at] * own;
    }
  }

  const Rows& rows_;
  const BaseParameters& base_;
  VectorXd weight_, values_;
  MatrixXd inverse_, residual_;
};

// Of each row; central, and one-sided at the ends.
ArrayXd rate_of(const ArrayXd& values, double interval) {
  const Index n = values.size();
  ArrayXd rate(n);
  for (Index k = 0; k < n; ++k) {
    const Index before = std::max<Index>(k - 1, 0), after = std::min<Index>(k + 1, n - 1);
    rate[k] = (values[after] - values[before]) / (static_cast<double>(after - before) * interval);
  }
  return rate;
}

class Suspicions {
 public:
  Suspicions(const RobotIdentification& identification, const Rows& rows)
      : robot_(identification.robot()),
        columns_(identification.columns()),
        base_(identification.base()),
        rows_(rows),
        fit_(rows, base_),
        by_the_study_(torque_of(robot_.robot, rows.motion)) {}

  std::vector<RobotSuspect> all() {
    for (int j = 0; j < rows_.joints(); ++j) of_joint(j);
    of_gravity();
    for (int j = 0; j < rows_.joints(); ++j) of_placement(j), of_sag(j);
    sort_by_suspicion(found_);
    return std::move(found_);
  }

 private:
  void of_joint(int j) {
    const auto at = static_cast<std::size_t>(j);
    const ArrayXd v = rows_.motion.velocity.col(j).array(), q = rows_.motion.position.col(j).array();
    const VectorXd own = fit_.values()(base_.of_joint[at]);
    const ArrayXd torque = (rows_.regressor[at] * own).array(), friction = friction_of_joint(j),
                  load = torque - friction;
    const ArrayXd direction = (v / robot_.terms.width).tanh(), rate = rate_of(torque, rows_.interval);
    const ArrayXd since = (rows_.time.array() - rows_.time[0]) / (rows_.time[rows_.size() - 1] - rows_.time[0]) - 0.5;
    std::vector<double> speeds(v.begin(), v.end());
    for (double& each : speeds) each = std::abs(each);
    const double slow = std::max(0.1 * quantile(std::move(speeds), 0.9), robot_.terms.width);
    const std::string unit = joint_unit(robot_, j, "N m");
    const auto add = [&](const char* what, const std::string& its_unit, const ArrayXd& column, double known_to = 0.0) {
      MatrixXd of_all = MatrixXd::Zero(rows_.size(), rows_.joints());
      of_all.col(j) = column.matrix();
      consider(fmt::format("{}.{}", robot_.joints[at].name, what), its_unit, j, of_all, known_to);
    };
    add("torque.gain", "1", torque);
    add("torque.delay", "s", -rate, robot_.rows.turn_std());
    add("torque.offset", unit, ArrayXd::Ones(v.size()));
    add("torque.gain.drift", "1", since * torque);
    add("friction.drift", "1", since * friction);
    add("friction.bump", unit, (-v.abs() / slow).exp() * direction);
    add("friction.bend", joint_unit(robot_, j, "N m") + " s^2", v * v.abs());
    add("friction.asymmetry", joint_unit(robot_, j, "N m s/rad"), v.abs());
    add("friction.by_load", "1", load.abs() * direction);
    add("friction.width", unit, v / robot_.terms.width * (1.0 - direction.square()));
    add("friction.lag", "s", -rate_of(friction, rows_.interval), robot_.rows.turn_std());
    add("transmission.compliance", "s^2", rate_of(rate, rows_.interval));
    add("torque.by_position", unit, q.sin());
    add("torque.by_position", unit, q.cos());
  }

  ArrayXd friction_of_joint(int j) const {
    const auto at = static_cast<std::size_t>(j);
    const std::vector<int>& own = base_.of_joint[at];
    ArrayXd torque = ArrayXd::Zero(rows_.size());
    for (std::size_t c = 0; c < own.size(); ++c) {
      const int column = base_.columns[static_cast<std::size_t>(own[c])];
      if (column >= columns_.inertial())
        torque += fit_.values()[own[c]] * rows_.regressor[at].col(static_cast<Index>(c)).array();
    }
    return torque;
  }

  // What a robot needs for a motion.
  static MatrixXd torque_of(const Robot<double>& robot, const RowMotion& motion) {
    MatrixXd torque(motion.position.rows(), motion.position.cols());
    for (Index k = 0; k < torque.rows(); ++k) {
      const JointValues q = motion.position.row(k).transpose(), v = motion.velocity.row(k).transpose(),
                        a = motion.acceleration.row(k).transpose();
      torque.row(k) = inverse_dynamics(robot, q, v, a).transpose();
    }
    return torque;
  }
  // How much more another robot needs, for each of `step`.
  MatrixXd difference(const Robot<double>& other, double step) const {
    return (torque_of(other, rows_.motion) - by_the_study_) / step;
  }
  void of_gravity() {
    for (int axis = 0; axis < 3; ++axis) {
      Robot<double> other = robot_.robot;
      other.gravity[axis] += 1.0;
      consider(fmt::format("gravity.{}", "xyz"[axis]), "m/s^2", rows_.joints(), difference(other, 1.0));
    }
  }
  void of_placement(int j) {
    constexpr double kStep = 1e-4;  // m
    const Joint<double>& joint = robot_.robot.joint(j);
    for (int axis = 0; axis < 3; ++axis) {
      Placement<double> placement = joint.placement();
      placement.translation[axis] += kStep;
      Robot<double> other = robot_.robot;
      other.set_joint(j, {joint.parent(), joint.type(), placement, joint.axis()});
      consider(fmt::format("{}.xyz.{}", robot_.joints[static_cast<std::size_t>(j)].name, "xyz"[axis]), "m", j,
               difference(other, kStep));
    }
  }

  // A gear that yields to its load: its motor, where the encoder sits, is ahead of the links. What that makes of the
  // accelerations is lost in the filter; of the pose it lasts.
  void of_sag(int j) {
    constexpr double kStep = 1e-6;  // rad/(N m)
    const auto at = static_cast<std::size_t>(j);
    const VectorXd own = fit_.values()(base_.of_joint[at]), torque = rows_.regressor[at] * own;
    RowMotion bent = rows_.motion;
    bent.position.col(j) -= kStep * (torque - friction_of_joint(j).matrix());
    consider(robot_.joints[at].name + ".transmission.sag", robot_.robot.joint(j).is_revolute() ? "rad/(N m)" : "m/N", j,
             (torque_of(robot_.robot, bent) - by_the_study_) / kStep);
  }

  // `known_to`: standard deviation of a change that no record would tell from none.
  void consider(std::string name, std::string unit, int joint, const MatrixXd& column, double known_to = 0.0) {
    const Fit::Beside beside = fit_.beside(column);
    if (!(beside.told_apart > kToldApart)) return;
    const VectorXd scores = fit_.weighed(beside.rest, fit_.residual()), square = fit_.weighed(beside.rest, beside.rest);
    const double information = square.sum(), change = scores.sum() / information;
    const LongRun sum = long_run(scores - change * square);
    // As of the fit's own scores: in the band that is looked at the fit has taken its parameters out.
    constexpr double kParzenArea = 0.75;
    const double seen = rows_.joints() * static_cast<double>(rows_.size()) / (kParzenArea * sum.bandwidth);
    const double left = std::max(seen - static_cast<double>(base_.count()), 0.1 * seen);
    const double deviation = std::hypot(std::sqrt(sum.covariance(0, 0) * seen / left), known_to * information);
    found_.push_back({std::move(name), std::move(unit), joint, 0.0, change,
                      normal_equivalent(scores.sum() / deviation, long_run_freedom(square, sum.bandwidth)),
                      -change * beside.follows});
  }

  const RobotSpec& robot_;
  const TorqueColumns& columns_;
  const BaseParameters& base_;
  const Rows& rows_;
  Fit fit_;
  MatrixXd by_the_study_;  // the torque of its robot
  std::vector<RobotSuspect> found_;
};

}  // namespace

std::vector<RobotSuspect> find_robot_suspects(const RobotIdentification& identification,
                                              const std::vector<RobotRecord>& records,
                                              const std::vector<RowSample>& samples) {
  const Rows rows = rows_of(identification, records, samples);
  return Suspicions(identification, rows).all();
}

Eigen::MatrixXd shifts_by_gains(const RobotIdentification& identification, const std::vector<RobotRecord>& records,
                                const std::vector<RowSample>& samples, const UncertainGains& gains) {
  const BaseParameters& base = identification.base();
  MatrixXd shifts = MatrixXd::Zero(base.count(), gains.std.size());
  if (gains.std.isZero(0.0)) return shifts;
  const Rows rows = rows_of(identification, records, samples);
  const Fit fit(rows, base);
  MatrixXd torque(rows.size(), rows.joints());
  for (int j = 0; j < rows.joints(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const VectorXd own = fit.values()(base.of_joint[at]);
    torque.col(j) = rows.regressor[at] * own;
  }
  const MatrixXd measured = torque * gains.joints_by_measured.inverse().transpose();
  for (Index i = 0; i < gains.std.size(); ++i) {
    if (gains.std[i] == 0.0) continue;
    const MatrixXd column = measured.col(i) * gains.joints_by_measured.col(i).transpose();
    shifts.col(i) = gains.std[i] * fit.beside(column).follows;
  }
  return shifts;
}

Eigen::VectorXd shift_by_suspects(const std::vector<RobotSuspect>& suspects, int parameters) {
  int joints = 0;
  for (const RobotSuspect& suspect : suspects) joints = std::max(joints, suspect.joint + 1);
  MatrixXd largest = MatrixXd::Zero(parameters, joints);
  for (const RobotSuspect& suspect : suspects)
    if (std::abs(suspect.z) > kWidens)
      largest.col(suspect.joint) = largest.col(suspect.joint).cwiseMax(suspect.shift.cwiseAbs());
  return largest.rowwise().norm();
}

}  // namespace tauhat
