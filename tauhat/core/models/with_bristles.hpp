// A drive whose motor has friction with memory (Dahl, LuGre, Maxwell-slip) beside its own: the bristles' states follow
// the drive's.
//   the drive's motor torque = u - tau_f(w_m, z),   z' = memory_rate(w_m, z)
// M is a TwoMassDrive or a DriveWithLaw.
#pragma once

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

template <Model M, template <class> class Friction>
struct WithBristles {
  using Scalar = typename M::Scalar;
  using T = Scalar;
  using Law = Friction<T>;
  template <class S>
  using Rebind = WithBristles<typename M::template Rebind<S>, Friction>;

  static constexpr int kMemory = Law::kMemory, kStates = M::kStates + kMemory, kInputs = M::kInputs;
  enum State { motor_velocity = static_cast<int>(M::motor_velocity) };
  enum Input { motor_torque = static_cast<int>(M::motor_torque) };
  static constexpr auto kOutputs = M::kOutputs;

  M model;
  Law bristles;
  // 1/s. A filter that steps by dt sets it to a few times 1/dt: see limited_memory_rate(). 0: no limit.
  T fastest_bristles = T(0);

  template <class S>
  Rebind<S> cast() const {
    return {model.template cast<S>(), bristles.template cast<S>(), static_cast<S>(fastest_bristles)};
  }

  T friction_torque(const StateOf<WithBristles>& x) const { return bristles.torque(x[motor_velocity], memory(x)); }

  StateOf<WithBristles> derivative(const StateOf<WithBristles>& x, const InputOf<WithBristles>& u) const {
    InputOf<M> left = u;
    left[motor_torque] -= friction_torque(x);
    StateOf<WithBristles> dx;
    dx.template head<M::kStates>() = model.derivative(x.template head<M::kStates>(), left);
    dx.template tail<kMemory>() = limited_memory_rate(bristles, x[motor_velocity], memory(x), fastest_bristles);
    return dx;
  }

  T output(int index, const StateOf<WithBristles>& x, const InputOf<WithBristles>& u) const {
    return model.output(index, x.template head<M::kStates>(), u);
  }
  int output_state(int index) const noexcept
    requires requires(const M m) { m.output_state(0); }
  {
    return model.output_state(index);
  }

  StateOf<WithBristles> spectral_density() const {
    StateOf<WithBristles> density = StateOf<WithBristles>::Zero();
    density.template head<M::kStates>() = model.spectral_density();
    return density;
  }

  T fastest_rate() const { return faster_of_bristles_and(model.fastest_rate()); }
  T fastest_rate(const StateOf<WithBristles>& x, const InputOf<WithBristles>& u) const
    requires FasterUnderLoad<M>
  {
    return faster_of_bristles_and(model.fastest_rate(x.template head<M::kStates>(), u));
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    M::visit_parameters(self.model, visit);
    Law::visit_parameters(self.bristles, visit, "motor.friction");
  }

 private:
  T faster_of_bristles_and(const T& own) const {
    const T held = fastest_on_bristles(bristles, motor_inertia(), fastest_bristles);
    return own > held ? own : held;
  }
  T motor_inertia() const {
    if constexpr (requires { model.motor_inertia; }) {
      return model.motor_inertia;
    } else {
      return model.drive.motor_inertia;
    }
  }
  static Vector<T, kMemory> memory(const StateOf<WithBristles>& x) { return x.template tail<kMemory>(); }
};

}  // namespace tauhat
