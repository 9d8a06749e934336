// EstimatorOf<Filter>: the adapter from the static core to the run-time face.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/replay/lagged.hpp"

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

// A filter whose steps are never inlined. Inlined, a step may round differently in different places, since the compiler
// fuses multiplications and additions as it finds them; so a replay and a stream run the same instructions.
template <class F>
class Stepped : public F {
 public:
  explicit Stepped(const F& filter) : F(filter) {}

  [[gnu::noinline]] StepStatus predict(const typename F::Input& u, double dt,
                                       PaddedMatrix<double, F::kStates>* transition = nullptr) noexcept {
    return F::predict(u, dt, transition);
  }
  [[gnu::noinline]] Correction<double> correct(const Measurement<double>& z) noexcept { return F::correct(z); }
};

template <class F>
class EstimatorOf final : public Estimator {
  using Model = typename F::Model;
  static constexpr int kStates = Model::kStates;
  using Belief = Gaussian<double, kStates>;
  using Input = typename F::Input;
  using Filter = Stepped<F>;

 public:
  EstimatorOf(const F& filter, EstimatorTraits<F> traits)
      : filter_(filter), prior_(filter.belief()), traits_(std::move(traits)) {}

  const std::vector<OutputInfo>& outputs() const override { return traits_.outputs; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<EstimatorOf>(*this); }

  void set_intensity(double intensity) override {
    Model model = filter_.model();
    traits_.set_intensity(model, intensity);
    filter_ = Filter(F(model, prior_));
    filter_.set_gate(gate_);
  }
  void set_gate(double nis) override {
    gate_ = nis;
    filter_.set_gate(nis);
  }
  double intensity() const override { return traits_.intensity(filter_.model()); }

  void set_lag(std::size_t samples) override {
    lag_samples_ = samples;
    reset();
  }
  std::size_t lag() const noexcept override { return lag_samples_; }

