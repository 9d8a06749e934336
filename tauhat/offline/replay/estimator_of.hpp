// EstimatorOf<Filter>: the adapter from the static core to the run-time face.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/replay/pass.hpp"

namespace tauhat {

// How to read and change what the templates hide: names of all outputs, the intensity, further outputs.
template <class F>
struct EstimatorTraits {
  std::vector<OutputInfo> outputs;
  std::function<void(typename F::Model&, double)> set_intensity;
  std::function<double(const typename F::Model&)> intensity;
  // Outputs beyond the model's own: a state times a factor (estimated parameters).
  struct StateOutput {
    int state;
    double factor;
  };
  std::vector<StateOutput> state_outputs;
};

template <class F>
class EstimatorOf final : public Estimator {
  using Model = typename F::Model;
  static constexpr int kStates = Model::kStates;
  using Belief = Gaussian<double, kStates>;

 public:
  EstimatorOf(const F& filter, EstimatorTraits<F> traits)
      : filter_(filter), prior_(filter.belief()), traits_(std::move(traits)) {}

  const std::vector<OutputInfo>& outputs() const override { return traits_.outputs; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<EstimatorOf>(*this); }

  void set_intensity(double intensity) override {
    Model model = filter_.model();
    traits_.set_intensity(model, intensity);
    filter_ = F(model, prior_);
  }
  double intensity() const override { return traits_.intensity(filter_.model()); }

  void reset() override { filter_.reset(prior_); }
  Correction<double> correct(const Measurement<double>& z) noexcept override { return filter_.correct(z); }
  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    typename F::Input input;
    for (int i = 0; i < Model::kInputs; ++i) input[i] = u[static_cast<std::size_t>(i)];
    return filter_.predict(input, dt);
  }
  void estimate(int output, double& value, double& std) const noexcept override {
    read_output(static_cast<std::size_t>(output), filter_.belief(), value, std);
  }

  Replay replay(const Timeline& timeline, const ReplayOptions& options) override {
    Replay result;
    prepare(timeline, options, result);
    // A short log is stored whole. A long one keeps the filter at the start of each block and runs the block again when
    // the smoother comes to it: memory stays bounded, at twice the filter's work.
    const std::size_t blocks = (timeline.size() + kBlock - 1) / kBlock;
    std::vector<F> starts;
    filter_.reset(prior_);
    for (std::size_t block = 0; block < blocks; ++block) {
      if (options.smooth) starts.push_back(filter_);
      run_block(timeline, block * kBlock, options, &result, options.smooth && block + 1 == blocks);
      if (options.progress) options.progress(share(block + 1, blocks, options.smooth ? 0.5 : 1.0));
    }
    if (options.smooth) smooth_blocks(timeline, options, starts, result);
    return result;
  }

 private:
  static constexpr std::size_t kBlock = 16384;

  static double share(std::size_t done, std::size_t all, double of) {
    return of * static_cast<double>(done) / static_cast<double>(all);
  }

  void prepare(const Timeline& timeline, const ReplayOptions& options, Replay& result) const {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t n = timeline.size();
    if (options.tracks) {
      result.filtered.assign(traits_.outputs.size(), {std::vector<double>(n), std::vector<double>(n)});
      result.innovations.assign(timeline.sensors.size(), {std::vector<double>(n, nan), std::vector<double>(n, nan)});
    }
    if (options.smooth)
      result.smoothed.assign(traits_.outputs.size(), {std::vector<double>(n), std::vector<double>(n)});
  }

  // Runs one block; `result` collects what the filter says, `store` keeps what the smoother needs.
  void run_block(const Timeline& timeline, std::size_t first, const ReplayOptions& options, Replay* result,
                 bool store) {
    if (store) pass_.clear();
    PassOptions<F> how{.first = first, .last = std::min(first + kBlock, timeline.size())};
    how.store = store ? &pass_ : nullptr;
    const std::size_t failed = run_pass(
        filter_, timeline, how,
        [&](std::size_t k, std::size_t sensor, const Correction<double>& correction) {
          if (result && !timeline.sensors[sensor].assumed) count(correction, k, sensor, options, *result);
        },
        [&](std::size_t k) {
          if (!result || !options.tracks) return;
          for (std::size_t i = 0; i < traits_.outputs.size(); ++i)
            read_output(i, filter_.belief(), result->filtered[i].value[k], result->filtered[i].std[k]);
        });
    if (result) result->failed += failed;
  }

  static void count(const Correction<double>& correction, std::size_t k, std::size_t sensor,
                    const ReplayOptions& options, Replay& result) {
    if (correction.status == StepStatus::missing) return;
    if (correction.status == StepStatus::gated) ++result.gated;
    if (correction.status == StepStatus::innovation_not_positive) {
      ++result.failed;
      return;
    }
    ++result.corrections;
    result.nis_sum += correction.nis();
    result.log_likelihood += correction.log_likelihood();
    if (!options.tracks) return;
    result.innovations[sensor].innovation[k] = correction.innovation;
    result.innovations[sensor].std[k] = std::sqrt(correction.variance);
  }

  void smooth_blocks(const Timeline& timeline, const ReplayOptions& options, const std::vector<F>& starts,
                     Replay& result) {
    BackwardSweep<double, kStates> sweep;
    for (std::size_t block = starts.size(); block-- > 0;) {
      if (block + 1 < starts.size()) {
        filter_ = starts[block];
        run_block(timeline, block * kBlock, options, nullptr, true);
      }
      pass_.smooth(sweep);
      for (std::size_t i = 0; i < pass_.steps.size(); ++i) {
        const std::size_t k = block * kBlock + i;
        for (std::size_t o = 0; o < traits_.outputs.size(); ++o) {
          read_output(o, pass_.steps[i].posterior, result.smoothed[o].value[k], result.smoothed[o].std[k]);
        }
      }
      if (options.progress) options.progress(0.5 + share(starts.size() - block, starts.size(), 0.5));
    }
  }

  void read_output(std::size_t output, const Belief& belief, double& value, double& std) const {
    constexpr std::size_t kModelOutputs = Model::kOutputs.size();
    if (output < kModelOutputs) {
      const auto estimate = estimate_output(filter_.model(), static_cast<int>(output), belief, filter_.input());
      value = estimate.value;
      std = std::sqrt(std::max(estimate.variance, 0.0));
      return;
    }
    const auto& extra = traits_.state_outputs[output - kModelOutputs];
    value = belief.mean[extra.state] * extra.factor;
    std = std::sqrt(std::max(belief.covariance()(extra.state, extra.state), 0.0)) * std::abs(extra.factor);
  }

  F filter_;
  Belief prior_;
  EstimatorTraits<F> traits_;
  Pass<F> pass_;
};

}  // namespace tauhat
