#include "tauhat/offline/report/report.hpp"

namespace tauhat {

const char* name_of(Conformity conformity) noexcept {
  switch (conformity) {
    case Conformity::conforming:
      return "conforming";
    case Conformity::nonconforming:
      return "nonconforming";
    case Conformity::inconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

const char* name_of(Severity severity) noexcept {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

}  // namespace tauhat
