// Truth: a drive integrated exactly, with contact and separation located, driven by a test signal and seen
// through sensors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

// The run-time face of a model, for integration.
struct Truth {
  int states = 0, inputs = 0;
  std::vector<Signal> outputs;
  std::function<void(const double* x, const double* u, double* dx)> derivative;
  std::function<double(int output, const double* x, const double* u)> output;
  int kinks = 0;  // corners of the transmission law: the integrator stops at each
  std::function<void(const double* x, double* distance)> distance_to_kinks;
  std::vector<double> rest;   // the state at rest in the middle of the gap; empty: all zero
  double fastest_rate = 0.0;  // 1/s, bound of the fastest motion; 0: unknown
  std::function<double(const double* x, const double* u)> fastest_rate_at;  // where it depends on the state; or empty
};

// Test signals. All are held over a sample: u_k acts from t_k to t_{k+1}.
struct Excitation {
  enum class Kind { constant, steps, sines, multisine, prbs, chirp, samples };
  struct Tone {
    double frequency, amplitude;  // Hz
    double phase;                 // rad; NaN: drawn from the seed
  };
  Kind kind = Kind::constant;
  double amplitude = 0.0, offset = 0.0;
  double ramp = 0.0;                   // s; the amplitude grows from zero over this time
  std::vector<Tone> tones;             // sines
  std::vector<double> times, levels;   // steps: level i from time i
  double lowest = 0.0, highest = 0.0;  // Hz, multisine and chirp
  int lines = 0;                       // multisine: number of tones, random phases, equal amplitudes, rms = amplitude
  double hold = 0.0;                   // s, prbs: each bit is held so long; bits are independent and fair
  std::vector<double> samples;         // from a file, one per sample
};

struct Sensor {
  std::string output;        // which signal it measures
  double std = 0.0;          // white noise
  double resolution = 0.0;   // quantisation step; 0: none
  double delay = 0.0;        // s; the value at t - delay is reported at t
  double dropout = 0.0;      // probability that a sample is missing
  double limit = 0.0;        // saturation; 0: none
  double tooth_error = 0.0;  // std of a wheel's teeth, of their pitch
  double period = 0.0;       // s; a sample every so often; 0: in every row
  double jitter = 0.0;       // s; the value is of an instant up to so long before or after its stamp
};

// cvode chooses its steps from the tolerance. runge_kutta takes steps of equal length, of fourth order: fast,
// for studies of thousands of runs. Both stop at the corners of the law.
enum class Integrator { cvode, runge_kutta };

struct SimulationSpec {
  double duration = 1.0, period = 1e-3;  // s
  Excitation excitation;
  std::vector<Sensor> sensors;
  std::vector<double> start;  // initial state; empty: at rest in the middle
  double input_delay = 0.0;   // s; the drive feels the logged torque this much later
  Integrator integrator = Integrator::cvode;
  double tolerance = 1e-10;     // cvode: relative, and absolute in SI
  int substeps = 8;             // runge_kutta: per sample, or more where the fastest motion needs more
  bool sample_at_start = true;  // false: the first row has no sensor values

  // A powertrain's.
  double load_torque = 0.0, load_velocity = 0.0;  // N m and rad/s, at the start
  double torque_noise = 0.0;                      // N m, beside the motor's torque, with a memory of 50 ms
};

// Row k: sensors sampled at t_k, input held from t_k to t_{k+1}. rows = round(duration / period) + 1.
struct Simulated {
  std::vector<double> time, input;
  std::vector<std::vector<double>> sensors;  // NaN: dropped
  std::vector<std::vector<double>> truth;    // one column per output of the model
  long contacts = 0;                         // kinks located
};

// Same seed, same bytes. `progress(share)` may be empty.
Simulated simulate(const Truth& truth, const SimulationSpec& spec, std::uint64_t seed,
                   const std::function<void(double)>& progress = {});

// The displacement at which a law neither pulls nor pushes.
template <class Law>
double middle_of(const Law& law) {
  if constexpr (requires { law.offset; }) {
    return law.offset;
  } else {
    const auto kinks = law.kinks();
    return (kinks.front() + kinks.back()) / 2;
  }
}

// The part of a model that has a transmission law: itself, or the drive that bristles were added to.
template <class M>
const auto& with_law(const M& model) {
  if constexpr (requires { model.model.law; }) {
    return model.model;
  } else {
    return model;
  }
}

// Whether the motor's friction grows with the load; a type that stands for many laws can tell only by its value.
template <FasterUnderLoad M>
bool feels_load(const M& model) {
  if constexpr (requires { model.motor_friction; }) {
    return steepest_by_load(model.motor_friction) > 0.0;
  } else if constexpr (requires { model.drive; }) {
    return feels_load(model.drive);
  } else {
    return feels_load(model.model);
  }
}

// Distances to the corners of the law, where the model has one with corners.
template <Model M>
Truth truth_of(const M& model) {
  Truth truth;
  truth.states = M::kStates;
  truth.inputs = M::kInputs;
  truth.outputs.assign(M::kOutputs.begin(), M::kOutputs.end());
  using X = Eigen::Map<const StateOf<M>>;
  using U = Eigen::Map<const InputOf<M>>;
  truth.derivative = [model](const double* x, const double* u, double* dx) {
    const StateOf<M> rate = model.derivative(StateOf<M>(X(x)), InputOf<M>(U(u)));
    std::copy_n(rate.data(), static_cast<int>(M::kStates), dx);
  };
  truth.output = [model](int output, const double* x, const double* u) {
    return model.output(output, StateOf<M>(X(x)), InputOf<M>(U(u)));
  };
  if constexpr (requires { model.fastest_rate(); }) truth.fastest_rate = model.fastest_rate();
  if constexpr (FasterUnderLoad<M>) {
    if (feels_load(model)) {
      truth.fastest_rate_at = [model](const double* x, const double* u) {
        return model.fastest_rate(StateOf<M>(X(x)), InputOf<M>(U(u)));
      };
    }
  }
  if constexpr (requires { with_law(model).law.kinks(); }) {
    const auto drive = with_law(model);
    using D = std::decay_t<decltype(drive)>;
    truth.rest.assign(M::kStates, 0.0);
    // By the load: the motor stays at zero, where its position control holds it.
    truth.rest[D::Drive::load_position] = -middle_of(drive.law);
    truth.kinks = static_cast<int>(drive.law.kinks().size());
    truth.distance_to_kinks = [drive](const double* x, double* distance) {
      const double d = drive.displacement(StateOf<D>(X(x).template head<D::kStates>()));
      for (const double kink : drive.law.kinks()) *distance++ = d - kink;
    };
  }
  return truth;
}

}  // namespace tauhat
