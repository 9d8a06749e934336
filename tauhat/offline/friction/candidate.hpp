// The friction laws among which identification chooses, and how each is fitted: columns of force whose coefficients are
// linear, and at most one parameter that shapes them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

enum class LawKind {
  coulomb_viscous,
  exponential,
  exponential_viscous,
  gaussian_viscous,
  hyperbolic,
  tanh_viscous,
  asymmetric_coulomb,
  asymmetric_exponential,
  lugre
};

inline constexpr std::array<LawKind, 9> kLawKinds{LawKind::coulomb_viscous,
                                                  LawKind::exponential,
                                                  LawKind::exponential_viscous,
                                                  LawKind::gaussian_viscous,
                                                  LawKind::hyperbolic,
                                                  LawKind::tanh_viscous,
                                                  LawKind::asymmetric_coulomb,
                                                  LawKind::asymmetric_exponential,
                                                  LawKind::lugre};

std::string_view name_of(LawKind kind);

// The kind of that name, or none.
const LawKind* find_law(std::string_view name);

// Mean force columns over each interval of a motion; `shape` is 1/speed: how fast the law changes with speed. Empty for
// a law that is not linear in anything (lugre).
std::vector<std::vector<double>> force_columns(LawKind kind, const std::vector<double>& velocity, double shape);

bool has_shape(LawKind kind);

// A law with its numbers, as a fit gives them: coefficients of the columns, and the shape.
struct FittedLaw {
  LawKind kind = LawKind::coulomb_viscous;
  std::vector<double> coefficients;
  double shape = 0.0;

  int parameters() const;  // how many were fitted
  // Friction in steady motion, against motion.
  double steady_force(double velocity) const;
};

}  // namespace tauhat
