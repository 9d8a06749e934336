// Records of a simulated positioning axis, whose parameters are known.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "tauhat/offline/friction/axis_motion.hpp"

namespace tauhat {

using AxisParameters = std::map<std::string, double>;  // by their name in the regression; what is missing is zero

inline constexpr double kAxisPeriod = 1e-3;

inline double value_of(const AxisParameters& truth, const std::string& name) {
  const auto found = truth.find(name);
  return found == truth.end() ? 0.0 : found->second;
}

// The force of the axis, written out once more from the equation.
inline double force_of(const AxisParameters& truth, double position, double velocity, double acceleration) {
  const auto p = [&](const std::string& name) { return value_of(truth, name); };
  const std::string side = velocity > 0.0 ? ".positive" : ".negative";
  const double direction = velocity > 0.0 ? 1.0 : velocity < 0.0 ? -1.0 : 0.0;
  const double load =
      p("axis.mass") * acceleration + p("gravity.sine") * std::sin(position) + p("gravity.cosine") * std::cos(position);
  const double coulomb = p("friction.coulomb") + p("friction.coulomb" + side);
  const double viscous = p("friction.viscous") + p("friction.viscous" + side);
  return load + viscous * velocity + (coulomb + p("friction.load" + side) * std::abs(load)) * direction +
         p("friction.offset");
}

inline const AxisParameters kSymmetric{
    {"axis.mass", 95.0}, {"friction.viscous", 200.0}, {"friction.coulomb", 20.0}, {"friction.offset", -3.0}};
inline const AxisParameters kAsymmetric{{"axis.mass", 95.0},
                                        {"friction.viscous.positive", 160.0},
                                        {"friction.viscous.negative", 240.0},
                                        {"friction.coulomb.positive", 20.0},
                                        {"friction.coulomb.negative", 23.0}};

inline AxisParameters with(AxisParameters truth, const AxisParameters& more) {
  truth.insert(more.begin(), more.end());
  return truth;
}
inline const AxisParameters kGravity{{"gravity.sine", 40.0}, {"gravity.cosine", -15.0}};
inline const AxisParameters kLoadFriction{{"friction.load.positive", 0.06}, {"friction.load.negative", 0.09}};

// Moves there and back at several speeds, at rest between them: what a positioning axis does all day.
struct AxisMoves {
  std::vector<double> position, velocity, acceleration;
};

inline AxisMoves positioning_moves(const std::vector<double>& speeds, double ramp = 0.2, double cruise = 0.5,
                                   double dwell = 0.25) {
  AxisMoves moves;
  double position = 0.0, velocity = 0.0, before = 0.0;
  const auto run = [&](double duration, double acceleration) {
    for (int k = 0; k < std::lround(duration / kAxisPeriod); ++k) {
      moves.position.push_back(position);
      moves.velocity.push_back(velocity);
      moves.acceleration.push_back(0.5 * (before + acceleration));  // where it steps, between the two
      before = acceleration;
      position += kAxisPeriod * (velocity + 0.5 * kAxisPeriod * acceleration);
      velocity += kAxisPeriod * acceleration;
    }
  };
  run(dwell, 0.0);
  for (const double speed : speeds) {
    for (const double direction : {1.0, -1.0}) {
      run(ramp, direction * speed / ramp);
      run(cruise, 0.0);
      run(ramp, -direction * speed / ramp);
      velocity = 0.0;  // without round-off
      run(dwell, 0.0);
    }
  }
  return moves;
}

struct AxisNoise {
  double resolution = 1e-6;  // m, of the encoder
  double force = 2.0;        // N
  double correlation_time = 0.0;
};

using ForceOfMotion = std::function<double(double position, double velocity, double acceleration)>;

// At rest the force is what the stick leaves of the last move, well below Coulomb's. `beside` is a force of the moving
// axis that no parameter describes.
inline AxisRecord measured(const AxisMoves& moves, const AxisParameters& truth, const AxisNoise& noise,
                           std::uint64_t seed, const ForceOfMotion& beside = {}) {
  Draw draw(seed);
  const double offset_in_grid = draw.between(0.0, noise.resolution);
  AxisRecord record{"simulated.csv", kAxisPeriod};
  const double memory = noise.correlation_time > 0.0 ? std::exp(-kAxisPeriod / noise.correlation_time) : 0.0;
  double error = noise.force * draw.normal();
  for (std::size_t k = 0; k < moves.position.size(); ++k) {
    const double encoder = (moves.position[k] + offset_in_grid) / noise.resolution;
    record.position.push_back(std::round(encoder) * noise.resolution);
    const bool rests = std::abs(moves.velocity[k]) < 1e-9 && moves.acceleration[k] == 0.0;
    const double force = rests ? value_of(truth, "friction.offset") + 0.3 * value_of(truth, "friction.coulomb")
                               : force_of(truth, moves.position[k], moves.velocity[k], moves.acceleration[k]);
    record.force.push_back(force + error);
    if (beside && !rests) record.force.back() += beside(moves.position[k], moves.velocity[k], moves.acceleration[k]);
    error = memory * error + std::sqrt(1.0 - memory * memory) * noise.force * draw.normal();
  }
  return record;
}

inline const std::vector<double> kSpeeds{0.05, 0.1, 0.15, 0.2, 0.25, 0.2, 0.15, 0.1};

// A record whose force belongs exactly to the motion that the regression derives from its position.
inline AxisRecord exact_record(const AxisParameters& truth, std::vector<double> position, double cut_off,
                               std::vector<double> velocity = {}) {
  AxisRecord record{"exact.csv", kAxisPeriod, std::move(position), std::move(velocity), {}};
  record.force.assign(record.position.size(), 0.0);
  const AxisMotion motion = differentiate_axis(record, cut_off, 0.0);
  for (std::size_t k = 0; k < record.force.size(); ++k) {
    record.force[k] = force_of(truth, motion.position[k], motion.velocity[k], motion.acceleration[k]);
  }
  return record;
}

template <class Value>
std::vector<double> sampled(double duration, const Value& value) {
  std::vector<double> values(static_cast<std::size_t>(std::lround(duration / kAxisPeriod)));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(static_cast<double>(k) * kAxisPeriod);
  return values;
}

// Three frequencies: speeds and accelerations of all sizes.
inline double wandering(double t) {
  return 0.8 * std::sin(1.1 * t) + 0.3 * std::sin(3.7 * t + 1.0) + 0.1 * std::sin(9.1 * t);
}
inline double wandering_rate(double t) {
  return 0.88 * std::cos(1.1 * t) + 1.11 * std::cos(3.7 * t + 1.0) + 0.91 * std::cos(9.1 * t);
}

// Cruising at these speeds, one after the other, without ever turning back.
inline AxisMoves one_way(const std::vector<double>& speeds) {
  AxisMoves moves;
  double position = 0.0, velocity = speeds.front();
  for (const double speed : speeds) {
    for (int k = 0; k < 2000; ++k) {
      const double acceleration = std::clamp((speed - velocity) / kAxisPeriod, -1.0, 1.0);
      moves.position.push_back(position);
      moves.velocity.push_back(velocity);
      moves.acceleration.push_back(acceleration);
      position += kAxisPeriod * (velocity + 0.5 * kAxisPeriod * acceleration);
      velocity += kAxisPeriod * acceleration;
    }
  }
  return moves;
}

}  // namespace tauhat
