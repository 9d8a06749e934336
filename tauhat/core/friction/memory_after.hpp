// What a friction law remembers after some time at one velocity.
#pragma once

#include "tauhat/core/friction/friction_law.hpp"

namespace tauhat {

// The memory after a time at this velocity (Runge and Kutta's fourth order, twice). What would settle within half of
// the time is followed only that fast.
template <FrictionWithMemory L>
Vector<typename L::Scalar, L::kMemory> memory_after(const L& law, const typename L::Scalar& velocity,
                                                    Vector<typename L::Scalar, L::kMemory> z,
                                                    const typename L::Scalar& time) {
  using T = typename L::Scalar;
  constexpr int kParts = 2;
  const T h = time / T(kParts);
  const auto rate = [&](const Vector<T, L::kMemory>& at) {
    return limited_memory_rate(law, velocity, at, T(T(1) / h));
  };
  for (int part = 0; part < kParts; ++part) {
    const Vector<T, L::kMemory> k1 = rate(z), k2 = rate(z + h / T(2) * k1), k3 = rate(z + h / T(2) * k2),
                                k4 = rate(z + h * k3);
    z += h / T(6) * (k1 + T(2) * (k2 + k3) + k4);
  }
  return z;
}

}  // namespace tauhat
