#include "tauhat/offline/joint/axes_clocks.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/joint/axes_estimator.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/signal/cubic.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/rms.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSettling = 0.5;  // s, until an observer has forgotten its start
constexpr double kLongest = 0.01;  // s: a delay that is looked for
constexpr std::size_t kMostSamples = 30000;
constexpr double kGoodRecord = 10.0;  // s

// What the fit changes, each in units of what may be off beforehand.
struct Belief {
  AxesSpec spec;
  std::vector<double> torque_delay, position_delay;  // s
  std::vector<double> offset, coulomb;               // N m, of the motors, beside the study's
};
struct Freedom {
  double prior;  // one of these may be off by so much
  std::function<void(Belief&, double by)> change;
};

std::vector<Freedom> delays_of(std::size_t axes) {
  std::vector<Freedom> all;
  for (std::size_t i = 0; i < axes; ++i)
    all.push_back({kLongest, [i](Belief& b, double by) { b.torque_delay[i] += by; }});
  for (std::size_t i = 1; i < axes; ++i)
    all.push_back({kLongest, [i](Belief& b, double by) { b.position_delay[i] += by; }});
  return all;
}

// Positive numbers by their logarithms, those that are zero as they are. A torque's scale is none of them: it would
// change nothing that inertias, stiffness, damping and friction together do not.
void add_parameters(const AxesSpec& spec, std::vector<Freedom>& all) {
  const auto scaled = [&](std::vector<double> AxesSpec::*list, double prior) {
    for (std::size_t i = 0; i < spec.count(); ++i)
      if ((spec.*list)[i] > 0.0)
        all.push_back({prior, [list, i](Belief& b, double by) { (b.spec.*list)[i] *= std::exp(by); }});
  };
  constexpr double kDataSheet = 0.3, kGuess = 1.0;
  scaled(&AxesSpec::motor_inertia, kDataSheet), scaled(&AxesSpec::stiffness, kDataSheet);
  scaled(&AxesSpec::damping, kGuess), scaled(&AxesSpec::motor_viscous, kGuess), scaled(&AxesSpec::load_viscous, kGuess);
  if (spec.robot) return;  // its mass matrix is that of the arm
  // M <- (I + X) M (I + X)^T, X lower triangular: positive again.
  for (Index row = 0; row < spec.mass.rows(); ++row)
    for (Index column = 0; column <= row; ++column) {
      const double size = std::sqrt(spec.mass(row, row) / spec.mass(column, column));
      all.push_back({kDataSheet, [row, column, size](Belief& b, double by) {
                       MatrixXd x = MatrixXd::Identity(b.spec.mass.rows(), b.spec.mass.cols());
                       x(row, column) += row == column ? std::expm1(by / 2.0) : by * size;
                       b.spec.mass = x * b.spec.mass * x.transpose();
                     }});
    }
}

void add_friction(const std::vector<double>& torque_rms, std::vector<Freedom>& all) {
  for (std::size_t i = 0; i < torque_rms.size(); ++i) {
    all.push_back({torque_rms[i], [i](Belief& b, double by) { b.offset[i] += by; }});
    all.push_back({torque_rms[i], [i](Belief& b, double by) { b.coulomb[i] += by; }});
  }
}

class ClockFit {
 public:
  ClockFit(const AxesSpec& spec, const AxesObserver& observer, const Timeline& timeline, double period)
      : axes_(spec.count()), observer_(observer), timeline_(timeline), period_(period) {
    observer_.coupled = true;
    for (std::size_t i = 0; i < axes_; ++i) {
      const int number = axes_signal(spec, spec.signal(i, axis_motor_position));
      const auto found = std::find_if(timeline.sensors.begin(), timeline.sensors.end(),
                                      [&](const auto& sensor) { return sensor.output == number; });
      positions_.push_back(&*found);
      directions_.push_back(direction_of(found->value));
      smooth_.push_back(smoothed(without_holes(found->value)));
      variances_.push_back(found->variance);
      torque_rms_.push_back(rms_of(timeline.inputs[i]));
    }
    for (const auto& sensor : timeline.sensors)
      if (kind_of_axes_signal(sensor.output) == axis_load_torque) known_.push_back(&sensor);
    belief_ = {spec, std::vector<double>(axes_, 0.0), std::vector<double>(axes_, 0.0), std::vector<double>(axes_, 0.0),
               std::vector<double>(axes_, 0.0)};
    freedoms_ = delays_of(axes_);
    delays_ = freedoms_.size();
    add_parameters(spec, freedoms_);
    add_friction(torque_rms_, freedoms_);
    moved_ = VectorXd::Zero(static_cast<Index>(freedoms_.size()));
    look_at_rows();
  }

