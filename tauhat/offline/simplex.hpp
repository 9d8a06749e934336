// The minimum of a function of a few numbers, without derivatives: the simplex of Nelder and Mead (1965), with the
// coefficients of Gao and Han (2012), which do not degenerate as the number grows.
#pragma once

#include <functional>
#include <vector>

namespace tauhat {

struct SimplexOptions {
  int evaluations = 200;                      // at most
  double settled = 1e-6;                      // ends when the values of all corners are so near each other
  std::function<void(double)> progress = {};  // share of the evaluations
};

struct SimplexMinimum {
  std::vector<double> point;
  double value = 0.0;
  int evaluations = 0;
  bool settled = false;
};

// `steps` spans the first simplex. A value that is not finite counts as worse than any other.
SimplexMinimum minimise(const std::function<double(const std::vector<double>&)>& function,
                        const std::vector<double>& start, const std::vector<double>& steps,
                        const SimplexOptions& options = {});

}  // namespace tauhat
