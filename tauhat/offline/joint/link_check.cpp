#include "tauhat/offline/joint/link_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/report/suspect.hpp"

namespace tauhat {
namespace {

using Samples = std::vector<double>;

constexpr double kSettling = 0.5;  // s, until the observer has forgotten its start
constexpr std::size_t kMostSamples = 50000;

std::size_t place_of_motor(const Timeline& timeline) {
  return static_cast<std::size_t>(&motor_sensor(timeline) - timeline.sensors.data());
}

// Over instants where both are there, from the settling on.
template <class Each>
void for_each_settled(const Timeline& timeline, const Samples& a, const Samples& b, const Each& each) {
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    if (timeline.time[k] - timeline.time.front() < kSettling) continue;
    if (std::isfinite(a[k]) && std::isfinite(b[k])) each(a[k], b[k]);
  }
}
double product(const Timeline& timeline, const Samples& a, const Samples& b) {
  double sum = 0.0;
  for_each_settled(timeline, a, b, [&](double x, double y) { sum += x * y; });
  return sum;
}
double count(const Timeline& timeline, const Samples& a) {
  double all = 0.0;
  for_each_settled(timeline, a, a, [&](double, double) { ++all; });
  return all;
}

void measure_whiteness(const Timeline& timeline, const Samples& innovation, LinkCheck& check) {
  constexpr std::size_t kLongest = 10;
  const double square = product(timeline, innovation, innovation), n = count(timeline, innovation);
  if (!(square > 0.0)) return;
  for (std::size_t lag = 1; lag <= kLongest; ++lag) {
    Samples earlier(innovation.size(), std::nan(""));
    std::copy(innovation.begin(), innovation.end() - static_cast<std::ptrdiff_t>(lag),
              earlier.begin() + static_cast<std::ptrdiff_t>(lag));
    const double correlation = product(timeline, innovation, earlier) / square;
    if (std::abs(correlation) > std::abs(check.autocorrelation)) check.autocorrelation = correlation;
  }
  check.whiteness = std::abs(check.autocorrelation) * std::sqrt(n);
}

// What is believed of the joint and of its torque, and how it is changed.
struct Tried {
  std::string name, unit;
  double value, step;
  std::function<void(Study&, Timeline&, double step)> change;
};

void add_torque(Timeline& timeline, const Samples& torque, double factor) {
  Samples& input = timeline.inputs[0];
  for (std::size_t k = 0; k < input.size(); ++k)
    if (std::isfinite(torque[k])) input[k] += factor * torque[k];
}

std::vector<Tried> tried_on(const Study& study, const Timeline& timeline, const Replay& replay, int motor_velocity) {
  std::vector<Tried> all;
  const Samples& torque = timeline.inputs[0];
  const Samples& velocity = replay.filtered[static_cast<std::size_t>(motor_velocity)].value;
  Samples rate(torque.size(), 0.0), ones(torque.size(), 1.0), direction(torque.size()), bump(torque.size());
  double square = 0.0, speed = 0.0, n = 0.0;
  for (std::size_t k = 0; k < torque.size(); ++k) {
    if (k > 0) rate[k] = (torque[k] - torque[k - 1]) / timeline.interval(k - 1);
    if (std::isfinite(velocity[k])) square += torque[k] * torque[k], speed += velocity[k] * velocity[k], ++n;
  }
  const double usual = std::sqrt(speed / std::max(n, 1.0)), torque_rms = std::sqrt(square / std::max(n, 1.0));
  for (std::size_t k = 0; k < torque.size(); ++k) {
    direction[k] = std::tanh(velocity[k] / (0.02 * usual));
    bump[k] = direction[k] * std::exp(-std::abs(velocity[k]) / (0.2 * usual));
  }
  const auto beside = [&](const char* name, const char* unit, const Samples& more, double value, double step) {
    all.push_back({name, unit, value, step, [more](Study&, Timeline& t, double s) { add_torque(t, more, s); }});
  };
  beside("motor.torque.gain", "1", torque, 1.0, 1e-3);
  // A torque that is logged late acted before.
  Samples ahead(rate);
  beside("motor.torque.delay", "s", ahead, 0.0, 1e-3 * timeline.median_interval());
  beside("motor.torque.offset", "N m", ones, 0.0, 1e-3 * torque_rms);
  beside("motor.friction.coulomb", "N m", direction, 0.0, -1e-3 * torque_rms);
  beside("motor.friction.bump", "N m", bump, 0.0, -1e-3 * torque_rms);
  ElasticJoint<double> joint = study.joint->joint;
  ElasticJoint<double>::visit_parameters(joint, [&](const ParameterInfo& info, double& value) {
    const std::string name = full_name(info);
    const bool is_there = value != 0.0 && (study.joint->has_neighbour || !name.starts_with("neighbour."));
    if (!is_there) return;
    const double step = 1e-4 * value;
    all.push_back({name, std::string(info.unit), value, step, [name](Study& s, Timeline&, double by) {
                     ElasticJoint<double>::visit_parameters(s.joint->joint, [&](const ParameterInfo& other, double& v) {
                       if (full_name(other) == name) v += by;
                     });
                   }});
  });
  return all;
}

}  // namespace

