// Levenberg-Marquardt over all segments of a shooting problem, for one number of derivative directions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tauhat/offline/identify/shooting_segment.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {

template <int Width>
class ShootingSolver {
  using D = Dual<double, Width>;
  using M = DriveWithLaw<D, AnyFriction, DeadZone>;
  using Plain = DriveWithLaw<double, AnyFriction, DeadZone>;

 public:
  explicit ShootingSolver(ShootingProblem& problem)
      : problem_(problem),
        locals_(problem.position_is_local ? 4 : 3),
        globals_(static_cast<int>(problem.parameters.size())) {
    plain_ = {problem.drive, problem.law};
    for (const auto& p : problem.parameters) value_.push_back(p.start);
    in_use_.assign(problem.segments.size(), true);
  }

  ShootingFit solve() {
    ShootingFit fit;
    constexpr int kRounds = 3;
    for (int round = 0; round <= kRounds; ++round) {
      fit.converged = descend();
      if (round == kRounds || !drop_stuck_segments()) break;
      if (problem_.progress) problem_.progress((round + 1.0) / (kRounds + 1.0));
    }
    finish(fit);
    for (int side : {0, 1}) fit.reach_of_first[static_cast<std::size_t>(side)] = reach(fit, side == 0 ? -1.0 : 1.0);
    return fit;
  }

 private:
  // With derivatives, or of plain numbers.
  template <class Of>
  SegmentShooter<Of> shooter_at(const std::vector<double>& value) const {
    using Scalar = typename Of::Scalar;
    Of model = plain_.template cast<Scalar>();
    TorqueChannel<Scalar> torque;
    seed_parameters(problem_.parameters, value, locals_, model, torque);
    return {*problem_.timeline, model, torque, problem_.position_is_local};
  }

  // All sums at the given point; the robust cost with the priors.
  double evaluate(const std::vector<double>& value, const std::vector<ShootingSegment>& segments,
                  std::vector<SegmentSum<Width>>& sums, std::vector<std::vector<double>>* rows = nullptr) const {
    const SegmentShooter<M> shooter = shooter_at<M>(value);
    double cost = prior_cost(value);
    for (std::size_t s = 0; s < segments.size(); ++s) {
      if (!in_use_[s]) continue;
      sums[s] = shooter.run(segments[s], rows);
      cost += robust(sums[s]);
    }
    return cost;
  }

  // The cost alone, for a step that may not be taken; no more than that it is too much is said from `enough` on.
  double cost_at(const std::vector<double>& value, const std::vector<ShootingSegment>& segments,
                 double enough = std::numeric_limits<double>::infinity()) const {
    const SegmentShooter<Plain> shooter = shooter_at<Plain>(value);
    double cost = prior_cost(value);
    for (std::size_t s = 0; s < segments.size() && !(cost >= enough); ++s) {
      if (in_use_[s]) cost += robust(shooter.run(segments[s], nullptr));
    }
    return cost;
  }

  template <int Directions>
  static double robust(const SegmentSum<Directions>& sum) {
    const double scale = 4.0 * std::max(sum.residuals, 1);
    return std::isfinite(sum.chi_square) ? scale * std::log1p(sum.chi_square / scale)
                                         : std::numeric_limits<double>::infinity();
  }
  static double weight(const SegmentSum<Width>& sum) {
    return 1.0 / (1.0 + sum.chi_square / (4.0 * std::max(sum.residuals, 1)));
  }

