#include "tauhat/offline/joint/frequency_response.hpp"

#include <fmt/format.h>

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using Complex = std::complex<double>;
using Series = std::vector<double>;
using Spectrum = std::vector<Complex>;

void require_whole(const Series& values, std::size_t size, std::string_view name) {
  if (values.size() != size) {
    throw Error(ExitCode::unusable_data, fmt::format("frequency response: {} has {} samples, the input {}: must be "
                                                     "equally many",
                                                     name, values.size(), size));
  }
  const auto hole = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (hole != values.end()) {
    throw Error(ExitCode::unusable_data, fmt::format("frequency response: sample {} of {} is missing: give a record "
                                                     "without holes",
                                                     hole - values.begin(), name));
  }
}

double mean_of(const Series& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of the straight line of least squares, per sample.
double slope_of(const Series& values) {
  const auto count = static_cast<double>(values.size());
  double moment = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) moment += (static_cast<double>(k) - (count - 1.0) / 2.0) * values[k];
  return moment * 12.0 / (count * (count * count - 1.0));
}

// A position drifts, and the jump from its end back to its start would leak into all frequencies.
Series without_line(Series values, double slope) {
  const double mean = mean_of(values), middle = (static_cast<double>(values.size()) - 1.0) / 2.0;
  for (std::size_t k = 0; k < values.size(); ++k) values[k] -= mean + slope * (static_cast<double>(k) - middle);
  return values;
}

Series part_of(const Series& values, std::size_t first, std::size_t count) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// By the means of the periods: what repeats itself has no drift, whatever its slope within a period.
Series without_drift(const Series& values, std::size_t period) {
  Series means;
  for (std::size_t first = 0; first < values.size(); first += period) {
    means.push_back(mean_of(part_of(values, first, period)));
  }
  return without_line(values, slope_of(means) / static_cast<double>(period));
}

// From zero to half the sampling rate.
Spectrum spectrum_of(const Series& values) {
  Eigen::FFT<double> fourier;
  fourier.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  Spectrum spectrum;
  fourier.fwd(spectrum, values);
  return spectrum;
}

Series hann_window(std::size_t size) {
  Series window(size);
  for (std::size_t k = 0; k < size; ++k) {
    window[k] = std::pow(std::sin(std::numbers::pi * static_cast<double>(k) / static_cast<double>(size)), 2);
  }
  return window;
}

// How many independent segments say as much as these, which overlap (Welch 1967):
//   n / (1 + 2 sum_m (1 - m / n) rho_m),   rho_m = (sum w_k w_{k + m shift} / sum w_k^2)^2
double independent_segments(const Series& window, std::size_t shift, std::size_t segments) {
  const auto product = [&](std::size_t by) {
    return std::inner_product(window.begin() + static_cast<std::ptrdiff_t>(by), window.end(), window.begin(), 0.0);
  };
  const auto count = static_cast<double>(segments);
  double shared = 0.0;
  for (std::size_t m = 1; m < segments && m * shift < window.size(); ++m)
    shared += (1.0 - static_cast<double>(m) / count) * std::pow(product(m * shift) / product(0), 2);
  return count / (1.0 + 2.0 * shared);
}

// Sums over segments or periods, at one frequency.
struct CrossPowers {
  double input = 0.0, output = 0.0;
  Complex cross = 0.0;

  double coherence() const { return input > 0.0 && output > 0.0 ? std::norm(cross) / (input * output) : 0.0; }
};

void add(const Spectrum& input, const Spectrum& output, std::vector<CrossPowers>& powers) {
  powers.resize(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    powers[i].input += std::norm(input[i]);
    powers[i].output += std::norm(output[i]);
    powers[i].cross += output[i] * std::conj(input[i]);
  }
}

bool inside(const Band& band, double frequency) { return frequency >= band.lowest && frequency <= band.highest; }

void append(FrequencyResponse& response, double frequency, Complex gain, double variance, double coherence) {
  response.frequency.push_back(frequency);
  response.gain.push_back(gain);
  response.relative_std.push_back(std::sqrt(variance));
  response.coherence.push_back(coherence);
}

void require_lines(const FrequencyResponse& response, const Band& band) {
  if (response.size() > 0) return;
  throw Error(ExitCode::unusable_data, fmt::format("frequency response: nothing is excited between {:g} and {:g} Hz",
                                                   band.lowest, band.highest));
}

constexpr std::size_t kParts = 8;  // of a line's width: how finely the input's power is looked at

