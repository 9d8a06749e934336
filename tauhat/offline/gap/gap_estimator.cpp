#include "tauhat/offline/gap/gap_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/gap/cascade_tuning.hpp"
#include "tauhat/offline/gap/command_delay.hpp"
#include "tauhat/offline/gap/gap_start.hpp"
#include "tauhat/offline/gap/jitter.hpp"
#include "tauhat/offline/replay/step_by_step.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;
using Belief = Gaussian<double, P::kStates>;
using Row = Vector<double, P::kStates>;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double square(double x) { return x * x; }

// An output that is linear in the state, in this mode.
Row row_of(int output, const P& drive) {
  Row row = Row::Zero();
  switch (output) {
    case P::gap_position_output:  // from the middle of the gap
      row[P::gap_position] = 1.0;
      row[P::upper_limit] = row[P::lower_limit] = -0.5;
      break;
    case P::displacement_output:
    case P::twist_output:
      row[P::motor_position] = 1.0 / drive.ratio;
      row[P::load_position] = -1.0;
      if (output == P::twist_output) row[P::gap_position] = -1.0;
      break;
    case P::shaft_torque_output:
      if (drive.in_contact()) row = drive.damping * drive.guard();
      break;
    case P::gap_output:
      row[P::upper_limit] = 1.0, row[P::lower_limit] = -1.0;
      break;
    case P::offset_output:
      row[P::upper_limit] = row[P::lower_limit] = -0.5;
      break;
    case P::gain_output:  // less one
      row[P::gain_error] = 1.0;
      break;
    default:
      row[output] = 1.0;
  }
  return row;
}

double variance_of(const Row& row, const Belief& belief) { return std::max(row.dot(belief.covariance() * row), 0.0); }

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// That a number of this row is positive.
double positive_probability(const Row& row, double value, const Belief& belief) {
  const double std = std::sqrt(variance_of(row, belief));
  return std > 0.0 ? normal_below(value / std) : value > 0.0 ? 1.0 : 0.0;
}

double probability_of_mode(const GapImm<double>& filter, const Belief&) { return filter.probability(filter.mode()); }
// A filter that switches takes one mode for true. How near its own belief is to the others: in contact, that the shaft
// still presses; in the gap, that neither limit is reached. It holds its mode for at least as likely as not.
template <class F>
double probability_of_mode(const F& filter, const Belief& belief) {
  const P& drive = filter.model();
  const Vector<double, P::kStates>& x = belief.mean;
  double probability = 1.0;
  if (drive.in_contact()) {
    probability = positive_probability(drive.guard(), side_of<double>(drive.mode) * drive.guard_at(x), belief);
  } else {
    for (const int limit : {P::upper_limit, P::lower_limit}) {
      Row way = Row::Zero();
      way[limit] = 1.0, way[P::gap_position] = -1.0;
      const double side = limit == P::upper_limit ? 1.0 : -1.0;
      probability -= 1.0 - positive_probability(way, side * (x[limit] - x[P::gap_position]), belief);
    }
  }
  return std::clamp(probability, 0.5, 1.0);
}

// What is expected of a position or a velocity: by the belief, or by the stage that it goes to.
struct Expected {
  double value, variance;
};
template <class F>
Expected expected(const F&, const Belief& belief, int output) {
  return {belief.mean[output], belief.covariance()(output, output)};
}
Expected expected(const GapCascade<double>& filter, const Belief&, int output) {
  const int state = output == P::motor_velocity || output == P::load_velocity ? 1 : 0;
  const auto& side = filter.side(output);
  return {side.mean[state], side.covariance()(state, state)};
}

template <class F>
F make_filter(const P& drive, const Belief& start, const GapSpec& spec) {
  if constexpr (std::is_same_v<F, GapCascade<double>>) {
    return {drive, start, cascade_tuning(spec)};
  } else {
    return {drive, start};
  }
}

// Where a wheel's count was lost, the offset between both counters may be anything within a pitch.
Row offset_within(double pitch) {
  Row row = Row::Zero();
  row[P::gap_position] = row[P::upper_limit] = row[P::lower_limit] = pitch;
  return row;
}

