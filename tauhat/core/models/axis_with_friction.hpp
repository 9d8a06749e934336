// An axis whose friction follows a law. A law with memory adds its states after position and velocity.
#pragma once

#include <algorithm>
#include <array>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/models/axis.hpp"

namespace tauhat {

template <class T, template <class> class Friction>
struct AxisWithFriction {
  using Scalar = T;
  using Body = Axis<T>;
  using Law = Friction<T>;
  template <class S>
  using Rebind = AxisWithFriction<S, Friction>;

  static constexpr int kMemory = [] {
    if constexpr (requires { Law::kMemory; }) return static_cast<int>(Law::kMemory);
    return 0;
  }();
  enum State { position, velocity, first_memory, kStates = first_memory + kMemory };
  enum Input { force, kInputs };
  static constexpr auto kOutputs = Body::kOutputs;

  Body axis;
  Law friction;
  T fastest_bristles = T(0);  // 1/s, of a law with memory: as of WithBristles

  template <class S>
  Rebind<S> cast() const {
    return {axis.template cast<S>(), friction.template cast<S>(), static_cast<S>(fastest_bristles)};
  }

  T friction_force(const StateOf<AxisWithFriction>& x) const {
    if constexpr (kMemory > 0) {
      return friction.torque(x[velocity], memory(x));
    } else {
      return friction.torque(x[velocity]);
    }
  }

  StateOf<AxisWithFriction> derivative(const StateOf<AxisWithFriction>& x, const InputOf<AxisWithFriction>& u) const {
    StateOf<AxisWithFriction> dx;
    dx.template head<2>() = axis.derivative(x.template head<2>(), InputOf<Body>(u[force], friction_force(x)));
    if constexpr (kMemory > 0) {
      dx.template tail<kMemory>() = limited_memory_rate(friction, x[velocity], memory(x), fastest_bristles);
    }
    return dx;
  }

  // The dynamics at a point, and how they change with K of the parameters, by their place in the list.
  template <int K>
  struct Sensitivity {
    Linearised<T, kStates, kInputs> at;
    Matrix<T, kStates, K> by_parameter;
  };
  // Of the body by hand:  dv'/dM = -v'/M,  dv'/dk = -x/M,  dv'/dd = -v/M,  dv'/dg_s = -sin(x)/M,  dv'/dg_c = -cos(x)/M,
  // dv'/dF_0 = -1/M, in the order of its list;  of the law automatically:  dv'/dp = -(dF/dp)/M.
  template <std::size_t K>
  Sensitivity<static_cast<int>(K)> sensitivity(const StateOf<AxisWithFriction>& x, const InputOf<AxisWithFriction>& u,
                                               const std::array<int, K>& parameter) const
    requires(kMemory == 0)
  {
    using std::cos, std::sin;
    constexpr int kBody = 6, kVelocity = static_cast<int>(K);  // parameters of the body, and the velocity behind them
    const T sine = sin(x[position]), cosine = cos(x[position]);
    const auto friction_here = law_at<kVelocity>(x[velocity], parameter, kBody);
    const T acting =
        u[force] - axis.stiffness * x[position] - axis.gravity_sine * sine - axis.gravity_cosine * cosine - axis.offset;
    const T acceleration = (acting - axis.damping * x[velocity] - friction_here.value()) / axis.mass;
    const T stiffness_here = axis.stiffness + axis.gravity_sine * cosine - axis.gravity_cosine * sine;
    Sensitivity<kVelocity> result;
    result.at.derivative << x[velocity], acceleration;
    result.at.by_state << T(0), T(1), -stiffness_here / axis.mass,
        -(axis.damping + friction_here.derivatives()[kVelocity]) / axis.mass;
    result.at.by_input << T(0), T(1) / axis.mass;
    const std::array<T, 6> body{acceleration, x[position], x[velocity], sine, cosine, T(1)};
    static_assert(body.size() == kBody);
    for (std::size_t i = 0; i < K; ++i) {
      const bool is_body = parameter[i] < kBody;
      const T against = is_body ? body[static_cast<std::size_t>(parameter[i])]
                                : friction_here.derivatives()[static_cast<Eigen::Index>(i)];
      result.by_parameter.col(static_cast<Eigen::Index>(i)) << T(0), -against / axis.mass;
    }
    return result;
  }

  T output(int index, const StateOf<AxisWithFriction>& x, const InputOf<AxisWithFriction>&) const {
    return index == Body::friction_output ? friction_force(x) : x[index];
  }

  static constexpr int output_state(int index) noexcept { return Body::output_state(index); }

  StateOf<AxisWithFriction> spectral_density() const {
    StateOf<AxisWithFriction> density = StateOf<AxisWithFriction>::Zero();
    density.template head<2>() = axis.spectral_density();
    return density;
  }

  T fastest_rate() const {
    if constexpr (kMemory > 0) {
      const T held = fastest_on_bristles(friction, axis.mass, fastest_bristles), free = axis.fastest_rate();
      return held > free ? held : free;
    } else {
      return axis.fastest_rate(friction.steepest_slope());
    }
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    Body::visit_parameters(self.axis, visit);
    Law::visit_parameters(self.friction, visit, "friction");
  }

 private:
  // The friction with its slopes by K of the parameters and, last, by the velocity.
  template <int K>
  Dual<T, K + 1> law_at(const T& speed, const std::array<int, static_cast<std::size_t>(K)>& parameter,
                        int first) const {
    using D = Dual<T, K + 1>;
    auto law = friction.template cast<D>();
    int at = first;
    Friction<D>::visit_parameters(
        law,
        [&](const ParameterInfo&, D& value) {
          for (std::size_t i = 0; i < parameter.size(); ++i) {
            if (parameter[i] == at) value.derivatives()[static_cast<Eigen::Index>(i)] = T(1);
          }
          ++at;
        },
        "friction");
    return law.torque(D(speed, K + 1, K));
  }

  static auto memory(const StateOf<AxisWithFriction>& x) { return Vector<T, kMemory>(x.template tail<kMemory>()); }
};

}  // namespace tauhat
