// `estimate` and `stream` of a robot: what they have besides that of other studies.
#pragma once

#include <string>

#include "tauhat/cli/output.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::cli {

struct EstimateArguments {
  std::string study, log, output = "-", floor;
  bool smooth = false;
  ReportPaths paths;
};

ExitCode estimate_robot(const Study& given, const EstimateArguments& arguments);

// The study as the estimator takes it, with what a log without contact says; that is printed on standard error.
Study streamed_robot(const Study& given, const std::string& floor);

}  // namespace tauhat::cli
