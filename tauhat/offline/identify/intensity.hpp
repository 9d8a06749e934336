// How fast may the unknown torque change? The intensity of its random walk by the likelihood of the innovations.
#pragma once

#include <utility>
#include <vector>

#include "tauhat/offline/drive/two_mass.hpp"

namespace tauhat {

struct IntensityChoice {
  double intensity;                                   // N m/sqrt(s)
  std::vector<std::pair<double, double>> likelihood;  // intensity, log-likelihood per correction
};

// A start for the search, from the size of the motor's torque.
double intensity_guess(const Timeline& timeline, const Drive& drive);

// Half-decades of the spectral density, climbed from `start`. A long log is judged on excerpts.
IntensityChoice choose_intensity(const Estimator& estimator, const Timeline& timeline, double start);

}  // namespace tauhat
