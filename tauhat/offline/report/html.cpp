// The report as one HTML file. It opens without a network, may come from anybody's log, and is printed: so
// everything is inside, every text is escaped, and a policy forbids the rest.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/report/assets.hpp"
#include "tauhat/offline/report/figure.hpp"
#include "tauhat/offline/report/markup.hpp"
#include "tauhat/offline/report/numbers_html.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {
namespace {

// Images from data: and blob: are what Plotly's "download plot as png" draws through.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'";

std::string element(const char* tag, const std::string& text) {
  return text.empty() ? std::string() : fmt::format("<{0}>{1}</{0}>\n", tag, escaped(text));
}

// Blank lines separate paragraphs.
std::string paragraphs(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    html += element("p", std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return html;
}

std::string plot_html(const Plot& plot) {
  return fmt::format(
      "<figure>{}<div class=\"plot\" role=\"img\" aria-label=\"{}\"></div>"
      "<script type=\"application/json\">{}</script>{}</figure>\n",
      element("h3", plot.title), escaped(plot.title), figure_json(plot), element("figcaption", plot.caption));
}

std::string table_html(const Table& table) {
  std::string head, body;
  for (const auto& column : table.columns) head += fmt::format("<th>{}</th>", escaped(column));
  for (const auto& row : table.rows) {
    body += "<tr>";
    for (const auto& cell : row) body += fmt::format("<td>{}</td>", escaped(cell));
    body += "</tr>\n";
  }
  return fmt::format(
      "<figure>{}<div "
      "class=\"box\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div></figure>\n",
      element("h3", table.title), head, body);
}

std::string section_html(const Section& section) {
  std::string html = "<section>\n" + element("h2", section.title) + paragraphs(section.text);
  for (const Plot& plot : section.plots) html += plot_html(plot);
  for (const Table& table : section.tables) html += table_html(table);
  return html + "</section>\n";
}

// What may make the numbers wrong is announced above them.
std::string alerts_html(const Report& report) {
  std::string html;
  for (const Severity severity : {Severity::error, Severity::warning}) {
    const auto count = std::count_if(report.diagnostics.begin(), report.diagnostics.end(),
                                     [&](const Diagnostic& one) { return one.severity == severity; });
    if (count > 0)
      html += fmt::format("<a class=\"badge {0}\" href=\"#data\">{1} {0}{2}</a> ", name_of(severity), count,
                          count > 1 ? "s" : "");
  }
  return html.empty() ? html : "<p class=\"alerts\">" + html + "below: read them before the numbers.</p>\n";
}

std::string diagnostics_html(const Report& report) {
  if (report.diagnostics.empty()) return {};
  std::string html = "<section>\n<h2 id=\"data\">What to know about the data</h2>\n<ul class=\"diagnostics\">\n";
  // What endangers the numbers comes first.
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info})
    for (const Diagnostic& diagnostic : report.diagnostics)
      if (diagnostic.severity == severity)
        html += fmt::format(
            "<li class=\"{0}\"><span class=\"badge "
            "{0}\">{0}</span><div><code>{1}</code><p>{2}</p></div></li>\n",
            name_of(severity), escaped(diagnostic.name), escaped(diagnostic.message));
  return html + "</ul>\n</section>\n";
}

std::string assumptions_html(const Report& report) {
  if (report.assumptions.empty()) return {};
  std::string html = "<section>\n<h2>What was assumed</h2>\n<div class=\"box\"><table><tbody>\n";
  for (const auto& [what, value] : report.assumptions)
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(what), escaped(value));
  return html + "</tbody></table></div>\n</section>\n";
}

std::string results_section(const Report& report) {
  const std::string tables = results_html(report) + budgets_html(report) + reproduction_html(report);
  return tables.empty() ? tables : "<section>\n<h2>Results</h2>\n" + tables + "</section>\n";
}

}  // namespace

std::string to_html(const Report& report) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      kPolicy, escaped(report.title.empty() ? "tauhat " + report.command : report.title), assets::style());
  html += fmt::format("<header class=\"top\"><p class=\"command\">tauhat {}</p>\n{}", escaped(report.command),
                      element("h1", report.title));
  if (!report.headline.empty()) html += fmt::format("<p class=\"headline\">{}</p>\n", escaped(report.headline));
  html +=
      alerts_html(report) + "</header>\n" + verdicts_html(report) + results_section(report) + diagnostics_html(report);
  for (const Section& section : report.sections) html += section_html(section);
  html += assumptions_html(report) + certificate_html(report);
  html += fmt::format(
      "<footer>Made by tauhat {}. Intervals hold 95 %. Plots show thinned data that keep every "
      "extreme.</footer>\n"
      "<noscript><p>The plots need JavaScript; the numbers do not.</p></noscript>\n</main>\n",
      TAUHAT_VERSION);
  const bool plots = std::any_of(report.sections.begin(), report.sections.end(),
                                 [](const Section& section) { return !section.plots.empty(); });
  if (plots) html += fmt::format("<script>{}</script>\n<script>\n{}</script>\n", assets::plotly(), assets::script());
  return html + "</body>\n</html>\n";
}

}  // namespace tauhat
