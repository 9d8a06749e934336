#include "tauhat/offline/log/tooth_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/csv.hpp"

namespace tauhat {

std::vector<double> read_tooth_table(const std::string& path, const std::string& signal, int teeth) {
  const std::string name = signal + " [rad]";
  const auto table = read_csv(path, {"tooth", name});
  const auto &tooth = table.columns[0].values, &error = table.columns[1].values;
  std::vector<double> errors;
  for (std::size_t row = 0; row < tooth.size(); ++row) {
    if (!std::isfinite(error[row])) continue;  // the other wheel has more teeth
    if (tooth[row] != static_cast<double>(errors.size()))
      throw Error(ExitCode::unusable_data, fmt::format("{}: column \"tooth\": found {:g}, expected {}",
                                                       table.place_of(row), tooth[row], errors.size()));
    errors.push_back(error[row]);
  }
  if (errors.size() != static_cast<std::size_t>(teeth))
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: column \"{}\" has {} teeth, the study's wheel {}", path, name, errors.size(), teeth));
  return errors;
}

std::string tooth_table_text(const std::vector<ToothTable>& tables) {
  std::string text = "tooth";
  std::size_t teeth = 0;
  for (const ToothTable& table : tables) {
    text += fmt::format(",{0} [rad],{0}.std [rad]", table.signal);
    teeth = std::max(teeth, table.error.size());
  }
  text += '\n';
  for (std::size_t tooth = 0; tooth < teeth; ++tooth) {
    text += fmt::format("{}", tooth);
    for (const ToothTable& table : tables) {
      if (tooth < table.error.size()) {
        fmt::format_to(std::back_inserter(text), ",{},{}", table.error[tooth], table.std[tooth]);
      } else {
        text += ",,";
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace tauhat
