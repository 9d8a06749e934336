// Something that a model may lack or have wrong, tried by one Gauss-Newton step of the fit with that freedom added: by
// how much it would differ, how certainly, and how far the answer would move (a score test).
#pragma once

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct Suspect {
  std::string name, unit;   // "motor.torque.gain", "1"
  double value = 0.0;       // what the fit takes it for
  double change = 0.0;      // by how much another value would explain the log better
  double z = 0.0;           // that, in standard deviations of noise
  double told_apart = 0.0;  // what is left of its information beside the fitted parameters, 0 to 1
  Eigen::VectorXd shift;    // of each fitted parameter, were it so
};

// In standard deviations. Noise alone brings one of the two dozen suspects above the first in one record of twenty,
// which widens the intervals of those, and above the second in one of some hundreds, which is worth a warning.
inline constexpr double kWidens = 3.0, kSuspicious = 4.0;

// How far those that widen move a sum of fitted parameters, at the most.
double largest_shift(const std::vector<Suspect>& suspects, const Eigen::VectorXd& sum);

// Most suspicious first. (Methods have suspects of their own beside this one: with a joint, with shifts of another
// kind.)
template <class AnySuspect>
void sort_by_suspicion(std::vector<AnySuspect>& suspects) {
  std::stable_sort(suspects.begin(), suspects.end(),
                   [](const AnySuspect& a, const AnySuspect& b) { return std::abs(a.z) > std::abs(b.z); });
}

// "load.inertia +2 % (5.1)": relative to its value where it has one, and z.
std::string suspect_in_words(const std::string& name, const std::string& unit, double value, double change, double z);

// The first three that noise hardly explains.
template <class AnySuspect>
std::vector<std::string> suspects_in_words(const std::vector<AnySuspect>& suspects) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> named;
  for (const AnySuspect& s : suspects)
    if (std::abs(s.z) > kWidens && named.size() < kMost)
      named.push_back(suspect_in_words(s.name, s.unit, s.value, s.change, s.z));
  return named;
}

// A number of Student's t with so many degrees of freedom, as a normal one of about the same probability (Wallace
// 1959).
double normal_equivalent(double t, double freedom) noexcept;

// The diagnostic model.suspect, where one of them is suspicious. `moved`: "backlash.gap by up to 1e-4 rad".
std::optional<Diagnostic> suspect_diagnostic(const std::vector<Suspect>& suspects,
                                             const std::vector<std::string>& moved);

}  // namespace tauhat
