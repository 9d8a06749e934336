#include "tauhat/offline/identify/cloud_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr int kStartIterations = 8, kFinalIterations = 40, kScaleFrozenAfter = 15;
constexpr double kHuber = 2.0;  // times the robust scale

struct Weights {
  std::vector<double> corner;    // 1 / Var(tau) times the corner weight
  std::vector<double> residual;  // torque minus curve
};

double corner_weight(const Cloud& cloud, std::size_t i, double centred, double half_gap) {
  // The smoother rounds a corner over a few of its time constants.
  constexpr double kTimeConstants = 3.0;
  const double reach = kTimeConstants * std::abs(cloud.displacement_rate[i]) / cloud.bandwidth + 1e-6;
  const double distance = (std::abs(centred) - half_gap) / reach;
  constexpr double kFar = 6.5;  // its exponential is below the rounding of one
  return std::abs(distance) > kFar ? 1.0 : 1.0 - 0.95 * std::exp(-distance * distance);
}

double half_gap_of(Curve curve, const CurveParameters& p) {
  return has_gap(curve) ? p[static_cast<std::size_t>(half_gap_index(curve))] : 0.0;
}

class Fitter {
 public:
  Fitter(const Cloud& cloud, Curve curve)
      : cloud_(cloud), curve_(curve), count_(parameter_count(curve)), system_(cloud.offset.knot_times.size(), count_) {
    const auto [low, high] = std::minmax_element(cloud.displacement.begin(), cloud.displacement.end());
    half_range_ = 0.5 * (*high - *low);
    places_.reserve(cloud.size());
    for (const double t : cloud.time) places_.push_back(cloud.offset.place(t));
    per_std_.reserve(cloud.size());
    for (const double variance : cloud.torque_variance) per_std_.push_back(1.0 / std::sqrt(variance));
  }

  double half_range() const { return half_range_; }

  // Iterates from where `fit` stands. The robust scale follows the residuals at first and is then held, so that the
  // cost has one minimum to settle in.
  void iterate(CloudFit& fit, int iterations) {
    fit.cost = std::numeric_limits<double>::infinity();  // of a start that cannot be solved
    for (int i = 0; i < iterations; ++i) {
      const Weights weights = weigh(fit);
      if (i < kScaleFrozenAfter) fit.scale = robust_scale(weights.residual);
      assemble(fit, weights);
      system_.damp(1e-3);
      Eigen::VectorXd step;
      std::vector<double> knots;
      if (!system_.solve(step, knots)) return;
      advance(fit, step, knots);
      fit.converged = is_settled(fit, step);
      if (fit.converged && i >= kScaleFrozenAfter) break;
    }
    fit.cost = robust_cost(fit);
  }

  bool is_settled(const CloudFit& fit, const Eigen::VectorXd& step) const {
    for (int p = 0; p < count_; ++p) {
      const double scale =
          has_gap(curve_) && p == half_gap_index(curve_) ? half_range_ : fit.parameters[static_cast<std::size_t>(p)];
      if (!(std::abs(step[p]) <= 1e-9 * std::abs(scale))) return false;
    }
    return true;
  }

  void finish(CloudFit& fit) {
    const Weights weights = weigh(fit);
    assemble(fit, weights);
    Eigen::VectorXd step;
    std::vector<double> knots;
    fit.covariance = Eigen::MatrixXd::Zero(count_, count_);
    if (system_.solve(step, knots)) fit.covariance = sandwich(fit, weights);
  }

