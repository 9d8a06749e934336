// The likeliest laws of an axis, each by its own smoother over the whole record, and which of them is the axis' own.
#pragma once

#include "tauhat/offline/friction/rivals.hpp"

namespace tauhat {

// A rival's smoother over the whole record.
struct Refined {
  LawKind kind{};
  ParametricSpec spec{};
  ParametricTracks tracks{};
  FittedLaw law{};
  Eigen::MatrixXd told_of_inputs{};  // by the data, of what is known only so well
  double bic = 0.0;
  bool separable = true;
  std::string why{};  // no friction is like this

  bool is_possible() const { return separable && why.empty(); }
  // Around standstill a filter may lose the axis for good, by a law that it followed well in an excerpt.
  bool is_followed() const {
    // Of the mean square of the standardised innovations: 0.9 to 1.5 of filters that follow, 15 to 480 of lost ones.
    constexpr double kLost = 4.0;
    return is_possible() && !tracks.diverged && tracks.mean_nis < kLost;
  }
};

// One that the filter followed before one that it lost, that before one that cannot be; of those the likeliest.
bool is_worse(const Refined& a, const Refined& b);

// The rivals over the whole record, until the filter has followed one; the best comes first among the candidates.
Refined refine_best(const std::vector<Rival>& rivals, const Excerpt& whole, bool offset_unknown, FrictionFit& fit);

// Innovations that are larger than they should be, or alike from sample to sample, say less than the filter believes: n
// of them count as n (1 - r) / (1 + r) / nis.
double widening(const ParametricTracks& tracks);

}  // namespace tauhat
