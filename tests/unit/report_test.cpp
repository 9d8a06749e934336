// The report's JSON and HTML: the fixed shape, and that no text of a study or a log becomes markup.
#include "tauhat/offline/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace tauhat {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

Result gap() {
  Result result{.name = "backlash.gap", .value = 0.00087012345678901, .std = 9.1e-6, .unit = "rad"};
  result.ci95 = {0.00085229, 0.00088796};
  return result;
}

Report report_of(Result result) {
  Report report{.command = "identify", .title = "Backlash of axis2.toml"};
  report.results = {std::move(result)};
  return report;
}

TEST(ReportJson, HasTheFixedShapeInOrder) {
  Report report = report_of(gap());
  report.verdicts = {{"backlash.gap", Conformity::inconclusive, "<= 3 arcmin", "straddles"}};
  report.diagnostics = {{"excitation.one_sided", Severity::warning, "record both signs"}};
  const ordered_json expected = ordered_json::parse(R"({
    "tauhat": "0.1.0", "command": "identify",
    "results": {"backlash.gap": {"value": 0.00087012345678901, "std": 9.1e-6,
                                 "ci95": [0.00085229, 0.00088796], "unit": "rad"}},
    "verdicts": [{"name": "backlash.gap", "verdict": "inconclusive", "limit": "<= 3 arcmin",
                  "reason": "straddles"}],
    "diagnostics": [{"name": "excitation.one_sided", "severity": "warning", "message": "record both signs"}]})");
  EXPECT_EQ(ordered_json::parse(to_json(report)).dump(), expected.dump());  // dump: order counts, too
}

TEST(ReportJson, WritesNullForWhatIsAbsentOrNotFinite) {
  Result result{.name = "a", .value = std::nan(""), .unit = "rad"};
  result.ci95 = {0.1, std::numeric_limits<double>::infinity()};
  const auto json = ordered_json::parse(to_json(report_of(result)))["results"]["a"];
  EXPECT_EQ(json.dump(), R"({"value":null,"std":null,"ci95":[0.1,null],"unit":"rad"})");
}

TEST(ReportJson, AddsTheReproductionOfAFigure) {
  Result result{.name = "hovland.gap", .value = 0.04, .unit = "rad"};
  result.reproduction = {
      .limit = 0.05, .at_most = false, .published = {}, .seeds = 20, .worst_seed = 7, .passed = false};
  const auto json = ordered_json::parse(to_json(report_of(result)))["results"]["hovland.gap"];
  EXPECT_EQ(json.dump(), R"({"value":0.04,"std":null,"ci95":null,"unit":"rad","limit":0.05,"sense":"at_least",)"
                         R"("published":null,"seeds":20,"worst_seed":7,"passed":false})");
}

TEST(ReportJson, KeepsEveryBitOfANumber) {
  for (const double value : {0.1, 1.0 / 3.0, 4.9e-324, 1.7976931348623157e308, -2.2250738585072014e-308}) {
    const auto json = ordered_json::parse(to_json(report_of({.name = "a", .value = value, .unit = ""})));
    EXPECT_EQ(json["results"]["a"]["value"].get<double>(), value);
  }
}

TEST(ReportJson, ReplacesBytesThatAreNoUtf8) {
  const auto json = ordered_json::parse(to_json(report_of({.name = "w\xff", .value = 1.0, .unit = "\xc3"})));
  EXPECT_TRUE(json["results"].contains("w\uFFFD"));
}

constexpr const char* kHostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u2028";

Report hostile_report() {
  const std::string text = kHostile;
  Report report{.command = text, .title = text, .headline = text};
  report.results = {{.name = text, .value = 1.0, .unit = text, .note = text}};
  report.results.push_back(report.results.front());
  report.results.back().reproduction = Result::Reproduction{};
  report.verdicts = {{text, Conformity::conforming, text, text}};
  report.diagnostics = {{text, Severity::error, text}};
  Plot plot{.title = text, .x_label = text, .y_label = text, .caption = text, .series = {}};
  plot.series = {{.name = text, .x = {0, 1}, .y = {0, 1}}};
  report.sections = {{text, text, {plot}, {{text, {text}, {{text}}}}}};
  report.assumptions = {{text, text}};
  return report;
}

TEST(ReportHtml, NeverTurnsTextIntoMarkup) {
  const std::string html = to_html(hostile_report());
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
}

// Plotly reads names and titles as HTML; after JSON.parse they must still be escaped.
TEST(ReportHtml, EscapesTwiceWhatPlotlyReadsAsHtml) {
  const std::string html = to_html(hostile_report());
  const std::string opening = "<script type=\"application/json\">";
  const std::size_t begin = html.find(opening) + opening.size();
  const std::string block = html.substr(begin, html.find("</script>", begin) - begin);
  EXPECT_THAT(block, Not(HasSubstr("<")));
  EXPECT_THAT(block, Not(HasSubstr("\u2028")));
  const auto figure = nlohmann::json::parse(block);
  for (const std::string name : {figure["x_label"], figure["y_label"], figure["series"][0]["name"]}) {
    EXPECT_THAT(name, Not(HasSubstr("<")));
    EXPECT_THAT(name, HasSubstr("&lt;img"));
  }
}

