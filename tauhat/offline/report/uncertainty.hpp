// Where the uncertainty of a result comes from, and the factor that makes an interval of it.
#pragma once

#include <cmath>
#include <limits>

namespace tauhat {

// Standard deviations by source, in the result's unit.
struct UncertaintyBudget {
  double noise = 0.0;   // of the sensors, in one run
  double inputs = 0.0;  // of what the study says is known only so well
  double repeat = 0.0;  // between runs, beyond their noise
  double model = 0.0;   // of what the model may lack: how far another that explains the log better would move it
  double repeat_freedom = std::numeric_limits<double>::infinity();

  double variance() const noexcept { return noise * noise + inputs * inputs + repeat * repeat + model * model; }
  double total() const noexcept { return std::sqrt(variance()); }
  // Degrees of freedom of the total (Welch and Satterthwaite; JCGM 100, G.4). Few repeats leave their own spread
  // uncertain: that part has few.
  double freedom() const noexcept {
    const double from_repeats = repeat * repeat;
    return from_repeats > 0.0 ? repeat_freedom * std::pow(variance() / from_repeats, 2)
                              : std::numeric_limits<double>::infinity();
  }
};

// Half of a 95 % interval over the standard deviation, where that is known: the normal distribution at 97.5 %.
inline constexpr double k95 = 1.959964;

// The same where it was found with so many degrees of freedom: Student's t.
double coverage_factor(double freedom) noexcept;

}  // namespace tauhat
