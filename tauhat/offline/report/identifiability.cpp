#include "tauhat/offline/report/identifiability.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {
namespace {

using Told = Identifiability::Told;

// What tells two kinds of parameters apart. A kind is any part of a name; the first that fits is taken.
struct Separation {
  std::string_view first, second, by;
};
constexpr std::array kSeparations{
    Separation{"load_share", "", "a travel both ways under a weight, or motor.friction.load_share in the study"},
    Separation{"gap", "stiffness", "stronger torque, which presses the flanks deeper than noise hides"},
    Separation{"gap", "hysteresis", "loops of several sizes"},
    Separation{"stiffness", "inertia", "motion well below the resonance and at it; or the inertia from a drawing"},
    Separation{"stiffness", "gain", "a load whose inertia is known"},
    Separation{"stiffness", "damping", "free vibration after steps, or a sweep across the resonance"},
    Separation{"stiffness", "stiffness", "torque that presses both flanks"},
    Separation{"motor.inertia", "load.inertia", "motion below the resonance and above it"},
    Separation{"viscous", "coulomb", "constant speeds from slow to fast, one to ten at least"},
    Separation{"coulomb", "offset", "both directions alike, at the same speeds"},
    Separation{"coulomb", "excess", "slow motion, below the speed at which friction falls, and fast"},
    Separation{"viscous", "excess", "fast motion, where the excess is gone"},
    Separation{"excess", "decay", "speeds around the one at which friction falls"},
    Separation{"viscous", "mass", "fast reversals, and stretches of constant speed"},
    Separation{"viscous", "inertia", "fast reversals, and stretches of constant speed"},
    Separation{"coulomb", "mass", "fast reversals, and stretches of constant speed"},
    Separation{"coulomb", "inertia", "fast reversals, and stretches of constant speed"},
    Separation{"gravity", "offset", "a wider range of positions"},
    Separation{"gravity", "gravity", "a wider range of positions"},
    Separation{"gain", "inertia", "a load whose inertia is known"},
    Separation{"gain", "mass", "a load whose mass is known"},
    Separation{"delay", "damping", "faster changes of torque"},
};

// Several times its value to both sides: not even the order of magnitude is known.
constexpr double kNothingKnown = 3.0;
// A record that narrows what was known by less than this has not told it.
constexpr double kNoBetter = 0.8;

bool is_in(std::string_view name, std::string_view kind) { return name.find(kind) != std::string_view::npos; }

}  // namespace

const char* name_of(Told told) noexcept {
  switch (told) {
    case Told::identified:
      return "identified";
    case Told::only_a_bound:
      return "only a bound";
    case Told::not_identified:
      break;
  }
  return "not identified";
}

Identifiability identifiability_of(const Result& result, double lowest) {
  if (!result.std || !std::isfinite(*result.std) || !std::isfinite(result.value)) return {.told = Told::not_identified};
  if (result.value - k95 * *result.std > lowest) return {};
  const bool is_any = *result.std > kNothingKnown * (result.value - lowest);
  return {.told = is_any ? Told::not_identified : Told::only_a_bound};
}

void compare_with_prior(Result& result, double prior_std) {
  if (!result.std || *result.std < kNoBetter * prior_std) return;
  result.identifiability = {.told = Told::not_identified,
                            .separated_by = "the record does not tell it more exactly than the study does"};
}

std::string separating_motion(std::string_view first, std::string_view second) {
  for (const Separation& each : kSeparations) {
    if ((is_in(first, each.first) && is_in(second, each.second)) ||
        (is_in(first, each.second) && is_in(second, each.first)))
      return std::string(each.by);
  }
  return "other speeds, accelerations and loads, in which they act differently; or one of them, measured otherwise";
}

std::string sentence_of(const Identifiability& said) {
  std::string sentence = said.told == Told::identified ? "" : name_of(said.told);
  if (!said.partner.empty())
    sentence +=
        fmt::format("{}confounded with {} ({:+.3f})", sentence.empty() ? "" : ", ", said.partner, said.correlation);
  if (!said.separated_by.empty()) {
    sentence += said.partner.empty() ? "; " : "; told apart by ";
    sentence += said.separated_by;
  }
  return sentence;
}

}  // namespace tauhat
