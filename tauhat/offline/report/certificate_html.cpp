// The page to sign. On paper it stands alone.
#include <fmt/format.h>

#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/limit.hpp"
#include "tauhat/offline/report/markup.hpp"
#include "tauhat/offline/report/numbers_html.hpp"

namespace tauhat {
namespace {

std::string row(std::string_view what, const std::string& value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", what,
                     value.empty() ? "<span class=\"blank\"></span>" : value);
}

std::string verdict_rows(const Report& report) {
  std::string rows;
  for (const Verdict& verdict : report.verdicts) {
    const Result* const result = find_result(report.results, verdict.name);
    rows += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td>{}</td><td><span class=\"badge "
        "{}\">{}</span></td>"
        "</tr>\n",
        escaped(verdict.name), !result ? "–" : quantity_html(*result, unit_of_limit(verdict.limit, result->unit)),
        typeset(verdict.limit), name_of(verdict.verdict), name_of(verdict.verdict));
  }
  return rows;
}

// Without a limit the numbers themselves are what is signed.
std::string result_rows(const Report& report) {
  std::string rows;
  for (const Result& result : report.results)
    rows +=
        fmt::format("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td>{}</td></tr>\n", escaped(result.name),
                    quantity_html(result, unit_people_say(result.value, result.unit)), escaped(result.note));
  return rows;
}

std::string outcome_html(const Report& report) {
  if (report.verdicts.empty())
    return "<div class=\"box\"><table><thead><tr><th>Quantity</th><th class=\"number\">Result ± 95 %</th>"
           "<th></th></tr></thead><tbody>\n" +
           result_rows(report) + "</tbody></table></div>\n";
  return "<div class=\"box\"><table><thead><tr><th>Quantity</th><th class=\"number\">Result ± 95 %</th><th>Limit</th>"
         "<th>Verdict</th></tr></thead><tbody>\n" +
         verdict_rows(report) +
         "</tbody></table></div>\n<p>Decision rule: conforming or nonconforming where the 95 % interval lies wholly "
         "inside or outside the limit, so that the risk of a wrong decision is at most 2.5 % (ISO 14253-1, JCGM 106, "
         "guard band equal to the expanded uncertainty); else inconclusive.</p>\n";
}

}  // namespace

std::string certificate_html(const Report& report) {
  if (!report.certificate) return {};
  const Certificate& c = *report.certificate;
  std::string files;
  for (const auto& file : c.files)
    files += fmt::format("{}<br><code>sha256 {}</code><br>", escaped(file.name), escaped(file.sha256));
  std::string html = "<section class=\"certificate\">\n<h2>Test record</h2>\n<div class=\"box\"><table><tbody>\n";
  html += row("Part", escaped(c.part)) + row("Date", escaped(c.date)) + row("Tested by", escaped(c.tested_by)) +
          row("Test", escaped(report.title)) + row("Log", files) + row("Program", "tauhat " TAUHAT_VERSION);
  // What the numbers mean depends on it: the definition and the rated torque of a bench test, the model's parameters.
  for (const auto& [what, value] : report.assumptions) html += row(escaped(what), escaped(value));
  html += "</tbody></table></div>\n" + outcome_html(report);
  return html + "<p class=\"signature\"><span>Signature</span></p>\n</section>\n";
}

}  // namespace tauhat
