#include "tauhat/offline/joint/travel_response.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/joint/displacement_fit.hpp"
#include "tauhat/offline/joint/joint_results.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

std::vector<double> slow_velocity(const Timeline& timeline) {
  const double period = timeline.median_interval();
  return differentiate(in_motion_band(find_sensor(timeline, "motor.position")->value, period), period);
}

// Of every sample the direction of travel, and sign(w) sign(tau_j): whether the teeth pass on what the motor drives, or
// hold it.
//   tau_j / N = u - J w' - b w - F_c sign(w)
struct Travel {
  std::vector<double> direction, turned;
};
Travel travel_of(const JointSpec& spec, const Timeline& timeline) {
  constexpr double kJoint = 60.0;  // Hz: no joint of a robot swings faster
  const double period = timeline.median_interval(), share = std::min(2.0 * kJoint * period, 0.8);
  const LowPass filter = butterworth_low_pass(2, share);
  const auto position = filter_zero_phase(filter, find_sensor(timeline, "motor.position")->value),
             torque = filter_zero_phase(filter, timeline.inputs[0]);
  const auto velocity = differentiate(position, period), acceleration = differentiate(velocity, period);
  const auto sign = [](double x) { return x > 0.0 ? 1.0 : -1.0; };
  Travel travel;
  for (const double v : slow_velocity(timeline)) {
    const std::size_t k = travel.direction.size();
    const ElasticJoint<double>& joint = spec.joint;
    const double passed_on =
        torque[k] - joint.motor_inertia * acceleration[k] - joint.motor_viscous * velocity[k] - spec.coulomb * sign(v);
    travel.direction.push_back(sign(v)), travel.turned.push_back(sign(v) * sign(passed_on));
  }
  return travel;
}

// About a turn friction is bent, and what it left swinging dies away.
std::vector<std::size_t> surroundings(const std::vector<std::size_t>& turns, double period, std::size_t size) {
  constexpr double kAbout = 0.1;  // s
  const auto reach = static_cast<std::size_t>(std::lround(kAbout / period));
  std::vector<std::size_t> samples;
  for (const std::size_t turn : turns) {
    samples.push_back(turn - std::min(turn, reach));
    samples.push_back(turn);
    samples.push_back(std::min(turn + reach, size - 1));
  }
  std::sort(samples.begin(), samples.end());
  return samples;
}

// Without the samples to be avoided, where there is room for that.
FrequencyResponse response_without(const std::vector<std::size_t>& avoided, const Timeline& timeline) {
  constexpr double kResolution = 0.5, kCoarsest = 1.0;  // Hz
  constexpr double kExcited = 0.01;  // 20 dB: a resonance inside the controller's band takes 15 dB from the torque
  const double period = timeline.median_interval();
  return coherent_part(broadband_response(timeline.inputs[0], find_sensor(timeline, "motor.position")->value,
                                          {.period = period,
                                           .resolution = kResolution,
                                           .band = {kLowestLine, highest_line(period)},
                                           .avoid = avoided,
                                           .coarsest = kCoarsest,
                                           .excited = kExcited}));
}

}  // namespace

std::vector<std::size_t> turns_of(const Timeline& timeline) {
  const auto velocity = slow_velocity(timeline);
  std::vector<std::size_t> turns;
  for (std::size_t k = 1; k < velocity.size(); ++k)
    if (velocity[k] * velocity[k - 1] < 0.0) turns.push_back(k);
  return turns;
}

TeethFriction teeth_of(const JointSpec& spec) {
  constexpr double kUsual = 0.05;
  if (spec.load_share) return {spec.load_share->value, spec.load_share->std, true};
  return {0.0, spec.coulomb > 0.0 ? kUsual : 0.0, false};
}

std::vector<TravelResponse> responses_of(const JointSpec& spec, const Timeline& timeline,
                                         const std::vector<std::size_t>& turns) {
  const double period = timeline.median_interval();
  if (duration_of(timeline) < kShortestRecord) return {};
  const auto about_turns = surroundings(turns, period, timeline.size());
  const Travel travel = travel_of(spec, timeline);
  const auto turned_in = [&](double direction) {  // 0: both
    double sum = 0.0, count = 0.0;
    for (std::size_t k = 0; k < travel.turned.size(); ++k)
      if (direction == 0.0 || travel.direction[k] == direction) sum += travel.turned[k], ++count;
    return sum / std::max(count, 1.0);
  };
  std::vector<TravelResponse> each;
  if (teeth_of(spec).std > 0.0 && !turns.empty()) {
    for (const double direction : {1.0, -1.0}) {
      std::vector<std::size_t> avoided = about_turns;
      for (std::size_t k = 0; k < travel.direction.size(); ++k)
        if (travel.direction[k] != direction) avoided.push_back(k);
      std::sort(avoided.begin(), avoided.end());
      FrequencyResponse response = response_without(avoided, timeline);
      if (response.avoided && response.size() >= kLeastLines)
        each.push_back({std::move(response), turned_in(direction)});
    }
  }
  if (each.size() == 2) return each;
  FrequencyResponse whole = response_without(about_turns, timeline);
  if (whole.size() < kLeastLines) return {};
  return {{std::move(whole), turned_in(0.0)}};
}

}  // namespace tauhat