  void reset() override {
    filter_.reset(prior_);
    restart_lag();
    begin_instant();
  }
  Correction<double> correct(const Measurement<double>& z) noexcept override {
    const auto correction = filter_.correct(z);
    if (lag_ && correction.status == StepStatus::ok) trajectory_.corrections.push_back(filter_.record_of(correction));
    return correction;
  }
  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    Input input;
    for (int i = 0; i < Model::kInputs; ++i) input[i] = u[static_cast<std::size_t>(i)];
    if (!lag_) return filter_.predict(input, dt);
    begin_instant();
    return filter_.predict(input, dt, &trajectory_.steps.back().transition);
  }
  void estimate(int output, double& value, double& std) const noexcept override {
    read_output(static_cast<std::size_t>(output), filter_.belief(), filter_.input(), value, std);
  }

  bool settle() override {
    if (!lag_) return false;
    auto& step = trajectory_.steps.back();
    step.posterior = filter_.belief();
    step.corrections = static_cast<std::uint32_t>(trajectory_.corrections.size());
    return follow();
  }
  void lagged(int output, double& value, double& std) const noexcept override {
    read_output(static_cast<std::size_t>(output), lag_->belief, lag_->input(), value, std);
  }
  [[gnu::noinline]] void finish(const std::function<void()>& each) override {
    if (!lag_) return;
    lag_->smoother.finish([&](std::size_t k, const Belief& belief) {
      lag_->instant = k;
      lag_->belief = belief;
      each();
    });
  }

  Replay replay(const Timeline& timeline, const ReplayOptions& options) override {
    Replay result;
    prepare(timeline, options, result);
    // A short log is stored whole. A long one keeps the filter at the start of each block and runs the block again when
    // the smoother comes to it: memory stays bounded, at twice the filter's work.
    const std::size_t blocks = (timeline.size() + kBlock - 1) / kBlock;
    std::vector<Filter> starts;
    reset();
    for (std::size_t block = 0; block < blocks; ++block) {
      if (options.smooth) starts.push_back(filter_);
      run_block(timeline, block * kBlock, options, &result, options.smooth && block + 1 == blocks);
      if (options.progress) options.progress(share(block + 1, blocks, options.smooth ? 0.5 : 1.0));
    }
    if (!result.lagged.empty()) finish([&] { read_lagged(result); });
    if (options.smooth) smooth_blocks(timeline, options, starts, result);
    return result;
  }

 private:
  static constexpr std::size_t kBlock = 16384;

  // The fixed-lag smoother, what it said last, and the inputs that go with the beliefs it still holds.
  struct Lag {
    explicit Lag(std::size_t samples) : smoother(samples), inputs(samples + 1) {}
    const Input& input() const { return inputs[instant % inputs.size()]; }

    Lagged<Filter> smoother;
    std::vector<Input> inputs;
    std::size_t instants = 0, instant = 0;  // so many came; `belief` is of this one
    Belief belief;
  };

  void restart_lag() {
    lag_.reset();
    if (lag_samples_ > 0) lag_.emplace(lag_samples_);
  }

  // Step by step, the trajectory holds one instant.
  void begin_instant() {
    trajectory_.clear();
    trajectory_.steps.emplace_back();
  }

  // The last instant of the trajectory goes to the fixed-lag smoother.
  [[gnu::noinline]] bool follow() {
    bool there = false;
    lag_->inputs[lag_->instants++ % lag_->inputs.size()] = filter_.input();
    lag_->smoother.follow(trajectory_, [&](std::size_t k, const Belief& belief) {
      lag_->instant = k;
      lag_->belief = belief;
      there = true;
    });
    return there;
  }

  void read_lagged(Replay& result) const {
    for (std::size_t i = 0; i < result.lagged.size(); ++i)
      read_output(i, lag_->belief, lag_->input(), result.lagged[i].value[lag_->instant],
                  result.lagged[i].std[lag_->instant]);
  }

  static double share(std::size_t done, std::size_t all, double of) {
    return of * static_cast<double>(done) / static_cast<double>(all);
  }

  void prepare(const Timeline& timeline, const ReplayOptions& options, Replay& result) const {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t n = timeline.size();
    if (options.tracks) {
      result.filtered.assign(traits_.outputs.size(), {std::vector<double>(n), std::vector<double>(n)});
      result.innovations.assign(timeline.sensors.size(), {std::vector<double>(n, nan), std::vector<double>(n, nan)});
      if (lag_samples_ > 0)
        result.lagged.assign(traits_.outputs.size(), {std::vector<double>(n), std::vector<double>(n)});
    }
    if (options.smooth)
      result.smoothed.assign(traits_.outputs.size(), {std::vector<double>(n), std::vector<double>(n)});
  }

  // Runs one block; `result` collects what the filter says, `smooth` keeps what the smoother needs.
  void run_block(const Timeline& timeline, std::size_t first, const ReplayOptions& options, Replay* result,
                 bool smooth) {
    const bool with_lag = result && !result->lagged.empty(), store = smooth || with_lag;
    if (store) trajectory_.clear();
    PassOptions<Filter> how{.first = first, .last = std::min(first + kBlock, timeline.size())};
    how.store = store ? &trajectory_ : nullptr;
    const std::size_t failed = run_pass(
        filter_, timeline, how,
        [&](std::size_t k, std::size_t sensor, const Correction<double>& correction) {
          if (result && !timeline.sensors[sensor].assumed && k >= options.settling)
            count(correction, k, sensor, options, *result);
        },
        [&](std::size_t k) {
          if (!result || !options.tracks) return;
          for (std::size_t i = 0; i < traits_.outputs.size(); ++i)
            read_output(i, filter_.belief(), filter_.input(), result->filtered[i].value[k], result->filtered[i].std[k]);
          if (with_lag && follow()) read_lagged(*result);
        });
    if (result) result->failed += failed;
  }

  static void count(const Correction<double>& correction, std::size_t k, std::size_t sensor,
                    const ReplayOptions& options, Replay& result) {
    result.count(correction);
    const bool has_innovation = correction.status == StepStatus::ok || correction.status == StepStatus::gated;
    if (!options.tracks || !has_innovation) return;
    result.innovations[sensor].innovation[k] = correction.innovation;
    result.innovations[sensor].std[k] = std::sqrt(correction.variance);
  }

  void smooth_blocks(const Timeline& timeline, const ReplayOptions& options, const std::vector<Filter>& starts,
                     Replay& result) {
    BackwardSweep<double, kStates> sweep;
    for (std::size_t block = starts.size(); block-- > 0;) {
      if (block + 1 < starts.size()) {
        filter_ = starts[block];
        run_block(timeline, block * kBlock, options, nullptr, true);
      }
      trajectory_.smooth(sweep);
      for (std::size_t i = 0; i < trajectory_.steps.size(); ++i) {
        const std::size_t k = block * kBlock + i;
        const Input input = k > 0 ? input_at<F>(timeline, k - 1) : Input(Input::Zero());
        for (std::size_t o = 0; o < traits_.outputs.size(); ++o) {
          read_output(o, trajectory_.steps[i].posterior, input, result.smoothed[o].value[k], result.smoothed[o].std[k]);
        }
      }
      if (options.progress) options.progress(0.5 + share(starts.size() - block, starts.size(), 0.5));
    }
  }

  // `input` is the one that led to the belief's instant.
  [[gnu::noinline]] void read_output(std::size_t output, const Belief& belief, const Input& input, double& value,
                                     double& std) const noexcept {
    constexpr std::size_t kModelOutputs = Model::kOutputs.size();
    if (output < kModelOutputs) {
      const auto estimate = estimate_output(filter_.model(), static_cast<int>(output), belief, input);
      value = estimate.value;
      std = std::sqrt(std::max(estimate.variance, 0.0));
      return;
    }
    const auto& extra = traits_.state_outputs[output - kModelOutputs];
    value = belief.mean[extra.state] * extra.factor;
    std = std::sqrt(std::max(belief.covariance()(extra.state, extra.state), 0.0)) * std::abs(extra.factor);
  }

  Filter filter_;
  Belief prior_;
  EstimatorTraits<F> traits_;
  double gate_ = std::numeric_limits<double>::infinity();
  Trajectory<Filter> trajectory_;
  std::size_t lag_samples_ = 0;
  std::optional<Lag> lag_;
};

}  // namespace tauhat
