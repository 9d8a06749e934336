// run_parametric for one law and its number of parameters. They are compiled in several files: together they would be
// the slowest of the project.
#pragma once

#include <algorithm>
#include <cmath>

#include "tauhat/core/filters/mean_smoother.hpp"
#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/core/models/sticking.hpp"
#include "tauhat/core/unknowns/constants.hpp"
#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/parametric.hpp"
#include "tauhat/offline/friction/typed_law.hpp"
#include "tauhat/offline/replay/lagged.hpp"

namespace tauhat {

// K of the law's parameters, and the axis' constant force.
template <template <class> class Friction, int K>
class ParametricRun {
  using Axle = AxisWithFriction<double, Friction>;
  using Estimated = Augmented<Axle, Constants<K + 1>>;
  // Bristles stick by themselves.
  using M = std::conditional_t<(Axle::kMemory > 0), Estimated, Sticking<Estimated>>;
  using F = Ekf<M>;
  using Belief = Gaussian<double, M::kStates>;
  static constexpr int kFirst = Estimated::kFirst, kOffset = kFirst + K;

 public:
  ParametricRun(const ParametricSpec& spec, const Friction<double>& law, const Timeline& timeline)
      : spec_(spec), timeline_(timeline), filter_(make_filter(law)), prior_(filter_.belief()) {}

  ParametricTracks run() {
    iterate_start();
    filter_pass();
    if (spec_.smooth) smooth();
    return std::move(tracks_);
  }

 private:
  F make_filter(const Friction<double>& law) {
    Estimated estimated{Axle{spec_.axis, law}, {}};
    estimated.model.fastest_bristles = 2.0 / timeline_.median_interval();
    Vector<double, M::kStates> mean = Vector<double, M::kStates>::Zero(), variances = mean;
    variances.template segment<Axle::kMemory>(2).setConstant(1e-6);
    for (int i = 0; i < 2; ++i) mean[i] = spec_.start[i], variances[i] = spec_.start_variances[i];
    const auto names = parameter_names(spec_.law.kind);
    for (std::size_t i = 0; i < K; ++i) {
      const double usual = usual_value(spec_, names[i]);
      double start = 0.0, std = 0.0;
      tracks_.parameters.push_back(take_parameter(estimated, i, names[i], [&](double& value) {
        // A parameter that starts at nothing has no size to be relative to, and its start says nothing of it: it is
        // relative to what it may become.
        if (usual == 0.0 && std::abs(value) < 1e-9) value = 1e-3;
        start = value;
        std = spec_.std.empty() ? deviation_before(spec_, names[i], start) : spec_.std[i];
        if (usual > 0.0 && std::abs(start) < kPriorShare * usual) value = kPriorShare * usual;
      }));
      tracks_.parameters.back().prior = start, tracks_.parameters.back().prior_std = std;
      mean[kFirst + static_cast<int>(i)] = start / scale_[i];
      variances[kFirst + static_cast<int>(i)] = std::pow(std / scale_[i], 2);
      may_change_sign_[i] = scale_[i] != start;
      if (!spec_.drift.empty()) estimated.drift[i] = spec_.drift[i] / std::abs(scale_[i]);
    }
    // The constant force may have either sign, or be none: it is relative to what it may become.
    const double offset = spec_.axis.offset, size = std::abs(offset) + spec_.offset_std;
    tracks_.offset = take_parameter(estimated, K, "friction.offset", [&](double& value) { value = size; });
    mean[kOffset] = size > 0.0 ? offset / size : 0.0;
    variances[kOffset] = size > 0.0 ? std::pow(spec_.offset_std / size, 2) : 0.0;
    if constexpr (std::is_same_v<M, Estimated>) {
      return F(estimated, Belief::from_variances(mean, variances));
    } else {
      return F(M{estimated, spec_.standstill, spec_.slow, spec_.slow_noise}, Belief::from_variances(mean, variances));
    }
  }

