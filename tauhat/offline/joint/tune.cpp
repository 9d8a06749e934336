#include "tauhat/offline/joint/tune.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/simplex.hpp"

namespace tauhat {
namespace {

// One coordinate of the search: a positive number by its logarithm, and how far its first step goes.
struct Knob {
  std::string table, key, unit;
  std::function<double&(JointSpec&, ObserverSpec&)> number;
  double step;
  // Breakaway lies above Coulomb friction: what is searched is how much, relative to it.
  bool above_coulomb = false;
  bool is_variance = false;  // the study has its square root

  double shown(double value) const { return is_variance ? std::sqrt(value) : value; }
};

std::vector<Knob> knobs_of(const ObserverSpec& observer) {
  std::vector<Knob> knobs;
  const auto disturbance = [](JointSpec&, ObserverSpec& o) -> double& { return o.motor_disturbance->intensity; };
  const auto link = [](JointSpec&, ObserverSpec& o) -> double& { return o.load_noise; };
  if (observer.kind == ObserverSpec::Kind::bristle_kalman) {
    const auto friction = [&](const char* name, const char* unit, double LuGre<double>::*member, double step) {
      knobs.push_back({"drive", fmt::format("motor.friction.{}", name), unit,
                       [member](JointSpec& s, ObserverSpec&) -> double& { return s.friction->bristles.*member; },
                       step});
    };
    friction("coulomb", "N m", &LuGre<double>::coulomb, 0.1);
    friction("breakaway", "N m", &LuGre<double>::breakaway, 0.5);
    knobs.back().above_coulomb = true;
    friction("stribeck_velocity", "rad/s", &LuGre<double>::stribeck_velocity, -0.4);
    friction("bristle_stiffness", "N m/rad", &LuGre<double>::bristle_stiffness, 0.6);
  }
  if (observer.motor_disturbance)
    knobs.push_back({"observer", "motor_disturbance.intensity", "N m/sqrt(s)", disturbance, 0.5});
  if (observer.kind == ObserverSpec::Kind::bristle_kalman)
    knobs.push_back({"observer", "noise.load", "N m/sqrt(Hz)", link, 0.5});
  if (observer.sensor_variance) {
    knobs.push_back({"observer", "sensor_std", "rad",
                     [](JointSpec&, ObserverSpec& o) -> double& { return *o.sensor_variance; }, 1.0});
    knobs.back().is_variance = true;
  }
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

}  // namespace

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
  const auto surprise = [&](const std::vector<double>& point) {
    JointSpec turned_spec = spec;
    ObserverSpec turned = observer;
    turn(knobs, point, turned_spec, turned);
    double sum = 0.0, count = 0.0;
    for (const Timeline& record : records) {
      const auto estimator = make_joint_estimator(turned_spec, turned, period, motor_sensor(record).variance);
      const Replay replay = estimator->replay(record, {.tracks = false, .settling = options.settling});
      if (replay.failed > 0) return std::numeric_limits<double>::infinity();
      sum -= replay.log_likelihood;
      count += static_cast<double>(replay.corrections);
    }
    return sum / count;
  };
  tuning.before = surprise(start);
  const SimplexMinimum best =
      minimise(surprise, start, steps, {.evaluations = options.evaluations, .progress = options.progress});
  turn(knobs, best.point, tuning.spec, tuning.observer);
  for (std::size_t i = 0; i < knobs.size(); ++i)
    tuning.numbers[i].after = knobs[i].shown(knobs[i].number(tuning.spec, tuning.observer));
  tuning.after = best.value;
  tuning.evaluations = best.evaluations;
  return tuning;
}

}  // namespace tauhat
