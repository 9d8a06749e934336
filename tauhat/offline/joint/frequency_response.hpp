// The frequency response of a drive from its input to its output, with what is known of its error at each frequency.
//
// Broadband excitation (random bits, a chirp): segments under Hann's window, averaged (Welch 1967),
//   G = S_yu / S_uu,   coherence = |S_yu|^2 / (S_uu S_yy)                                                   (H1)
//   Var ln|G| = Var arg G = (1 - coherence) / (2 n coherence),   n independent segments        (Bendat and Piersol)
// A window of length T does not see one frequency: each line is a mean of the response over the frequencies about it,
//   E G(f) ~ sum |W(nu - f)|^2 S_uu(nu) G(nu) / sum |W(nu - f)|^2 S_uu(nu),   W(x / T) = sin(pi x) / (pi x (1 - x^2))
// which rounds a resonance that is as narrow as 1 / T. What is fitted to the lines has to be rounded alike (Mixture).
// A multisine, over its periods p:
//   G = sum Y_p W_p* / sum U_p W_p*
// W is the signal that was injected. In closed loop the input answers to the disturbances, so that correlating with the
// input itself would favour the inverse of the controller; W knows nothing of them. Where W is not recorded, the input
// takes its place. The error comes from what repeats from period to period and what does not:
//   Var ln|G| = mean |Y_p - G U_p|^2 |W_p|^2 / (2 (n - 1) |mean Y W*|^2)
#pragma once

#include <complex>
#include <limits>
#include <vector>

namespace tauhat {

struct FrequencyResponse {
  std::vector<double> frequency;  // Hz, rising
  std::vector<std::complex<double>> gain;
  std::vector<double> relative_std;  // of |gain|, and of its phase in rad
  std::vector<double> coherence;     // share of the output's power that comes from the excitation

  // What a line is a mean of: the response at these places of `grid`, by these weights.
  struct Mixture {
    std::vector<std::size_t> place;
    std::vector<double> weight;  // their sum is one
  };
  std::vector<double> grid{};      // Hz
  std::vector<Mixture> mixture{};  // of each line; empty: the response at the line's own frequency
  bool avoided = false;            // the segments with what was to be avoided were left out
  double resolution = 0.0;         // Hz, between lines, of segments
  double alike = 1.0;              // so many lines side by side share one error

  std::size_t size() const noexcept { return frequency.size(); }
};

struct Band {
  double lowest = 0.0, highest = std::numeric_limits<double>::infinity();  // Hz
};

struct BroadbandOptions {
  double period = 0.0;      // s, between samples
  double resolution = 1.0;  // Hz: the segments last its inverse, and overlap by three quarters
  Band band{};
  std::vector<std::size_t> avoid{};  // samples, rising, whose segments are left out, if enough are without them
  double coarsest = 0.0;             // Hz: up to this resolution segments are shortened to avoid these samples
  // Lines with less of the input's power than this share of what one line in twenty of the band exceeds are left out.
  // A controller answers what else moves the output, so that without excitation the output follows the input, too: not
  // by G, but by the inverse of the controller, and with a coherence near one.
  double excited = 0.0;
};
// Throws Error (unusable_data) where less than two segments fit, or where a sample is missing.
FrequencyResponse broadband_response(const std::vector<double>& input, const std::vector<double>& output,
                                     const BroadbandOptions& options);

// The lines at which the input explains at least this share of the output.
FrequencyResponse coherent_part(const FrequencyResponse& all, double least = 0.8);

struct MultisineOptions {
  double period = 0.0;      // s, between samples
  double repetition = 0.0;  // s: after this the excitation repeats itself
  int dropped = 1;          // periods at the start, in which the drive still settles
  Band band{};
};
// At the frequencies that the excitation has. `injected` may be empty. Throws Error (unusable_data) where less than two
// periods remain.
FrequencyResponse multisine_response(const std::vector<double>& input, const std::vector<double>& output,
                                     const std::vector<double>& injected, const MultisineOptions& options);

// Several runs at the same frequencies: the mean of ln G, which a single run with too large a magnitude pulls less than
// the mean of G. Where the runs differ by more than their own deviations, these are too small (Birge 1932).
FrequencyResponse average_responses(const std::vector<FrequencyResponse>& runs);

}  // namespace tauhat
