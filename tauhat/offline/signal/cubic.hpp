// A smooth curve through points: between two of them a cubic that has the slope of its neighbours (Catmull and Rom
// 1974). Beyond its ends it stays where it ended.
#pragma once

#include <vector>

namespace tauhat {

struct OnCurve {
  double value = 0.0, slope = 0.0;
};

// x rises; as many y.
OnCurve on_cubic(const std::vector<double>& x, const std::vector<double>& y, double at);

}  // namespace tauhat
