// Drives with backlash, by simulations 2 (motor and load) and 1 (motor alone) of Hovland et al.: what `identify` and
// `estimate` say of records that cannot answer, or of a drive that is not the study's.
#include <algorithm>
#include <cmath>

#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/reproduce/rates_subject.hpp"

namespace tauhat::rates {
namespace {

constexpr const char* kMotorAndLoad = R"toml(
[drive]
model = "two-mass"
motor.inertia = 8e-4
load.inertia = 1.765e-3
transmission.damping = 0.01
motor.friction = { law = "coulomb-atan", coulomb = 0.27, viscous = 0.01, width = 0.01 }
transmission.law = "dead-zone"
transmission.stiffness = 79
backlash.gap = 0.1
[[unknown]]
signal = "transmission.torque"
kind = "random-walk"
intensity = 31.6
[noise]
"motor.velocity" = 3.16
[log]
time = { column = "t", unit = "s" }
[log.channels]
"motor.torque" = { column = "u", unit = "N m" }
"motor.velocity" = { column = "w_m", unit = "rad/s", std = 0.3 }
"load.velocity" = { column = "w_l", unit = "rad/s", std = 0.3 }
[estimator]
kind = "ekf"
[simulate]
duration = 1.5
rate = 2000
input = { kind = "prbs", amplitude = 2, hold = 0.005 }
)toml";

constexpr const char* kMotorAlone = R"toml(
[drive]
model = "two-mass"
motor.inertia = 6.442e-3
load.inertia = 2.3454e-2
transmission.damping = 0.01
motor.friction = { law = "coulomb-atan", coulomb = 0, viscous = 0.2, width = 0.01 }
transmission.law = "dead-zone"
transmission.stiffness = 37
backlash.gap = 0.2
[[unknown]]
signal = "transmission.torque"
kind = "random-walk"
intensity = 10
[log]
time = { column = "t", unit = "s" }
[log.channels]
"motor.torque" = { column = "u", unit = "N m" }
"motor.velocity" = { column = "w_m", unit = "rad/s", std = 0.0158 }
[estimator]
kind = "ekf"
[simulate]
duration = 5
rate = 1000
input = { kind = "sines", ramp = 0.2, tones = [{ frequency = 1.7, amplitude = 4 }, { frequency = 2.9, amplitude = 4 }, { frequency = 4.3, amplitude = 4 }] }
)toml";

// Gears of one size, each with its own gap.
void vary(Subject& s, Random& random) {
  auto& law = std::get<DeadZone<double>>(*s.truth.law);
  law.gap *= random.uniform(0.85, 1.15);
  law.stiffness_positive = law.stiffness_negative = law.stiffness_positive * random.uniform(0.9, 1.1);
  s.truth.simulation->integrator = Integrator::runge_kutta;
  s.truth.simulation->substeps = 16;
}

Said identified(const Study& study, const Log& log) { return answer_backlash(study, log).report.diagnostics; }

const Part kIdentify{kMotorAndLoad, vary, identified}, kIdentifyByMotor{kMotorAlone, vary, identified};
const Part kEstimate{kMotorAndLoad, vary, estimated};

constexpr int kOfASecond = 20;  // records, where an answer takes about that long

// ---- records that cannot answer

void be_short(Subject& s, Random& random) { s.truth.simulation->duration = random.uniform(0.012, 0.028); }
void push_weakly(Subject& s, Random& random) { s.truth.simulation->excitation.amplitude = random.uniform(0.4, 0.6); }
void drag_one_way(Subject& s, Random& random) {
  s.truth.drive.load_friction.viscous = s.believed.drive.load_friction.viscous = 0.05;
  s.truth.simulation->excitation.offset = random.uniform(2.5, 3.5);
  s.truth.simulation->excitation.amplitude = 0.5;
  s.truth.simulation->duration = 3.0;  // that it bounces at the start does not count then
}
void hear_noise(Subject& s, Random& random) {
  const double noise = random.uniform(1.5, 2.5);
  sensor_in(s.truth, "motor.velocity").std = noise;
  channel_in(s.believed, "motor.velocity").std = noise;
}
void ask_for_what_is_not_there(Subject& s, Random&) {
  s.believed.identification.estimated = {{find_parameter(s.believed.drive, "load.friction.width"), 0.01}};
}

// ---- sensors

void saturate(Subject& s, Random& random) {
  s.spoil = [share = random.uniform(0.5, 0.8)](Log& log) {
    change_values(log, "motor.velocity", [share](std::vector<double>& values) {
      double largest = 0.0;
      for (const double value : values) largest = std::max(largest, std::abs(std::isfinite(value) ? value : 0.0));
      for (double& value : values) value = std::clamp(value, -share * largest, share * largest);
    });
  };
}
void round_velocity(Subject& s, Random& random) {
  s.spoil = [step = random.uniform(1.3, 3.0)](Log& log) {
    change_values(log, "motor.velocity", [step](std::vector<double>& values) {
      for (double& value : values) value = step * std::round(value / step);
    });
  };
}
void forget_std(Subject& s, Random&) { channel_in(s.believed, "motor.velocity").std.reset(); }

// ---- a drive that is not the study's

