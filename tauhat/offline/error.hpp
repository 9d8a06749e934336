// What a command ends with, and the one exception of the offline code. It is thrown at the edge (command line,
// study, log) and caught in main alone; its text is a whole sentence for the user.
#pragma once

#include <stdexcept>
#include <string>

namespace tauhat {

enum class ExitCode : int {
  done = 0,           // and conforming, where the study sets a limit
  nonconforming = 1,  // done, but outside a limit
  wrong_use = 2,      // command line or study file
  unusable_data = 3,  // the log cannot be read, or cannot answer
  untrusted = 4,      // diverged, not excited, not observable
  inconclusive = 5,   // the interval straddles the limit
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

}  // namespace tauhat