// |W|^2 at a distance of x lines.
double seen_at(double x) {
  if (std::abs(x) < 1e-9) return 1.0;
  if (std::abs(std::abs(x) - 1.0) < 1e-9) return 0.25;
  const double angle = std::numbers::pi * x;
  return std::pow(std::sin(angle) / (angle * (1.0 - x * x)), 2);
}

// The input's power by parts of a line's width, and where in each it lies.
struct Powers {
  std::vector<double> power, centre;
};
Powers powers_of(const Series& input, double period, double width, double highest) {
  // A power of two is transformed quickly; zeros behind the record only interpolate its spectrum.
  std::size_t size = 1;
  while (size < input.size()) size *= 2;
  Series padded = without_line(input, slope_of(input));
  const Series window = hann_window(input.size());
  for (std::size_t k = 0; k < padded.size(); ++k) padded[k] *= window[k];
  padded.resize(size, 0.0);
  const Spectrum spectrum = spectrum_of(padded);
  const auto count = static_cast<std::size_t>(std::ceil(highest / width)) + 1;
  Powers powers{Series(count, 0.0), Series(count, 0.0)};
  for (std::size_t i = 1; i < spectrum.size(); ++i) {
    const double frequency = static_cast<double>(i) / (static_cast<double>(size) * period);
    const auto part = static_cast<std::size_t>(frequency / width);
    if (part >= count) break;
    const double power = std::norm(spectrum[i]);
    powers.power[part] += power;
    powers.centre[part] += power * frequency;
  }
  for (std::size_t i = 0; i < count; ++i)
    powers.centre[i] = powers.power[i] > 0.0 ? powers.centre[i] / powers.power[i] : 0.0;
  return powers;
}

void note_mixture(const Series& input, double period, double resolution, FrequencyResponse& response) {
  constexpr double kReach = 2.0;  // lines: beyond, Hann's window sees less than a thousandth
  const double width = resolution / static_cast<double>(kParts);
  const Powers powers = powers_of(input, period, width, response.frequency.back() + kReach * resolution);
  response.grid = powers.centre;
  for (const double frequency : response.frequency) {
    FrequencyResponse::Mixture& mixture = response.mixture.emplace_back();
    double sum = 0.0;
    for (std::size_t i = 0; i < powers.power.size(); ++i) {
      const double x = (powers.centre[i] - frequency) / resolution;
      if (!(powers.power[i] > 0.0) || std::abs(x) >= kReach) continue;
      mixture.place.push_back(i);
      mixture.weight.push_back(seen_at(x) * powers.power[i]);
      sum += mixture.weight.back();
    }
    for (double& weight : mixture.weight) weight /= sum;
  }
}

// Segments in which a multisine comes back to the same phases say the same again: its tones beat alike in them, and
// only noise is averaged. How many say something of their own, by what any two inputs have in common over the band:
//   n^2 / sum_st c_st,   c_st = |sum_f U_s U_t*|^2 / (sum_f |U_s|^2 sum_f |U_t|^2)
// which is Welch's count where the input never repeats itself.
double different_segments(const std::vector<Spectrum>& inputs) {
  constexpr double kByChance = 0.2;       // of two inputs that have nothing in common but a few lines
  constexpr std::size_t kCompared = 100;  // with all others, so that a long record takes no longer
  const std::size_t stride = inputs.size() / kCompared + 1;
  const auto in_common = [](const Spectrum& a, const Spectrum& b) {
    CrossPowers sums;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sums.input += std::norm(a[i]);
      sums.output += std::norm(b[i]);
      sums.cross += a[i] * std::conj(b[i]);
    }
    return sums.coherence();
  };
  double sum = 0.0, compared = 0.0;
  for (std::size_t s = 0; s < inputs.size(); s += stride, ++compared)
    for (const Spectrum& other : inputs)
      if (const double shared = in_common(inputs[s], other); shared > kByChance) sum += shared;
  return static_cast<double>(inputs.size()) * compared / sum;
}

// The input's power that one line in twenty of the band exceeds. The very strongest may be the motion's own.
double strong_power(const std::vector<CrossPowers>& powers, const Band& band, double width) {
  Series inputs;
  for (std::size_t i = 2; i < powers.size(); ++i)
    if (inside(band, static_cast<double>(i) * width)) inputs.push_back(powers[i].input);
  if (inputs.empty()) return 0.0;
  const auto place = inputs.begin() + static_cast<std::ptrdiff_t>(inputs.size() / 20);
  std::nth_element(inputs.begin(), place, inputs.end(), std::greater<>());
  return *place;
}

