#include "tauhat/offline/log/formats/matlab_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

// "run.speed" -> "speed": the name of a signal should survive.
std::string field_of(const std::string& path) {
  const std::string leaf = path.substr(path.rfind('.') + 1);
  const bool is_name = std::all_of(leaf.begin(), leaf.end(), [](unsigned char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
  return is_name && !leaf.empty() ? leaf : "x";
}

// Of each element of Simulink's signal logging.
std::string dataset_conversion(const std::string& path) {
  return fmt::format(
      "for k = 1:{0}.numElements, e = {0}.getElement(k); "
      "s.(matlab.lang.makeValidName(e.Name)) = struct('Time', e.Values.Time, 'Data', e.Values.Data); end",
      path);
}

// What turns an object into a struct of numbers, typed into MATLAB.
std::string conversion(const std::string& path, std::string_view name) {
  if (name == "timeseries")
    return fmt::format("s.{1} = struct('Time', {0}.Time, 'Data', {0}.Data)", path, field_of(path));
  if (name == "Simulink.SimulationData.Dataset") return dataset_conversion(path);
  if (name == "Simulink.SimulationOutput") return dataset_conversion(path + ".logsout");
  if (name == "table") return fmt::format("s = table2struct({}, 'ToScalar', true)", path);
  if (name == "timetable")
    return fmt::format(
        "s = table2struct(timetable2table({0}), 'ToScalar', true); s.Time = seconds({0}.Time - {0}.Time(1))", path);
  if (name == "duration") return fmt::format("s.Time = seconds({})", path);
  if (name == "datetime") return fmt::format("s.Time = seconds({0} - {0}(1))", path);
  return "";
}

}  // namespace

bool is_number_class(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 11> kNames{"double", "single", "int8",  "uint8",  "int16",  "uint16",
                                                           "int32",  "uint32", "int64", "uint64", "logical"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string reason_of_class(const std::string& path, std::string_view name) {
  if (name == "char") return "holds text, not numbers";
  if (name == "sparse") return "is sparse; save it as full(...)";
  if (name == "function_handle") return "is a function, not numbers";
  const std::string how = conversion(shown(path), name);
  return fmt::format("is of class {}, which MATLAB alone can open; save it as a struct of numbers{}", shown(name),
                     how.empty() ? "" : fmt::format(": {}; save log.mat s", how));
}

}  // namespace tauhat
