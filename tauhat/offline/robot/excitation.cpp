#include "tauhat/offline/robot/excitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/core/robot/frame_motion.hpp"
#include "tauhat/core/robot/motion.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kSmallestFill = 0.2;  // of a joint's limits

// What is searched: shapes without scale, and how they fill the limits.
struct Shape {
  MatrixXd sine, cosine;
  VectorXd fill, place;  // shares of the limits, and of the room that is left for the centre: 0 to 1

  static Shape random(int joints, int harmonics, Random& random) {
    const auto normal = [&] { return random.normal(); };
    Shape shape;
    shape.sine = MatrixXd::NullaryExpr(joints, harmonics, normal);
    shape.cosine = MatrixXd::NullaryExpr(joints, harmonics, normal);
    shape.fill = VectorXd::NullaryExpr(joints, [&] { return random.uniform(kSmallestFill, 1.0); });
    shape.place = VectorXd::NullaryExpr(joints, [&] { return random.uniform(); });
    return shape;
  }

  // One joint in the neighbourhood of this one, or all of them by less.
  Shape stepped(double step, Random& random) const {
    const auto joints = static_cast<int>(fill.size());
    const int chosen = static_cast<int>(random.uniform(0.0, 2.0 * joints));
    Shape other = *this;
    for (int j = 0; j < joints; ++j) {
      if (chosen < joints && chosen != j) continue;
      const double size = chosen < joints ? step : step / std::sqrt(static_cast<double>(joints));
      for (Index l = 0; l < sine.cols(); ++l) {
        other.sine(j, l) += size * random.normal();
        other.cosine(j, l) += size * random.normal();
      }
      other.fill[j] = std::clamp(fill[j] + 0.5 * size * random.normal(), kSmallestFill, 1.0);
      other.place[j] = std::clamp(place[j] + 0.5 * size * random.normal(), 0.0, 1.0);
    }
    return other;
  }

  // The nearest that begins at rest.
  void start_at_rest() {
    const VectorXd order = VectorXd::LinSpaced(sine.cols(), 1.0, static_cast<double>(sine.cols()));
    const VectorXd mean = sine.rowwise().mean(), along = cosine * order / order.squaredNorm();
    sine.colwise() -= mean;
    cosine -= along * order.transpose();
  }
};

void require_room(const MotionLimits& limits, int joints) {
  for (int j = 0; j < joints; ++j) {
    if (!(limits.upper[j] > limits.lower[j]) || !(limits.velocity[j] > 0.0) || !(limits.acceleration[j] > 0.0)) {
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}{}: its limits leave no room to move: position {:g} to {:g}, velocity {:g}, "
                              "acceleration {:g}",
                              limits.source, limits.name_of(j), limits.lower[j], limits.upper[j], limits.velocity[j],
                              limits.acceleration[j]));
    }
  }
}

// m, of all joints and named frames.
VectorXd heights_of(const Robot<double>& robot, const JointValues& position) {
  const auto pose = pose_of(robot, position);
  VectorXd heights(robot.joints() + robot.frame_count());
  for (int i = 0; i < robot.joints(); ++i) heights[i] = pose.origin[i].z();
  for (int f = 0; f < robot.frame_count(); ++f)
    heights[robot.joints() + f] = frame_placement(pose, robot.frame(f)).translation.z();
  return heights;
}

// Which of them any motion raises: the others, such as the first joint's, cannot be kept above anything.
Eigen::Array<bool, Eigen::Dynamic, 1> rising_points(const Robot<double>& robot) {
  Eigen::Array<bool, Eigen::Dynamic, 1> rises =
      Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(robot.joints() + robot.frame_count(), false);
  for (int j = 0; j < robot.joints(); ++j) {
    for (const double position : {-0.7, 0.4}) {  // no symmetric pair, where a height may be the same
      JointValues moved = JointValues::Constant(robot.joints(), 0.3);
      const VectorXd before = heights_of(robot, moved);
      moved[j] = position;
      rises = rises || (heights_of(robot, moved) - before).array().abs() > 1e-9;
    }
  }
  return rises;
}

