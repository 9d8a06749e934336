#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/simulate/excitation.hpp"

namespace tauhat {
namespace {

class ExcitationCheck {
 public:
  ExcitationCheck(const Excitation& excitation, const Rows& rows, const RefuseKey& refuse)
      : excitation_(excitation), rows_(rows), refuse_(refuse) {}

  void run() const {
    using Kind = Excitation::Kind;
    require_finite("amplitude", excitation_.amplitude);
    require_finite("offset", excitation_.offset);
    require_not_negative("ramp", excitation_.ramp, "s");
    const Kind kind = excitation_.kind;
    if (kind == Kind::steps) check_steps();
    if (kind == Kind::sines) check_tones();
    if (kind == Kind::multisine || kind == Kind::chirp) check_band();
    if (kind == Kind::multisine) {
      require(excitation_.lowest > 0.0, "lowest", excitation_.lowest, "Hz", "must be positive");
      require(excitation_.lines > 0, "lines", excitation_.lines, "", "must be positive");
    }
    if (kind == Kind::prbs) check_hold();
    if (kind == Kind::samples) check_samples();
  }

 private:
  void require(bool holds, const std::string& key, double value, std::string_view unit,
               std::string_view allowed) const {
    if (!holds) refuse_(key, fmt::format(" = {:.6g}{}{}: {}", value, unit.empty() ? "" : " ", unit, allowed));
  }
  void require_finite(const std::string& key, double value) const {
    require(std::isfinite(value), key, value, "", "must be a finite number");
  }
  void require_not_negative(const std::string& key, double value, std::string_view unit) const {
    require(std::isfinite(value) && value >= 0.0, key, value, unit, "must not be negative");
  }

  void check_frequency(const std::string& key, double frequency) const {
    require_not_negative(key, frequency, "Hz");
    const double highest = 0.5 / rows_.period;
    require(frequency < highest, key, frequency, "Hz",
            fmt::format("must be below half the sampling frequency, {:.6g} Hz", highest));
  }

  void check_steps() const {
    const std::vector<double>&times = excitation_.times, &levels = excitation_.levels;
    if (times.empty() || times.size() != levels.size())
      refuse_("times", fmt::format(": {} values, and levels has {}: there must be as many of either, and at least one",
                                   times.size(), levels.size()));
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::string key = fmt::format("times[{}]", i);
      require_not_negative(key, times[i], "s");
      require_finite(fmt::format("levels[{}]", i), levels[i]);
      require(i == 0 || times[i] > times[i - 1], key, times[i], "s", "must be later than the one before");
    }
  }

  void check_tones() const {
    if (excitation_.tones.empty()) refuse_("tones", " is empty: sines need at least one frequency and amplitude");
    for (std::size_t i = 0; i < excitation_.tones.size(); ++i) {
      const Excitation::Tone& tone = excitation_.tones[i];
      const std::string key = fmt::format("tones[{}]", i);
      check_frequency(key + ".frequency", tone.frequency);
      require_finite(key + ".amplitude", tone.amplitude);
      require(!std::isinf(tone.phase), key + ".phase", tone.phase, "rad", "is not an angle");
    }
  }

  void check_band() const {
    check_frequency("lowest", excitation_.lowest);
    check_frequency("highest", excitation_.highest);
    require(excitation_.lowest <= excitation_.highest, "lowest", excitation_.lowest, "Hz",
            fmt::format("must not exceed highest, {:.6g} Hz", excitation_.highest));
  }

  void check_hold() const {
    constexpr double kRounding = 1e-9;
    require(std::isfinite(excitation_.hold) && excitation_.hold >= rows_.period * (1 - kRounding), "hold",
            excitation_.hold, "s", fmt::format("must be at least one sample, {:.6g} s", rows_.period));
  }

  void check_samples() const {
    const std::size_t count = excitation_.samples.size();
    if (count != rows_.count && count + 1 != rows_.count)
      refuse_("samples",
              fmt::format(": has {} samples; {:.6g} s at {:.6g} s a sample need {} (or {}, with the last row's)", count,
                          rows_.time(rows_.count - 1), rows_.period, rows_.count - 1, rows_.count));
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(excitation_.samples[i]))
        refuse_("samples", fmt::format(": sample {} of {} is missing or not a finite number", i + 1, count));
  }

  const Excitation& excitation_;
  const Rows& rows_;
  const RefuseKey& refuse_;
};

}  // namespace

void check_excitation(const Excitation& excitation, const Rows& rows, const RefuseKey& refuse) {
  ExcitationCheck(excitation, rows, refuse).run();
}

void check_excitation(const Excitation& excitation, const Rows& rows) {
  check_excitation(excitation, rows, [](const std::string& key, const std::string& what) {
    throw Error(ExitCode::wrong_use, fmt::format("excitation.{}{}", key, what));
  });
}

}  // namespace tauhat