  Weights weigh(const CloudFit& fit) const {
    Weights w;
    w.corner.resize(cloud_.size());
    w.residual.resize(cloud_.size());
    const double half_gap = half_gap_of(curve_, fit.parameters);
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      const double x = cloud_.displacement[i] - offset_at(fit, i);
      w.residual[i] = cloud_.torque[i] - evaluate(curve_, fit.parameters, x).torque;
      const double near_corner = has_gap(curve_) ? corner_weight(cloud_, i, x, half_gap) : 1.0;
      w.corner[i] = near_corner / cloud_.torque_variance[i];
    }
    return w;
  }

 private:
  double offset_at(const CloudFit& fit, std::size_t i) const {
    const auto& [index, fraction] = places_[i];
    const auto& c = fit.offset.value;
    return fraction == 0.0 ? c[index] : (1.0 - fraction) * c[index] + fraction * c[index + 1];
  }

  double robust_scale(const std::vector<double>& residual) const {
    std::vector<double> standardised(residual.size());
    for (std::size_t i = 0; i < residual.size(); ++i) {
      standardised[i] = std::abs(residual[i]) * per_std_[i];
    }
    return std::max(1.4826 * median(std::move(standardised)), 1e-12);
  }

  double huber_weight(const CloudFit& fit, double residual, std::size_t i) const {
    const double standardised = std::abs(residual) * per_std_[i];
    const double limit = kHuber * fit.scale;
    return standardised <= limit ? 1.0 : limit / standardised;
  }

  void assemble(const CloudFit& fit, const Weights& weights) {
    system_.clear();
    Eigen::VectorXd gradient(count_);
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      const double x = cloud_.displacement[i] - offset_at(fit, i);
      const CurvePoint point = evaluate(curve_, fit.parameters, x);
      for (int p = 0; p < count_; ++p) gradient[p] = point.gradient[static_cast<std::size_t>(p)];
      const double weight = weights.corner[i] * huber_weight(fit, weights.residual[i], i);
      system_.add(gradient, -point.slope, places_[i], weight, weights.residual[i]);
    }
    system_.add_prior(fit.offset);
  }

  void advance(CloudFit& fit, const Eigen::VectorXd& step, const std::vector<double>& knots) const {
    for (int p = 0; p < count_; ++p) fit.parameters[static_cast<std::size_t>(p)] += step[p];
    for (std::size_t k = 0; k < knots.size(); ++k) fit.offset.value[k] += knots[k];
    if (!has_gap(curve_)) return;
    double& half_gap = fit.parameters[static_cast<std::size_t>(half_gap_index(curve_))];
    half_gap = std::clamp(half_gap, 0.0, 0.98 * half_range_);
  }

  double robust_cost(const CloudFit& fit) const {
    const Weights weights = weigh(fit);
    double cost = 0.0;
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      const double r2 = weights.residual[i] * weights.residual[i];
      cost += r2 / cloud_.torque_variance[i] * huber_weight(fit, weights.residual[i], i);
    }
    return cost;
  }

  // Covariance = S^-1 M S^-1, M the long-run variance of the scores with the knots projected out.
  Eigen::MatrixXd sandwich(const CloudFit& fit, const Weights& weights) const {
    const Eigen::MatrixXd& knots = system_.knots_by_parameter();
    Eigen::MatrixXd scores(static_cast<Eigen::Index>(cloud_.size()), count_);
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      const CurvePoint point = evaluate(curve_, fit.parameters, cloud_.displacement[i] - offset_at(fit, i));
      const auto& [index, fraction] = places_[i];
      const auto j = static_cast<Eigen::Index>(index);
      const double weight = weights.corner[i] * huber_weight(fit, weights.residual[i], i) * weights.residual[i];
      for (int p = 0; p < count_; ++p) {
        double through_knots = (1.0 - fraction) * knots(j, p);
        if (fraction > 0.0) through_knots += fraction * knots(j + 1, p);
        const double projected = point.gradient[static_cast<std::size_t>(p)] + point.slope * through_knots;
        scores(static_cast<Eigen::Index>(i), p) = weight * projected;
      }
    }
    const Eigen::MatrixXd bread = system_.schur().inverse();
    return bread * long_run_variance(scores) * bread.transpose();
  }

  Eigen::MatrixXd long_run_variance(const Eigen::MatrixXd& scores) const {
    const double period = (cloud_.time.back() - cloud_.time.front()) / static_cast<double>(cloud_.size() - 1);
    const auto reach =
        std::min<Eigen::Index>(static_cast<Eigen::Index>(cloud_.correlation_time / period), scores.rows() / 4);
    Eigen::MatrixXd sum = scores.transpose() * scores;
    for (Eigen::Index lag = 1; lag <= reach; ++lag) {
      const double bartlett = 1.0 - static_cast<double>(lag) / static_cast<double>(reach + 1);
      const Eigen::MatrixXd product =
          scores.topRows(scores.rows() - lag).transpose() * scores.bottomRows(scores.rows() - lag);
      sum += bartlett * (product + product.transpose());
    }
    return sum;
  }

  const Cloud& cloud_;
  Curve curve_;
  int count_;
  BorderedSystem system_;
  std::vector<DriftingOffset::Place> places_;
  std::vector<double> per_std_;  // 1 / std of each torque
  double half_range_ = 0.0;
};

