// Reading and setting the parameters of any law or model through its one list.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/parameter.hpp"

namespace tauhat {

inline std::string full_name(const ParameterInfo& info) {
  return std::string(info.group) + "." + std::string(info.name);
}

template <class M>
std::vector<std::string> parameter_names(const M& model) {
  std::vector<std::string> names;
  M::visit_parameters(model, [&](const ParameterInfo& info, const auto&) { names.push_back(full_name(info)); });
  return names;
}

template <class M>
std::vector<double> parameter_values(const M& model) {
  std::vector<double> values;
  M::visit_parameters(model,
                      [&](const ParameterInfo&, const auto& value) { values.push_back(static_cast<double>(value)); });
  return values;
}

// Sets the parameter of that name; a law that has none of this name stays as it is.
template <class M>
bool set_parameter(M& model, std::string_view name, double value) {
  bool found = false;
  M::visit_parameters(model, [&](const ParameterInfo& info, auto& at) {
    if (full_name(info) != name) return;
    at = static_cast<typename M::Scalar>(value);
    found = true;
  });
  return found;
}

template <class M>
double parameter(const M& model, std::string_view name) {
  const auto names = parameter_names(model);
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  return at < names.size() ? parameter_values(model)[at] : 0.0;
}

// Each parameter another number of size one, inside its range: 0.40, 0.47, 0.54, ... (never the default of
// any).
template <class M>
M with_distinct_parameters(M model = {}) {
  int index = 0;
  M::visit_parameters(model, [&](const ParameterInfo& info, auto& value) {
    value = static_cast<typename M::Scalar>(std::min(0.40 + 0.07 * index++, 0.9 * info.range.upper));
  });
  return model;
}

}  // namespace tauhat
