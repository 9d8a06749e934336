#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/report/digits.hpp"
#include "tauhat/offline/report/markup.hpp"
#include "tauhat/offline/report/numbers_html.hpp"
#include "tauhat/offline/report/spoken.hpp"

namespace tauhat {
namespace {

std::string power_of_ten(int exponent) {
  if (exponent == 0) return {};
  return fmt::format("\u00A0×\u00A010<sup>{}</sup>", typeset(std::to_string(exponent)));
}

std::string half_widths_html(const Rounded& number) {
  if (number.below.empty()) return {};
  if (number.symmetric()) return " <span class=\"pm\">± " + typeset(number.above) + "</span>";
  return fmt::format(" <span class=\"pm\">−{} +{}</span>", typeset(number.below), typeset(number.above));
}

// "N m" is not to end a line with its N.
std::string unbroken(const std::string& text) {
  std::string joined;
  for (const char c : text) joined += c == ' ' ? "\u00A0" : std::string(1, c);
  return joined;
}

// Programs and tests read the exact number from the attribute; it equals the JSON's.
std::string exact(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string number_or_dash(const std::optional<double>& number) {
  return number ? typeset(fmt::format("{:.4g}", *number)) : "–";
}

std::string note_html(const Result& result) {
  std::string html = result.note.empty() ? std::string() : fmt::format("<small>{}</small>", escaped(result.note));
  if (!result.identifiability) return html;
  const std::string said = sentence_of(*result.identifiability);
  return said.empty() ? html : html + fmt::format("<small class=\"doubtful\">{}</small>", escaped(said));
}

// A cell with its heading, which stands beside it where the screen is too narrow for columns.
std::string cell(const char* kind, const char* heading, const std::string& html) {
  return fmt::format("<td class=\"{}\" data-heading=\"{}\">{}</td>", kind, heading, html);
}

std::string result_row(const Result& result) {
  const bool said = spoken_unit(result.value, result.unit).has_value();
  return fmt::format(
      "<tr><th scope=\"row\">{}{}</th><td class=\"number main\" data-name=\"{}\" data-value=\"{}\">{}</td>{}{}</tr>\n",
      escaped(result.name), note_html(result), escaped(result.name), exact(result.value),
      quantity_html(result, unit_people_say(result.value, result.unit)),
      cell("number", "95 % interval", interval_html(result)),
      cell("number si", "In SI units", said ? quantity_html(result, si_unit(result.unit)) : ""));
}

std::string reproduction_row(const Result& result) {
  const auto& figure = *result.reproduction;
  return fmt::format(
      "<tr><th scope=\"row\">{}{}</th>{}"
      "<td class=\"number main\" data-heading=\"Obtained\" data-name=\"{}\" data-value=\"{}\">{}</td>{}{}"
      "<td><span class=\"badge {}\">{}</span></td>{}{}</tr>\n",
      escaped(result.name), note_html(result), cell("number", "Published", number_or_dash(figure.published)),
      escaped(result.name), exact(result.value), number_or_dash(result.value),
      cell("number", "Limit", (figure.limit ? (figure.at_most ? "≤ " : "≥ ") : "") + number_or_dash(figure.limit)),
      cell("", "Unit", typeset(si_unit(result.unit).name)), figure.passed ? "conforming" : "nonconforming",
      !figure.passed ? "fail"
      : figure.limit ? "pass"
                     : "reported",
      cell("number", "Seeds", std::to_string(figure.seeds)),
      cell("number", "Worst seed", figure.worst_seed ? std::to_string(*figure.worst_seed) : "–"));
}

std::string table_of(const char* head, const std::string& rows) {
  return rows.empty() ? std::string()
                      : fmt::format(
                            "<div class=\"box\"><table class=\"results\"><thead><tr>{}</tr></thead>"
                            "<tbody>\n{}</tbody></table></div>\n",
                            head, rows);
}

}  // namespace

std::string quantity_html(const Result& result, const ShownUnit& unit) {
  const Rounded number = rounded(result, unit.factor);
  std::string html = typeset(number.value) + half_widths_html(number);
  if (number.exponent != 0) {
    if (!number.below.empty()) html = '(' + html + ')';
    html += power_of_ten(number.exponent);
  }
  if (unit.name.empty()) return html;
  return html + " <span class=\"unit\">" + unbroken(typeset(unit.name)) + "</span>";
}

std::string interval_html(const Result& result) {
  const Rounded number = rounded(result, unit_people_say(result.value, result.unit).factor);
  if (number.lower.empty()) return {};
  return fmt::format("{} … {}{}", typeset(number.lower), typeset(number.upper), power_of_ten(number.exponent));
}

std::string results_html(const Report& report) {
  std::string rows;
  for (const Result& result : report.results)
    if (!result.reproduction) rows += result_row(result);
  return table_of(
      "<th>Quantity</th><th class=\"number\">Value ± 95 %</th><th class=\"number\">95 % interval</th>"
      "<th class=\"number\">In SI units</th>",
      rows);
}

std::string reproduction_html(const Report& report) {
  std::string rows;
  for (const Result& result : report.results)
    if (result.reproduction) rows += reproduction_row(result);
  return table_of(
      "<th>Figure</th><th class=\"number\">Published</th><th class=\"number\">Obtained</th>"
      "<th class=\"number\">Limit</th><th>Unit</th><th></th><th class=\"number\">Seeds</th>"
      "<th class=\"number\">Worst seed</th>",
      rows);
}

}  // namespace tauhat
