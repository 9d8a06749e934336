// Backlash from a motion log on drives that are not what the study says, by simulations 1 (motor alone) and 2 (motor
// and load) of Hovland et al.
#include <cmath>
#include <memory>
#include <numbers>

#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/models/with_bristles.hpp"
#include "tauhat/core/transmission/hysteretic_dead_zone.hpp"
#include "tauhat/core/transmission/soft_dead_zone.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/reproduce/hovland_setup.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

using hovland::Experiment;

// What is simulated, and what the study makes of it.
struct Hostile {
  Experiment experiment;
  Truth truth;
  SimulationSpec spec;
  Drive believed;
  double torque_gain = 1.0;  // of the log's torque, over what acts
  int torque_late = 0;       // samples
  double jitter = 0.0;       // of a sensor's instant, of a period, uniform
  double noise_gain = 1.0;   // of the study's std, over the true one
};

template <template <class> class Law>
Truth with_law_of(const Experiment& e, const Law<double>& law) {
  return truth_of(DriveWithLaw<double, AnyFriction, Law>{e.drive, law});
}

Hostile friendly(const Experiment& e) {
  Hostile h{.experiment = e,
            .truth = with_law_of<DeadZone>(e, e.law),
            .spec = hovland::simulation_of(e),
            .believed = e.drive};
  // A quarter of the steps of the figures' own records: where the motor turns, friction changes its sign within one of
  // them, which leaves the velocity off by a hundredth of its noise at the most.
  h.spec.substeps = 16;
  return h;
}

// A torque that acts beside the logged one.
void add_torque(Truth& truth, const std::function<double(const double* x)>& extra) {
  truth.derivative = [inner = truth.derivative, extra](const double* x, const double* u, double* dx) {
    const double acting = u[0] + extra(x);
    inner(x, &acting, dx);
  };
}

// A third mass behind the load, on a spring of its own: J_3 of the load's inertia beyond it.
//   J_3 w_3' = k_3 (q_l - q_3) + d_3 (w_l - w_3)
void add_third_mass(Truth& truth, const Experiment& e, double share, double frequency) {
  const double j3 = share * e.drive.load_inertia, j1 = e.drive.load_inertia - j3;
  const double angular = 2.0 * std::numbers::pi * frequency, k3 = j3 * angular * angular, d3 = 0.02 * j3 * angular;
  const int q3 = truth.states, w3 = q3 + 1;
  truth.states += 2;
  truth.derivative = [=, inner = truth.derivative](const double* x, const double* u, double* dx) {
    inner(x, u, dx);
    const double pull = k3 * (x[Drive::load_position] - x[q3]) + d3 * (x[Drive::load_velocity] - x[w3]);
    // The drive's own equation has the whole inertia in it.
    dx[Drive::load_velocity] = (dx[Drive::load_velocity] * e.drive.load_inertia - pull) / j1;
    dx[q3] = x[w3];
    dx[w3] = pull / j3;
  };
  truth.rest.resize(static_cast<std::size_t>(truth.states), 0.0);
  truth.rest[static_cast<std::size_t>(q3)] = truth.rest[Drive::load_position];
  truth.fastest_rate = std::max(truth.fastest_rate, angular * std::sqrt(1.0 + j3 / j1));
}

// The log as a drive would have written it.
std::vector<double> logged_torque(const Hostile& h, std::vector<double> torque) {
  for (double& each : torque) each *= h.torque_gain;
  torque.erase(torque.begin(), torque.begin() + h.torque_late);
  torque.resize(torque.size() + static_cast<std::size_t>(h.torque_late), 0.0);
  return torque;
}

// Each sample is taken a share of a period beside its stamp.
void shake(std::vector<double>& values, const std::vector<double>& truth, double jitter, Random random) {
  for (std::size_t k = 1; k + 1 < values.size(); ++k)
    values[k] += jitter * random.uniform(-0.5, 0.5) * 0.5 * (truth[k + 1] - truth[k - 1]);
}

