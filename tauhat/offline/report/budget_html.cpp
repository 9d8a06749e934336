// What dominates a result's uncertainty: one bar a result, its parts by their share of the variance.
#include <fmt/format.h>

#include "tauhat/offline/report/markup.hpp"
#include "tauhat/offline/report/numbers_html.hpp"

namespace tauhat {
namespace {

std::string part_html(const char* name, double std, double total) {
  const double percent = 100.0 * std * std / (total * total);
  if (!(percent >= 0.5)) return {};
  return fmt::format("<span class=\"{0}\" style=\"width:{1:.1f}%\">{2}</span>", name, percent,
                     percent >= 12.0 ? fmt::format("{} {:.0f} %", name, percent) : "");
}

}  // namespace

std::string budgets_html(const Report& report) {
  std::string rows;
  for (const Result& result : report.results) {
    if (!result.budget || !(result.budget->total() > 0.0)) continue;
    const UncertaintyBudget& b = *result.budget;
    rows += fmt::format("<dt>{}</dt><dd class=\"budget\">{}{}{}{}</dd>\n", escaped(result.name),
                        part_html("noise", b.noise, b.total()), part_html("inputs", b.inputs, b.total()),
                        part_html("repeat", b.repeat, b.total()), part_html("model", b.model, b.total()));
  }
  if (rows.empty()) return rows;
  return "<h3>What dominates the uncertainty</h3>\n<dl class=\"budgets\">\n" + rows +
         "</dl>\n<p class=\"legend\">Shares of the variance: "
         "<span><i class=\"noise\"></i> sensor noise in one run,</span> "
         "<span><i class=\"inputs\"></i> what the study says is known only so well,</span> "
         "<span><i class=\"repeat\"></i> differences between runs,</span> "
         "<span><i class=\"model\"></i> what the model may lack.</span></p>\n";
}

}  // namespace tauhat