void mistake_inertia(Subject& s, Random& random) { s.believed.drive.load_inertia *= random.uniform(1.1, 1.3); }
void mistake_friction(Subject& s, Random& random) {
  s.believed.drive.motor_friction.coulomb_atan.coulomb *= random.uniform(1.2, 1.5);
}
void mistake_torque(Subject& s, Random& random) {
  s.spoil = [gain = random.uniform(1.03, 1.08)](Log& log) {
    change_values(log, "motor.torque", [gain](std::vector<double>& values) {
      for (double& value : values) value *= gain;
    });
  };
}

// ---- the filter

void walk_slowly(Subject& s, Random& random) { s.believed.identification.intensity = random.uniform(0.5, 1.0); }
void walk_more_slowly(Subject& s, Random& random) { s.believed.identification.intensity = random.uniform(0.5, 3.0); }
void leave_intensity_open(Subject& s, Random&) { s.believed.identification.intensity.reset(); }
void lag_too_long(Subject& s, Random& random) { s.believed.lag = static_cast<std::size_t>(random.uniform(3100, 6000)); }
void start_late(Subject& s, Random& random) {
  s.believed.lag = 0.02;
  s.spoil = [share = random.uniform(0.2, 0.8)](Log& log) {
    for (Channel& channel : log.channels) {
      std::vector<double> time = *channel.time;
      time.front() += share * (time[1] - time[0]);
      channel.time = std::make_shared<const std::vector<double>>(std::move(time));
    }
  };
}
void spike_often(Subject& s, Random& random) {
  s.believed.gate = 36.0;
  s.spoil = [share = random.uniform(0.04, 0.15), spikes = Random(random.next())](Log& log) {
    change_values(log, "load.velocity", [share, spikes](std::vector<double>& values) {
      Random each = spikes;
      for (double& value : values)
        if (each.uniform() < share) value += each.bit() ? 20.0 : -20.0;
    });
  };
}
void gated(Subject& s, Random& random) {
  vary(s, random);
  s.believed.gate = 36.0;
}
void lagged(Subject& s, Random& random) {
  vary(s, random);
  s.believed.lag = 0.02;
}
// Bytes that are no torque.
void break_cells(Subject& s, Random& random) {
  s.spoil = [from = static_cast<std::ptrdiff_t>(random.uniform(200.0, 2500.0)),
             count = static_cast<std::ptrdiff_t>(random.uniform(6.0, 30.0))](Log& log) {
    change_values(log, "motor.torque",
                  [from, count](std::vector<double>& values) { std::fill_n(values.begin() + from, count, 1e308); });
  };
}
void lose_torque(Subject& s, Random& random) {
  s.spoil = [from = random.uniform(0.2, 1.2), length = random.uniform(0.008, 0.04)](Log& log) {
    const std::vector<double> time = *log.find("motor.torque")->time;
    change_values(log, "motor.torque", [&](std::vector<double>& values) {
      for (std::size_t k = 0; k < values.size(); ++k)
        if (time[k] > from && time[k] < from + length) values[k] = std::nan("");
    });
  };
}

}  // namespace

std::vector<Provocation> of_drives() {
  const Part gate{kMotorAndLoad, gated, estimated}, lag{kMotorAndLoad, lagged, estimated};
  return {
      kIdentify("record.too_short", "a duration of 12 to 28 ms", be_short),
      kIdentify("excitation.weak_torque", "0.4 to 0.6 N m instead of 2 N m", push_weakly, kOfASecond),
      kIdentify("excitation.one_sided", "a load that is dragged one way", drag_one_way, kOfASecond),
      kIdentifyByMotor("drift.displacement", "1.5 to 2.5 rad/s of noise, and the motor alone", hear_noise, kOfASecond),
      kIdentify("unknown.undetermined", "the width of a friction that is not there asked for",
                ask_for_what_is_not_there, kOfASecond),
      kIdentify("sensor.saturated", "a motor velocity cut at 50 to 80 % of its largest", saturate, kOfASecond),
      kIdentify("sensor.coarse", "a motor velocity in steps of 1.3 to 3 rad/s, its noise 0.3 rad/s", round_velocity,
                kOfASecond),
      kIdentify("model.misfit", "a load inertia 10 to 30 % too large", mistake_inertia, kOfASecond),
      kIdentify("model.residuals_not_white", "a Coulomb friction 20 to 50 % too large", mistake_friction, kOfASecond),
      kIdentify("model.suspect", "a torque 3 to 8 % too large", mistake_torque, kOfASecond),
      kIdentifyByMotor("filter.lag", "a tenth or less of the walk that the likelihood asks for", walk_slowly,
                       kOfASecond),
      kEstimate("filter.lag", "`estimate`, with a tenth or less of the walk", walk_more_slowly),
      kEstimate("filter.diverged", "`estimate`, 6 to 30 cells of the torque that hold 1e308", break_cells),
      kEstimate("log.hole", "`estimate`, 8 to 40 ms of the torque missing", lose_torque),
      kEstimate("noise.estimated", "a velocity without a `std`", forget_std),
      kEstimate("noise.quantised", "a velocity in steps of 1.3 to 3 rad/s, its `std` 0.3 rad/s", round_velocity),
      kEstimate("intensity.chosen", "a walk without an intensity", leave_intensity_open, kOfASecond),
      gate("filter.gated", "a gate of 36, and spikes in 4 to 15 % of the load's samples", spike_often),
      kEstimate("lag.longer_than_record", "a lag of 3100 to 6000 samples for a record of 3000", lag_too_long),
      lag("lag.period", "a lag in seconds, and a first interval 20 to 80 % shorter", start_late)};
}

}  // namespace tauhat::rates