  AxesClocks run() {
    scan();
    MatrixXd covariance;
    constexpr int kIterations = 8;
    for (int i = 0; i < kIterations; ++i)
      if (improve(covariance)) break;
    AxesClocks clocks{{}, {FittedNumber{}}, belief_.spec};
    for (std::size_t i = 0; i < delays_; ++i) {
      const auto k = static_cast<Index>(i);
      // The steps of an encoder are no noise: they go with the motion, and look like a part of a sample.
      constexpr double kBySteps = 0.05;
      const FittedNumber delay{i < axes_ ? belief_.torque_delay[i] : belief_.position_delay[i - axes_ + 1],
                               std::hypot(kLongest * std::sqrt(covariance(k, k)), kBySteps * period_)};
      (i < axes_ ? clocks.torque : clocks.position).push_back(delay);
    }
    return clocks;
  }

 private:
  // Of the motor; between turns -1 or 1.
  std::vector<double> direction_of(const std::vector<double>& position) const {
    std::vector<double> velocity = central_velocity(without_holes(position), 1.0, period_);
    const double width = 0.02 * rms_of(velocity);
    for (double& v : velocity) v = std::isfinite(v) && width > 0.0 ? std::tanh(v / width) : 0.0;
    return velocity;
  }

  std::vector<double> smoothed(const std::vector<double>& values) const {
    constexpr double kFastest = 100.0, kShare = 0.4;  // Hz, and of half the sampling rate: above no joint swings
    return filter_zero_phase(butterworth_low_pass(2, std::min(2.0 * kFastest * period_, kShare)), values);
  }

