// Fewer points that look the same. A browser draws some thousands of points well and a million not at all.
#pragma once

#include <cstddef>
#include <vector>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

struct Points {
  std::vector<double> x, y;
  std::vector<double> upper;  // bands only
};

// A curve by minimum and maximum of each bucket of neighbours: no peak is lost. A sample that is not finite
// breaks the line. The first and the last sample stay.
Points thin_line(const Series&, std::size_t most = 4000);

// A band by the minimum of its lower and the maximum of its upper edge: it never gets narrower.
Points thin_band(const Series&, std::size_t most = 4000);

// A cloud by the cells of a grid: sparse cells keep all their points, crowded ones an even choice of theirs,
// so that outliers stay and only what lies on top of each other goes.
Points thin_cloud(const Series&, std::size_t most = 6000);

// The one of them that suits the series.
Points thin(const Series&);

}  // namespace tauhat
