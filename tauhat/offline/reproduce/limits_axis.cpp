#include "tauhat/offline/reproduce/limits_axis.hpp"

#include <cmath>

#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

constexpr double kConstant = -3.0;  // N

// There and back at several speeds, with rests between: what a positioning axis does all day.
std::vector<AxisInstant> moves(const std::vector<double>& speeds) {
  constexpr double kRamp = 0.2, kCruise = 0.5, kRest = 0.25;  // s
  std::vector<AxisInstant> all;
  double position = 0.0, velocity = 0.0, before = 0.0;
  const auto run = [&](double duration, double acceleration) {
    for (int k = 0; k < std::lround(duration / kAxisPeriod); ++k) {
      // Where the acceleration steps, a sample sees the mean of both.
      all.push_back({static_cast<double>(all.size()) * kAxisPeriod, position, velocity, 0.5 * (before + acceleration)});
      before = acceleration;
      position += kAxisPeriod * (velocity + 0.5 * kAxisPeriod * acceleration);
      velocity += kAxisPeriod * acceleration;
    }
  };
  run(kRest, 0.0);
  for (const double speed : speeds) {
    for (const double direction : {1.0, -1.0}) {
      run(kRamp, direction * speed / kRamp);
      run(kCruise, 0.0);
      run(kRamp, -direction * speed / kRamp);
      velocity = 0.0;
      run(kRest, 0.0);
    }
  }
  return all;
}

double force_at(const HostileAxis& axis, const AxisInstant& at) {
  const bool rests = std::abs(at.velocity) < 1e-9 && at.acceleration == 0.0;
  // At rest friction takes what the controller leaves.
  if (rests) return kConstant + 0.3 * axis.coulomb;
  return kAxisMass * at.acceleration + axis.viscous * at.velocity + axis.coulomb * direction_of(at) + kConstant +
         axis.beside(at);
}

}  // namespace

double direction_of(const AxisInstant& at) { return at.velocity > 0.0 ? 1.0 : at.velocity < 0.0 ? -1.0 : 0.0; }

double duration_of(const HostileAxis& axis) { return static_cast<double>(moves(axis.speeds).size()) * kAxisPeriod; }

Study axis_study() {
  Study study;
  study.source = "study";
  study.axis = StudyAxis{};
  study.axis->slides = true;
  study.axis->method = StudyAxis::Method::regression;
  study.channels = {{.spec = {.signal = "axis.force"}, .unit = "N", .std = {}},
                    {.spec = {.signal = "axis.position"}, .unit = "m", .std = {}}};
  return study;
}

Log axis_log(const HostileAxis& axis, std::uint64_t seed) {
  const std::vector<AxisInstant> motion = moves(axis.speeds);
  const std::size_t n = motion.size();
  Random noise(seed, "force"), sensor(seed, "position"), shaken(seed, "jitter"), dropped(seed, "dropouts");
  const double phase = sensor.uniform(0.0, axis.resolution);
  const double memory = axis.noise_memory > 0.0 ? std::exp(-kAxisPeriod / axis.noise_memory) : 0.0;
  double error = axis.noise * noise.normal();
  std::vector<double> time(n), position(n), force(n);
  for (std::size_t k = 0; k < n; ++k) {
    const AxisInstant& at = motion[k];
    const double seen = at.position + axis.jitter * shaken.uniform(-0.5, 0.5) * kAxisPeriod * at.velocity;
    time[k] = at.time;
    position[k] = std::round((seen + phase) / axis.resolution) * axis.resolution;
    if (dropped.uniform() < axis.dropout) position[k] = std::nan("");
    const std::size_t acting = k + static_cast<std::size_t>(axis.force_late);
    force[k] = axis.force_gain * force_at(axis, motion[std::min(acting, n - 1)]) + error;
    error = memory * error + std::sqrt(1.0 - memory * memory) * axis.noise * noise.normal();
  }
  return log_in_memory({{"axis.force", force}, {"axis.position", position}}, time);
}

}  // namespace tauhat::limits
