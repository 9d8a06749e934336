// The friction laws with memory, as a study names them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tauhat/core/friction/dahl.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/maxwell_slip.hpp"
#include "tauhat/offline/drive/any_friction.hpp"

namespace tauhat {

using AnyBristles = std::variant<Dahl<double>, LuGre<double>, MaxwellSlipOfFour<double>>;

// Calls `use` with each law at its default values.
template <class Use>
void for_each_bristles(Use&& use) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (use(std::variant_alternative_t<I, AnyBristles>{}), ...);
  }(std::make_index_sequence<std::variant_size_v<AnyBristles>>{});
}

inline std::vector<std::string> bristle_names() {
  std::vector<std::string> names;
  for_each_bristles([&](const auto& law) { names.emplace_back(law.kName); });
  return names;
}

// All that a study may name: without memory first.
inline std::vector<std::string> all_friction_names() {
  std::vector<std::string> names = friction_names();
  for (std::string& name : bristle_names()) names.push_back(std::move(name));
  return names;
}

}  // namespace tauhat
