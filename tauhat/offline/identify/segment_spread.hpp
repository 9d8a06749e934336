// How much less the segments tell than the number of their residuals says. Residuals that hang together in time, as
// coloured noise or what the model lacks, pull at the parameters by whole segments; white ones would not. Of each
// parameter the ratio of two variances, by the spread of the segments' pulls and by white noise (a sandwich clustered
// by segment, Liang and Zeger 1986):
//   f = (B sum w^2 r r^T B)_gg / (s B sum w^2 I B)_gg  S / (S - G)
// with B the inverse of all information, I and r a segment's own and its score, w its weight, s the noise's scale.
#pragma once

#include <Eigen/Dense>

#include <cmath>
#include <vector>

namespace tauhat {

struct SegmentPull {
  Eigen::MatrixXd information;
  Eigen::VectorXd score;
  double weight = 1.0;
};

// `inverse` is B, the priors' information included. One where chance explains the ratio; it exceeds that bound on one
// record in a thousand.
inline Eigen::VectorXd noise_inflation(const std::vector<SegmentPull>& segments, const Eigen::MatrixXd& inverse,
                                       double noise_scale) {
  const Eigen::Index parameters = inverse.rows();
  const double freedom = static_cast<double>(segments.size()) - static_cast<double>(parameters);
  constexpr double kFewest = 10.0;  // fewer say little of a spread
  Eigen::VectorXd inflation = Eigen::VectorXd::Ones(parameters);
  if (freedom < kFewest) return inflation;
  Eigen::MatrixXd pulls = Eigen::MatrixXd::Zero(parameters, parameters), white = pulls;
  for (const SegmentPull& each : segments) {
    const double square = each.weight * each.weight;
    pulls += square * each.score * each.score.transpose();
    white += square * noise_scale * each.information;
  }
  // Chi-square over its freedom at 99.9 % (Wilson and Hilferty 1931).
  constexpr double kQuantile = 3.09;
  const double ninth = 2.0 / (9.0 * freedom);
  const double bound = std::pow(1.0 - ninth + kQuantile * std::sqrt(ninth), 3);
  const Eigen::VectorXd found = (inverse * pulls * inverse).diagonal(),
                        expected = (inverse * white * inverse).diagonal();
  for (Eigen::Index g = 0; g < parameters; ++g) {
    const double ratio = found[g] / expected[g] * static_cast<double>(segments.size()) / freedom;
    if (ratio > bound) inflation[g] = ratio;
  }
  return inflation;
}

}  // namespace tauhat
