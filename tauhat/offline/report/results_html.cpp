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
  return fmt::format(" × 10<sup>{}</sup>", typeset(std::to_string(exponent)));
}

std::string half_widths_html(const Rounded& number) {
  if (number.below.empty()) return {};
  if (number.symmetric()) return " <span class=\"pm\">± " + typeset(number.above) + "</span>";
  return fmt::format(" <span class=\"pm\">−{} +{}</span>", typeset(number.below), typeset(number.above));
}

// Programs and tests read the exact number from the attribute; it equals the JSON's.
std::string exact(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string number_or_dash(const std::optional<double>& number) {
  return number ? typeset(fmt::format("{:.4g}", *number)) : "–";
}

std::string note_html(const Result& result) {
  return result.note.empty() ? std::string() : fmt::format("<small>{}</small>", escaped(result.note));
}

std::string result_row(const Result& result) {
  const bool said = spoken_unit(result.value, result.unit).has_value();
  return fmt::format(
      "<tr><th scope=\"row\">{}{}</th><td class=\"number main\" data-name=\"{}\" data-value=\"{}\">{}</td>"
      "<td class=\"number\">{}</td><td class=\"number si\">{}</td></tr>\n",
      escaped(result.name), note_html(result), escaped(result.name), exact(result.value), quantity_html(result, true),
      interval_html(result), said ? quantity_html(result, false) : "");
}

std::string reproduction_row(const Result& result) {
  const auto& figure = *result.reproduction;
  return fmt::format(
      "<tr><th scope=\"row\">{}{}</th><td class=\"number\">{}</td>"
      "<td class=\"number main\" data-name=\"{}\" data-value=\"{}\">{}</td><td class=\"number\">{}{}</td>"
      "<td>{}</td><td><span class=\"badge {}\">{}</span></td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td></tr>\n",
      escaped(result.name), note_html(result), number_or_dash(figure.published), escaped(result.name),
      exact(result.value), number_or_dash(result.value), figure.limit ? (figure.at_most ? "≤ " : "≥ ") : "",
      number_or_dash(figure.limit), typeset(result.unit), figure.passed ? "conforming" : "nonconforming",
      figure.passed ? "pass" : "fail", figure.seeds, figure.worst_seed ? std::to_string(*figure.worst_seed) : "–");
}

std::string table_of(const char* head, const std::string& rows) {
  return rows.empty() ? std::string()
                      : fmt::format(
                            "<div class=\"box\"><table class=\"results\"><thead><tr>{}</tr></thead>"
                            "<tbody>\n{}</tbody></table></div>\n",
                            head, rows);
}

}  // namespace

std::string quantity_html(const Result& result, bool as_people_say) {
  const auto unit = as_people_say ? spoken_unit(result.value, result.unit) : std::nullopt;
  const Rounded number = rounded(result, unit ? unit->factor : 1.0);
  std::string html = typeset(number.value) + half_widths_html(number);
  if (number.exponent != 0) {
    if (!number.below.empty()) html = '(' + html + ')';
    html += power_of_ten(number.exponent);
  }
  return html + " <span class=\"unit\">" + typeset(unit ? unit->name : result.unit) + "</span>";
}

std::string interval_html(const Result& result) {
  const auto unit = spoken_unit(result.value, result.unit);
  const Rounded number = rounded(result, unit ? unit->factor : 1.0);
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
