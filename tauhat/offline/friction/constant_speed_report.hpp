// The curve of an axis at constant speeds as numbers, with what cannot be told of it.
#pragma once

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

void answer_by_constant_speed(const Study& study, const Log& log, Report& report);

}  // namespace tauhat
