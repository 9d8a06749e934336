#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/require.hpp"

namespace tauhat {
namespace {

void check_frequency(std::string_view key, double frequency, const Rows& rows) {
  require_not_negative(key, frequency, "Hz");
  const double highest = 0.5 / rows.period;
  if (frequency >= highest) {
    refuse(key, frequency, "Hz", fmt::format("must be below half the sampling frequency, {:.6g} Hz", highest));
  }
}

void check_steps(const Excitation& excitation) {
  const std::vector<double>&times = excitation.times, &levels = excitation.levels;
  if (times.empty() || times.size() != levels.size()) {
    throw Error(ExitCode::wrong_use,
                fmt::format("excitation.times has {} values and excitation.levels has {}: there must be as many of "
                            "either, and at least one",
                            times.size(), levels.size()));
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    require_not_negative(fmt::format("excitation.times[{}]", i), times[i], "s");
    require_finite(fmt::format("excitation.levels[{}]", i), levels[i], "");
    if (i > 0 && times[i] <= times[i - 1]) {
      refuse(fmt::format("excitation.times[{}]", i), times[i], "s", "must be later than the one before");
    }
  }
}

void check_tones(const Excitation& excitation, const Rows& rows) {
  if (excitation.tones.empty()) {
    throw Error(ExitCode::wrong_use, "excitation.tones is empty: sines need at least one frequency and amplitude");
  }
  for (std::size_t i = 0; i < excitation.tones.size(); ++i) {
    const Excitation::Tone& tone = excitation.tones[i];
    check_frequency(fmt::format("excitation.tones[{}].frequency", i), tone.frequency, rows);
    require_finite(fmt::format("excitation.tones[{}].amplitude", i), tone.amplitude, "");
    if (std::isinf(tone.phase))
      refuse(fmt::format("excitation.tones[{}].phase", i), tone.phase, "rad", "is not an angle");
  }
}

void check_band(const Excitation& excitation, const Rows& rows) {
  check_frequency("excitation.lowest", excitation.lowest, rows);
  check_frequency("excitation.highest", excitation.highest, rows);
  if (excitation.lowest > excitation.highest) {
    refuse("excitation.lowest", excitation.lowest, "Hz",
           fmt::format("must not exceed excitation.highest, {:.6g} Hz", excitation.highest));
  }
}

void check_multisine(const Excitation& excitation, const Rows& rows) {
  check_band(excitation, rows);
  require_positive("excitation.lowest", excitation.lowest, "Hz");
  require_positive("excitation.lines", excitation.lines, "");
}

void check_hold(const Excitation& excitation, const Rows& rows) {
  constexpr double kRounding = 1e-9;
  if (std::isfinite(excitation.hold) && excitation.hold >= rows.period * (1 - kRounding)) return;
  refuse("excitation.hold", excitation.hold, "s", fmt::format("must be at least one sample, {:.6g} s", rows.period));
}

void check_samples(const Excitation& excitation, const Rows& rows) {
  const std::size_t count = excitation.samples.size();
  if (count != rows.count && count + 1 != rows.count) {
    throw Error(ExitCode::wrong_use,
                fmt::format("the excitation has {} samples: {} s at {} s a sample need {} (or {}, with the last row's)",
                            count, rows.time(rows.count - 1), rows.period, rows.count - 1, rows.count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    require_finite(fmt::format("excitation.samples[{}]", i), excitation.samples[i], "");
  }
}

}  // namespace

void check_excitation(const Excitation& excitation, const Rows& rows) {
  require_finite("excitation.amplitude", excitation.amplitude, "");
  require_finite("excitation.offset", excitation.offset, "");
  require_not_negative("excitation.ramp", excitation.ramp, "s");
  switch (excitation.kind) {
    case Excitation::Kind::constant:
      return;
    case Excitation::Kind::steps:
      return check_steps(excitation);
    case Excitation::Kind::sines:
      return check_tones(excitation, rows);
    case Excitation::Kind::multisine:
      return check_multisine(excitation, rows);
    case Excitation::Kind::prbs:
      return check_hold(excitation, rows);
    case Excitation::Kind::chirp:
      return check_band(excitation, rows);
    case Excitation::Kind::samples:
      return check_samples(excitation, rows);
  }
}

}  // namespace tauhat
