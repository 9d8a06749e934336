// The data of a plot as the page's script reads it: thinned, with the digits that a screen can show, and with
// no text that Plotly would take for markup. How it looks is report.js's business.
#pragma once

#include <string>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

std::string figure_json(const Plot&);

}  // namespace tauhat
