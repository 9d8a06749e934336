#include <fmt/format.h>

#include "tauhat/offline/reproduce/rates_table.hpp"

namespace tauhat::rates {
namespace {

std::string row_of(const Rate& rate) {
  return fmt::format("| [`{0}`]({0}.md) | {1} | {2} of {4} | {3} of {4} | {5} |\n", rate.diagnostic, rate.by,
                     rate.found, rate.false_alarms, rate.records, is_met(rate) ? "" : "**missed**");
}

}  // namespace

const std::vector<NotOfARecord>& not_of_a_record() {
  static const std::vector<NotOfARecord> all{
      {"consistent.not_found",
       "a guard: Newton's method came to its end on every record that was tried, turned signs and "
       "links without inertia among them."},
      {"dynamics.difference.mujoco", "it is of a build without MuJoCo, whatever is recorded."},
      {"filter.inconsistent",
       "a guard: a sensor up to 20 times as noisy as its std did not raise it, since the filter finds a noise of its "
       "own "
       "that takes it up."},
      {"fit.no_interval", "a guard: records without any noise raise it, which no drive makes."},
      {"fit.not_settled",
       "a guard: on the few records that were tried the fit came to its end, or was refused before."},
      {"joint.conversion_unknown",
       "every record of an arm whose last joint carries little raises it, where the log is of the joints themselves."},
      {"joint.sign_unknown", "every record of an arm whose last body is symmetric about its axis raises it."},
      {"model.widened",
       "what lies between chance and a suspect: no record brings it for certain, and records without any fault bring "
       "it "
       "as often as its sentence says."},
      {"observer.damps_less", "it is arithmetic of the study's own numbers, in which no record takes part."},
      {"residual.too_small",
       "a guard where the residuals are found: four passes widened the bands enough on every record that was tried, "
       "ripple of 40 N m among them. Residuals that the study gives too small raise it."}};
  return all;
}

std::string rates_page(const std::vector<Rate>& rates) {
  std::string page = fmt::format(
      "# How often each diagnostic is raised\n\n"
      "Records were simulated with what should raise a diagnostic, and the same ones without it; places and sizes "
      "are drawn\n"
      "by the seed. Written by `tauhat reproduce diagnostics`. A rate is met where the diagnostic is found in at least "
      "{:.0f} % and\n"
      "raised wrongly in at most {:.0f} % of the records.\n\n"
      "| diagnostic | provoked by | found | false alarms | |\n|---|---|---|---|---|\n",
      100.0 * kLeastFound, 100.0 * kMostFalseAlarms);
  for (const Rate& rate : rates) page += row_of(rate);
  page += "\n## Not of a record\n\nNo record provokes these, or every record of an arm does:\n\n";
  for (const NotOfARecord& each : not_of_a_record())
    page += fmt::format("- [`{0}`]({0}.md): {1}\n", each.diagnostic, each.why);
  return page;
}

}  // namespace tauhat::rates
