// A first look at a log that nobody has described yet: its columns and how they behave.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/recording.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct SurveyedColumn {
  ColumnInfo info;
  double smallest = 0.0, largest = 0.0, first = 0.0;
  double step = 0.0;           // median difference between neighbours
  bool is_constant = false;    // one value only, or none
  bool is_whole = false;       // whole numbers only
  bool only_advances = false;  // never goes back, and does advance
  std::vector<double> values;  // of the first samples, for comparisons
};

struct Survey {
  std::string path, format;
  std::vector<std::string> preamble;  // of a text table
  std::string dialect;                // "separator ';', decimal comma, data from line 12"
  std::vector<SurveyedColumn> columns;
  std::vector<std::string> skipped{};  // objects of MATLAB with how to save each, columns of words
};

Survey survey_log(const std::string& path);
std::vector<Diagnostic> diagnose_skipped(const Survey& survey);

// Is `rate` the slope of `position` over `time`? Compared on their first samples.
bool is_slope_of(const SurveyedColumn& rate, const SurveyedColumn& position, const SurveyedColumn& time);

}  // namespace tauhat
