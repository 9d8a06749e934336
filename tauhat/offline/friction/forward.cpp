#include "tauhat/offline/friction/forward.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

struct AxisState {
  double position, velocity;
};

// Runge and Kutta's step with the direction of friction held.
AxisState sliding(const RigidAxis& axis, const AxisState& x, double force, double direction, double dt) {
  const auto rate = [&](const AxisState& s) {
    return AxisState{s.velocity, axis.acceleration(force, s.position, s.velocity, direction)};
  };
  const auto moved = [&](const AxisState& by, double h) {
    return AxisState{x.position + h * by.position, x.velocity + h * by.velocity};
  };
  const AxisState k1 = rate(x), k2 = rate(moved(k1, dt / 2.0)), k3 = rate(moved(k2, dt / 2.0)),
                  k4 = rate(moved(k3, dt));
  return {x.position + dt / 6.0 * (k1.position + 2.0 * k2.position + 2.0 * k3.position + k4.position),
          x.velocity + dt / 6.0 * (k1.velocity + 2.0 * k2.velocity + 2.0 * k3.velocity + k4.velocity)};
}

// From rest the axis goes where the force without Coulomb friction pulls it.
double direction_of(const RigidAxis& axis, const AxisState& x, double force) {
  const double moves = x.velocity != 0.0 ? x.velocity : axis.acceleration(force, x.position, 0.0, 0.0);
  return moves < 0.0 ? -1.0 : 1.0;
}

// A step in which the velocity would change its sign ends its slide at zero; the rest of it is run from rest.
AxisState step(const RigidAxis& axis, AxisState x, double force, double dt) {
  constexpr int kMostReversals = 4;  // in one period: more is chatter about rest
  for (int reversal = 0; reversal < kMostReversals && dt > 0.0; ++reversal) {
    if (x.velocity == 0.0 && axis.rests(force, x.position)) return x;
    const double direction = direction_of(axis, x, force);
    const AxisState next = sliding(axis, x, force, direction, dt);
    if (next.velocity * direction >= 0.0) return next;
    const double until_rest = dt * x.velocity / (x.velocity - next.velocity);
    x = {sliding(axis, x, force, direction, until_rest).position, 0.0};
    dt -= until_rest;
  }
  return x;
}

double root_of_squares(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

double distance(const std::vector<double>& values, const std::vector<double>& measured) {
  std::vector<double> difference(values.size());
  std::transform(values.begin(), values.end(), measured.begin(), difference.begin(), std::minus<>());
  return root_of_squares(difference);
}

template <class Force>
ForwardRun run(const RigidAxis& axis, const AxisRecord& record, const Force& force_at) {
  ForwardRun result;
  AxisState x{record.position.front(), 0.0};
  if (record.position.size() > 1) x.velocity = (record.position[1] - record.position[0]) / record.period;
  for (std::size_t k = 0; k < record.force.size(); ++k) {
    result.position.push_back(x.position);
    result.velocity.push_back(x.velocity);
    result.force.push_back(force_at(k, result.position));
    x = step(axis, x, result.force.back(), record.period);
  }
  const double root_of_count = std::sqrt(static_cast<double>(record.force.size()));
  const double position = distance(result.position, record.position), force = distance(result.force, record.force);
  result.position_error = position / root_of_count;
  result.force_error = force / root_of_count;
  result.relative_position_error = position / root_of_squares(record.position);
  result.relative_force_error = force / root_of_squares(record.force);
  return result;
}

void require_samples(const AxisRecord& record, std::size_t reference) {
  if (record.force.empty() || record.position.size() != record.force.size() || reference != record.force.size()) {
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: position, force and reference have {}, {} and {} samples: must be equally many",
                            record.source, record.position.size(), record.force.size(), reference));
  }
}

}  // namespace

double RigidAxis::acceleration(double force, double position, double velocity, double direction) const {
  const Friction& friction = direction < 0.0 ? negative : positive;
  const double left = force - friction.viscous * velocity - friction.coulomb * direction - offset;
  // load + grown |load| = left:  the load has the sign of what is left.
  const double grown = friction.load * direction;
  const double load = left / (left < 0.0 ? 1.0 - grown : 1.0 + grown);
  return (load - gravity_sine * std::sin(position) - gravity_cosine * std::cos(position)) / mass;
}

bool RigidAxis::rests(double force, double position) const {
  return acceleration(force, position, 0.0, 1.0) <= 0.0 && acceleration(force, position, 0.0, -1.0) >= 0.0;
}

RigidAxis axis_of(const RegressionFit& fit) {
  const auto value = [&](std::string_view name) {
    const RegressionParameter* found = fit.find(name);
    if (found == nullptr) return 0.0;
    if (found->separable) return found->value;
    throw Error(ExitCode::unusable_data, fmt::format("the axis cannot be simulated without {}: {}", name, found->why));
  };
  // A parameter of both directions is in the fit under its own name, one of a direction under its direction's.
  const auto friction = [&](const std::string& direction) {
    return RigidAxis::Friction{.viscous = value("friction.viscous") + value("friction.viscous" + direction),
                               .coulomb = value("friction.coulomb") + value("friction.coulomb" + direction),
                               .load = value("friction.load" + direction)};
  };
  return {.mass = value("axis.mass"),
          .gravity_sine = value("gravity.sine"),
          .gravity_cosine = value("gravity.cosine"),
          .offset = value("friction.offset"),
          .positive = friction(".positive"),
          .negative = friction(".negative")};
}

ForwardRun run_open_loop(const RigidAxis& axis, const AxisRecord& record) {
  require_samples(record, record.force.size());
  return run(axis, record, [&](std::size_t k, const std::vector<double>&) { return record.force[k]; });
}

ForwardRun run_closed_loop(const RigidAxis& axis, const AxisRecord& record, const CascadeController& controller,
                           const std::vector<double>& reference) {
  require_samples(record, reference.size());
  return run(axis, record, [&](std::size_t k, const std::vector<double>& position) {
    const double velocity = k < 2 ? 0.0 : (position[k] - position[k - 2]) / (2.0 * record.period);
    const double force =
        controller.velocity_gain * (controller.position_gain * (reference[k] - position[k]) - velocity);
    return std::clamp(force, -controller.limit, controller.limit);
  });
}

}  // namespace tauhat
