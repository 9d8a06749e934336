#include "tauhat/offline/joint/pose_stability.hpp"

#include <Eigen/Dense>
#include <unsupported/Eigen/KroneckerProduct>

#include <cmath>

#include "tauhat/core/linear/balance.hpp"
#include "tauhat/offline/joint/observer_gain.hpp"

namespace tauhat {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kPoses = 41;

double radius_of(const MatrixXd& matrix) {
  return Eigen::EigenSolver<MatrixXd>(matrix, false).eigenvalues().cwiseAbs().maxCoeff();
}

MatrixXd power_of(MatrixXd base, std::size_t exponent) {
  MatrixXd result = MatrixXd::Identity(base.rows(), base.cols());
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base;
    base = base * base;
  }
  return result;
}

// F of the error at this pose; the filter's K, or the predictor's L, is the study's unless it follows.
template <int N>
MatrixXd error_transition(const LinearJoint<double, N>& joint, const ObserverGain<N>& designed,
                          const ObserverSpec& observer, double period) {
  const Matrix<double, N> a = sampled_joint(joint, period).transition;
  const Vector<double, N> predictor = observer.predicts ? designed.predictor : Vector<double, N>(a * designed.filter);
  return a - predictor * joint_detail::measured_row<N>();
}

// All poses' F, in scales in which angles and velocities are of one size.
template <int N>
std::vector<MatrixXd> transitions(const JointSpec& spec, const ObserverSpec& observer, double period,
                                  double sensor_variance, const LinearJoint<double, N>& nominal,
                                  const std::vector<double>& poses) {
  const ObserverGain<N> fixed = observer_gain(nominal, observer, period, sensor_variance);
  const Vector<double, N> scales =
      balancing_scales<double, N>(fixed.sampled.transition - Matrix<double, N>::Identity());
  std::vector<MatrixXd> all;
  JointSpec posed = spec;
  for (const double pose : poses) {
    take_pose(*spec.pose, pose, posed.joint, posed.gravity);
    with_joint_model(posed, observer, [&](const auto& joint) {
      if constexpr (std::decay_t<decltype(joint)>::kStates == N) {
        const bool solves = spec.pose->solves_gain;
        const ObserverGain<N> gain = solves ? observer_gain(joint, observer, period, sensor_variance) : fixed;
        all.push_back(scales.cwiseInverse().asDiagonal() * error_transition(joint, gain, observer, period) *
                      scales.asDiagonal());
      }
    });
  }
  return all;
}

// The P that the mean over the poses shrinks least: P = I + mean F^n^T P F^n, as far as that settles.
MatrixXd common_form(const std::vector<MatrixXd>& steps) {
  constexpr int kRounds = 2000;
  const Eigen::Index n = steps.front().rows();
  MatrixXd p = MatrixXd::Identity(n, n);
  for (int round = 0; round < kRounds; ++round) {
    MatrixXd next = MatrixXd::Identity(n, n);
    for (const MatrixXd& step : steps) next += step.transpose() * p * step / static_cast<double>(steps.size());
    const bool settled = (next - p).norm() < 1e-9 * next.norm();
    p = next;
    if (settled || !p.allFinite()) break;
  }
  return p;
}

double growth_in(const MatrixXd& p, const std::vector<MatrixXd>& steps) {
  const Eigen::LLT<MatrixXd> root(p);
  if (root.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (const MatrixXd& step : steps) {
    // |L^T F x|^2 over |L^T x|^2, P = L L^T
    const MatrixXd turned = root.matrixL().solve((step.transpose() * MatrixXd(root.matrixL()))).transpose();
    worst = std::max(worst, std::pow(turned.jacobiSvd().singularValues()[0], 2));
  }
  return worst;
}

}  // namespace

PoseStability pose_stability(const JointSpec& spec, const ObserverSpec& observer, double period,
                             double sensor_variance) {
  PoseStability found;
  const double from = spec.pose->lowest(), to = spec.pose->highest();
  for (int i = 0; i < kPoses; ++i) found.pose.push_back(from + (to - from) * i / (kPoses - 1));
  const std::vector<MatrixXd> each = with_joint_model(spec, observer, [&](const auto& joint) {
    return transitions(spec, observer, period, sensor_variance, joint, found.pose);
  });
  std::vector<MatrixXd> steps;
  const Eigen::Index n = each.front().rows();
  MatrixXd mean_square = MatrixXd::Zero(n * n, n * n);
  for (std::size_t i = 0; i < each.size(); ++i) {
    found.radius.push_back(radius_of(each[i]));
    if (found.radius.back() > found.worst_radius)
      found.worst_radius = found.radius.back(), found.worst_pose = found.pose[i];
    steps.push_back(power_of(each[i], spec.pose->every));
    mean_square += Eigen::kroneckerProduct(steps.back(), steps.back()) / static_cast<double>(kPoses);
  }
  found.mean_square_radius = radius_of(mean_square);
  found.common_growth =
      found.at_random() ? growth_in(common_form(steps), steps) : std::numeric_limits<double>::infinity();
  return found;
}

}  // namespace tauhat