Answer answer_to(const Hostile& h, std::uint64_t seed) {
  Simulated data = simulate(h.truth, h.spec, seed);
  Study study;
  study.source = "study";
  study.drive = h.believed;
  study.identification.intensity = h.experiment.sines ? 10.0 : 31.6;  // what the likelihood finds, as a rule
  study.channels.push_back({.spec = {.signal = "motor.torque"}, .unit = "N m", .std = {}});
  std::vector<std::pair<std::string, std::vector<double>>> columns{{"motor.torque", logged_torque(h, data.input)}};
  for (std::size_t s = 0; s < data.sensors.size(); ++s) {
    const Sensor& sensor = h.spec.sensors[s];
    if (h.jitter > 0.0) {
      const auto output = static_cast<std::size_t>(index_of(Drive::kOutputs, sensor.output));
      shake(data.sensors[s], data.truth[output], h.jitter, Random(seed, "jitter", s));
    }
    columns.emplace_back(sensor.output, std::move(data.sensors[s]));
    study.channels.push_back({.spec = {.signal = sensor.output}, .unit = "rad/s", .std = h.noise_gain * sensor.std});
  }
  const Log log = log_in_memory(columns, data.time);
  const BacklashAnswer found = answer_backlash(study, log);
  return {found.report.results, found.report.diagnostics, {}};
}

// ---- the misfits

using Misfits = std::vector<Misfit<Hostile>>;

Misfits misfits_of_the_torque() {
  return {{"torque gain",
           {{"+2 %", 1.02}, {"+5 %", 1.05}, {"-10 %", 0.9}},
           [](Hostile& h, double gain) { h.torque_gain = gain; }},
          {"torque late",
           {{"1 ms", 1e-3}, {"2 ms", 2e-3}},
           [](Hostile& h, double delay) {
             const Experiment& e = h.experiment;
             h.torque_late = static_cast<int>(std::lround(delay / e.period));
           }},
          {"torque offset",
           {{"1 %", 0.01}, {"5 %", 0.05}},
           [](Hostile& h, double share) {
             const Experiment& e = h.experiment;
             add_torque(h.truth, [torque = share * e.amplitude](const double*) { return torque; });
           }},
          {"torque ripple", {{"1 %", 0.01}, {"3 %", 0.03}}, [](Hostile& h, double share) {
             const Experiment& e = h.experiment;
             add_torque(h.truth, [torque = share * e.amplitude](const double* x) {
               return torque * std::sin(24.0 * x[Drive::motor_position]);
             });
           }}};
}

Misfits misfits_of_the_drive() {
  return {{"motor inertia",
           {{"+2 %", 1.02}, {"+5 %", 1.05}, {"+20 %", 1.2}},
           [](Hostile& h, double gain) { h.believed.motor_inertia *= gain; }},
          {"load inertia",
           {{"+2 %", 1.02}, {"+5 %", 1.05}, {"+20 %", 1.2}},
           [](Hostile& h, double gain) { h.believed.load_inertia *= gain; }},
          {"gear ratio", {{"+2 %", 1.02}}, [](Hostile& h, double gain) { h.believed.ratio *= gain; }},
          {"third mass", {{"200 Hz", 200.0}, {"60 Hz", 60.0}}, [](Hostile& h, double frequency) {
             const Experiment& e = h.experiment;
             add_third_mass(h.truth, e, 0.2, frequency);
           }}};
}

Misfits misfits_of_the_contact() {
  return {
      {"soft corner",
       {{"2 % of the gap", 0.02}, {"10 % of the gap", 0.1}},
       [](Hostile& h, double share) {
         const Experiment& e = h.experiment;
         h.truth = with_law_of<SoftDeadZone>(e, {e.law.stiffness_positive, e.law.gap, e.law.offset, share * e.law.gap});
       }},
      {"hysteresis of the spring", {{"2 %", 0.02}, {"10 %", 0.1}}, [](Hostile& h, double share) {
         const Experiment& e = h.experiment;
         h.truth = with_law_of<HystereticDeadZone>(e, {e.law, share, 2e-3});
       }}};
}

