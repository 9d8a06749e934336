// Channels whose clocks differ, in a sentence that says what to give them in [log.channels].
#pragma once

#include <optional>
#include <string>

#include "tauhat/offline/joint/displacement_fit.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

// A reference that is compared with `other`; it may have a clock of its own. Positive: it comes later.
Diagnostic clock_skew(const std::string& signal, const std::string& other, const FittedNumber& skew);

// Of channels that observers take at the same samples: nothing where they are nearer than half of one, or where chance
// may have it. `name`: "clock.torque". `moved`: s, whole samples that `other` is to be given itself; then `signal`,
// whose delay acts on it alone, is to be given both.
std::optional<Diagnostic> clock_of_samples(const char* name, const std::string& signal, const std::string& other,
                                           const FittedNumber& delay, double period, double moved = 0.0);

}  // namespace tauhat