  // Makes a parameter of the axis the i-th that is estimated along.
  template <class Prepare>
  LawParameter take_parameter(Estimated& estimated, std::size_t i, const std::string& name, const Prepare& prepare) {
    int at = 0;
    LawParameter taken{name, {}};
    Axle::visit_parameters(estimated.model, [&](const ParameterInfo& info, double& value) {
      if (full_name(info) == name) {
        prepare(value);
        estimated.parameter[i] = at;
        scale_[i] = value;
        taken.unit = std::string(info.unit);
      }
      ++at;
    });
    return taken;
  }

  // The smoothed motion of a filtered trajectory as points to linearise about. Parameters stay on their side of zero,
  // where they started clear of it: beyond it lies another law.
  std::vector<StateOf<M>> smoothed_points(const Trajectory<F>& trajectory) const {
    constexpr double kLeast = 0.05;
    std::vector<StateOf<M>> points(trajectory.steps.size());
    smooth_means<double, M::kStates>(trajectory.steps, trajectory.corrections,
                                     [&](std::size_t k, const StateOf<M>& mean) {
                                       points[k] = mean;
                                       for (int i = kFirst; i < kOffset; ++i) {
                                         if (!may_change_sign_[static_cast<std::size_t>(i - kFirst)])
                                           points[k][i] = std::max(mean[i], kLeast);
                                       }
                                     });
    return points;
  }

  void iterate_start() {
    if (spec_.start_iterations == 0) return;
    const std::size_t window = std::min(spec_.start_window, timeline_.size());
    std::vector<StateOf<M>> about;
    Trajectory<F> trajectory;
    for (int i = 0; i < spec_.start_iterations; ++i) {
      F filter = filter_;
      trajectory.clear();
      PassOptions<F> how{.first = 0, .last = window, .store = &trajectory};
      if (i > 0) how.about = &about;
      run_pass(filter, timeline_, how);
      about = smoothed_points(trajectory);
    }
    start_points_ = about;
  }

  // A law that turns over within the velocity's uncertainty is not straight there, as estimate_output() takes it to be:
  // the velocity's part is then no more than three points of it say, Gauss and Hermite's.
  double friction_at(const Belief& belief, const InputOf<M>& input, double& std) const {
    const M& model = filter_.model();
    const auto estimate = estimate_output(model, Axis<double>::friction_output, belief, input);
    Belief at_rest = belief;
    at_rest.covariance().row(1).setZero();
    at_rest.covariance().col(1).setZero();
    const double by_others = estimate_output(model, Axis<double>::friction_output, at_rest, input).variance;
    const double reach = std::sqrt(3.0 * std::max(belief.covariance()(1, 1), 0.0));
    double by_velocity = 0.0;
    for (const double side : {-1.0, 1.0}) {
      auto x = belief.mean;
      x[1] += side * reach;
      by_velocity += std::pow(model.output(Axis<double>::friction_output, x, input) - estimate.value, 2) / 6.0;
    }
    std = std::sqrt(std::max(std::min(estimate.variance, by_others + by_velocity), 0.0));
    return estimate.value;
  }

  void append(Track& track, const Belief& belief, const InputOf<M>& input) const {
    track.value.push_back(friction_at(belief, input, track.std.emplace_back()));
  }

  static void append_velocity(Track& track, const Belief& belief) {
    track.value.push_back(belief.mean[1]);
    track.std.push_back(std::sqrt(std::max(belief.covariance()(1, 1), 0.0)));
  }

  std::size_t missing_forces() const {
    const auto& forces = timeline_.inputs[0];
    return static_cast<std::size_t>(
        std::count_if(forces.begin(), forces.end() - 1, [](double force) { return !std::isfinite(force); }));
  }

  InputOf<M> input_before(std::size_t k) const { return input_at<F>(timeline_, k > 0 ? k - 1 : 0); }

