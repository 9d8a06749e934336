// The same number of several bodies at once, as many as a vector register holds: a scalar type whose operations act on
// all of them. Formulas that are templates on their scalar, such as those of core/robot, work on it unchanged. Scalars
// that carry derivatives have one lane.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tauhat {

// What a vector register holds, in bytes.
#if defined(__AVX__)
inline constexpr int kRegisterSize = 32;
#elif defined(__GNUC__)
inline constexpr int kRegisterSize = 16;
#else
inline constexpr int kRegisterSize = 1;
#endif

template <class T>
inline constexpr int kLanes = std::is_floating_point_v<T> && kRegisterSize > 1
                                  ? kRegisterSize / static_cast<int>(sizeof(T))
                                  : 1;

template <class T>
class Lanes {
  // The compiler's own vector leaves nothing to be recognised.
  template <class S, int Width>
  struct Register {
    using Type [[gnu::vector_size(sizeof(S) * Width)]] = S;
  };
  template <class S>
  struct Register<S, 1> {
    using Type = S;
  };
  using Packet = typename Register<T, kLanes<T>>::Type;

 public:
  Lanes() = default;
  // Every lane the same. (Implicit, since formulas multiply by plain numbers.)
  Lanes(const T& value) : packet_(broadcast(value)) {}  // NOLINT(google-explicit-constructor)
  explicit Lanes(int value) : Lanes(static_cast<T>(value)) {}

  // One number of each body: number k of the arrays that begin at these addresses. (In registers: to write lanes one by
  // one and to read them all at once would have to wait until they are in the cache.)
  static Lanes gathered(const std::array<const T*, kLanes<T>>& bodies, int k) {
    return gathered(bodies, k, std::make_index_sequence<kLanes<T>>());
  }

  // By its address in memory: an index into a register that is known at run time only costs a detour.
  const T& operator[](int lane) const { return reinterpret_cast<const T*>(&packet_)[lane]; }
  T& operator[](int lane) { return reinterpret_cast<T*>(&packet_)[lane]; }

  Lanes& operator+=(const Lanes& b) { return packet_ += b.packet_, *this; }
  Lanes& operator-=(const Lanes& b) { return packet_ -= b.packet_, *this; }
  Lanes& operator*=(const Lanes& b) { return packet_ *= b.packet_, *this; }
  Lanes& operator/=(const Lanes& b) { return packet_ /= b.packet_, *this; }
  friend Lanes operator+(Lanes a, const Lanes& b) { return a += b; }
  friend Lanes operator-(Lanes a, const Lanes& b) { return a -= b; }
  friend Lanes operator*(Lanes a, const Lanes& b) { return a *= b; }
  friend Lanes operator/(Lanes a, const Lanes& b) { return a /= b; }
  friend Lanes operator-(Lanes a) { return a.packet_ = -a.packet_, a; }

 private:
  static Packet broadcast(const T& value) {
    if constexpr (kLanes<T> == 1) {
      return value;
    } else {
      return value - Packet{};
    }
  }
  template <std::size_t... Lane>
  static Lanes gathered(const std::array<const T*, kLanes<T>>& bodies, int k, std::index_sequence<Lane...>) {
    Lanes result;
    result.packet_ = Packet{bodies[Lane][k]...};
    return result;
  }

  Packet packet_;
};

}  // namespace tauhat

namespace Eigen {
template <class T>
struct NumTraits<tauhat::Lanes<T>> : GenericNumTraits<tauhat::Lanes<T>> {
  // NOLINTBEGIN(readability-identifier-naming): Eigen's names
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
  // NOLINTEND(readability-identifier-naming)
};
}  // namespace Eigen
