// What a report says of a regression and of a friction curve beside their numbers: where the model fails, and all that
// was taken as given on the way.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/friction/constant_speed.hpp"
#include "tauhat/offline/friction/regression.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// "law.misfit": a warning where the model is off by a part of the force that matters, an info where it is off by less,
// but not by chance.
std::optional<Diagnostic> misfit_diagnostic(const RegressionFit& fit, const StudyAxis& axis);

// "friction.below_noise". Friction that is not seen is worth a warning; a balanced axis may well have no constant
// force.
Diagnostic below_noise(const std::string& name, const std::string& why);

// All tests of the model, as a table. Empty where there was nothing to test.
std::vector<Section> model_test_sections(const RegressionFit& fit, const StudyAxis& axis);

using Assumptions = std::vector<std::array<std::string, 2>>;  // as in Report
Assumptions regression_assumptions(const RegressionFit& fit, const AxisRecord& record, const StudyAxis& axis);
Assumptions constant_speed_assumptions(const SpeedCurve& curve, const AxisRecord& record, const StudyAxis& axis);

}  // namespace tauhat