template <class F>
class GapEstimatorOf final : public Estimator {
 public:
  explicit GapEstimatorOf(const GapSpec& spec) : spec_(spec), delay_(spec.delay), start_(spec) {
    for (const Signal& signal : kGapSignals) outputs_.push_back({std::string(signal.name), std::string(signal.unit)});
    // Short beside the fastest motion, and beside the change of a mode.
    longest_step_ = std::min(1e-3, 0.1 / spec_.drive.fastest_rate());
  }

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<GapEstimatorOf>(*this); }

  void set_intensity(double intensity) override { spec_.drive.noise[P::load_torque] = square(intensity); }
  double intensity() const override { return std::sqrt(spec_.drive.noise[P::load_torque]); }
  void set_lag(std::size_t) override {}  // a study with a lag is refused
  std::size_t lag() const noexcept override { return 0; }
  void set_gate(double nis) override { gate_ = nis; }

  void reset() override { *this = GapEstimatorOf(spec_); }

  Correction<double> correct(const Measurement<double>& z) noexcept override {
    if (!std::isfinite(z.value)) return {};
    if (!filter_) {
      start_.add(now_, z);
      return {};
    }
    const auto& wheel = spec_.wheels[static_cast<std::size_t>(z.output)];
    return wheel.pitch > 0.0 ? correct_tooth(z, wheel) : corrected(jittered(z));
  }

  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    delay_.command(now_, spec_.gain * u[0]);
    if (!filter_ && start_.is_complete()) begin();
    const double end = now_ + dt;
    StepStatus status = dt > 0.0 ? StepStatus::ok : StepStatus::interval_not_positive;
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
    return status;
  }

  void estimate(int output, double& value, double& std) const noexcept override {
    value = std = kUnknown;
    if (!filter_) return;
    const Belief& b = belief();
    if (output >= mode_output) return estimate_mode(output, b, value, std);
    const Row row = row_of(output, filter_->model());
    value = row.dot(b.mean);
    std = std::sqrt(variance_of(row, b));
    if (output == P::gain_output) value = spec_.gain * (1.0 + value), std *= spec_.gain;
  }

  bool settle() override { return false; }
  void lagged(int, double&, double&) const noexcept override {}
  void finish(const std::function<void()>&) override {}

  Replay replay(const Timeline& timeline, const ReplayOptions& options) override {
    return replay_step_by_step(*this, timeline, options);
  }
  std::vector<Diagnostic> remarks() const override;

 private:
  static constexpr bool kLearns = requires(F filter, const Row& row) { filter.widen(row); };

  void begin() noexcept {
    const GapStart::Belief start = start_.belief(now_, delay_.at(now_).value);
    P drive = spec_.drive;
    drive.mode = start.mode;
    // What is learned may still wear: by a hundredth of a per cent of the gap in a second.
    if (spec_.is_learned()) drive.noise[P::upper_limit] = drive.noise[P::lower_limit] = square(1e-4 * spec_.gap);
    filter_.emplace(make_filter<F>(drive, start.state, spec_));
    began_ = now_;
    for (const int output : {P::motor_position, P::load_position})
      seen_[static_cast<std::size_t>(output)] = start.state.mean[output];
    is_read_ = false;
  }

  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] StepStatus stepped(double command, double dt) noexcept {
    is_read_ = false;
    return filter_->predict(Vector<double, 1>(command), dt);
  }
  [[gnu::noinline]] Correction<double> corrected(const Measurement<double>& z) noexcept {
    const Expected about = expected(*filter_, belief(), z.output);
    const double variance = about.variance + z.variance, innovation = z.value - about.value;
    if (gate_ > 0.0 && square(innovation) > gate_ * variance) return {StepStatus::gated, innovation, variance};
    is_read_ = false;
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
    // Of a pitch: the nearest tooth is the wrong one from half a pitch on, three of these standard deviations away.
    constexpr double kSure = 1.0 / 6.0;
    // Standard deviations, in which a tooth misses its prediction once in two million pulses: what came between two
    // teeth is none.
    constexpr double kFar = 5.0;
    const auto index = static_cast<std::size_t>(z.output);
    Measurement<double> tooth = z;
    tooth.value += slipped_[index] * wheel.pitch;
    const Expected about = expected(*filter_, belief(), z.output);
    const double sure = std::sqrt(std::max(about.variance, 0.0));
    const double innovation = tooth.value - about.value;
    const double off = std::round(innovation / wheel.pitch);
    watch_direction(z.output, wheel);
    const bool is_sure = sure <= kSure * wheel.pitch;
    // After an outage a counter knows better than the prediction, unless it stood still itself.
    const bool is_counted =
        wheel.directed && !is_sure && square(innovation) < square(kFar) * (square(sure) + z.variance);
    if (off != 0.0 && !is_counted) {
      slipped_[index] -= off;
      tooth.value -= off * wheel.pitch;
      if (!is_sure) {
        ++faults_.resumed;
        if constexpr (kLearns) filter_->widen(offset_within(wheel.pitch));
        is_read_ = false;
      } else {
        ToothFaults::Of& faults = off < 0.0 ? faults_.lost : faults_.spurious;
        if (faults.count == 0) faults.output = z.output, faults.first = now_ - began_;
        faults.count += static_cast<std::size_t>(std::abs(off));
      }
    }
    seen_[index] = tooth.value;
    const double left = tooth.value - expected(*filter_, belief(), z.output).value;
    if (off > 0.0 && !is_counted && std::abs(left) > kFar * std::sqrt(square(sure) + z.variance))
      return {};  // no tooth: nothing was measured
    return corrected(tooth);
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
    if (!is_read_) read_ = filter_->belief(), is_read_ = true;
    return read_;
  }

  // A wheel whose teeth should have passed, but sent no pulse: it stands still or is broken, and either way the
  // prediction is wrong.
  bool is_silent(const Belief& b) const noexcept {
    constexpr double kTeeth = 5.0;  // more than a wheel has missing
    for (const int output : {P::motor_position, P::load_position}) {
      const auto index = static_cast<std::size_t>(output);
      const double pitch = spec_.wheels[index].pitch;
      if (pitch > 0.0 && std::abs(b.mean[output] - seen_[index]) > kTeeth * pitch) return true;
    }
    return false;
  }

  // Whether the mode can be told: it is likelier than the others together, and the twist is known to a part of the gap.
  bool mode_is_known(const Belief& b) const noexcept {
    constexpr double kLikely = 0.5;
    constexpr double kSharp = 0.25;  // two such standard deviations reach from the middle of the gap to a contact
    const P& drive = filter_->model();
    const double gap = row_of(P::gap_output, drive).dot(b.mean);
    const double spread = std::sqrt(variance_of(row_of(P::twist_output, drive), b));
    return probability_of_mode(*filter_, b) >= kLikely && spread < kSharp * gap && !is_silent(b);
  }

  // Where the mode is unknown, all of them are.
  void estimate_mode(int output, const Belief& b, double& value, double& std) const noexcept {
    if (!mode_is_known(b)) return;
    const P& drive = filter_->model();
    const double probability = probability_of_mode(*filter_, b);
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
      Row way = Row::Zero();  // th_b to the limit that it goes to
      way[P::gap_position] = -1.0, way[rate > 0.0 ? P::upper_limit : P::lower_limit] = 1.0;
      value = way.dot(b.mean) / rate;
      const Row by_state = (way - value * drive.guard()) / rate;
      std = std::sqrt(variance_of(by_state, b));
    }
  }

  GapSpec spec_;
  std::vector<OutputInfo> outputs_;
  CommandDelay delay_;
  GapStart start_;
  std::optional<F> filter_{};
  double now_ = 0.0, began_ = 0.0, longest_step_ = 1e-3, gate_ = 0.0;
  std::array<double, 4> slipped_{};  // teeth that a wheel's count is behind
  std::array<double, 4> seen_{};     // rad, where the wheel's last tooth stood
  ToothFaults faults_;
  mutable Belief read_;
  mutable bool is_read_ = false;
};

