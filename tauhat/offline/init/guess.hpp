// What the columns of an undescribed log probably are: by their names in the drives' own languages, their units, and
// how they behave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/init/survey.hpp"

namespace tauhat {

struct GuessedChannel {
  std::string signal;         // "motor.velocity"; also "load.torque", which no model takes by that name
  std::string column, unit;   // the unit as a study says it; empty: unknown
  std::string time_column;    // of its own, or empty
  std::string why;            // for the comment: "named torque, in A"
  std::string extra;          // further keys, with TODOs: `torque_constant = "TODO: ..."`
  bool side_is_told = false;  // else "motor" is assumed
};

struct GuessedTime {
  std::string column, unit;  // empty column: unknown, or the file has its own clocks
  bool file_has_clocks = false;
  std::string why;
};

struct Guess {
  GuessedTime time;
  std::vector<GuessedChannel> channels;  // at most one a signal
  std::vector<std::string> unused;       // columns, each with what is known of it
};

Guess guess_channels(const Survey& survey);

}  // namespace tauhat
