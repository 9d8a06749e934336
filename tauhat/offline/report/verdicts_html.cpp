#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/limit.hpp"
#include "tauhat/offline/report/markup.hpp"
#include "tauhat/offline/report/numbers_html.hpp"

namespace tauhat {
namespace {

// The part of the number line that shows interval and limit, with room around both.
struct Window {
  double low, high;

  Window(const std::array<double, 2>& interval, double limit)
      : low(std::min(interval[0], limit)), high(std::max(interval[1], limit)) {
    const double room = 0.35 * (high - low) + 1e-12 * std::abs(limit);
    low -= room;
    high += room;
  }
  double percent(double value) const { return 100.0 * (value - low) / (high - low); }
};

std::string scale_html(const Result& result, const Verdict& verdict, const LimitValue& limit) {
  const auto& interval = *result.ci95;
  const Window window(interval, limit.value);
  const double at = window.percent(limit.value), from = window.percent(interval[0]);
  return fmt::format(
      "<div class=\"scale\"><span class=\"forbidden\" style=\"left:{:.2f}%;width:{:.2f}%\"></span>"
      "<span class=\"axis\"></span><span class=\"interval\" style=\"left:{:.2f}%;width:{:.2f}%\"></span>"
      "<span class=\"estimate\" style=\"left:{:.2f}%\"></span>"
      "<span class=\"limit\" style=\"left:{:.2f}%\"><b>{}</b></span></div>\n",
      limit.at_most ? at : 0.0, limit.at_most ? 100.0 - at : at, from, window.percent(interval[1]) - from,
      window.percent(result.value), at, typeset(verdict.limit));
}

bool can_be_drawn(const Result& result) {
  return result.ci95 && std::isfinite(result.value) && std::isfinite((*result.ci95)[0]) &&
         std::isfinite((*result.ci95)[1]) && (*result.ci95)[0] < (*result.ci95)[1];
}

std::string card_html(const Report& report, const Verdict& verdict) {
  const Result* const result = find_result(report.results, verdict.name);
  std::string quantity, scale;
  std::string bound = fmt::format("<span class=\"bound\">{}</span>", typeset(verdict.limit));
  if (result) {
    quantity = fmt::format("<p class=\"quantity\">{}</p>\n",
                           quantity_html(*result, unit_of_limit(verdict.limit, result->unit)));
    const auto limit = parse_limit(verdict.limit);
    if (limit && can_be_drawn(*result)) {
      scale = scale_html(*result, verdict, *limit);
      bound.clear();  // the scale says it
    }
  }
  return fmt::format(
      "<article class=\"verdict {0}\"><header><span class=\"badge {0}\">{0}</span> <b>{1}</b>{2}</header>\n"
      "{3}{4}<p class=\"reason\">{5}</p></article>\n",
      name_of(verdict.verdict), escaped(verdict.name), bound, quantity, scale, escaped(verdict.reason));
}

}  // namespace

std::string verdicts_html(const Report& report) {
  std::string cards;
  for (const Verdict& verdict : report.verdicts) cards += card_html(report, verdict);
  return cards.empty() ? cards : "<div class=\"verdicts\">\n" + cards + "</div>\n";
}

}  // namespace tauhat
