// Friction of an axis: a mass on a spring that is let go, or a stage that is pushed, and what the two-step method says
// of it; and the positioning axis of the limits by regression.
#include <cmath>

#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/reproduce/limits_axis.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/rates.hpp"
#include "tauhat/offline/reproduce/shimizu_setup.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::rates {
namespace {

constexpr double kPeriod = 10e-3, kDuration = 4.0;  // s
constexpr int kOfSeconds = 10;                      // records, where an answer takes so long

using Law = CoulombTanh<double>;
using Force = std::function<double(double time)>;

// An axis as it is, as the study has it, and how it is seen.
struct AxisSubject {
  Axis<double> truth, believed;
  std::function<AxisTruth(const AxisSubject&)> move;
  Force force = [](double) { return 0.0; };
  double std = 1e-4, believed_std = 1e-4;  // of the position
};

template <class AnyLaw>
std::function<AxisTruth(const AxisSubject&)> moving(const AnyLaw& law, double position, double velocity = 0.0,
                                                    double duration = kDuration) {
  return [=](const AxisSubject& s) {
    return StickSlip(s.truth, law, s.force)
        .run(position, velocity, kPeriod, static_cast<std::size_t>(duration / kPeriod) + 1, 32);
  };
}

AxisSubject released(Random& random) {
  const Law law{.coulomb = random.uniform(0.025, 0.035), .viscous = random.uniform(0.015, 0.025), .width = 0.0};
  AxisSubject s;
  s.truth = s.believed = shimizu::mass_on_spring();
  s.move = moving(law, 1.0);
  return s;
}

// A stage without a spring, to and fro at many speeds.
AxisSubject pushed(Random& random) {
  AxisSubject s;
  s.force = [phase = random.uniform(0.0, 1.0)](double t) {
    return 0.6 * std::sin(3.0 * t + phase) + 0.3 * std::sin(7.0 * t);
  };
  s.move = moving(Law{.coulomb = 0.05, .viscous = 0.1, .width = 0.0}, 0.0);
  return s;
}

std::vector<Diagnostic> two_step(const AxisSubject& s, std::uint64_t seed) {
  const Timeline seen = shimizu::measured(s.move(s), s.std * s.std, seed, s.force);
  Study study;
  study.source = "study";
  study.axis = StudyAxis{};
  study.axis->axis = s.believed;
  study.channels = {{.spec = {.signal = "axis.force"}, .unit = "N m", .std = {}},
                    {.spec = {.signal = "axis.position"}, .unit = "rad", .std = s.believed_std}};
  const Log log =
      limits::log_in_memory({{"axis.force", seen.inputs[0]}, {"axis.position", seen.sensors[0].value}}, seen.time);
  return answer_friction(study, log).diagnostics;
}

using AxisDraw = AxisSubject (*)(Random&);
using AxisProvoke = void (*)(AxisSubject&, Random&);

Provocation of_axis(const char* diagnostic, const char* by, AxisDraw draw, AxisProvoke provoke) {
  return {diagnostic, by,
          [draw, provoke](std::uint64_t seed, bool is_provoked) {
            Random random(seed, "axis"), size(seed, "size");
            AxisSubject subject = draw(random);
            if (is_provoked) provoke(subject, size);
            return two_step(subject, seed);
          },
          kOfSeconds};
}

// ---- motions that tell nothing

void hold(AxisSubject& s, Random& random) {
  s.move = moving(Law{.coulomb = random.uniform(1.5, 3.0), .viscous = 0.0, .width = 0.0}, 1.0);
}
void push_one_way(AxisSubject& s, Random& random) {
  s.force = [mean = random.uniform(0.2, 0.3)](double t) { return mean + 0.1 * std::sin(3.0 * t); };
}
void run_at_one_speed(AxisSubject& s, Random& random) {
  const double size = random.uniform(20.0, 30.0);
  s.truth.damping = s.believed.damping = 50.0;  // it reaches its speed within 0.1 s
  s.force = [size](double t) { return std::fmod(t, 2.0) < 1.0 ? size + 0.5 : -size - 0.5; };
  s.move = moving(Law{.coulomb = 0.5, .viscous = 0.0, .width = 0.0}, 0.0, size / 50.0);
}
void lose_friction(AxisSubject& s, Random& random) {
  s.move = moving(Law{.coulomb = 1e-5, .viscous = 0.0, .width = 0.0}, 1.0);
  s.std = s.believed_std = random.uniform(5e-3, 2e-2);
}

// ---- friction that no law describes

void mistake_mass(AxisSubject& s, Random& random) { s.truth.mass *= random.uniform(1.06, 1.12); }
void mistake_mass_greatly(AxisSubject& s, Random& random) { s.truth.mass *= random.uniform(1.15, 1.3); }
void fall_slowly(AxisSubject& s, Random& random) {
  s.move = moving(Exponential<double>{.coulomb = 0.02, .excess = 0.1, .decay = random.uniform(1.2, 1.8)}, 1.0);
}
AxisSubject falling(Random& random) {
  AxisSubject s = released(random);
  s.move = moving(Exponential<double>{.coulomb = 0.02, .excess = 0.1, .decay = random.uniform(5.5, 7.0)}, 1.0);
  return s;
}

// ---- the filter

void trust_the_sensor(AxisSubject& s, Random& random) { s.believed_std = s.std / random.uniform(1.4, 1.8); }

// ---- the positioning axis

using limits::AxisInstant, limits::HostileAxis;

Provocation of_positioning(const char* diagnostic, const char* by, void (*provoke)(HostileAxis&, Random&),
                           StudyAxis::Method method = StudyAxis::Method::regression) {
  return {diagnostic, by, [=](std::uint64_t seed, bool is_provoked) {
            HostileAxis axis;
            Random size(seed, "size");
            if (is_provoked) provoke(axis, size);
            Study study = limits::axis_study();
            study.axis->method = method;
            study.axis->constant_speed.gravity = Gravity{};  // known to be none: else no record tells both directions
            return answer_friction(study, limits::axis_log(axis, seed)).diagnostics;
          }};
}

void bump(HostileAxis& axis, Random& random) {
  axis.beside = [size = random.uniform(0.4, 0.6) * limits::kAxisCoulomb](const AxisInstant& at) {
    return size * limits::direction_of(at) * std::exp(-std::abs(at.velocity) / 0.02);
  };
}
void bend(HostileAxis& axis, Random& random) {
  axis.beside = [size = random.uniform(0.1, 0.3) * limits::kAxisViscous](const AxisInstant& at) {
    return -size * at.velocity * std::abs(at.velocity) / 0.25;
  };
}
void move_at_one_speed(HostileAxis& axis, Random& random) {
  axis.speeds = std::vector<double>(8, random.uniform(0.1, 0.25));
}
void lose_friction(HostileAxis& axis, Random& random) { axis.viscous = 0.0, axis.coulomb = random.uniform(0.0, 1e-3); }

}  // namespace

