// The estimator of a gap over any of its filters: see gap_estimator.hpp. Included where one is made.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "tauhat/offline/gap/command_delay.hpp"
#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/gap/gap_filters.hpp"
#include "tauhat/offline/gap/gap_outputs.hpp"
#include "tauhat/offline/gap/gap_start.hpp"
#include "tauhat/offline/gap/jitter.hpp"
#include "tauhat/offline/gap/record_holes.hpp"
#include "tauhat/offline/gap/tooth_faults.hpp"

namespace tauhat::gap {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

template <class F>
class GapEstimatorOf final : public Estimator {
 public:
  explicit GapEstimatorOf(const GapSpec& spec) : spec_(spec), delay_(spec.delay), start_(spec) {
    for (const Signal& signal : kGapSignals) outputs_.push_back({std::string(signal.name), std::string(signal.unit)});
    longest_step_ = longest_step_of(spec_.drive);
  }

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<GapEstimatorOf>(*this); }

  void set_intensity(double intensity) override { spec_.drive.noise[P::load_torque] = square(intensity); }
  double intensity() const override { return std::sqrt(spec_.drive.noise[P::load_torque]); }
  void set_gate(double nis) override { gate_ = nis; }

  void reset() override {
    const double gate = gate_;
    *this = GapEstimatorOf(spec_);
    gate_ = gate;
  }

