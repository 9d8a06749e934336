#include "tauhat/offline/simulate/excitation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// Time k * period is not exact; an instant this close before the next sample belongs to it.
constexpr double kRounding = 1e-9;  // of a sample

using Shape = std::vector<double>;

// Level i acts from the first sample at or after time i; before the first there is none.
Shape steps(const Excitation& excitation, const Rows& rows) {
  Shape shape(rows.count, 0.0);
  for (std::size_t row = 0; row < rows.count; ++row) {
    const double now = rows.time(row) + kRounding * rows.period;
    const auto later = std::upper_bound(excitation.times.begin(), excitation.times.end(), now);
    const auto reached = static_cast<std::size_t>(later - excitation.times.begin());
    if (reached > 0) shape[row] = excitation.levels[reached - 1];
  }
  return shape;
}

Shape sines(const std::vector<Excitation::Tone>& tones, const Rows& rows, Random random) {
  Shape shape(rows.count, 0.0);
  for (const Excitation::Tone& tone : tones) {
    // Drawn for every tone, so that fixing one phase does not change the others.
    const double drawn = random.uniform(0.0, kTurn);
    const double phase = std::isnan(tone.phase) ? drawn : tone.phase;
    for (std::size_t row = 0; row < rows.count; ++row) {
      shape[row] += tone.amplitude * std::sin(kTurn * tone.frequency * rows.time(row) + phase);
    }
  }
  return shape;
}

// Equally spaced tones of equal amplitude and random phase: n tones of amplitude a have rms a sqrt(n / 2).
Shape multisine(const Excitation& excitation, const Rows& rows, Random random) {
  std::vector<Excitation::Tone> tones;
  const int intervals = std::max(1, excitation.lines - 1);
  const double spacing = (excitation.highest - excitation.lowest) / intervals;
  const double amplitude = excitation.amplitude * std::sqrt(2.0 / excitation.lines);
  for (int line = 0; line < excitation.lines; ++line) {
    tones.push_back({excitation.lowest + spacing * line, amplitude, std::nan("")});
  }
  return sines(tones, rows, random);
}

// Where `hold` is no whole number of samples, bits last one sample more or less and their mean is right.
Shape fair_bits(const Excitation& excitation, const Rows& rows, Random random) {
  Shape shape(rows.count);
  double next_bit = 0.0, level = 0.0;
  for (std::size_t row = 0; row < rows.count; ++row) {
    const double bit = std::floor(rows.time(row) / excitation.hold + kRounding);
    if (bit >= next_bit) {
      level = random.bit() ? excitation.amplitude : -excitation.amplitude;
      next_bit = bit + 1;
    }
    shape[row] = level;
  }
  return shape;
}

// The frequency rises evenly: phase = 2 pi (f0 t + (f1 - f0) t^2 / (2 T)).
Shape chirp(const Excitation& excitation, const Rows& rows) {
  Shape shape(rows.count);
  const double duration = rows.time(rows.count - 1);
  const double rise = (excitation.highest - excitation.lowest) / duration;
  for (std::size_t row = 0; row < rows.count; ++row) {
    const double time = rows.time(row);
    shape[row] = excitation.amplitude * std::sin(kTurn * (excitation.lowest + 0.5 * rise * time) * time);
  }
  return shape;
}

Shape shape_of(const Excitation& excitation, const Rows& rows, const Random& random) {
  switch (excitation.kind) {
    case Excitation::Kind::constant:
      break;
    case Excitation::Kind::steps:
      return steps(excitation, rows);
    case Excitation::Kind::sines:
      return sines(excitation.tones, rows, random);
    case Excitation::Kind::multisine:
      return multisine(excitation, rows, random);
    case Excitation::Kind::prbs:
      return fair_bits(excitation, rows, random);
    case Excitation::Kind::chirp:
      return chirp(excitation, rows);
    case Excitation::Kind::samples: {
      Shape shape = excitation.samples;
      shape.resize(rows.count, shape.back());  // the last row's input acts after the end
      return shape;
    }
  }
  Shape constant(rows.count, excitation.amplitude);
  return constant;
}

}  // namespace

std::vector<double> excite(const Excitation& excitation, const Rows& rows, std::uint64_t seed) {
  check_excitation(excitation, rows);
  std::vector<double> input = shape_of(excitation, rows, Random(seed, "excitation"));
  for (std::size_t row = 0; row < rows.count; ++row) {
    const double grown = rows.time(row) < excitation.ramp ? rows.time(row) / excitation.ramp : 1.0;
    input[row] = excitation.offset + grown * input[row];
  }
  return input;
}

}  // namespace tauhat
