// A result by its name.
#pragma once

#include <algorithm>
#include <string_view>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

// Null where there is none. `Results` is a std::vector<Result>, constant or not.
template <class Results>
auto find_result(Results& results, std::string_view name) -> decltype(results.data()) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const Result& r) { return r.name == name; });
  return found == results.end() ? nullptr : &*found;
}

}  // namespace tauhat