  Correction<double> correct(const Measurement<double>& z) noexcept override {
    if (!std::isfinite(z.value)) return {};
    const auto& wheel = spec_.wheels[static_cast<std::size_t>(z.output)];
    if (!filter_) {
      start_.add(now_, on_its_tooth(z, wheel));
      return {};
    }
    return wheel.pitch > 0.0 ? correct_tooth(z, wheel) : corrected(jittered(z));
  }

  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    if (!(dt > 0.0)) return StepStatus::interval_not_positive;
    delay_.command(now_, spec_.gain * u[0]);
    if (!filter_ && start_.is_complete()) begin();
    if (filter_ && is_hole(spec_, belief().mean[P::motor_velocity], belief().mean[P::load_velocity], dt))
      end_before_hole(dt);
    const double end = now_ + dt;
    StepStatus status = StepStatus::ok;
    while (filter_ && now_ < end) {
      const CommandDelay::Acting acting = delay_.at(now_);
      const double until = std::min(end, acting.until), whole = until - now_;
      const int steps = std::max(1, static_cast<int>(std::ceil(whole / longest_step_)));
      for (int i = 0; i < steps; ++i) {
        const StepStatus one = stepped(acting.value, whole / steps);
        if (one != StepStatus::ok) status = one;
      }
      now_ = until;
    }
    now_ = end;
    if constexpr (kFindsMode) was_told_ = filter_ && is_told();
    return status;
  }

  void estimate(int output, double& value, double& std) const noexcept override {
    value = std = kUnknown;
    if (!filter_) return;
    const Belief& b = belief();
    if (kHasFixedGains && (now_ < std::max(settled_, known_from_) || is_silent(b))) return;
    if (!kFindsMode && !is_of_positions(output)) return;
    if constexpr (kFindsMode) {
      if (output >= mode_output) return estimate_mode(output, b, value, std);
    }
    const Terms terms = terms_of(output, filter_->model());
    value = terms.of(b.mean);
    std = std::sqrt(terms.variance(b));
    if (output == P::gain_output) value = spec_.gain * (1.0 + value), std *= spec_.gain;
  }

  std::vector<Diagnostic> remarks() const override;

 private:
  static constexpr bool kLearns = requires(F filter, const Row& row) { filter.widen(row); };
  // Its deviations are those of a wheel that turns, whatever comes of it: after the start and after a silence nothing
  // is said until it has settled.
  static constexpr bool kHasFixedGains = requires(F filter) { filter.restart(); };

  // Filters of positions alone know nothing of gap and torques.
  static constexpr bool kFindsMode = requires(const F filter) { filter.mode(); } && !kIsStaircase<F>;
  static constexpr bool is_of_positions(int output) noexcept {
    return output <= P::load_velocity_output || output == P::displacement_output;
  }

  void begin() noexcept {
    const GapStart::Belief start = start_.belief(now_, delay_.at(now_).value);
    P drive = spec_.drive;
    drive.mode = start.mode;
    // What is learned may still wear: by a hundredth of a per cent of the gap in a second.
    if (spec_.is_learned()) drive.noise[P::upper_limit] = drive.noise[P::lower_limit] = square(1e-4 * spec_.gap);
    filter_.emplace(make_filter<F>(drive, start.state, spec_));
    began_ = now_;
    if (!first_began_) first_began_ = now_;
    if constexpr (kHasFixedGains) known_from_ = now_ + filter_->memory();
    for (const int output : {P::motor_position, P::load_position})
      seen_[static_cast<std::size_t>(output)] = start.state.mean[output];
    forget();
  }

  // Behind a hole of the record the filter begins anew, with the gap that it has learned; and with the offset, too,
  // where counters have counted on.
  void end_before_hole(double dt) {
    if (faults_.holes.count++ == 0) faults_.holes.first = now_ - *first_began_, faults_.holes.length = dt;
    GapSpec known = spec_;
    const bool has_counted = spec_.wheels[P::motor_position].directed && spec_.wheels[P::load_position].directed;
    if (!has_counted) ++faults_.resumed, known.offset_is_known = false;
    if constexpr (kLearns) {
      const auto learned = [&](int output, double& value, double& std) {
        const Terms terms = terms_of(output, filter_->model());
        value = terms.of(belief().mean), std = std::sqrt(std::max(terms.variance(belief()), 0.0));
      };
      learned(P::gap_output, known.gap, known.gap_std);
      if (has_counted) known.offset_is_known = true, learned(P::offset_output, known.offset, known.offset_std);
    }
    start_ = GapStart(known);
    filter_.reset();
    forget();
  }

  // With what the prediction has found the count to be behind.
  Measurement<double> on_its_tooth(Measurement<double> z, const GapSpec::Wheel& wheel) const noexcept {
    z.value += slipped_[static_cast<std::size_t>(z.output)] * wheel.pitch;
    return z;
  }

  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] StepStatus stepped(double command, double dt) noexcept {
    forget();
    return filter_->predict(Vector<double, 1>(command), dt);
  }
  [[gnu::noinline]] Correction<double> corrected(const Measurement<double>& z) noexcept {
    const Expected about = expected(*filter_, belief(), z.output);
    const double variance = about.variance + z.variance, innovation = z.value - about.value;
    if (gate_ > 0.0 && square(innovation) > gate_ * variance) return {StepStatus::gated, innovation, variance};
    forget();
    return filter_->correct(z);
  }

  Measurement<double> jittered(Measurement<double> z) const noexcept {
    const double jitter = spec_.jitter[static_cast<std::size_t>(z.output)];
    if (jitter > 0.0) z.variance += jitter_variance(filter_->model(), belief().mean, z.output, jitter);
    return z;
  }

  // A pulse says where its tooth stands, if it is the tooth that it is taken for; a sure prediction says which one it
  // is.
  Correction<double> correct_tooth(const Measurement<double>& z, const GapSpec::Wheel& wheel) noexcept {
    // Standard deviations, in which a tooth misses its prediction once in two million pulses: what came between two
    // teeth is none.
    constexpr double kFar = 5.0;
    const auto index = static_cast<std::size_t>(z.output);
    Measurement<double> tooth = on_its_tooth(z, wheel);
    const Expected about = expected_tooth(z.output);
    const double sure = std::sqrt(std::max(about.variance, 0.0));
    const double innovation = tooth.value - about.value;
    const double off = std::round(innovation / wheel.pitch);
    watch_direction(z.output, wheel);
    [[maybe_unused]] const bool was_silent = kHasFixedGains && is_silent(belief());
    const bool is_sure = sure <= kSureOfATooth * wheel.pitch;
    // After an outage a counter knows better than the prediction, unless it stood still itself.
    const bool is_counted =
        wheel.directed && !is_sure && square(innovation) < square(kFar) * (square(sure) + z.variance);
    if (off != 0.0 && !is_counted) {
      slipped_[index] -= off;
      tooth.value -= off * wheel.pitch;
      if (!is_sure) {
        ++faults_.resumed;
        if constexpr (kLearns) {
          filter_->widen(offset_within(wheel.pitch));
          if (z.output == P::load_position) forget_runout();
        }
        forget();
      } else {
        ToothFaults::Of& faults = off < 0.0 ? faults_.lost : faults_.spurious;
        if (faults.count == 0) faults.output = z.output, faults.first = now_ - *first_began_;
        faults.count += static_cast<std::size_t>(std::abs(off));
      }
    }
    seen_[index] = tooth.value, is_mode_read_ = false;
    const double left = tooth.value - about.value;
    if (off > 0.0 && !is_counted && std::abs(left) > kFar * std::sqrt(square(sure) + z.variance))
      return {};  // no tooth: nothing was measured
    const Correction<double> done = corrected(tooth);
    if constexpr (kHasFixedGains) {
      if (was_silent) filter_->restart(), settled_ = now_ + filter_->memory(), forget();
    }
    return done;
  }

  // Where a turn of the wheel begins is not known any more.
  void forget_runout() noexcept {
    const double std = std::sqrt(runout_variance(spec_));
    filter_->widen(std * Row::Unit(P::runout_cosine));
    filter_->widen(std * Row::Unit(P::runout_sine));
  }

  Expected expected_tooth(int position) const noexcept {
    if constexpr (requires { filter_->first().last_tooth(position); }) {
      const bool is_lost = now_ < settled_ || is_silent(belief());
      if (is_lost && std::isfinite(filter_->first().last_tooth(position)))
        return expected_alone(filter_->first(), position);
    }
    return expected(*filter_, belief(), position);
  }

  // Pulses without direction count on as the wheel turns back.
  void watch_direction(int position, const GapSpec::Wheel& wheel) noexcept {
    // s: the filter starts with the speed between two teeth and a twist that it guesses; the shaft has swung once or
    // more by then (at 2.8 Hz in the paper's car), and the speed is its own.
    constexpr double kSettled = 0.5;
    constexpr double kDoubt = 2.0;  // standard deviations: nearer to standstill, 95 % include turning back
    if (wheel.directed || faults_.reversal >= 0.0 || now_ < began_ + kSettled) return;
    const Expected velocity = expected(*filter_, belief(), position + 1);
    if (square(velocity.value) < square(kDoubt) * velocity.variance) faults_.reversal = now_;
  }

  const Belief& belief() const noexcept {
    if constexpr (std::is_reference_v<decltype(filter_->belief())>) {
      return filter_->belief();
    } else {
      if (!is_read_) read_ = filter_->belief(), is_read_ = true;
      return read_;
    }
  }
  // The filter was changed: what was read of it is old.
  void forget() noexcept { is_read_ = is_mode_read_ = false; }

  // A wheel whose teeth should have passed, but sent no pulse: it stands still or is broken, and either way the
  // prediction is wrong.
  bool is_silent(const Belief& b) const noexcept {
    constexpr double kTeeth = 5.0;  // more than a wheel has missing
    for (const int output : {P::motor_position, P::load_position}) {
      const auto index = static_cast<std::size_t>(output);
      const double pitch = spec_.wheels[index].pitch;
      if (pitch > 0.0 && std::abs(b.mean[output] - seen_[index]) > kTeeth * pitch) return true;
      if constexpr (requires { filter_->first().overdue(output); })
        if (filter_->first().overdue(output) > 0.0) return true;
    }
    return false;
  }

  // Whether the twist tells the mode: it is known to a part of the gap, or it is that of a shaft which surely presses,
  // and then it does not matter how small the gap is. What was told before is told on until it is in doubt: the spread
  // breathes from pulse to pulse.
  bool is_told() const noexcept {
    constexpr double kSharp = 0.25;   // two such standard deviations reach from the middle of the gap to a contact
    constexpr double kPressed = 2.0;  // standard deviations of the twist
    constexpr double kDoubt = 1.5;    // so much worse
    const Belief& b = belief();
    const P& drive = filter_->model();
    const Terms twist = terms_of(P::twist_output, drive);
    const double gap = terms_of(P::gap_output, drive).of(b.mean),
                 pressed = side_of<double>(drive.mode) * twist.of(b.mean);
    const double spread = std::sqrt(twist.variance(b)) / (was_told_ ? kDoubt : 1.0);
    return spread < kSharp * gap || pressed > kPressed * spread;
  }

  // How likely the mode is, and whether it can be told: it is likelier than the others together, too.
  struct ModeRead {
    double probability = 0.0;
    bool is_known = false;
  };
  const ModeRead& mode_read() const noexcept {
    constexpr double kLikely = 0.5;
    if (is_mode_read_) return mode_read_;
    const Belief& b = belief();
    mode_read_.probability = probability_of_mode(*filter_, b);
    mode_read_.is_known = mode_read_.probability >= kLikely && is_told() && !is_silent(b);
    is_mode_read_ = true;
    return mode_read_;
  }

  std::vector<Diagnostic> impossible() const;

  // Where the mode is unknown, all of them are.
  void estimate_mode(int output, const Belief& b, double& value, double& std) const noexcept {
    const auto& [probability, is_known] = mode_read();
    if (!is_known) return;
    const P& drive = filter_->model();
    std = 0.0;
    if (output == mode_probability_output) {
      value = probability;
    } else if (output == mode_output) {
      value = side_of<double>(filter_->mode());
      // As of a number that is the mode, or else a neighbour.
      std = std::sqrt(probability * (1.0 - probability));
    } else if (drive.in_contact()) {
      value = 0.0;
    } else {
      const double rate = drive.guard_at(b.mean);
      const int limit = rate > 0.0 ? P::upper_limit : P::lower_limit;
      value = (b.mean[limit] - b.mean[P::gap_position]) / rate;  // the way there over the speed
      Row by_state = -value / rate * drive.guard();
      by_state[P::gap_position] -= 1.0 / rate, by_state[limit] += 1.0 / rate;
      std = std::sqrt(std::max(by_state.dot(b.covariance() * by_state), 0.0));
    }
  }

  GapSpec spec_;
  std::vector<OutputInfo> outputs_;
  CommandDelay delay_;
  GapStart start_;
  std::optional<F> filter_{};
  double now_ = 0.0, longest_step_ = 1e-3, gate_ = 0.0;
  double began_ = 0.0;                   // s: the start, or the last after a hole
  std::optional<double> first_began_{};  // s
  // s: from then on a filter with fixed gains has forgotten its last restart, and its start.
  double settled_ = 0.0, known_from_ = 0.0;
  std::array<double, 4> slipped_{};  // teeth that a wheel's count is behind
  std::array<double, 4> seen_{};     // rad, where the wheel's last tooth stood
  ToothFaults faults_;
  bool was_told_ = false;  // after the last prediction
  mutable Belief read_;
  mutable ModeRead mode_read_;
  mutable bool is_read_ = false, is_mode_read_ = false;
};

