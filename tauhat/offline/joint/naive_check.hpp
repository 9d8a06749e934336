// Is an observer worth its while on this log? Where the motor's velocity over the ratio is nearer to the reference, its
// user is told so, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct JudgedVelocity {
  std::string label;
  const std::vector<double>* velocity = nullptr;  // rad/s
  double fit = 0.0;                               // %
};

// The naive velocity by central differences, which see a sample that no controller has yet; and by the last two.
struct NaiveVelocity {
  JudgedVelocity central;
  double causal_fit = 0.0;  // %
};

// Against what the observers are held.
struct JudgedBy {
  const std::vector<double>& reference;  // rad/s
  std::size_t first;                     // samples that are left out at the start
  double period;                         // s
};

NaiveVelocity judge_naive(const std::vector<double>& central, const std::vector<double>& motor_position, double ratio,
                          const JudgedBy& by);

// Nothing where every observer is at least as near as the naive one; no more than a remark where each is nearer than
// what a controller would have. `axis` is named where there are several.
std::optional<Diagnostic> compare_with_naive(const std::vector<JudgedVelocity>& observers, const NaiveVelocity& naive,
                                             const JudgedBy& by, const std::string& axis = "");

}  // namespace tauhat