template <class F>
std::vector<Diagnostic> GapEstimatorOf<F>::remarks() const {
  std::vector<Diagnostic> remarks;
  if (!filter_)
    remarks.push_back({"start.missing", Severity::error,
                       "The filter never started: it needs two positions, or a velocity, of both motor and load."});
  const auto sentence = [&](const ToothFaults::Of& faults, const char* what) {
    return fmt::format("{} {} ({}of {}, {:.4g} s after the start); the count was put right by the prediction.",
                       counted(faults.count, "pulse", "pulses"), what, faults.count > 1 ? "the first " : "",
                       outputs_[static_cast<std::size_t>(faults.output)].name, faults.first);
  };
  if (faults_.lost.count > 0)
    remarks.push_back({"teeth.lost", Severity::warning, sentence(faults_.lost, "did not come")});
  if (faults_.spurious.count > 0)
    remarks.push_back({"teeth.spurious", Severity::warning, sentence(faults_.spurious, "came without a tooth")});
  if (faults_.resumed > 0)
    remarks.push_back(
        {"teeth.resumed", kLearns ? Severity::warning : Severity::error,
         fmt::format("After {} too long to tell which tooth came next, the middle of the gap {}.",
                     counted(faults_.resumed, "outage", "outages"),
                     kLearns ? "was learned anew"
                             : "is not known any more, and this filter learns nothing: use kind = \"imm\" in "
                               "[estimator]")});
  if (faults_.reversal >= 0.0)
    remarks.push_back(
        {"pulses.reversal", Severity::error,
         fmt::format("{:.4g} s after the start a wheel came so near to standstill that it may have turned "
                     "back, and its pulses do not say which way they go. Record a counter that goes up and "
                     "down (count), or cut the log before.",
                     faults_.reversal)});
  return remarks;
}

}  // namespace

std::unique_ptr<Estimator> make_gap_estimator(const GapSpec& spec) {
  if (spec.filter == GapSpec::Filter::cascade) {
    if (!GapCascade<double>(spec.drive, Belief{}, cascade_tuning(spec)).usable())
      throw Error(ExitCode::wrong_use,
                  "estimator.kind = \"cascade\": there are no stationary gains for this drive and its [noise]; use "
                  "\"direct\"");
    return std::make_unique<GapEstimatorOf<GapCascade<double>>>(spec);
  }
  if (spec.runs_several()) return std::make_unique<GapEstimatorOf<GapImm<double>>>(spec);
  return std::make_unique<GapEstimatorOf<GapFilter<double>>>(spec);
}

}  // namespace tauhat
