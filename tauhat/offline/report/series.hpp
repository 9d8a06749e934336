// What reports are put together from: a number with its interval, and the lines, points and bands of a plot, which hold
// no more points than are shown.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

// The interval ends at `lowest`, below which there is nothing: a gap is not negative.
Result with_interval(std::string name, double value, double std, std::string unit,
                     double lowest = -std::numeric_limits<double>::infinity());

Series line(std::string name, std::vector<double> x, std::vector<double> y);     // x only advances
Series curve(std::string name, std::vector<double> x, std::vector<double> y);    // it may turn back
Series markers(std::string name, std::vector<double> x, std::vector<double> y);  // x only advances
Series cloud(std::string name, std::vector<double> x, std::vector<double> y);    // in any order
Series dashed(Series series);
Series hidden(Series series);

// 95 % around the values; `factor` is from their unit to the plot's.
Series band(std::string name, std::vector<double> x, const std::vector<double>& value, const std::vector<double>& std,
            double factor = 1.0);

std::vector<double> scaled(std::vector<double> values, double factor);

}  // namespace tauhat