// No gear is so: counters that drift apart, by a wrong ratio or number of teeth, end in one.
template <class F>
std::vector<Diagnostic> GapEstimatorOf<F>::impossible() const {
  if (!kFindsMode) return {};
  constexpr double kFarOff = 5.0;  // of what was known of the torque's gain
  const Belief& b = belief();
  const double gap = terms_of(P::gap_output, filter_->model()).of(b.mean);
  const double gain = spec_.gain * (1.0 + b.mean[P::gain_error]);
  const bool gain_is_off = spec_.gain_std > 0.0 && std::abs(gain - spec_.gain) > kFarOff * spec_.gain_std;
  if (gap > 0.0 && !gain_is_off) return {};
  return {{"model.misfit", Severity::error,
           fmt::format("{}, which cannot be: the counters of motor and load do not belong together. Check "
                       "transmission.ratio, the numbers of teeth, and the unit of the command.",
                       gap > 0.0 ? fmt::format("The motor would make {:.2g} times the torque that it is told", gain)
                                 : fmt::format("The gap would be {:.2g} rad", gap))}};
}

template <class F>
std::vector<Diagnostic> GapEstimatorOf<F>::remarks() const {
  std::vector<Diagnostic> remarks;
  if (!first_began_)
    remarks.push_back({"start.missing", Severity::error,
                       "The filter never started: it needs two positions, or a velocity, of both motor and load."});
  for (Diagnostic& found : diagnose_teeth(faults_, outputs_, kLearns)) remarks.push_back(std::move(found));
  if (filter_)
    for (Diagnostic& found : impossible()) remarks.push_back(std::move(found));
  return remarks;
}

}  // namespace tauhat::gap
