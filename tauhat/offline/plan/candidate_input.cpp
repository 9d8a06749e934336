#include "tauhat/offline/plan/candidate_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

using Kind = CandidateInput::Kind;

struct Band {
  double lowest, highest;
};

// Four periods of the slowest, twenty samples of the fastest.
Band frequencies_of(const Rows& rows) { return {4.0 / rows.time(rows.count - 1), 0.05 / rows.period}; }

Excitation excitation_of(const CandidateInput& candidate, const Excitation& given) {
  const double f = candidate.frequency;
  Excitation excitation;
  excitation.amplitude = 1.0;
  switch (candidate.kind) {
    case Kind::given:
    case Kind::own:
      return given;
    case Kind::prbs:
      excitation.kind = Excitation::Kind::prbs;
      excitation.hold = 0.5 / f;
      break;
    case Kind::multisine:
      excitation.kind = Excitation::Kind::multisine;
      excitation.lowest = 0.5 * f, excitation.highest = 2.0 * f;
      excitation.lines = candidate.spacing > 0.0 ? std::max(12, static_cast<int>(1.5 * f / candidate.spacing)) : 12;
      excitation.ramp = 1.0 / f;
      break;
    case Kind::sines:
      // Apart enough that they beat, and their ratios no simple fractions, so that no two periods are alike.
      excitation.kind = Excitation::Kind::sines;
      for (const double factor : {0.587, 1.0, 1.483}) excitation.tones.push_back({factor * f, 1.0, std::nan("")});
      excitation.ramp = 1.0 / f;
      break;
  }
  return excitation;
}

}  // namespace

std::string CandidateInput::name() const {
  switch (kind) {
    case Kind::given:
      return "as in [simulate]";
    case Kind::own:
      return fmt::format("{} speeds, each both ways", number);
    case Kind::prbs:
      return fmt::format("random bits of {:.3g} ms", 500.0 / frequency);
    case Kind::multisine:
      return fmt::format("multisine, {:.3g} to {:.3g} Hz", 0.5 * frequency, 2.0 * frequency);
    case Kind::sines:
      return fmt::format("three sines about {:.3g} Hz", frequency);
  }
  return {};
}

std::vector<CandidateInput> candidate_inputs(const Rows& rows, double spacing) {
  constexpr int kFrequencies = 6;
  const Band band = frequencies_of(rows);
  std::vector<CandidateInput> candidates{{}};
  for (const Kind kind : {Kind::prbs, Kind::multisine, Kind::sines}) {
    for (int i = 0; i < kFrequencies; ++i) {
      const double share = static_cast<double>(i) / (kFrequencies - 1);
      candidates.push_back({kind, band.lowest * std::pow(band.highest / band.lowest, share), spacing});
    }
  }
  return candidates;
}

std::vector<CandidateInput> nearby(const CandidateInput& candidate, const Rows& rows, double factor) {
  std::vector<CandidateInput> candidates;
  if (candidate.kind == Kind::given || candidate.kind == Kind::own) return candidates;
  const Band band = frequencies_of(rows);
  for (const double frequency : {candidate.frequency / factor, candidate.frequency * factor})
    if (frequency >= band.lowest && frequency <= band.highest)
      candidates.push_back({candidate.kind, frequency, candidate.spacing});
  return candidates;
}

std::vector<double> input_of(const CandidateInput& candidate, const Excitation& given, const Rows& rows,
                             std::uint64_t seed) {
  std::vector<double> input = excite(excitation_of(candidate, given), rows, seed);
  double peak = 0.0;
  for (const double value : input) peak = std::max(peak, std::abs(value));
  if (peak > 0.0)
    for (double& value : input) value /= peak;
  return input;
}

}  // namespace tauhat