class Search {
 public:
  Search(const TorqueColumns& columns, const BaseParameters& base, const MotionLimits& limits,
         const ExcitationOptions& options)
      : columns_(columns), base_(base), limits_(limits), options_(options), rises_(rising_points(columns.robot())) {}

  // Scaled until the tightest limit is filled as far as the shape says.
  FourierTrajectory trajectory(const Shape& shape) const {
    const int joints = columns_.joints();
    FourierTrajectory motion{options_.period, VectorXd::Zero(joints), shape.sine, shape.cosine};
    VectorXd low = VectorXd::Constant(joints, kInfinite), high = -low, speed = VectorXd::Zero(joints), rate = speed;
    // A trigonometric polynomial of degree l is nowhere larger than its largest of n samples over cos(pi l / n)
    // (Ehlich and Zeller 1964).
    const int samples = 20 * options_.harmonics;
    const double between = 1.0 / std::cos(std::numbers::pi * options_.harmonics / samples);
    for (int k = 0; k < samples; ++k) {
      const JointMotion at = motion.at(options_.period * k / samples);
      low = low.cwiseMin(at.position);
      high = high.cwiseMax(at.position);
      speed = speed.cwiseMax(at.velocity.cwiseAbs());
      rate = rate.cwiseMax(at.acceleration.cwiseAbs());
    }
    for (int j = 0; j < joints; ++j) {
      // About the middle of what was sampled, the half range is as well bounded.
      const double middle = 0.5 * (low[j] + high[j]),
                   half = 0.5 * (high[j] - low[j]) + (between - 1.0) * largest(low[j], high[j]);
      const double room = 0.5 * (limits_.upper[j] - limits_.lower[j]);
      const double scale = shape.fill[j] * std::min({room / half, limits_.velocity[j] / (between * speed[j]),
                                                     limits_.acceleration[j] / (between * rate[j])});
      motion.sine.row(j) *= scale;
      motion.cosine.row(j) *= scale;
      const double left = room - scale * half;
      motion.centre[j] =
          0.5 * (limits_.lower[j] + limits_.upper[j]) - scale * middle + (2.0 * shape.place[j] - 1.0) * left;
    }
    return motion;
  }

  // The condition; above kOutside by as much as torque and height are outside their limits.
  double cost(const FourierTrajectory& motion) const {
    const double outside = violation(motion);
    return outside > 0.0 ? kOutside * (1.0 + outside) : condition_of(motion, columns_, base_, options_.samples);
  }
  static constexpr double kOutside = 1e12;

  // Which limits a motion does not keep, and by how much.
  std::string broken_limits(const FourierTrajectory& motion) const {
    VectorXd most = VectorXd::Zero(columns_.joints());
    double lowest = kInfinite;
    for_each_instant(motion, [&](const JointMotion& at) {
      if (limits_.torque.size() > 0) most = most.cwiseMax(torque_shares(at));
      lowest = std::min(lowest, rises_.select(heights_of(columns_.robot(), at.position).array(), kInfinite).minCoeff());
    });
    std::vector<std::string> broken;
    if (limits_.height && lowest < *limits_.height)
      broken.push_back(
          fmt::format("excite.height = {:g} m (its lowest point comes down to {:.3g} m)", *limits_.height, lowest));
    for (int j = 0; j < columns_.joints(); ++j)
      if (most[j] > 1.0)
        broken.push_back(
            fmt::format("limit.torque of {} ({:.3g} times what is left of it)", limits_.name_of(j), most[j]));
    return fmt::format("{}", fmt::join(broken, ", "));
  }

 private:
  static double largest(double low, double high) { return std::max(std::abs(low), std::abs(high)); }

  double violation(const FourierTrajectory& motion) const {
    const bool has_torque = limits_.torque.size() > 0;
    if (!has_torque && !limits_.height) return 0.0;
    // Squares of what is too much, summed: unlike the largest, it has no edges that random steps get stuck on.
    double sum = 0.0;
    for_each_instant(motion, [&](const JointMotion& at) {
      if (has_torque) sum += (torque_shares(at).array() - 1.0).max(0.0).square().sum();
      if (limits_.height) sum += depth_below(at.position, *limits_.height);
    });
    return sum;
  }

