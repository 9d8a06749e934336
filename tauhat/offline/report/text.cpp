// The report on a terminal: the answer, its numbers in a table, the verdicts, and what to know about the
// data.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/report/columns.hpp"
#include "tauhat/offline/report/digits.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/report/spoken.hpp"

namespace tauhat {
namespace {

using Align = Columns::Align;

struct Palette {
  std::string_view faint, good, bad, doubtful;
};
constexpr Palette kAnsi{"\033[2m", "\033[1;32m", "\033[1;31m", "\033[1;33m"};

std::string_view colour_of(Conformity conformity, const Palette& palette) {
  if (conformity == Conformity::conforming) return palette.good;
  return conformity == Conformity::nonconforming ? palette.bad : palette.doubtful;
}

std::string_view colour_of(Severity severity, const Palette& palette) {
  if (severity == Severity::info) return palette.faint;
  return severity == Severity::error ? palette.bad : palette.doubtful;
}

std::string with_exponent(const std::string& number, int exponent) {
  return exponent == 0 || number.empty() ? number : fmt::format("{}e{}", number, exponent);
}

std::string half_widths(const Rounded& number) {
  if (number.below.empty()) return {};
  if (number.symmetric()) return "± " + with_exponent(number.above, number.exponent);
  return fmt::format("-{} +{}", with_exponent(number.below, number.exponent),
                     with_exponent(number.above, number.exponent));
}

std::string as_people_say(const Result& result) {
  const auto unit = spoken_unit(result.value, result.unit);
  if (!unit) return {};
  const Rounded number = rounded(result, unit->factor);
  const std::string halves = half_widths(number);
  return fmt::format("{}{}{} {}", with_exponent(number.value, number.exponent), halves.empty() ? "" : " ", halves,
                     unit->name);
}

std::string results_table(const Report& report, const Palette& palette) {
  Columns table({Align::left, Align::right, Align::left, Align::left, Align::left, Align::left});
  const auto faint = palette.faint;
  bool empty = true;
  table.add({{"quantity", faint}, {"value", faint}, {"95 %", faint}, {"unit", faint}, {"that is", faint}, {}});
  for (const Result& result : report.results) {
    if (result.reproduction) continue;
    const Rounded number = rounded(result);
    table.add({{printable(result.name)},
               {with_exponent(number.value, number.exponent)},
               {half_widths(number)},
               {printable(si_unit(result.unit).name)},
               {as_people_say(result)},
               {printable(result.note), faint}});
    empty = false;
  }
  return empty ? std::string() : table.text() + '\n';
}

std::string number_or_dash(const std::optional<double>& number) {
  return number ? fmt::format("{:.4g}", *number) : "-";
}

const char* verdict_word(const Result::Reproduction& figure) {
  if (!figure.passed) return "FAIL";
  return figure.limit ? "pass" : "";
}

std::string reproduction_table(const Report& report, const Palette& palette) {
  Columns table({Align::left, Align::right, Align::right, Align::right, Align::left, Align::left, Align::right,
                 Align::right, Align::left});
  const auto faint = palette.faint;
  bool empty = true;
  table.add({{"figure", faint},
             {"published", faint},
             {"obtained", faint},
             {"limit", faint},
             {"unit", faint},
             {"", faint},
             {"seeds", faint},
             {"worst seed", faint},
             {}});
  for (const Result& result : report.results) {
    if (!result.reproduction) continue;
    const auto& figure = *result.reproduction;
    const std::string limit = number_or_dash(figure.limit);
    table.add({{printable(result.name)},
               {number_or_dash(figure.published)},
               {number_or_dash(result.value)},
               {figure.limit ? (figure.at_most ? "<= " : ">= ") + limit : limit},
               {printable(si_unit(result.unit).name)},
               {verdict_word(figure), figure.passed ? palette.good : palette.bad},
               {std::to_string(figure.seeds)},
               {figure.worst_seed ? std::to_string(*figure.worst_seed) : "-"},
               {printable(result.note), faint}});
    empty = false;
  }
  return empty ? std::string() : table.text() + '\n';
}

// What the data did not tell, or not alone. A robot has more of it than a terminal takes.
std::string untold(const Report& report, const Palette& palette) {
  constexpr int kMost = 6;
  std::string text;
  int count = 0;
  for (const Result& result : report.results) {
    const std::string said = result.identifiability ? sentence_of(*result.identifiability) : "";
    if (said.empty() || count++ >= kMost) continue;
    text += fmt::format("  {}{}{}\n", palette.faint, wrapped(printable(fmt::format("{}: {}.", result.name, said)), 4),
                        palette.faint.empty() ? "" : "\033[0m");
  }
  if (count > kMost) text += fmt::format("  ... and {} more; see the report.\n", count - kMost);
  return text.empty() ? text : text + '\n';
}

// A coloured word, a name and a sentence that wraps under itself.
std::string labelled(std::string_view word, std::string_view colour, std::size_t width, const std::string& text) {
  const std::string_view reset = colour.empty() ? "" : "\033[0m";
  const std::string padding(width - std::min(width, width_of(word)), ' ');
  return fmt::format("  {}{}{}{}  {}\n", colour, word, reset, padding, wrapped(text, width + 4));
}

}  // namespace

std::string to_text(const Report& report, bool colour) {
  const Palette palette = colour ? kAnsi : Palette{};
  std::string text;
  if (!report.title.empty()) text += printable(report.title) + '\n';
  if (!report.headline.empty()) text += wrapped(printable(report.headline), 0) + '\n';
  if (!text.empty()) text += '\n';
  text += results_table(report, palette);
  text += untold(report, palette);
  text += reproduction_table(report, palette);
  for (const Verdict& verdict : report.verdicts)
    text += labelled(name_of(verdict.verdict), colour_of(verdict.verdict, palette), 13,
                     printable(fmt::format("{} {}: {}", verdict.name, verdict.limit, verdict.reason)));
  if (!report.verdicts.empty() && !report.diagnostics.empty()) text += '\n';
  for (const Diagnostic& diagnostic : report.diagnostics)
    text += labelled(name_of(diagnostic.severity), colour_of(diagnostic.severity, palette), 7,
                     printable(diagnostic.name + ": " + diagnostic.message));
  return text;
}

}  // namespace tauhat
