// Something that was noticed of a log, a model or an answer: its name, how much it matters, and one sentence.
#pragma once

#include <string>

namespace tauhat {

enum class Severity { info, warning, error };

struct Diagnostic {
  std::string name{};  // dotted: "excitation.one_sided"
  Severity severity = Severity::info;
  std::string message{};
};

const char* name_of(Severity) noexcept;

}  // namespace tauhat
