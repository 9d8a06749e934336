#include "tauhat/offline/friction/unexplained_motion.hpp"

#include <cmath>
#include <limits>

namespace tauhat {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double likelihood(const ParametricSpec& spec, const Timeline& timeline) {
  const ParametricTracks tracks = run_parametric(spec, timeline);
  return tracks.diverged || !std::isfinite(tracks.log_likelihood) ? kNever : tracks.log_likelihood;
}

struct Likeliest {
  ParametricSpec spec;
  double likelihood = kNever;
};

// Larger and larger noise everywhere, until that has twice been less likely.
Likeliest with_noise_everywhere(ParametricSpec spec, const Timeline& timeline) {
  Likeliest best{spec};
  double& noise = spec.axis.noise[Axis<double>::velocity];
  int worse = 0;
  for (int decade = 0; decade <= 8 && worse < 2; ++decade, noise *= 10.0) {
    const double now = likelihood(spec, timeline);
    if (now > best.likelihood) {
      best = {spec, now}, worse = 0;
    } else if (best.likelihood > kNever && now > kNever) {
      ++worse;
    }
  }
  return best;
}

}  // namespace

double fit_unexplained_motion(ParametricSpec& spec, const Timeline& timeline, double fastest, double friction) {
  // Friction that is wrong by its own size throughout a sample: an acceleration of F / M, for dt.
  const double largest = std::pow(friction / spec.axis.mass, 2) * timeline.median_interval();
  spec.slow = spec.slow_noise = 0.0;
  Likeliest best = with_noise_everywhere(spec, timeline);
  // Slower than this share of the motion, in half decades: from a reversal between two samples to bristles that creep.
  for (const double share : {0.001, 0.003, 0.01, 0.03}) {
    spec.slow = share * fastest, spec.slow_noise = 0.1 * largest;
    if (Likeliest found = with_noise_everywhere(spec, timeline); found.likelihood > best.likelihood)
      best = std::move(found);
  }
  // How large it is there matters less than that it is: decades do.
  for (const double size : {1e-5, 1e-4, 1e-3, 1e-2, 1.0}) {
    if (best.spec.slow == 0.0) break;
    ParametricSpec trial = best.spec;
    trial.slow_noise = size * largest;
    if (const double now = likelihood(trial, timeline); now > best.likelihood) best = {trial, now};
  }
  spec = best.spec;
  return best.likelihood;
}

}  // namespace tauhat
