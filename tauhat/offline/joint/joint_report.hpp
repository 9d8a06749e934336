// What a log tells of an elastic joint: its parameters from the response of its motor, its stiffness and the skew of
// its clocks where an encoder sits at the load, too.
#pragma once

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

Report answer_joint(const Study& study, const Log& log);

}  // namespace tauhat