LinkCheck check_link(const Study& given, const Timeline& whole, const Replay& of_whole) {
  LinkCheck check;
  if (whole.size() < 100) return check;
  Study study = given;
  study.joint->observers = {given.joint->observers[given.joint->chosen]};
  study.joint->chosen = 0;
  const bool is_long = whole.size() > kMostSamples;
  const Timeline timeline = is_long ? whole.part(0, kMostSamples) : whole;
  const std::size_t motor = place_of_motor(timeline);
  const auto run = [&](const Study& s, const Timeline& t) {
    return make_online_estimator(s, 1.0, first_row(timeline))->replay(t, {});
  };
  const Replay replay = is_long ? run(study, timeline) : of_whole;
  const Samples& innovation = replay.innovations[motor].innovation;
  // Of placed poles nobody knows how large the innovations are to be.
  if (!std::isfinite(replay.innovations[motor].std.back())) return check;
  measure_whiteness(timeline, innovation, check);
  const double variance = product(timeline, innovation, innovation) / std::max(count(timeline, innovation), 1.0);
  Samples normalised = innovation;
  for (std::size_t k = 0; k < normalised.size(); ++k) normalised[k] /= replay.innovations[motor].std[k];
  check.mean_nis = product(timeline, normalised, normalised) / std::max(count(timeline, normalised), 1.0);
  const auto estimator = make_online_estimator(study, 1.0, first_row(timeline));
  const int motor_velocity = estimator->find_output("motor.velocity"), link = estimator->find_output("load.velocity");
  const Samples& velocity = replay.filtered[static_cast<std::size_t>(link)].value;
  for (const Tried& tried : tried_on(study, timeline, replay, motor_velocity)) {
    Study other = study;
    Timeline changed = timeline;
    tried.change(other, changed, tried.step);
    Replay then;
    try {
      then = run(other, changed);
    } catch (const Error&) {
      continue;
    }
    Samples slope = then.innovations[motor].innovation, moved = then.filtered[static_cast<std::size_t>(link)].value;
    for (std::size_t k = 0; k < slope.size(); ++k) {
      slope[k] = (slope[k] - innovation[k]) / tried.step;
      moved[k] = (moved[k] - velocity[k]) / tried.step;
    }
    const double information = product(timeline, slope, slope);
    if (!(information > 0.0)) continue;
    // e(theta) + s da is smallest at
    const double change = -product(timeline, slope, innovation) / information;
    check.suspects.push_back(
        {tried.name, tried.unit, tried.value, change, change * std::sqrt(information / variance),
         std::abs(change) * std::sqrt(product(timeline, moved, moved) / std::max(count(timeline, moved), 1.0))});
  }
  sort_by_suspicion(check.suspects);
  return check;
}

std::vector<Diagnostic> diagnose_link(const LinkCheck& check) {
  std::vector<Diagnostic> found;
  if (check.mean_nis > 1.5)
    found.push_back({"filter.lag", Severity::warning,
                     fmt::format("The innovations' normalised square is {:.1f} instead of 1: the filter lags, or the "
                                 "noise is larger than said.",
                                 check.mean_nis)});
  if (!check.suspects.empty() && std::abs(check.suspects.front().z) > kSuspicious) {
    double most = 0.0;
    for (const LinkSuspect& s : check.suspects)
      if (std::abs(s.z) > kWidens) most = std::max(most, s.velocity);
    found.push_back(
        {"model.suspect", Severity::warning,
         fmt::format("Noise does not explain the innovations, and something else would: {}, in standard deviations of "
                     "noise. It would move the link's velocity by up to {:.2g} rad/s (rms), which the bands do not "
                     "hold. Correct it in the study: tauhat identify, tauhat tune.",
                     fmt::join(suspects_in_words(check.suspects), ", or "), most)});
  }
  // 5 standard deviations happen once in a million records; a small correlation matters little.
  constexpr double kCorrelated = 0.1, kSignificant = 5.0;
  if (std::abs(check.autocorrelation) > kCorrelated && check.whiteness > kSignificant)
    found.push_back({"filter.coloured", Severity::warning,
                     fmt::format("The innovations are not white noise: neighbouring ones are correlated ({:+.2f}). "
                                 "Something acts that the model lacks, and the bands are too narrow.",
                                 check.autocorrelation)});
  return found;
}

}  // namespace tauhat
