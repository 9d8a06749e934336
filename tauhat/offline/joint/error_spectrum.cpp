#include "tauhat/offline/joint/error_spectrum.hpp"

#include <unsupported/Eigen/FFT>

#include <cmath>
#include <complex>
#include <numbers>

namespace tauhat {

Spectrum amplitude_density(const std::vector<double>& values, double period) {
  // About a second: 1 Hz apart, where joints are wanted apart.
  std::size_t length = 64;
  while (static_cast<double>(length) * period < 1.0 && 4 * length <= values.size()) length *= 2;
  std::vector<double> power(length / 2 + 1, 0.0), window(length), part(length);
  double window_power = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    window[i] = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length));
    window_power += window[i] * window[i];
  }
  Eigen::FFT<double> fft;
  std::size_t parts = 0;
  for (std::size_t first = 0; first + length <= values.size(); first += length / 2, ++parts) {
    for (std::size_t i = 0; i < length; ++i)
      part[i] = std::isfinite(values[first + i]) ? window[i] * values[first + i] : 0.0;
    std::vector<std::complex<double>> lines;
    fft.fwd(lines, part);
    for (std::size_t i = 0; i < power.size(); ++i) power[i] += std::norm(lines[i]);
  }
  Spectrum spectrum;
  for (std::size_t i = 1; parts > 0 && i < power.size(); ++i) {
    spectrum.frequency.push_back(static_cast<double>(i) / (static_cast<double>(length) * period));
    // One-sided.
    spectrum.density.push_back(std::sqrt(2.0 * power[i] * period / (window_power * static_cast<double>(parts))));
  }
  return spectrum;
}

}  // namespace tauhat
