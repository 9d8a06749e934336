#include "tauhat/offline/joint/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/simplex.hpp"

namespace tauhat {
namespace {

// One coordinate of the search: a positive number by its logarithm, how far its first step goes, and how well the
// logarithm is known beforehand (standard deviation).
struct Knob {
  std::string table, key, unit;
  std::function<double&(JointSpec&, ObserverSpec&)> number;
  double step, known_within;
  // Breakaway lies above Coulomb friction: what is searched is how much, relative to it.
  bool above_coulomb = false;
  bool is_variance = false;  // the study has its square root
  bool is_noise = false;     // may be as little as it likes

  double shown(double value) const { return is_variance ? std::sqrt(value) : value; }
};

std::vector<Knob> knobs_of(const ObserverSpec& observer) {
  std::vector<Knob> knobs;
  const auto disturbance = [](JointSpec&, ObserverSpec& o) -> double& { return o.motor_disturbance->intensity; };
  const auto link = [](JointSpec&, ObserverSpec& o) -> double& { return o.load_noise; };
  if (observer.kind == ObserverSpec::Kind::bristle_kalman) {
    const auto friction = [&](const char* name, const char* unit, double LuGre<double>::*member, double step,
                              double known_within) {
      knobs.push_back({"drive", fmt::format("motor.friction.{}", name), unit,
                       [member](JointSpec& s, ObserverSpec&) -> double& { return s.friction->bristles.*member; }, step,
                       known_within});
    };
    friction("coulomb", "N m", &LuGre<double>::coulomb, 0.1, 0.7);
    friction("breakaway", "N m", &LuGre<double>::breakaway, 0.5, 1.0);
    knobs.back().above_coulomb = true;
    friction("stribeck_velocity", "rad/s", &LuGre<double>::stribeck_velocity, -0.4, 1.0);
    friction("bristle_stiffness", "N m/rad", &LuGre<double>::bristle_stiffness, 0.6, 1.0);
  }
  if (observer.motor_disturbance)
    knobs.push_back({"observer", "motor_disturbance.intensity", "N m/sqrt(s)", disturbance, 0.5, 1.5});
  if (observer.kind == ObserverSpec::Kind::bristle_kalman)
    knobs.push_back({"observer", "noise.load", "N m/sqrt(Hz)", link, 0.5, 1.5});
  if (observer.sensor_variance) {
    knobs.push_back({"observer", "sensor_std", "rad",
                     [](JointSpec&, ObserverSpec& o) -> double& { return *o.sensor_variance; }, 1.0, 3.0});
    knobs.back().is_variance = true;
  }
  for (Knob& knob : knobs) knob.is_noise = knob.table == "observer";
  return knobs;
}

double read(const Knob& knob, JointSpec& spec, ObserverSpec& observer) {
  const double value = knob.number(spec, observer);
  return std::log(knob.above_coulomb ? std::max(value / spec.friction->bristles.coulomb - 1.0, 1e-3) : value);
}

void turn(const std::vector<Knob>& knobs, const std::vector<double>& point, JointSpec& spec, ObserverSpec& observer) {
  // Both links are shaken alike, where the study shakes both.
  const double neighbour_share = observer.load_noise > 0.0 ? observer.neighbour_noise / observer.load_noise : 0.0;
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    const double value = std::exp(point[i]);
    knobs[i].number(spec, observer) = knobs[i].above_coulomb ? (1.0 + value) * spec.friction->bristles.coulomb : value;
  }
  observer.neighbour_noise = neighbour_share * observer.load_noise;
}

// What the observer's innovations say against a point of the search, over all records.
class Surprise {
 public:
  Surprise(const JointSpec& spec, const ObserverSpec& observer, const std::vector<Timeline>& records, double period,
           const std::vector<Knob>& knobs, const TuneOptions& options)
      : spec_(spec), observer_(observer), records_(records), period_(period), knobs_(knobs), options_(options) {
    for (const Timeline& record : records) {
      moving_.push_back(options.in_motion_only ? in_motion(record) : std::vector<bool>(record.size(), true));
      for (std::size_t k = 0; k < std::min(options.settling, record.size()); ++k) moving_.back()[k] = false;
    }
  }

