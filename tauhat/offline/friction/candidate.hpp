// The friction laws among which identification chooses, and how each is fitted: columns of force whose coefficients are
// linear, and at most two parameters that shape them.
#pragma once

#include <Eigen/Core>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

enum class LawKind {
  coulomb_viscous,
  exponential,
  smooth_exponential,
  exponential_viscous,
  smooth_exponential_viscous,
  gaussian_viscous,
  smooth_gaussian_viscous,
  hyperbolic,
  smooth_hyperbolic,
  tanh_viscous,
  asymmetric_coulomb,
  smooth_asymmetric_coulomb,
  asymmetric_exponential,
  lugre
};

inline constexpr std::array kLawKinds{LawKind::coulomb_viscous,
                                      LawKind::exponential,
                                      LawKind::smooth_exponential,
                                      LawKind::exponential_viscous,
                                      LawKind::smooth_exponential_viscous,
                                      LawKind::gaussian_viscous,
                                      LawKind::smooth_gaussian_viscous,
                                      LawKind::hyperbolic,
                                      LawKind::smooth_hyperbolic,
                                      LawKind::tanh_viscous,
                                      LawKind::asymmetric_coulomb,
                                      LawKind::smooth_asymmetric_coulomb,
                                      LawKind::asymmetric_exponential,
                                      LawKind::lugre};

std::string_view name_of(LawKind kind);

// The kind of that name, or none.
const LawKind* find_law(std::string_view name);

// What is estimated along of a law.
std::vector<std::string> parameter_names(LawKind kind);

// What bends a law's columns; zero where the law has none of it.
struct LawShape {
  double fall = 0.0;   // 1/speed: how fast the excess falls with speed
  double width = 0.0;  // speed at which the sign is about complete; zero: it is hard
};

// Of the fastest speed: what turns over in less is beyond all resolution.
inline constexpr double kNarrowest = 1e-4;

// The law of which this one is the smooth form, its sign a tanh of the width; a law with a hard sign is its own.
LawKind hard_form(LawKind kind);
inline bool has_width(LawKind kind) { return hard_form(kind) != kind; }

bool has_fall(LawKind kind);
bool is_asymmetric(LawKind kind);  // a level for each direction

// What the coefficients multiply at a velocity; none of a law that is not linear in anything (lugre).
struct ForceColumns {
  std::array<double, 4> value{};
  std::size_t count = 0;
};
ForceColumns columns_at(LawKind kind, double velocity, LawShape shape);

// Their means over each interval of a motion: one row a coefficient, those beyond `count` zero.
struct ForceSamples {
  Eigen::Array4Xd value;
  std::size_t count = 0;
};
ForceSamples force_samples(LawKind kind, const std::vector<double>& velocity, LawShape shape);

// A law with its numbers, as a fit gives them: coefficients of the columns, and the shape.
struct FittedLaw {
  LawKind kind = LawKind::coulomb_viscous;
  std::vector<double> coefficients;
  LawShape shape;

  int parameters() const;  // how many were fitted
  // How much of what falls with speed is left at the fastest speeds forwards and backwards, of 1; 0 where nothing
  // falls.
  double left_at(double fastest) const;
  // Why no friction is like this on an axis that moves up to the fastest speed: it would drive the axis, or it bends
  // at speeds too slow to be seen, or too fast. Empty when one can be.
  std::string why_impossible(double fastest) const;
  // Friction in steady motion, against motion.
  double steady_force(double velocity) const;
};

// Whether a constant force that is unknown is fitted along: a law with a level for each direction has it in itself.
inline bool has_own_offset(LawKind kind, bool offset_unknown) { return offset_unknown && !is_asymmetric(kind); }

// What was fitted: the law's parameters, and the constant force where it is none of them.
int fitted_parameters(const FittedLaw& law, bool offset_unknown);

}  // namespace tauhat
