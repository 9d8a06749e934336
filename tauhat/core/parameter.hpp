// What is said once about each parameter of a model or a law. A type lists its parameters in `visit_parameters`,
// and configuration, checks, help, identification and reports all read that list.
//
//   template <class Self, class Visitor>
//   static void visit_parameters(Self& self, Visitor&& visit) {
//     visit(ParameterInfo{"motor", "inertia", "kg m^2", Range::positive(), "of the rotor"}, self.motor_inertia);
//   }
#pragma once

#include <array>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tauhat {

struct Range {
  double lower, upper;
  bool lower_included;

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr Range any() { return {-kInfinity, kInfinity, true}; }
  static constexpr Range positive() { return {0.0, kInfinity, false}; }
  static constexpr Range not_negative() { return {0.0, kInfinity, true}; }
  static constexpr Range not_zero_up_to(double upper) { return {0.0, upper, false}; }

  constexpr bool contains(double value) const noexcept {
    return (lower_included ? value >= lower : value > lower) && value <= upper && value - value == 0.0;
  }
};

struct ParameterInfo {
  std::string_view group, name;  // the full name is group.name: "motor.friction" + "coulomb"
  std::string_view unit;
  Range range;
  std::string_view meaning;
};

// More than any model has; a bound lets parameters be handled without heap.
inline constexpr int kMaxParameters = 40;

template <class M>
constexpr int count_parameters() {
  int count = 0;
  M model{};
  M::visit_parameters(model, [&](const ParameterInfo&, auto&) { ++count; });
  return count;
}

// Calls `use(info, value)` for the parameter at `index`, in the order of the list.
template <class M, class Use>
void with_parameter(M& model, int index, Use&& use) {
  int at = 0;
  std::remove_const_t<M>::visit_parameters(model, [&](const ParameterInfo& info, auto& value) {
    if (at++ == index) use(info, value);
  });
}

// The same model with another scalar type: double, float, or one that carries derivatives.
template <class To, class From>
To with_scalar(const From& from) {
  std::array<typename From::Scalar, kMaxParameters> values{};
  std::size_t count = 0;
  From::visit_parameters(from, [&](const ParameterInfo&, const auto& value) { values[count++] = value; });
  To to{};
  count = 0;
  To::visit_parameters(
      to, [&](const ParameterInfo&, auto& value) { value = static_cast<typename To::Scalar>(values[count++]); });
  return to;
}

}  // namespace tauhat