// Segments between the samples to be avoided, which rise: as many as there is room for, from each of these samples on.
struct Segments {
  std::size_t length = 0, shift = 1;
  std::vector<std::size_t> starts{};
  Series window{};
  double independent = 0.0;
};
Segments segments_without(std::vector<std::size_t> avoid, double resolution, double period, std::size_t size) {
  Segments segments;
  segments.length = static_cast<std::size_t>(std::lround(1.0 / (resolution * period)));
  // Tones of a multisine within one line's width beat with each other. Shifted by half a segment, some would beat in
  // the same way in every one.
  segments.shift = std::max<std::size_t>(segments.length / 4, 1);
  avoid.push_back(size);
  std::size_t first = 0;
  for (const std::size_t end : avoid) {
    for (; first + segments.length <= end; first += segments.shift) segments.starts.push_back(first);
    first = end + 1;
  }
  segments.window = hann_window(segments.length);
  segments.independent = independent_segments(segments.window, segments.shift, segments.starts.size());
  return segments;
}

}  // namespace

FrequencyResponse broadband_response(const Series& input, const Series& output, const BroadbandOptions& options) {
  require_whole(input, input.size(), "the input");
  require_whole(output, input.size(), "the output");
  Segments segments = segments_without({}, options.resolution, options.period, input.size());
  if (segments.length < 4 || input.size() < segments.length + segments.length / 2) {
    throw Error(ExitCode::unusable_data,
                fmt::format("frequency response: {} samples are too few for a resolution of {:g} Hz: {} are needed; "
                            "record longer, or ask for less",
                            input.size(), options.resolution, segments.length + segments.length / 2));
  }
  FrequencyResponse response;
  response.resolution = options.resolution;
  // Hann's window makes 2 / 3 of a line's noise that of the next, and 1 / 6 that of the one after it; of the input,
  // too:
  //   1 + 2 ((2 / 3)^2 + (1 / 6)^2)
  response.alike = 35.0 / 18.0;
  constexpr double kEnough = 5.0;
  // Shorter segments, where the longer ones find no room: coarser lines, which are rounded more.
  for (double resolution = options.resolution; resolution <= std::max(options.resolution, options.coarsest);
       resolution *= 2.0) {
    Segments clear = segments_without(options.avoid, resolution, options.period, input.size());
    if (clear.independent < kEnough) continue;
    segments = std::move(clear);
    response.resolution = resolution, response.avoided = true;
    break;
  }
  const std::size_t length = segments.length;
  const auto windowed = [&](const Series& values, std::size_t first) {
    Series part = part_of(values, first, length);
    part = without_line(part, slope_of(part));
    for (std::size_t k = 0; k < length; ++k) part[k] *= segments.window[k];
    return spectrum_of(part);
  };
  std::vector<CrossPowers> powers;
  const double width = 1.0 / (static_cast<double>(length) * options.period);
  std::vector<Spectrum> inputs;  // inside the band
  for (const std::size_t first : segments.starts) {
    const Spectrum u = windowed(input, first);
    add(u, windowed(output, first), powers);
    Spectrum& kept = inputs.emplace_back();
    for (std::size_t i = 2; i < u.size(); ++i)
      if (inside(options.band, static_cast<double>(i) * width)) kept.push_back(u[i]);
  }
  const double independent = std::min(segments.independent, different_segments(inputs));
  const double least = options.excited * strong_power(powers, options.band, width);
  // The first line beside zero still holds what the window makes of the line that was taken away.
  for (std::size_t i = 2; i < powers.size(); ++i) {
    const double frequency = static_cast<double>(i) * width;
    const double coherence = powers[i].coherence();
    if (!inside(options.band, frequency) || coherence == 0.0 || powers[i].input < least) continue;
    append(response, frequency, powers[i].cross / powers[i].input, (1.0 - coherence) / (2.0 * independent * coherence),
           coherence);
  }
  require_lines(response, options.band);
  note_mixture(input, options.period, response.resolution, response);
  return response;
}

FrequencyResponse coherent_part(const FrequencyResponse& all, double least) {
  FrequencyResponse part;
  part.grid = all.grid, part.avoided = all.avoided, part.resolution = all.resolution;
  part.alike = all.alike;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!(all.coherence[i] > least)) continue;
    if (!all.mixture.empty()) part.mixture.push_back(all.mixture[i]);
    part.frequency.push_back(all.frequency[i]), part.gain.push_back(all.gain[i]);
    part.relative_std.push_back(all.relative_std[i]), part.coherence.push_back(all.coherence[i]);
  }
  return part;
}