TEST(ReportHtml, AsksForNothingFromElsewhere) {
  const std::string html = to_html(report_of(gap()));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("http://")));
  EXPECT_THAT(html, Not(HasSubstr("https://")));
}

TEST(ReportHtml, CarriesTheExactNumberBesideTheRoundedOne) {
  const std::string html = to_html(report_of(gap()));
  EXPECT_THAT(html, HasSubstr("data-name=\"backlash.gap\" data-value=\"0.00087012345678901\""));
  EXPECT_THAT(html, HasSubstr("2.991 <span class=\"pm\">± 0.061</span>"));
}

// 3 arcmin = 8.7266e-4 rad lies inside the interval, so the scale is drawn around both.
TEST(ReportHtml, DrawsTheIntervalBesideItsLimit) {
  Report report = report_of(gap());
  report.verdicts = {{"backlash.gap", Conformity::inconclusive, "<= 3 arcmin", ""}};
  EXPECT_THAT(to_html(report), HasSubstr("class=\"limit\""));
  report.verdicts[0].limit = "as on the drawing";
  EXPECT_THAT(to_html(report), Not(HasSubstr("class=\"limit\"")));
}

// A gap of 2.99 arcmin against a limit in degrees, of 0.0499 deg against one in arcmin: as the limit says it.
TEST(ReportHtml, ShowsAVerdictInTheUnitOfItsLimit) {
  Report report = report_of(gap());
  report.verdicts = {{"backlash.gap", Conformity::conforming, "<= 0.1 deg", ""}};
  EXPECT_THAT(to_html(report), HasSubstr("<p class=\"quantity\">0.04985 <span class=\"pm\">± 0.00102</span> "
                                         "<span class=\"unit\">deg</span></p>"));
  report.verdicts[0].limit = "<= 3 arcmin";
  report.certificate = Certificate{};
  EXPECT_THAT(to_html(report), HasSubstr("<p class=\"quantity\">2.991 <span class=\"pm\">± 0.061</span> "
                                         "<span class=\"unit\">arcmin</span></p>"));
}

TEST(ReportHtml, SaysNoUnitOfAPlainNumber) {
  const std::string html = to_html(report_of({.name = "filter.mean_nis", .value = 1.04, .unit = "1"}));
  EXPECT_THAT(html, HasSubstr("data-value=\"1.04\">1.040</td>"));
  EXPECT_THAT(html, Not(HasSubstr("<span class=\"unit\">1<")));
}

TEST(ReportHtml, StaysSmallAndQuickForMillionsOfSamples) {
  Series line{.kind = Series::Kind::line, .name = "long", .x = {}, .y = {}};
  for (int i = 0; i < 1'000'000; ++i) {
    line.x.push_back(1e-3 * i);
    line.y.push_back(std::sin(0.01 * i));
  }
  Series cloud = line, band = line;
  cloud.kind = Series::Kind::markers;
  band.kind = Series::Kind::band;
  band.upper = band.y;
  Report report;
  report.sections = {
      {"", "", {{"", "", "", "", {line, band}}, {"", "", "", "", {cloud}}, {"", "", "", "", {line}}}, {}}};
  const auto start = std::chrono::steady_clock::now();
  EXPECT_LT(to_html(report).size(), 8'000'000u);
  // 0.1 s in a release build; the room is for sanitisers and a busy machine.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

// On paper the page to sign stands alone: what was found, by which definition.
TEST(ReportHtml, ThePageToSignCarriesTheResultsWithoutALimit) {
  Report report = report_of(gap());
  report.certificate = Certificate{.part = "no 7"};
  report.assumptions = {{"definition", "nabtesco"}, {"rated torque", "40 N m"}};
  const auto page = [&] {
    const std::string html = to_html(report);
    return html.substr(html.find("<section class=\"certificate\">"));
  };
  EXPECT_THAT(page(), HasSubstr("backlash.gap"));
  EXPECT_THAT(page(), HasSubstr("2.991"));
  EXPECT_THAT(page(), HasSubstr("nabtesco"));
  EXPECT_THAT(page(), HasSubstr("40 N m"));
  EXPECT_THAT(page(), Not(HasSubstr("Decision rule")));
  report.verdicts = {{"backlash.gap", Conformity::conforming, "<= 4 arcmin", ""}};
  EXPECT_THAT(page(), HasSubstr("Decision rule"));
}

}  // namespace
}  // namespace tauhat
