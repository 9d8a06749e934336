#include <fmt/format.h>

#include "tauhat/offline/drive/two_mass.hpp"

namespace tauhat {

std::string full_name(const ParameterInfo& info) { return fmt::format("{}.{}", info.group, info.name); }

int find_parameter(const Drive& drive, const std::string& name) {
  int at = 0, found = -1;
  Drive::visit_parameters(drive, [&](const ParameterInfo& info, const double&) {
    if (full_name(info) == name) found = at;
    ++at;
  });
  return found;
}

double parameter_value(const Drive& drive, int index) {
  double result = 0.0;
  with_parameter(drive, index, [&](const ParameterInfo&, const double& value) { result = value; });
  return result;
}

std::string parameter_name(const Drive& drive, int index) {
  std::string name;
  with_parameter(drive, index, [&](const ParameterInfo& info, const double&) { name = full_name(info); });
  return name;
}

std::string parameter_unit(const Drive& drive, int index) {
  std::string unit;
  with_parameter(drive, index, [&](const ParameterInfo& info, const double&) { unit = std::string(info.unit); });
  return unit;
}

}  // namespace tauhat
