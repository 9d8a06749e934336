#include "tauhat/offline/init/clock_unit.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

// Ticks of 100 ns since 1601, as Windows counts: the years 1917 to 2868.
bool is_file_time(double stamp) { return stamp >= 1e17 && stamp <= 4e17; }

// TwinCAT Scope writes above its table when the export began.
bool names_a_file_time(const std::vector<std::string>& preamble) {
  for (std::string_view line : preamble) {
    while (!line.empty()) {
      line.remove_prefix(std::min(line.find_first_of("0123456789"), line.size()));
      double number = 0.0;
      const char* end = std::from_chars(line.data(), line.data() + line.size(), number).ptr;
      if (is_file_time(number)) return true;
      line.remove_prefix(std::max<std::size_t>(static_cast<std::size_t>(end - line.data()), line.empty() ? 0 : 1));
    }
  }
  return false;
}

// Rates at which logs with whole stamps in this unit are written. Ticks of 100 ns come from controllers, whose tasks
// are no faster than 4 kHz.
struct CountedUnit {
  const char* name;
  double fastest;  // Hz
};
constexpr double kSlowest = 20.0;  // Hz
constexpr std::array<CountedUnit, 4> kCountedUnits{{{"ms", 1e3}, {"us", 20e3}, {"100 ns", 4e3}, {"ns", 20e3}}};

std::string unit_of_counts(double step, bool from_scope) {
  std::vector<std::string> usual;
  std::string question;
  for (const auto& [name, fastest] : kCountedUnits) {
    constexpr double kRounding = 1e-9;
    const double rate = 1.0 / (step * *clock_tick(name));
    if (rate < kSlowest * (1.0 - kRounding) || rate > fastest * (1.0 + kRounding)) continue;
    if (from_scope && std::string_view(name) == "100 ns") return name;
    usual.emplace_back(name);
    question += fmt::format("{}{:.4g} Hz if \\\"{}\\\"", question.empty() ? "" : ", ", rate, name);
  }
  if (usual.size() == 1) return usual.front();
  if (usual.empty()) question = "no usual rate in ms, us, 100 ns or ns";
  return fmt::format("TODO: unit of this clock; its steps of {:.6g} are {}", step, question);
}

}  // namespace

std::string unit_of_clock(const SurveyedColumn& column, const std::vector<std::string>& preamble) {
  const double step =
      column.step > 0.0 ? column.step : (column.largest - column.smallest) / static_cast<double>(column.values.size());
  if (!column.is_whole || step < 1.0) return step >= 0.09 ? "ms" : "s";
  if (is_file_time(column.first)) return "100 ns";
  if (column.first > 1e18) return "ns";  // since 1970
  return unit_of_counts(step, names_a_file_time(preamble));
}

}  // namespace tauhat