std::vector<Provocation> of_friction() {
  using Method = StudyAxis::Method;
  return {
      of_axis("excitation.no_motion", "an axis that friction holds", released, hold),
      of_axis("excitation.no_reversal", "a force of one direction", pushed, push_one_way),
      of_axis("excitation.one_speed", "one speed, forth and back", pushed, run_at_one_speed),
      of_axis("friction.below_noise", "no friction, and 5 to 20 mrad of noise", released, lose_friction),
      of_positioning("friction.below_noise", "`regression`, an axis without friction", lose_friction),
      of_axis("law.none_fits", "a mass 6 to 12 % too small in the study", released, mistake_mass),
      of_axis("law.hysteresis", "a mass 15 to 30 % too small in the study", released, mistake_mass_greatly),
      of_axis("law.extrapolated", "an excess that falls over 0.6 to 0.8 of the fastest speed", falling, fall_slowly),
      of_positioning("law.misfit", "`regression`, a Stribeck bump of 40 to 60 % of Coulomb friction", bump),
      of_positioning("law.not_separable", "`constant-speed`, one speed only", move_at_one_speed,
                     Method::constant_speed),
      of_positioning("model.suspect", "`regression`, friction that bends by 10 to 30 %", bend),
      of_axis("filter.coloured", "a sensor 1.4 to 1.8 times as noisy as its `std`", released, trust_the_sensor)};
}

}  // namespace tauhat::rates
