// Wheels that fall silent while the other one turns on: a sensor or a cable, and no standstill.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct Silence {
  std::string signal;
  double begin = 0.0, end = 0.0;  // s of the log: its last pulse before, and the next; that of the log's end
  bool lasts = false;             // no pulse comes any more
};

// Between two pulses, or after the last, the other wheel has turned by what is ten teeth of this one or more.
std::vector<Silence> find_silences(const GapSpec& spec, const Timeline& timeline);

// One sentence a wheel for all that end, and one for the last.
std::vector<Diagnostic> diagnose_silences(const std::vector<Silence>& silences, const Timeline& timeline);

// Up to the first silence that lasts: what comes after tells nothing of a gap between the wheels.
Timeline before_lasting_silence(Timeline timeline, const std::vector<Silence>& silences);

}  // namespace tauhat