  template <class Use>
  void for_each_instant(const FourierTrajectory& motion, const Use& use) const {
    constexpr int kFiner = 4;  // than the samples of the condition, for what may peak between them
    const int instants = kFiner * options_.samples;
    for (int k = 0; k < instants; ++k) use(motion.at(options_.period * k / instants));
  }

  VectorXd torque_shares(const JointMotion& at) const {
    return limits_.torque_of(at).cwiseAbs().cwiseQuotient(limits_.torque);
  }

  // m^2, of the points that rise and fall.
  double depth_below(const JointValues& position, double height) const {
    const VectorXd heights = heights_of(columns_.robot(), position);
    return rises_.select((height - heights.array()).max(0.0).square(), 0.0).sum();
  }

  const TorqueColumns& columns_;
  const BaseParameters& base_;
  const MotionLimits& limits_;
  const ExcitationOptions& options_;
  Eigen::Array<bool, Eigen::Dynamic, 1> rises_;
};

}  // namespace

std::string MotionLimits::name_of(int joint) const {
  return names.empty() ? fmt::format("joint {}", joint + 1) : names[static_cast<std::size_t>(joint)];
}

double lowest_point(const Robot<double>& robot, const JointValues& position) {
  return rising_points(robot).select(heights_of(robot, position).array(), kInfinite).minCoeff();
}

double condition_of(const FourierTrajectory& trajectory, const TorqueColumns& columns, const BaseParameters& base,
                    int samples) {
  MatrixXd gram = MatrixXd::Zero(base.count(), base.count());
  MatrixXd chosen(columns.joints() * samples, base.count());
  TorqueRows rows;
  for (int k = 0; k < samples; ++k) {
    const JointMotion at = trajectory.at(trajectory.period * k / samples);
    columns.fill(at.position, at.velocity, at.acceleration, rows);
    chosen.middleRows(k * columns.joints(), columns.joints()) = rows(Eigen::all, base.columns);
  }
  gram.selfadjointView<Eigen::Lower>().rankUpdate(chosen.transpose());
  const VectorXd squares = Eigen::SelfAdjointEigenSolver<MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = squares[squares.size() - 1];
  return std::sqrt(largest / std::max(squares[0], std::numeric_limits<double>::epsilon() * largest));
}

ExcitingMotion optimise_excitation(const TorqueColumns& columns, const BaseParameters& base, const MotionLimits& limits,
                                   const ExcitationOptions& options) {
  require_room(limits, columns.joints());
  if (options.from_rest && options.harmonics < 2)
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}excite.harmonics = {}: a motion that begins at rest needs 2 at least; excite.from_rest = "
                    "false goes with 1",
                    limits.source, options.harmonics));
  const Search search(columns, base, limits, options);
  Random random(options.seed, "excitation");
  constexpr double kFirstStep = 0.5, kShortest = 0.02, kLongest = 2.0;
  constexpr double kGrow = 1.6, kShrink = 0.92;  // even at one success in six or seven
  double step = kFirstStep, best = kInfinite;
  Shape shape;
  ExcitingMotion result;
  for (int k = 0; k < options.evaluations; ++k) {
    const bool is_start = k < options.random_starts;
    Shape trial = is_start ? Shape::random(columns.joints(), options.harmonics, random) : shape.stepped(step, random);
    if (options.from_rest) trial.start_at_rest();
    FourierTrajectory motion = search.trajectory(trial);
    const double cost = search.cost(motion);
    const bool is_better = cost < best;
    if (is_better) {
      best = cost;
      shape = std::move(trial);
      result.trajectory = std::move(motion);
    }
    if (!is_start) step = std::clamp(step * (is_better ? kGrow : kShrink), kShortest, kLongest);
    if (options.progress) options.progress(static_cast<double>(k + 1) / options.evaluations);
  }
  if (!(best < Search::kOutside)) {
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}no motion of {} tried stays within the limits; the best does not keep {}: widen them, or "
                    "lower those of velocity and acceleration",
                    limits.source, options.evaluations, search.broken_limits(result.trajectory)));
  }
  result.condition = best;
  result.evaluations = options.evaluations;
  return result;
}

}  // namespace tauhat
