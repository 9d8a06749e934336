// Parameters of a law that the record did not tell: after the data they are hardly known better than before, and they
// matter.
#pragma once

#include <string>
#include <vector>

namespace tauhat {

struct FrictionFit;

struct UntoldParameter {
  std::string name;
  std::string why;  // a sentence, with what to record instead
};

// By the covariance of the parametric filter as it is: before intervals are widened.
std::vector<UntoldParameter> untold_parameters(const FrictionFit& fit);

}  // namespace tauhat