  // As it was `delay` later by the log: by whole samples, and from there on as the smooth motion goes on. Between two
  // samples a curve through them has less noise than they have, so that the fit would prefer half a sample to none.
  std::vector<double> at_own_time(std::size_t axis, double delay) const {
    const std::vector<double>& logged = positions_[axis]->value;
    if (delay == 0.0) return logged;
    const auto last = static_cast<std::ptrdiff_t>(logged.size()) - 1, whole = std::lround(delay / period_);
    const double part = delay - static_cast<double>(whole) * period_;
    std::vector<double> moved;
    moved.reserve(logged.size());
    for (std::ptrdiff_t k = 0; k <= last; ++k) {
      const auto at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k + whole, 0, last));
      const double t = timeline_.time[at];
      moved.push_back(logged[at] + on_cubic(timeline_.time, smooth_[axis], t + part).value - smooth_[axis][at]);
    }
    return moved;
  }

  // A row for each instant, a column for each axis; NaN where nothing was foretold, infinite where a belief runs away.
  MatrixXd innovations(const Belief& belief) const {
    std::vector<std::vector<double>> torque, position;
    for (std::size_t i = 0; i < axes_; ++i) {
      // A torque that is held over a sample is, over another one, the mean of two.
      const double later = belief.torque_delay[i] + belief.position_delay[i];
      torque.push_back(shifted(timeline_.inputs[i], -later, period_));
      for (std::size_t k = 0; k < torque[i].size(); ++k)
        torque[i][k] -= belief.offset[i] + belief.coulomb[i] * directions_[i][k];
      position.push_back(at_own_time(i, belief.position_delay[i]));
    }
    const auto estimator = make_axes_estimator(belief.spec, observer_, period_, variances_);
    MatrixXd found = MatrixXd::Constant(static_cast<Index>(timeline_.size()), static_cast<Index>(axes_), std::nan(""));
    std::vector<double> u(axes_);
    for (std::size_t k = 0; k < timeline_.size(); ++k) {
      for (const auto* known : known_) estimator->correct({known->output, known->value[k], known->variance});
      for (std::size_t i = 0; i < axes_; ++i) {
        const auto said = estimator->correct({positions_[i]->output, position[i][k], variances_[i]});
        if (said.status == StepStatus::ok)
          found(static_cast<Index>(k), static_cast<Index>(i)) =
              std::isfinite(said.innovation) ? said.innovation : std::numeric_limits<double>::infinity();
        u[i] = torque[i][k];
      }
      if (k + 1 < timeline_.size()) estimator->predict(u, timeline_.interval(k));
    }
    return found;
  }

  void look_at_rows() {
    const double begin = timeline_.time.front() + kSettling, end = timeline_.time.back() - 2.0 * kLongest;
    for (std::size_t k = 0; k < timeline_.size(); ++k)
      if (timeline_.time[k] > begin && timeline_.time[k] < end) rows_.push_back(static_cast<Index>(k));
    rows_told_ = static_cast<double>(used_rows(innovations(belief_)).size());
    if (rows_told_ < least_rows())
      throw Error(
          ExitCode::unusable_data,
          fmt::format("{:.3g} s with {:.0f} samples of all positions are too short a record to compare the axes' "
                      "clocks: record {:.0f} s or more",
                      timeline_.time.back() - timeline_.time.front(), rows_told_, kGoodRecord));
  }
  double least_rows() const { return 10.0 * static_cast<double>(freedoms_.size()); }
  bool has_enough(const std::vector<Index>& rows) const { return static_cast<double>(rows.size()) >= least_rows(); }

  // A sample that one position lacks is, under another delay, another row.
  std::vector<Index> used_rows(const MatrixXd& innovation) const {
    std::vector<Index> rows;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(rows),
                 [&](Index k) { return innovation.row(k).allFinite(); });
    return rows;
  }
  MatrixXd used(const MatrixXd& innovation, const std::vector<Index>& rows) const {
    return innovation(rows, Eigen::all);
  }

  // n ln det S: what the sum is when S is the innovations' own. n is that of the study for each belief: else one under
  // which more rows have all their samples, or fewer, were the better whatever it foretells.
  double misfit(const Belief& belief) const {
    MatrixXd e;
    try {
      e = innovations(belief);
    } catch (const Error&) {  // of such numbers there is no observer
      return std::numeric_limits<double>::infinity();
    }
    const std::vector<Index> rows = used_rows(e);
    if (!has_enough(rows) || e.array().isInf().any()) return std::numeric_limits<double>::infinity();
    const MatrixXd kept = used(e, rows);
    const MatrixXd covariance = kept.transpose() * kept / static_cast<double>(kept.rows());
    const double all = std::log(covariance.determinant()) * rows_told_;
    return std::isfinite(all) ? all : std::numeric_limits<double>::infinity();
  }

  // The delays by steps of some samples, one after the other: a swing of 40 Hz is turned around by 12 ms.
  void scan() {
    constexpr int kSteps = 4;  // to either side
    for (std::size_t i = 0; i < delays_; ++i) {
      std::vector<double> found(2 * kSteps + 1);
      const auto at = [&](std::size_t step) {
        Belief tried = belief_;
        freedoms_[i].change(tried, kLongest * (static_cast<double>(step) - kSteps) / kSteps);
        return tried;
      };
      for_each_in_parallel(found.size(), [&](std::size_t step) { found[step] = misfit(at(step)); });
      const auto least = std::min_element(found.begin(), found.end());
      if (std::isfinite(*least)) belief_ = at(static_cast<std::size_t>(least - found.begin()));
    }
  }

  // One step; whether nothing moves any more.
  bool improve(MatrixXd& covariance) {
    const MatrixXd e = innovations(belief_);
    const std::vector<Index> rows = used_rows(e);
    const MatrixXd kept = used(e, rows);
    const auto count = static_cast<Index>(freedoms_.size());
    const MatrixXd weight =
        (kept.transpose() * kept / static_cast<double>(kept.rows())).completeOrthogonalDecomposition().pseudoInverse();
    std::vector<MatrixXd> slopes(freedoms_.size());
    for_each_in_parallel(freedoms_.size(), [&](std::size_t i) {
      constexpr double kStep = 1e-4;
      Belief tried = belief_;
      freedoms_[i].change(tried, kStep * freedoms_[i].prior);
      slopes[i] = (used(innovations(tried), rows) - kept) / kStep;
      slopes[i] = slopes[i].unaryExpr([](double s) { return std::isfinite(s) ? s : 0.0; });
    });
    MatrixXd information = MatrixXd::Identity(count, count), scores(kept.rows(), count);
    for (Index i = 0; i < count; ++i) {
      const MatrixXd weighted = slopes[static_cast<std::size_t>(i)] * weight;
      scores.col(i) = weighted.cwiseProduct(kept).rowwise().sum();
      for (Index j = 0; j <= i; ++j) {
        const double shared = weighted.cwiseProduct(slopes[static_cast<std::size_t>(j)]).sum();
        information(i, j) += shared;
        if (j != i) information(j, i) += shared;
      }
    }
    const MatrixXd inverse = information.inverse();
    VectorXd step = -inverse * (scores.colwise().sum().transpose() + moved_);
    const VectorXd found = inverse.diagonal().cwiseSqrt();
    constexpr double kLongestStep = 0.5;  // of what may be off beforehand
    step = step.cwiseMax(-kLongestStep).cwiseMin(kLongestStep);
    const double before = total(misfit(belief_), moved_);
    double share = 1.0;
    bool is_better = false;
    for (int halving = 0; halving < 5 && !is_better; ++halving, share /= 2.0) {
      Belief tried = belief_;
      for (Index i = 0; i < count; ++i)
        freedoms_[static_cast<std::size_t>(i)].change(tried,
                                                      share * step[i] * freedoms_[static_cast<std::size_t>(i)].prior);
      is_better = total(misfit(tried), moved_ + share * step) < before;
      if (is_better) belief_ = std::move(tried), moved_ += share * step;
    }
    covariance = inverse * (long_run_covariance(sums_in_blocks(scores)) + MatrixXd::Identity(count, count)) * inverse;
    constexpr double kSettled = 0.05;  // of what a delay is known to
    const auto delays = static_cast<Index>(delays_);
    return !is_better || (step.head(delays).array().abs() < kSettled * found.head(delays).array()).all();
  }
  double total(double misfit, const VectorXd& moved) const { return misfit + moved.squaredNorm(); }

  std::size_t axes_, delays_ = 0;
  AxesObserver observer_;
  const Timeline& timeline_;
  double period_;
  std::vector<const Timeline::Sensor*> positions_, known_;
  std::vector<std::vector<double>> directions_, smooth_;  // of the motors' motions
  std::vector<double> variances_, torque_rms_;
  Belief belief_;
  std::vector<Freedom> freedoms_;  // the delays first
  std::vector<Index> rows_;        // from where the start is forgotten to where a delay reaches beyond the end
  double rows_told_ = 0.0;         // of those, how many have all their samples
  VectorXd moved_;                 // from the study, in units of the priors
};