FrequencyResponse multisine_response(const Series& input, const Series& output, const Series& injected,
                                     const MultisineOptions& options) {
  const Series& reference = injected.empty() ? input : injected;
  require_whole(input, input.size(), "the input");
  require_whole(output, input.size(), "the output");
  require_whole(reference, input.size(), "the injected signal");
  const double exact = options.repetition / options.period;
  const auto length = static_cast<std::size_t>(std::lround(exact));
  if (length < 4 || std::abs(exact - std::round(exact)) > 1e-6 * exact) {
    throw Error(ExitCode::wrong_use, fmt::format("frequency response: a repetition of {:g} s is no whole number of "
                                                 "samples of {:g} s",
                                                 options.repetition, options.period));
  }
  const std::size_t all = input.size() / length, dropped = static_cast<std::size_t>(std::max(options.dropped, 0));
  if (all < dropped + 2) {
    throw Error(ExitCode::unusable_data, fmt::format("frequency response: {} whole periods of {:g} s, of which {} are "
                                                     "dropped: record at least {}",
                                                     all, options.repetition, dropped, dropped + 2));
  }
  const std::size_t periods = all - dropped;
  const auto spectra = [&](const Series& values) {
    const Series flat = without_drift(part_of(values, dropped * length, periods * length), length);
    std::vector<Spectrum> each;
    for (std::size_t p = 0; p < periods; ++p) each.push_back(spectrum_of(part_of(flat, p * length, length)));
    return each;
  };
  const std::vector<Spectrum> u = spectra(input), y = spectra(output), w = spectra(reference);
  std::vector<CrossPowers> powers;
  for (std::size_t p = 0; p < periods; ++p) add(w[p], y[p], powers);
  double strongest = 0.0;
  for (const CrossPowers& each : powers) strongest = std::max(strongest, each.input);

  constexpr double kExcited = 1e-4;  // of the strongest line's power: below are leaks and rounding
  const auto count = static_cast<double>(periods);
  FrequencyResponse response;
  for (std::size_t i = 1; i < powers.size(); ++i) {
    const double frequency = static_cast<double>(i) / options.repetition;
    if (!inside(options.band, frequency) || !(powers[i].input > kExcited * strongest)) continue;
    Complex output_sum = 0.0, input_sum = 0.0;
    for (std::size_t p = 0; p < periods; ++p) {
      output_sum += y[p][i] * std::conj(w[p][i]);
      input_sum += u[p][i] * std::conj(w[p][i]);
    }
    const Complex gain = output_sum / input_sum;
    double scatter = 0.0;
    for (std::size_t p = 0; p < periods; ++p) scatter += std::norm((y[p][i] - gain * u[p][i]) * w[p][i]);
    const double variance = scatter * count / (2.0 * (count - 1.0) * std::norm(output_sum));
    append(response, frequency, gain, variance, powers[i].coherence());
  }
  require_lines(response, options.band);
  return response;
}

FrequencyResponse average_responses(const std::vector<FrequencyResponse>& runs) {
  if (runs.empty()) throw Error(ExitCode::wrong_use, "frequency response: no run to average");
  FrequencyResponse mean = runs.front();
  const auto count = static_cast<double>(runs.size());
  for (const FrequencyResponse& run : runs) {
    if (run.frequency != mean.frequency) {
      throw Error(ExitCode::wrong_use, "frequency response: the runs to average have different frequencies");
    }
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    // About the first run, so that no phase jumps by a turn.
    Complex sum = 0.0;
    double variance = 0.0, coherence = 0.0;
    for (const FrequencyResponse& run : runs) {
      sum += std::log(run.gain[i] / runs.front().gain[i]);
      variance += std::pow(run.relative_std[i] / count, 2);
      coherence += run.coherence[i] / count;
    }
    mean.gain[i] = runs.front().gain[i] * std::exp(sum / count);
    double scatter = 0.0;
    for (const FrequencyResponse& run : runs) scatter += std::norm(std::log(run.gain[i] / mean.gain[i]));
    const double between = runs.size() > 1 ? scatter / (2.0 * count * (count - 1.0)) : 0.0;
    mean.relative_std[i] = std::sqrt(std::max(variance, between));
    mean.coherence[i] = coherence;
  }
  return mean;
}

}  // namespace tauhat
