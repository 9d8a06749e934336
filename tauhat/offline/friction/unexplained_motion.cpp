#include "tauhat/offline/friction/unexplained_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tauhat {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double likelihood(ParametricSpec spec, const Timeline& timeline) {
  spec.tracks = false;
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

// Friction that is wrong by its own size throughout a sample: an acceleration of F / M, for dt.
double largest_noise(const ParametricSpec& spec, const Timeline& timeline, double friction) {
  return std::pow(friction / spec.axis.mass, 2) * timeline.median_interval();
}

// Parameters and, last, the constant force.
struct Numbers {
  Eigen::VectorXd value;
  Eigen::MatrixXd covariance;
};

Numbers numbers_of(const ParametricTracks& tracks) {
  const auto count = static_cast<Eigen::Index>(tracks.parameters.size());
  Numbers numbers{Eigen::VectorXd(count + 1), Eigen::MatrixXd::Zero(count + 1, count + 1)};
  for (Eigen::Index i = 0; i < count; ++i) numbers.value[i] = tracks.parameters[static_cast<std::size_t>(i)].value;
  numbers.value[count] = tracks.offset.value;
  numbers.covariance.topLeftCorner(count, count) = tracks.covariance;
  numbers.covariance(count, count) = tracks.offset.std * tracks.offset.std;
  return numbers;
}

Eigen::VectorXd before_the_data(const ParametricSpec& spec, const ParametricTracks& tracks) {
  const auto count = static_cast<Eigen::Index>(tracks.parameters.size());
  Eigen::VectorXd variances(count + 1);
  for (Eigen::Index i = 0; i < count; ++i)
    variances[i] = std::pow(tracks.parameters[static_cast<std::size_t>(i)].prior_std, 2);
  variances[count] = spec.offset_std * spec.offset_std;
  return variances;
}

}  // namespace

double fit_unexplained_motion(ParametricSpec& spec, const Timeline& timeline, double fastest, double friction) {
  const double largest = largest_noise(spec, timeline, friction);
  spec.slow = spec.slow_noise = 0.0;
  Likeliest best = with_noise_everywhere(spec, timeline);
  // Slower than this share of the motion, in half decades and finer where most of the bend lies: from a reversal
  // between two samples to bristles that creep. With the largest noise, by which no filter loses the axis; less of it
  // is tried after that.
  for (const double share : {0.001, 0.003, 0.01, 0.03, 0.05, 0.1}) {
    spec.slow = share * fastest, spec.slow_noise = largest;
    if (Likeliest found = with_noise_everywhere(spec, timeline); found.likelihood > best.likelihood)
      best = std::move(found);
  }
  // How large it is there matters less than that it is: decades do.
  for (const double size : {1e-5, 1e-4, 1e-3, 1e-2, 0.1}) {
    if (best.spec.slow == 0.0) break;
    ParametricSpec trial = best.spec;
    trial.slow_noise = size * largest;
    if (const double now = likelihood(trial, timeline); now > best.likelihood) best = {trial, now};
  }
  spec = best.spec;
  return best.likelihood;
}

Eigen::MatrixXd spread_by_slow_motion(const ParametricSpec& spec, const ParametricTracks& tracks,
                                      const Timeline& timeline, double fastest, double friction, double widened) {
  const Numbers own = numbers_of(tracks);
  if (spec.slow == 0.0) return Eigen::MatrixXd::Zero(own.value.size(), own.value.size());
  // Up to where the law is not believed is known no better than to the next share that was tried. Of the fastest: tried
  // on simulated bristles of 3e3 and 2e4 N m/rad, whose breakaway is held then; ten times as much would take away the
  // fall of the friction.
  constexpr double kFurther = 1.7, kSlow = 0.01;
  ParametricSpec without = spec;
  without.slow = std::max(kFurther * spec.slow, kSlow * fastest);
  without.slow_noise = largest_noise(spec, timeline, friction);
  const ParametricTracks run = run_parametric(without, timeline);
  const Numbers other = numbers_of(run);
  if (run.diverged || !other.value.allFinite() || !other.covariance.allFinite())
    return Eigen::MatrixXd(before_the_data(spec, tracks).asDiagonal());
  const Eigen::VectorXd moved = other.value - own.value;
  return moved * moved.transpose() + widened * (other.covariance - own.covariance);
}

}  // namespace tauhat