  // sum (e^2 / S + ln S) / 2, and the number of samples that it is of.
  struct Sum {
    double value = 0.0, samples = 0.0;
  };
  Sum at(const std::vector<double>& point) const {
    JointSpec spec = spec_;
    ObserverSpec observer = observer_;
    turn(knobs_, point, spec, observer);
    Sum sum;
    for (std::size_t i = 0; i < records_.size(); ++i) add(spec, observer, i, sum);
    return sum;
  }

 private:
  void add(const JointSpec& spec, const ObserverSpec& observer, std::size_t which, Sum& sum) const {
    const Timeline& record = records_[which];
    const Timeline::Sensor& sensor = motor_sensor(record);
    const auto estimator = make_joint_estimator(spec, observer, period_, sensor.variance);
    const Replay replay = estimator->replay(record, {.tracks = options_.in_motion_only, .settling = options_.settling});
    if (replay.failed > 0) {
      sum.value = std::numeric_limits<double>::infinity();
    } else if (options_.in_motion_only) {
      const Innovations& found = replay.innovations[static_cast<std::size_t>(&sensor - record.sensors.data())];
      for (std::size_t k = 0; k < found.innovation.size(); ++k) {
        if (!moving_[which][k] || !std::isfinite(found.innovation[k])) continue;
        sum.value += 0.5 * std::pow(found.innovation[k] / found.std[k], 2) + std::log(found.std[k]);
        sum.samples += 1.0;
      }
    } else {
      sum.value -= replay.log_likelihood;
      sum.samples += static_cast<double>(replay.corrections);
    }
  }

  const JointSpec& spec_;
  const ObserverSpec& observer_;
  const std::vector<Timeline>& records_;
  double period_;
  const std::vector<Knob>& knobs_;
  const TuneOptions& options_;
  std::vector<std::vector<bool>> moving_;
};

constexpr double kFarthest = 3.0;  // standard deviations of what is known beforehand

// Per sample, with what is known beforehand; infinite beyond its bounds.
double judged(const Surprise& surprise, const std::vector<Knob>& knobs, const std::vector<double>& start,
              const std::vector<double>& point) {
  double known = 0.0;
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    const double away = (point[i] - start[i]) / knobs[i].known_within;
    if (!(std::abs(away) <= kFarthest)) return std::numeric_limits<double>::infinity();
    known += 0.5 * away * away;
  }
  const Surprise::Sum sum = surprise.at(point);
  return (sum.value + known) / sum.samples;
}

// Twice or half as large must be less likely by e^2 at least, as at the edge of an interval of 95 %; what lies beyond
// `farthest` from the start was not asked.
bool is_told(const Surprise& surprise, const std::vector<double>& best, std::size_t knob, double least, double start,
             double farthest) {
  constexpr double kEdge = 2.0;
  for (const double away : {-std::numbers::ln2, std::numbers::ln2}) {
    std::vector<double> beside = best;
    beside[knob] += away;
    if (std::abs(beside[knob] - start) > farthest) continue;
    if (!(surprise.at(beside).value > least + kEdge)) return false;
  }
  return true;
}

}  // namespace