  void filter_pass() {
    double count = 0.0;
    bool refused = false;
    const auto corrected = [&](std::size_t k, std::size_t, const Correction<double>& c) {
      if (c.status == StepStatus::missing) return;
      if (c.status != StepStatus::ok) {
        refused = true;
        return;
      }
      if (spec_.tracks) {
        tracks_.innovations.push_back(c.innovation / std::sqrt(c.variance));
        tracks_.innovation_times.push_back(timeline_.time[k]);
      }
      tracks_.mean_nis += c.nis(), tracks_.log_likelihood += c.log_likelihood(), count += 1.0;
    };
    Trajectory<F> trajectory;
    Lagged<F> lagged(spec_.lag);
    const auto emit = [&](std::size_t k, const Belief& belief) {
      append(tracks_.lagged_friction, belief, input_before(k));
    };
    const auto done = [&](std::size_t k) {
      if (!spec_.tracks) return;
      append(tracks_.friction, filter_.belief(), input_before(k));
      append_velocity(tracks_.velocity, filter_.belief());
      if (spec_.lag > 0) lagged.follow(trajectory, emit);
    };
    PassOptions<F> how{.first = 0, .last = std::min(start_points_.size(), timeline_.size())};
    how.store = spec_.tracks ? &trajectory : nullptr;
    how.about = start_points_.empty() ? nullptr : &start_points_;
    std::size_t failed = run_pass(filter_, timeline_, how, corrected, done);
    how.first = how.last, how.last = timeline_.size(), how.about = nullptr;
    failed += run_pass(filter_, timeline_, how, corrected, done);
    tracks_.mean_nis /= std::max(count, 1.0);
    // A filter that cannot go on keeps its belief. A force that is missing was held, which is no failure.
    tracks_.diverged = refused || failed > missing_forces();
    if (spec_.lag > 0) lagged.finish(emit);
    read_parameters(filter_.belief());
    read_sticks(trajectory);
    last_ = std::move(trajectory);
  }

  void smooth() {
    for (int i = 0; i < spec_.smoothing_iterations; ++i) {
      const auto about = smoothed_points(last_);
      F filter(filter_.model(), prior_);
      last_.clear();
      PassOptions<F> how{.first = 0, .last = timeline_.size(), .store = &last_};
      how.about = &about;
      run_pass(filter, timeline_, how);
      if (i + 1 == spec_.smoothing_iterations) read_parameters(filter.belief());
    }
    last_.smooth();
    for (std::size_t k = 0; k < last_.steps.size(); ++k) {
      append(tracks_.smoothed_friction, last_.steps[k].posterior, input_before(k));
      append_velocity(tracks_.smoothed_velocity, last_.steps[k].posterior);
    }
    read_sticks(last_);
  }

  void read_parameters(const Belief& belief) {
    tracks_.covariance.resize(K, K);
    for (int i = 0; i < K; ++i) {
      for (int j = 0; j < K; ++j)
        tracks_.covariance(i, j) = belief.covariance()(kFirst + i, kFirst + j) * scale_[static_cast<std::size_t>(i)] *
                                   scale_[static_cast<std::size_t>(j)];
      LawParameter& parameter = tracks_.parameters[static_cast<std::size_t>(i)];
      parameter.value = scale_[static_cast<std::size_t>(i)] * belief.mean[kFirst + i];
      parameter.std = std::sqrt(std::max(tracks_.covariance(i, i), 0.0));
    }
    tracks_.offset.value = scale_[K] * belief.mean[kOffset];
    tracks_.offset.std = scale_[K] * std::sqrt(std::max(belief.covariance()(kOffset, kOffset), 0.0));
  }

  void read_sticks(const Trajectory<F>& trajectory) {
    tracks_.sticks.assign(trajectory.steps.size(), 0);
    if constexpr (!std::is_same_v<M, Estimated>) {
      for (std::size_t k = 0; k < trajectory.steps.size(); ++k)
        tracks_.sticks[k] = filter_.model().sticks(trajectory.steps[k].posterior.mean, input_before(k));
    }
  }

  const ParametricSpec& spec_;
  const Timeline& timeline_;
  std::array<double, K + 1> scale_{};
  std::array<bool, K> may_change_sign_{};
  ParametricTracks tracks_;
  F filter_;
  Belief prior_;
  Trajectory<F> last_;
  std::vector<StateOf<M>> start_points_;
};

// A law of K parameters with its sign hard, and so many widths more where it is smooth.
template <template <class> class Friction, int K, int Widths = 1>
ParametricTracks run_hard_or_smooth(const Friction<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  if (has_width(spec.law.kind)) return ParametricRun<Friction, K + Widths>(spec, law, timeline).run();
  return ParametricRun<Friction, K>(spec, law, timeline).run();
}

}  // namespace tauhat
