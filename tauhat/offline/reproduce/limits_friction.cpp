// Friction of a positioning axis by regression, where the axis has more in it than mass, viscous and Coulomb friction.
#include <cmath>

#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

constexpr double kPeriod = 1e-3;                                                     // s
constexpr double kMass = 95.0, kViscous = 200.0, kCoulomb = 20.0, kConstant = -3.0;  // kg, N s/m, N, N
constexpr double kTravel = 0.15;                                                     // m, of the longest move

struct Instant {
  double time, position, velocity, acceleration;
};

// What happens to the axis and to its log.
struct HostileAxis {
  std::function<double(const Instant&)> beside = [](const Instant&) { return 0.0; };  // N, in motion
  double force_gain = 1.0;                                                            // of the log's, over what acts
  int force_late = 0;                                                                 // samples
  double noise = 2.0, noise_memory = 0.0;                                             // N; s
  double resolution = 1e-6;                                                           // m
  double jitter = 0.0, dropout = 0.0;  // of a period; share of the samples
};

// There and back at several speeds, with rests between: what a positioning axis does all day.
std::vector<Instant> moves() {
  constexpr double kRamp = 0.2, kCruise = 0.5, kRest = 0.25;  // s
  std::vector<Instant> all;
  double position = 0.0, velocity = 0.0, before = 0.0;
  const auto run = [&](double duration, double acceleration) {
    for (int k = 0; k < std::lround(duration / kPeriod); ++k) {
      // Where the acceleration steps, a sample sees the mean of both.
      all.push_back({static_cast<double>(all.size()) * kPeriod, position, velocity, 0.5 * (before + acceleration)});
      before = acceleration;
      position += kPeriod * (velocity + 0.5 * kPeriod * acceleration);
      velocity += kPeriod * acceleration;
    }
  };
  run(kRest, 0.0);
  for (const double speed : {0.05, 0.1, 0.15, 0.2, 0.25, 0.2, 0.15, 0.1}) {
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

double direction_of(const Instant& at) { return at.velocity > 0.0 ? 1.0 : at.velocity < 0.0 ? -1.0 : 0.0; }

double force_at(const HostileAxis& axis, const Instant& at) {
  const bool rests = std::abs(at.velocity) < 1e-9 && at.acceleration == 0.0;
  // At rest friction takes what the controller leaves.
  if (rests) return kConstant + 0.3 * kCoulomb;
  return kMass * at.acceleration + kViscous * at.velocity + kCoulomb * direction_of(at) + kConstant + axis.beside(at);
}

Log log_of(const HostileAxis& axis, std::uint64_t seed) {
  const std::vector<Instant> motion = moves();
  const std::size_t n = motion.size();
  Random noise(seed, "force"), sensor(seed, "position"), shaken(seed, "jitter"), dropped(seed, "dropouts");
  const double phase = sensor.uniform(0.0, axis.resolution);
  const double memory = axis.noise_memory > 0.0 ? std::exp(-kPeriod / axis.noise_memory) : 0.0;
  double error = axis.noise * noise.normal();
  std::vector<double> time(n), position(n), force(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Instant& at = motion[k];
    const double seen = at.position + axis.jitter * shaken.uniform(-0.5, 0.5) * kPeriod * at.velocity;
    time[k] = at.time;
    position[k] = std::round((seen + phase) / axis.resolution) * axis.resolution;
    if (dropped.uniform() < axis.dropout) position[k] = std::nan("");
    const std::size_t acting = k + static_cast<std::size_t>(axis.force_late);
    force[k] = axis.force_gain * force_at(axis, motion[std::min(acting, n - 1)]) + error;
    error = memory * error + std::sqrt(1.0 - memory * memory) * axis.noise * noise.normal();
  }
  return log_in_memory({{"axis.force", force}, {"axis.position", position}}, time);
}

Answer answer_to(const HostileAxis& axis, std::uint64_t seed) {
  Study study;
  study.source = "study";
  study.axis = StudyAxis{};
  study.axis->slides = true;
  study.axis->method = StudyAxis::Method::regression;
  study.channels = {{.spec = {.signal = "axis.force"}, .unit = "N", .std = {}},
                    {.spec = {.signal = "axis.position"}, .unit = "m", .std = {}}};
  const Report report = answer_friction(study, log_of(axis, seed));
  return {report.results, report.diagnostics, {}};
}

using Misfits = std::vector<Misfit<HostileAxis>>;

Misfits misfits_of_the_force() {
  return {{"force gain", {{"+2 %", 1.02}}, [](HostileAxis& a, double gain) { a.force_gain = gain; }},
          {"force late",
           {{"1 ms", 1e-3}, {"5 ms", 5e-3}},
           [](HostileAxis& a, double delay) { a.force_late = static_cast<int>(std::lround(delay / kPeriod)); }},
          {"coloured noise", {{"10 ms", 10e-3}, {"60 ms", 60e-3}}, [](HostileAxis& a, double memory) {
             a.noise_memory = memory;
           }}};
}

Misfits misfits_of_friction() {
  return {
      {"Stribeck bump",
       {{"10 % of Coulomb", 0.1}, {"50 % of Coulomb", 0.5}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const Instant& at) {
           return share * kCoulomb * direction_of(at) * std::exp(-std::abs(at.velocity) / 0.02);
         };
       }},
      {"friction that bends",
       {{"10 % of viscous", 0.1}, {"30 % of viscous", 0.3}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const Instant& at) {
           return -share * kViscous * at.velocity * std::abs(at.velocity) / 0.25;
         };
       }},
      {"more friction in one direction",
       {{"5 % of viscous", 0.05}, {"20 % of viscous", 0.2}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const Instant& at) { return at.velocity > 0.0 ? share * kViscous * at.velocity : 0.0; };
       }},
      {"friction under load",
       {{"2 %", 0.02}, {"10 %", 0.1}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const Instant& at) { return share * std::abs(kMass * at.acceleration) * direction_of(at); };
       }},
      {"friction that warms up",
       {{"-10 %", -0.1}, {"-30 %", -0.3}},
       [](HostileAxis& a, double change) {
         a.beside = [change, duration = static_cast<double>(moves().size()) * kPeriod](const Instant& at) {
           return change * at.time / duration * (kViscous * at.velocity + kCoulomb * direction_of(at));
         };
       }},
      {"force of the position", {{"5 % of Coulomb", 0.05}, {"20 % of Coulomb", 0.2}}, [](HostileAxis& a, double share) {
         a.beside = [share](const Instant& at) { return share * kCoulomb * std::sin(20.0 * at.position / kTravel); };
       }}};
}

Misfits misfits_of_the_sensors() {
  return {
      {"quantisation", {{"10 um", 1e-5}, {"100 um", 1e-4}}, [](HostileAxis& a, double step) { a.resolution = step; }},
      {"jitter", {{"50 % of a period", 0.5}}, [](HostileAxis& a, double share) { a.jitter = share; }},
      {"dropouts", {{"2 %", 0.02}}, [](HostileAxis& a, double share) { a.dropout = share; }}};
}

}  // namespace

std::vector<Cell> friction_cells() {
  Misfits misfits;
  for (const Misfits& group : {misfits_of_the_force(), misfits_of_friction(), misfits_of_the_sensors()})
    misfits.insert(misfits.end(), group.begin(), group.end());
  std::vector<Cell> cells;
  add_cells("friction, by regression", HostileAxis{},
            {{"axis.mass", kMass}, {"friction.viscous", kViscous}, {"friction.coulomb", kCoulomb}}, answer_to, misfits,
            cells);
  return cells;
}

}  // namespace tauhat::limits