// Where kMostSamples begin that hold most of the motion of all axes: sum_i sqrt(share of axis i's squared velocity). By
// the root, half of the motion of two axes is more than all of one's and none of the other's.
std::size_t liveliest_part(const AxesSpec& spec, const Timeline& timeline, double period) {
  std::vector<double> motion(timeline.size() - kMostSamples + 1, 0.0);
  for (std::size_t i = 0; i < spec.count(); ++i) {
    const auto found = std::find_if(timeline.sensors.begin(), timeline.sensors.end(), [&](const auto& sensor) {
      return sensor.signal == spec.signal(i, axis_motor_position);
    });
    const auto velocity = differentiate(in_motion_band(without_holes(found->value), period), period);
    std::vector<double> until{0.0};  // each sample, of squared velocity
    for (const double v : velocity) until.push_back(until.back() + (std::isfinite(v) ? v * v : 0.0));
    if (!(until.back() > 0.0)) continue;
    for (std::size_t k = 0; k < motion.size(); ++k)
      motion[k] += std::sqrt(std::max(until[k + kMostSamples] - until[k], 0.0) / until.back());
  }
  return static_cast<std::size_t>(std::max_element(motion.begin(), motion.end()) - motion.begin());
}

}  // namespace

AxesClocks fit_axes_clocks(const AxesSpec& spec, const AxesObserver& observer, const Timeline& timeline,
                           double period) {
  if (timeline.size() > kMostSamples) {
    const Timeline part = timeline.part(liveliest_part(spec, timeline, period), kMostSamples);
    return ClockFit(spec, observer, part, period).run();
  }
  return ClockFit(spec, observer, timeline, period).run();
}

}  // namespace tauhat
