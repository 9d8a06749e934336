// Friction of an axis as numbers, verdicts and plots.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/friction/constant_speed.hpp"
#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/friction/regression.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// The whole way from a study of an axis and a log to the report, by the study's method.
Report answer_friction(const Study& study, const Log& log,
                       const std::function<void(const std::string&, double)>& progress = {});

std::vector<Section> friction_sections(const FrictionFit& fit, const FrictionMeasures& measures,
                                       const Timeline& timeline, const StudyAxis& axis);
std::vector<Section> regression_sections(const RegressionFit& fit, const StudyAxis& axis);
std::vector<Section> constant_speed_sections(const SpeedCurve& curve, const StudyAxis& axis);

}  // namespace tauhat