Misfits misfits_of_friction() {
  return {{"friction at the load",
           {{"1 %", 0.01}, {"5 %", 0.05}},
           [](Hostile& h, double share) {
             const Experiment& e = h.experiment;
             Experiment other = e;
             other.drive.load_friction.coulomb = share * e.amplitude;
             h.truth = with_law_of<DeadZone>(other, other.law);
           }},
          {"Stribeck bump",
           {{"2 %", 0.02}, {"10 %", 0.1}},
           [](Hostile& h, double share) {
             const Experiment& e = h.experiment;
             // The bump of a law on top of the drive's own.
             const double bump = share * e.amplitude;
             add_torque(h.truth, [bump](const double* x) {
               const double w = x[Drive::motor_velocity];
               return -bump * std::tanh(w / 0.05) * std::exp(-std::abs(w) / 2.0);
             });
           }},
          {"LuGre bristles",
           {{"2 %", 0.02}, {"10 %", 0.1}},
           [](Hostile& h, double share) {
             const Experiment& e = h.experiment;
             using Truthful = DriveWithLaw<double, AnyFriction, DeadZone>;
             const double level = share * e.amplitude;
             h.truth = truth_of(WithBristles<Truthful, LuGre>{{e.drive, e.law},
                                                              {.bristle_stiffness = level / 1e-3,
                                                               .bristle_damping = 0.0,
                                                               .viscous = 0.0,
                                                               .coulomb = level,
                                                               .breakaway = 1.3 * level,
                                                               .stribeck_velocity = 0.5}});
           }},
          {"friction that warms up", {{"-10 %", -0.1}, {"-30 %", -0.3}}, [](Hostile& h, double change) {
             const Experiment& e = h.experiment;
             // Viscous and Coulomb friction of the drive, less by a share that grows with time.
             const int clock = h.truth.states++;
             const auto law = e.drive.motor_friction;
             const double rate = change / e.duration;
             h.truth.derivative = [=, inner = h.truth.derivative](const double* x, const double* u, double* dx) {
               const double acting = u[0] - rate * x[clock] * law.torque(x[Drive::motor_velocity]);
               inner(x, &acting, dx);
               dx[clock] = 1.0;
             };
             h.truth.rest.resize(static_cast<std::size_t>(h.truth.states), 0.0);
           }}};
}

Misfits misfits_of_the_sensors() {
  const auto each = [](Hostile& h, const auto& change) {
    for (Sensor& sensor : h.spec.sensors) change(sensor);
  };
  return {{"quantisation",
           {{"1 std", 1.0}, {"4 std", 4.0}},
           [each](Hostile& h, double steps) { each(h, [&](Sensor& s) { s.resolution = steps * s.std; }); }},
          {"jitter",
           {{"10 % of a period", 0.1}, {"50 % of a period", 0.5}},
           [](Hostile& h, double share) { h.jitter = share; }},
          {"dropouts",
           {{"2 %", 0.02}, {"20 %", 0.2}},
           [each](Hostile& h, double share) { each(h, [&](Sensor& s) { s.dropout = share; }); }},
          {"saturation",
           {{"12 rad/s", 12.0}},
           [each](Hostile& h, double limit) { each(h, [&](Sensor& s) { s.limit = limit; }); }},
          {"noise level", {{"half of it believed", 0.5}, {"twice believed", 2.0}}, [](Hostile& h, double gain) {
             h.noise_gain = gain;
           }}};
}

}  // namespace

std::vector<Cell> backlash_cells() {
  Misfits misfits;
  for (const Misfits& group : {misfits_of_the_torque(), misfits_of_the_drive(), misfits_of_the_contact(),
                               misfits_of_friction(), misfits_of_the_sensors()})
    misfits.insert(misfits.end(), group.begin(), group.end());
  std::vector<Cell> cells;
  const auto add = [&](const std::string& method, const Experiment& e) {
    add_cells(method, friendly(e), {{"backlash.gap", e.law.gap}, {"transmission.stiffness", e.law.stiffness_positive}},
              answer_to, misfits, cells);
  };
  add("backlash, motor alone", hovland::simulation_1());
  add("backlash, motor and load", hovland::simulation_2());
  return cells;
}

}  // namespace tauhat::limits
