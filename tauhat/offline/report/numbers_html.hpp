// Results as HTML: numbers with their intervals, and verdicts with the interval drawn beside the limit.
#pragma once

#include <string>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/report/spoken.hpp"

namespace tauhat {

// "2.99 ± 0.07 arcmin"
std::string quantity_html(const Result&, const ShownUnit&);

// "2.92 … 3.06 arcmin"; empty without an interval.
std::string interval_html(const Result&);

std::string results_html(const Report&);       // table of plain results; empty when there are none
std::string reproduction_html(const Report&);  // table of reproduced figures; empty when there are none
std::string verdicts_html(const Report&);      // one card a verdict
std::string budgets_html(const Report&);       // one bar a result whose budget is known; empty when there are none
std::string certificate_html(const Report&);   // the page to sign; empty without one

}  // namespace tauhat