// Slope of the whole cloud, for a start.
double rough_stiffness(const Cloud& cloud, double half_range) {
  double most = 0.0;
  for (const double torque : cloud.torque) most = std::max(most, std::abs(torque));
  return std::max(most / std::max(half_range, 1e-12), 1e-9);
}

CloudFit started_at(const Cloud& cloud, Curve curve, double stiffness, double half_gap) {
  CloudFit fit;
  fit.curve = curve;
  fit.offset = cloud.offset;
  fit.parameters = {stiffness, curve == Curve::asymmetric_dead_zone ? stiffness : 0.0, 0.0};
  if (has_gap(curve)) fit.parameters[static_cast<std::size_t>(half_gap_index(curve))] = half_gap;
  return fit;
}

// Samples that carry independent information: N / (1 + 2 sum of the residuals' autocorrelation), summed until it is
// gone.
double effective_count(const std::vector<double>& weighted_residual) {
  const std::size_t n = weighted_residual.size();
  double variance = 0.0;
  for (const double r : weighted_residual) variance += r * r;
  double sum = 0.0;
  for (std::size_t lag = 1; lag < n / 2; ++lag) {
    double product = 0.0;
    for (std::size_t i = lag; i < n; ++i) product += weighted_residual[i] * weighted_residual[i - lag];
    const double correlation = product / variance;
    if (correlation < 0.02) break;
    sum += correlation;
  }
  return static_cast<double>(n) / (1.0 + 2.0 * sum);
}

}  // namespace

double CloudFit::gap_std() const {
  const int i = half_gap_index(curve);
  return has_gap(curve) ? 2.0 * std::sqrt(std::max(covariance(i, i), 0.0)) : 0.0;
}

double CloudFit::stiffness() const {
  return curve == Curve::asymmetric_dead_zone ? 0.5 * (parameters[0] + parameters[1]) : parameters[0];
}

double CloudFit::stiffness_std() const {
  if (curve != Curve::asymmetric_dead_zone) return std::sqrt(std::max(covariance(0, 0), 0.0));
  return 0.5 * std::sqrt(std::max(covariance(0, 0) + covariance(1, 1) + 2.0 * covariance(0, 1), 0.0));
}

CloudFit fit_cloud(const Cloud& cloud, Curve curve) {
  Fitter fitter(cloud, curve);
  CloudFit best;
  const std::vector<double> starts =
      has_gap(curve) ? std::vector<double>{0.1, 0.3, 0.55, 0.8} : std::vector<double>{0.0};
  bool first = true;
  for (const double share : starts) {
    const double half_gap = share * fitter.half_range();
    CloudFit fit = started_at(cloud, curve, rough_stiffness(cloud, fitter.half_range() - half_gap), half_gap);
    fitter.iterate(fit, kStartIterations);
    if (first || fit.cost < best.cost) best = fit;
    first = false;
  }
  fitter.iterate(best, kFinalIterations);
  fitter.finish(best);
  return best;
}

double BacklashEvidence::weakest() const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& rival : rivals) least = std::min(least, rival.evidence);
  return least;
}

BacklashEvidence compare_with_rivals(const Cloud& cloud, const CloudFit& dead_zone,
                                     const std::vector<CloudFit>& rivals) {
  const auto weights = Fitter(cloud, dead_zone.curve).weigh(dead_zone);
  std::vector<double> weighted(cloud.size());
  double own = 0.0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    weighted[i] = std::sqrt(weights.corner[i]) * weights.residual[i];
    own += weighted[i] * weighted[i];
  }
  BacklashEvidence evidence;
  evidence.effective_samples = effective_count(weighted);
  for (const CloudFit& rival : rivals) {
    const auto residual = Fitter(cloud, rival.curve).weigh(rival).residual;
    double theirs = 0.0;
    for (std::size_t i = 0; i < cloud.size(); ++i) theirs += weights.corner[i] * residual[i] * residual[i];
    const int more = parameter_count(dead_zone.curve) - parameter_count(rival.curve);
    evidence.rivals.push_back({rival.curve, evidence.effective_samples * std::log(theirs / own) -
                                                more * std::log(evidence.effective_samples)});
  }
  return evidence;
}

}  // namespace tauhat