std::vector<bool> in_motion(const Timeline& record) {
  constexpr double kHalfWindow = 0.05;          // s
  constexpr double kNoise = 8.0, kSteps = 2.5;  // standard deviations, and steps of the encoder, that are no motion
  const Timeline::Sensor& sensor = motor_sensor(record);
  const std::vector<double> position = without_holes(sensor.value);
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < position.size(); ++k)
    if (const double change = std::abs(position[k] - position[k - 1]); change > 0.0) step = std::min(step, change);
  const double least = std::max(kNoise * std::sqrt(sensor.variance), std::isfinite(step) ? kSteps * step : 0.0);
  const auto half = std::max<std::size_t>(1, static_cast<std::size_t>(kHalfWindow / record.median_interval()));
  std::vector<bool> moving(position.size(), false);
  for (std::size_t from = 0; from < position.size(); from += half) {  // by windows that overlap by half
    const std::size_t to = std::min(from + 2 * half, position.size());
    const auto [lowest, highest] = std::minmax_element(position.begin() + static_cast<std::ptrdiff_t>(from),
                                                       position.begin() + static_cast<std::ptrdiff_t>(to));
    if (*highest - *lowest > least)
      std::fill(moving.begin() + static_cast<std::ptrdiff_t>(from), moving.begin() + static_cast<std::ptrdiff_t>(to),
                true);
  }
  return moving;
}

std::vector<Diagnostic> Tuning::diagnostics() const {
  std::vector<std::string> untold, far;
  for (const TunedNumber& number : numbers) {
    if (!number.is_told) untold.push_back(number.key);
    if (number.is_at_bound)
      far.push_back(fmt::format("{} from {:.3g} to {:.3g} {}", number.key, number.before, number.after, number.unit));
  }
  std::vector<Diagnostic> found;
  if (!untold.empty())
    found.push_back({"parameter.undetermined", Severity::warning,
                     fmt::format("The log does not tell {}: twice or half as large is as likely. The study's stay. "
                                 "Record the axis in motion, with reversals, and shaken about its resonance.",
                                 fmt::join(untold, ", "))});
  if (!far.empty())
    found.push_back({"model.suspect", Severity::warning,
                     fmt::format("The search was stopped where what is known beforehand ends: {}. Something else is "
                                 "wrong: look at the numbers of [drive], the torque's unit and its clock.",
                                 fmt::join(far, ", "))});
  return found;
}

Tuning tune_observer(const JointSpec& spec, const ObserverSpec& observer, const std::vector<Timeline>& records,
                     double period, const TuneOptions& options) {
  const std::vector<Knob> knobs = knobs_of(observer);
  if (knobs.empty() || observer.kind == ObserverSpec::Kind::luenberger || !observer.covariance_root.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("observer \"{}\": has nothing to tune: give it kind = \"kalman\" or \"lugre-kalman\" and a "
                            "motor_disturbance",
                            observer.name));
  Tuning tuning{spec, observer, 0.0, 0.0, 0, {}};
  std::vector<double> start, steps;
  for (const Knob& knob : knobs) {
    start.push_back(read(knob, tuning.spec, tuning.observer));
    steps.push_back(knob.step);
    tuning.numbers.push_back(
        {knob.table, knob.key, knob.unit, knob.shown(knob.number(tuning.spec, tuning.observer)), 0.0});
  }
  const Surprise surprise(spec, observer, records, period, knobs, options);
  const auto found = minimise([&](const std::vector<double>& point) { return judged(surprise, knobs, start, point); },
                              start, steps, {.evaluations = options.evaluations, .progress = options.progress});
  std::vector<double> best = found.point;
  const double least = surprise.at(best).value;
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    TunedNumber& number = tuning.numbers[i];
    number.is_told = is_told(surprise, found.point, i, least, start[i], kFarthest * knobs[i].known_within);
    if (!number.is_told) best[i] = start[i];
    // Within a tenth of the way. Noise that is not there is no fault.
    const double away = (best[i] - start[i]) / knobs[i].known_within;
    number.is_at_bound = number.is_told && (knobs[i].is_noise ? away : std::abs(away)) > 0.9 * kFarthest;
  }
  turn(knobs, best, tuning.spec, tuning.observer);
  for (std::size_t i = 0; i < knobs.size(); ++i)
    tuning.numbers[i].after = knobs[i].shown(knobs[i].number(tuning.spec, tuning.observer));
  const Surprise::Sum before = surprise.at(start), after = surprise.at(best);
  tuning.before = before.value / before.samples, tuning.after = after.value / after.samples;
  tuning.evaluations = found.evaluations;
  return tuning;
}

}  // namespace tauhat