  double prior_cost(const std::vector<double>& value) const {
    double cost = 0.0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const double z = (value[i] - problem_.parameters[i].start) / problem_.parameters[i].prior_std;
      cost += z * z;
    }
    return cost;
  }

  bool descend() {
    std::vector<SegmentSum<Width>> sums(problem_.segments.size());
    double cost = evaluate(value_, problem_.segments, sums);
    double damping = 1e-3;
    constexpr int kIterations = 80;
    for (int i = 0; i < kIterations; ++i) {
      std::vector<double> value = value_;
      std::vector<ShootingSegment> segments = problem_.segments;
      const std::optional<double> promised = step(sums, damping, value, segments);
      if (!promised) return false;
      // Corners that samples pass leave the cost rough: where a step that failed is made shorter and shorter, nothing
      // is left to gain long before it is as short as rounding.
      if (*promised < 1e-9 * (1.0 + cost)) return true;
      const double trial = cost_at(value, segments, cost);
      if (trial < cost) {
        const bool settled = cost - trial < 1e-7 * (1.0 + cost);
        value_ = value, problem_.segments = segments;
        if (settled) return true;
        cost = evaluate(value_, problem_.segments, sums);
        damping = std::max(damping * 0.2, 1e-9);
      } else {
        damping *= 5.0;
        if (damping > 1e8) return true;  // no step helps: the minimum, to rounding
      }
    }
    return false;
  }

  // Normal equations with the local unknowns eliminated; `value` and `segments` move by the step. Says by how much the
  // cost would fall at the most, were it a parabola; nothing where they cannot be solved.
  std::optional<double> step(const std::vector<SegmentSum<Width>>& sums, double damping, std::vector<double>& value,
                             std::vector<ShootingSegment>& segments) const {
    Eigen::MatrixXd schur;
    Eigen::VectorXd right;
    reduce(sums, damping, true, schur, right);
    schur.diagonal() += damping * schur.diagonal() + Eigen::VectorXd::Constant(globals_, 1e-300);
    if (held_ >= 0) {
      schur.row(held_).setZero(), schur.col(held_).setZero();
      schur(held_, held_) = 1.0, right[held_] = 0.0;
    }
    const Eigen::LDLT<Eigen::MatrixXd> factor(schur);
    if (factor.info() != Eigen::Success) return {};
    const Eigen::VectorXd common = factor.solve(right);
    if (!common.allFinite()) return {};
    double promised = 0.0;  // half of it
    for (int g = 0; g < globals_; ++g) {
      const auto i = static_cast<std::size_t>(g);
      // Half-way to a bound at the most: a gap or an inertia does not jump through zero.
      const double lower = problem_.parameters[i].lower;
      promised += common[g] * pull_of_prior(i);
      value[i] = std::max(value[i] + common[g], std::isfinite(lower) ? lower + 0.5 * (value[i] - lower) : lower);
    }
    for (std::size_t s = 0; s < sums.size(); ++s) {
      if (!in_use_[s]) continue;
      const double by_start = move_start(sums[s], damping, common, segments[s]);
      promised += weight(sums[s]) * (by_start + sums[s].gradient.segment(locals_, globals_).dot(common));
    }
    return 2.0 * promised;
  }

  // Of a parameter towards where it was expected.
  double pull_of_prior(std::size_t parameter) const {
    const ShootingParameter& p = problem_.parameters[parameter];
    return std::isfinite(p.prior_std) ? (p.start - value_[parameter]) / (p.prior_std * p.prior_std) : 0.0;
  }

  Eigen::MatrixXd damped_local(const SegmentSum<Width>& sum, double damping) const {
    Eigen::MatrixXd local = sum.normal.topLeftCorner(locals_, locals_);
    local.diagonal() *= 1.0 + damping;
    local.diagonal().array() += 1e-9 * local.diagonal().maxCoeff() * 1e-3 + 1e-300;
    return local;
  }

  void reduce(const std::vector<SegmentSum<Width>>& sums, double damping, bool robustly, Eigen::MatrixXd& schur,
              Eigen::VectorXd& right) const {
    schur.setZero(globals_, globals_);
    right.setZero(globals_);
    for (std::size_t s = 0; s < sums.size(); ++s) {
      if (!in_use_[s]) continue;
      const double w = robustly ? weight(sums[s]) : 1.0;
      const SegmentPull pull = without_start(sums[s], damped_local(sums[s], damping), globals_);
      schur += w * pull.information;
      right += w * pull.score;
    }
    for (int g = 0; g < globals_; ++g) {
      const auto& p = problem_.parameters[static_cast<std::size_t>(g)];
      if (!std::isfinite(p.prior_std)) continue;
      schur(g, g) += 1.0 / (p.prior_std * p.prior_std);
      right[g] += pull_of_prior(static_cast<std::size_t>(g));
    }
  }

  // Says how much of the gradient lies along the step.
  double move_start(const SegmentSum<Width>& sum, double damping, const Eigen::VectorXd& common,
                    ShootingSegment& segment) const {
    const Eigen::MatrixXd border = sum.normal.block(0, locals_, locals_, globals_);
    const Eigen::VectorXd step = damped_local(sum, damping).ldlt().solve(sum.gradient.head(locals_) - border * common);
    if (!step.allFinite()) return 0.0;
    segment.displacement += step[0];
    segment.motor_velocity += step[1];
    segment.load_velocity += step[2];
    if (locals_ == 4) segment.motor_position += step[3];
    return sum.gradient.head(locals_).dot(step);
  }

  template <int Directions>
  static double reduced(const SegmentSum<Directions>& sum, int locals) {
    return sum.chi_square / std::max(sum.residuals - locals, 1);
  }

  // A segment whose chi-square is more than twice the median has settled in a wrong minimum, or met what the model
  // lacks.
  bool drop_stuck_segments() {
    const SegmentShooter<Plain> shooter = shooter_at<Plain>(value_);
    std::vector<double> left(problem_.segments.size()), all;
    for (std::size_t s = 0; s < left.size(); ++s) {
      if (in_use_[s]) all.push_back(left[s] = reduced(shooter.run(problem_.segments[s], nullptr), locals_));
    }
    const double usual = median(std::move(all));
    bool dropped = false;
    for (std::size_t s = 0; s < left.size(); ++s) {
      if (in_use_[s] && !(left[s] <= 2.0 * usual)) in_use_[s] = false, dropped = true;
    }
    return dropped;
  }

  void finish(ShootingFit& fit) {
    std::vector<SegmentSum<Width>> sums(problem_.segments.size());
    fit.residuals.assign(problem_.timeline->sensors.size(),
                         std::vector<double>(problem_.timeline->size(), std::numeric_limits<double>::quiet_NaN()));
    evaluate(value_, problem_.segments, sums, &fit.residuals);
    fit.value = value_;
    fit.segments = problem_.segments;
    std::size_t used = 0;
    for (std::size_t s = 0; s < sums.size(); ++s) {
      fit.segment_chi_square.push_back(in_use_[s] ? reduced(sums[s], locals_)
                                                  : std::numeric_limits<double>::quiet_NaN());
      if (!in_use_[s]) continue;
      ++used;
      fit.log_likelihood_cost += sums[s].chi_square;
      fit.residual_count += static_cast<std::size_t>(sums[s].residuals);
    }
    fit.dropped_share = 1.0 - static_cast<double>(used) / static_cast<double>(std::max<std::size_t>(sums.size(), 1));
    const double freedom = static_cast<double>(fit.residual_count) - static_cast<double>(used) * locals_ - globals_;
    fit.reduced_chi_square = fit.log_likelihood_cost / std::max(freedom, 1.0);
    set_covariance(sums, fit);
  }

  // Noise scales with what the residuals show, and with how they hang together; what was said of the priors does not.
  void set_covariance(const std::vector<SegmentSum<Width>>& sums, ShootingFit& fit) const {
    Eigen::MatrixXd schur;
    Eigen::VectorXd right;
    reduce(sums, 0.0, false, schur, right);
    Eigen::VectorXd prior = Eigen::VectorXd::Zero(globals_);
    for (int g = 0; g < globals_; ++g) {
      const double std = problem_.parameters[static_cast<std::size_t>(g)].prior_std;
      if (std::isfinite(std)) prior[g] = 1.0 / (std * std);
    }
    const Eigen::VectorXd shrink = inflation(sums, fit.reduced_chi_square).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd data = shrink.asDiagonal() * (schur - Eigen::MatrixXd(prior.asDiagonal())) *
                                 shrink.asDiagonal() / fit.reduced_chi_square;
    const Eigen::MatrixXd information = data + Eigen::MatrixXd(prior.asDiagonal());
    fit.undetermined = undetermined(information);
    fit.covariance = information.inverse();
    // With the uncertain inputs held at their values, only the free parameters vary.
    std::vector<int> free;
    for (int g = 0; g < globals_; ++g) {
      if (prior[g] == 0.0) free.push_back(g);
    }
    fit.noise_covariance.setZero(globals_, globals_);
    const Eigen::MatrixXd of_the_free = Eigen::MatrixXd(data(free, free)).inverse();
    fit.noise_covariance(free, free) = of_the_free;
  }

  Eigen::VectorXd inflation(const std::vector<SegmentSum<Width>>& sums, double noise_scale) const {
    std::vector<SegmentPull> pulls;
    for (std::size_t s = 0; s < sums.size(); ++s) {
      if (!in_use_[s]) continue;
      pulls.push_back(without_start(sums[s], damped_local(sums[s], 0.0), globals_));
      pulls.back().weight = weight(sums[s]);
    }
    Eigen::MatrixXd schur;
    Eigen::VectorXd right;
    reduce(sums, 0.0, true, schur, right);
    return noise_inflation(pulls, schur.inverse(), noise_scale);
  }

  // How far the 95 % interval of the first parameter, the gap, reaches to one side, over what the curvature at the
  // minimum says. Noise alone raises the cost of the quadratic approximation by `rise` there; where the cost itself
  // rises otherwise, the others are fitted anew with the gap held, and it is sought where the profile has risen so far.
  // A gap that is told to a few percent is told by corners that stay where they are: its likelihood is a parabola.
  double reach(const ShootingFit& fit, double sign) {
    constexpr double kNearlyQuadratic = 0.3, kWellTold = 0.05;
    constexpr int kHalvings = 5;
    const double half = k95 * std::sqrt(fit.covariance(0, 0)), lowest = problem_.parameters[0].lower;
    if (!fit.converged || !fit.undetermined.empty() || !(half > kWellTold * value_[0]) || !std::isfinite(half))
      return 1.0;
    if (sign < 0.0 && value_[0] - half <= lowest) return 1.0;  // cut off at the bound in any case
    std::vector<SegmentSum<Width>> sums(problem_.segments.size());
    const double least = evaluate(value_, problem_.segments, sums);
    Eigen::MatrixXd schur;
    Eigen::VectorXd right;
    reduce(sums, 0.0, true, schur, right);
    const Eigen::VectorXd direction = schur.inverse().col(0);  // of the others, as the gap is moved
    const double rise = half * half / direction[0];
    // The cost with the gap moved by a share of the interval; by the quadratic approximation alone, or fitted anew.
    const auto risen = [&](double share, bool fitted) {
      const ShootingProblem before = problem_;
      const std::vector<double> value = value_;
      const Eigen::VectorXd step = sign * share * half / direction[0] * direction;
      for (int g = 0; g < globals_; ++g) value_[static_cast<std::size_t>(g)] += step[g];
      for (std::size_t s = 0; s < sums.size(); ++s) {
        if (in_use_[s]) move_start(sums[s], 0.0, step, problem_.segments[s]);
      }
      held_ = 0;
      if (fitted) descend();
      const double cost = cost_at(value_, problem_.segments);
      held_ = -1, problem_.segments = before.segments, value_ = value;
      return cost - least;
    };
    if (std::abs(risen(1.0, false) - rise) < kNearlyQuadratic * rise) return 1.0;
    // Never less than the curvature says: the profile is that of one record's noise, too.
    double inner = 1.0, outer = 1.0;
    constexpr double kFarthest = 4.0;
    while (outer < kFarthest && risen(outer, true) < rise) inner = outer, outer *= 1.4;
    for (int i = 0; i < kHalvings && outer > 1.0; ++i) {
      const double middle = 0.5 * (inner + outer);
      (risen(middle, true) < rise ? inner : outer) = middle;
    }
    return outer;
  }

  // Scaled to a unit diagonal, an eigenvalue of rounding's size is a direction in which nothing changes: the parameters
  // that make it up are told neither alone nor from each other.
  std::vector<std::string> undetermined(const Eigen::MatrixXd& information) const {
    constexpr double kRounding = 1e-9, kTakesPart = 0.1;
    std::vector<std::string> names;
    const auto name = [&](Eigen::Index g) { return problem_.parameters[static_cast<std::size_t>(g)].name; };
    for (Eigen::Index g = 0; g < information.rows(); ++g) {
      if (!(information(g, g) > 0.0)) names.push_back(name(g));
    }
    if (!names.empty() || !information.allFinite()) return names;
    const Eigen::VectorXd scale = information.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scale.asDiagonal() * information * scale.asDiagonal());
    if (solver.eigenvalues()[0] > kRounding) return names;
    for (Eigen::Index g = 0; g < information.rows(); ++g) {
      if (std::abs(solver.eigenvectors()(g, 0)) > kTakesPart) names.push_back(name(g));
    }
    return names;
  }

  ShootingProblem& problem_;
  int locals_, globals_;
  Plain plain_;
  std::vector<double> value_;
  std::vector<bool> in_use_;
  int held_ = -1;  // a parameter that does not move
};

}  // namespace tauhat
