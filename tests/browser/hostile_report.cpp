// Writes a report whose every text tries to become markup, with each kind of series, for the browser test.
//   write_hostile_report REPORT.html RESULT.json
#include <cmath>
#include <fstream>
#include <string>

#include "tauhat/offline/report/report.hpp"

namespace {

using tauhat::Plot;
using tauhat::Report;
using tauhat::Series;

// Closes a script, runs one, loads an image that fails, links, and ends the line where JSON does not.
std::string hostile(int number) {
  return std::to_string(number) + "</script><script>alert(1)</script><img src=x onerror=alert(2)>" +
         "<a href='javascript:alert(3)'>link</a>\"'&\u2028";
}

Plot plot_of_every_kind() {
  Plot plot{.title = hostile(1), .x_label = hostile(2), .y_label = hostile(3), .caption = hostile(4)};
  Series line{.kind = Series::Kind::line, .name = hostile(5)};
  Series markers{.kind = Series::Kind::markers, .name = hostile(6), .is_time_series = false};
  Series band{.kind = Series::Kind::band, .name = hostile(7)};
  for (int i = 0; i < 20000; ++i) {
    const double t = 1e-3 * i;
    line.x.push_back(t), line.y.push_back(std::sin(t));
    markers.x.push_back(std::cos(7 * t)), markers.y.push_back(std::sin(5 * t));
    band.x.push_back(t), band.y.push_back(std::sin(t) - 0.1), band.upper.push_back(std::sin(t) + 0.1);
  }
  plot.series = {line, markers, band};
  return plot;
}

Report hostile_report() {
  Report report{.command = hostile(10), .title = hostile(11), .headline = hostile(12)};
  report.results = {{.name = hostile(13), .value = 1.0, .unit = hostile(14), .note = hostile(15)},
                    {.name = hostile(16), .value = -3.2e-5, .std = 1e-7, .unit = "rad"}};
  report.verdicts = {{hostile(17), tauhat::Conformity::nonconforming, hostile(18), hostile(19)}};
  report.diagnostics = {{hostile(20), tauhat::Severity::error, hostile(21)}};
  report.sections = {
      {hostile(22), hostile(23), {plot_of_every_kind()}, {{hostile(24), {hostile(25)}, {{hostile(26)}}}}}};
  report.assumptions = {{hostile(27), hostile(28)}};
  return report;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const Report report = hostile_report();
  std::ofstream(arguments[1]) << tauhat::to_html(report);
  std::ofstream(arguments[2]) << tauhat::to_json(report);
}
