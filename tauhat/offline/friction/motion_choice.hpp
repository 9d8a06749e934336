// The law whose own motion is the record's.
#pragma once

#include <optional>

#include "tauhat/offline/friction/motion_fit.hpp"
#include "tauhat/offline/friction/refined_law.hpp"

namespace tauhat {

// Of the laws that follow the record to within the sensor's noise, the likeliest that an axis can have; none: the
// motion has more in it than any of them. It comes first among the candidates.
std::optional<MotionFit> choose_by_motion(FrictionFit& fit, const Excerpt& whole, bool offset_unknown);

// Its smoother over the whole record, whose numbers are the fit's; none: its filter lost the axis.
std::optional<Refined> refine_by_motion(const MotionFit& chosen, const FrictionFit& fit, const Excerpt& tuned,
                                        const Excerpt& whole, bool offset_unknown);

}  // namespace tauhat
