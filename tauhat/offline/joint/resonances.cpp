#include "tauhat/offline/joint/resonances.hpp"

#include <fmt/format.h>

#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {
namespace {

Result result_of(std::string name, double value, const double* std, const char* unit) {
  if (std) return with_interval(std::move(name), value, *std, unit, 0.0);
  return {.name = std::move(name), .value = value, .unit = unit};
}

std::string text_of(double value, const double* std) {
  return std ? fmt::format("{:.4g} ± {:.2g}", value, k95 * *std) : fmt::format("{:.4g}", value);
}

void add(const char* name, const char* meaning, const std::vector<Mode<double>>& modes,
         const std::vector<Mode<double>>& stds, Table& table, Report& report) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double* frequency_std = stds.empty() ? nullptr : &stds[i].frequency;
    const double* damping_std = stds.empty() ? nullptr : &stds[i].damping;
    table.rows.push_back({meaning, text_of(modes[i].frequency, frequency_std), text_of(modes[i].damping, damping_std)});
    const std::string full = fmt::format("response.{}{}", name, i + 1);
    report.results.push_back(result_of(full + ".frequency", modes[i].frequency, frequency_std, "Hz"));
    report.results.back().note = meaning;
    report.results.push_back(result_of(full + ".damping", modes[i].damping, damping_std, "1"));
  }
}

}  // namespace

Table add_resonances(const Resonances& resonances, Report& report) {
  Table table{"Resonances", {"", "frequency [Hz]", "damping"}, {}};
  add("pole", "motor and links together", resonances.poles, resonances.pole_std, table, report);
  add("zero", "links with the motor held: a pole of the virtual sensor", resonances.zeros, resonances.zero_std, table,
      report);
  return table;
}

}  // namespace tauhat
