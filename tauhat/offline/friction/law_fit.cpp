#include "tauhat/offline/friction/law_fit.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/friction/bristles.hpp"
#include "tauhat/offline/friction/linear_fit.hpp"
#include "tauhat/offline/friction/separability.hpp"
#include "tauhat/offline/friction/shape_search.hpp"

namespace tauhat {
namespace {

using Response = SlowObserver::Response;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// What a law's forces do, and how many there are.
struct LawResponse {
  Response response;
  Index count;
};

// Sums over the samples of four columns that stand side by side: a general product of matrices this thin takes three
// times as long.
Eigen::Vector4d sum_of(const Eigen::Ref<const Eigen::Matrix4Xd>& columns, const Eigen::Ref<const VectorXd>& weight) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (Index k = 0; k < columns.cols(); ++k) sum += columns.col(k) * weight[k];
  return sum;
}
Eigen::Matrix4d squares_of(const Eigen::Ref<const Eigen::Matrix4Xd>& columns) {
  Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
  for (Index k = 0; k < columns.cols(); ++k) {
    const Eigen::Vector4d e = columns.col(k);
    sum.noalias() += e * e.transpose();
  }
  return sum;
}

// e0 + sum c_i e_i = residual: all columns that a law does not change, and those that it adds. Where a column's
// coefficient is known only so well, it is held to that as if by one more sample.
class Regression {
 public:
  Regression(const SlowObserver& observer, bool offset, const InputColumns& inputs)
      : observer_(observer), inputs_(inputs), offset_(offset) {
    const Response motion = observer.of_motion();
    std::vector<Index> own;  // of the motion's inputs
    if (observer.sees_position()) own.push_back(kStartPosition);
    own.push_back(kStartVelocity);
    if (offset) own.push_back(kConstantForce);
    own_common_ = static_cast<Index>(own.size());
    const Index extra = inputs.force.rows(), samples = motion.innovation.cols();
    common_ = velocity_ = MatrixXd(samples, own_common_ + extra);
    common_.leftCols(own_common_) = motion.innovation.matrix()(own, Eigen::all).transpose();
    velocity_.leftCols(own_common_) = motion.velocity.matrix()(own, Eigen::all).transpose();
    for (Index first = 0; first < extra; first += kAtOnce) {
      const Index count = std::min(kAtOnce, extra - first);
      Eigen::Array4Xd force = Eigen::Array4Xd::Zero(kAtOnce, samples);
      force.topRows(count) = inputs.force.middleRows(first, count).array();
      const Response response = observer.of_forces(force);
      common_.middleCols(own_common_ + first, count) = response.innovation.matrix().topRows(count).transpose();
      velocity_.middleCols(own_common_ + first, count) = response.velocity.matrix().topRows(count).transpose();
    }
    measured_ = motion.innovation.matrix().row(kMeasured).transpose();
    measured_velocity_ = motion.velocity.matrix().row(kMeasured).transpose();
    gram_ = common_.transpose() * common_;
    product_ = -common_.transpose() * measured_;
    for (Index i = 0; i < extra; ++i) {
      const double weight = inputs.noise_variance / (inputs.std[i] * inputs.std[i]);
      gram_(own_common_ + i, own_common_ + i) += weight;
      product_[own_common_ + i] += weight * inputs.given[i];
    }
  }

  LawResponse respond(const ForceSamples& forces) const {
    return {observer_.of_forces(forces.value), static_cast<Index>(forces.count)};
  }

  // Coefficients of the law's columns, then of the common ones.
  LinearFit solve(const LawResponse& law) const {
    const Index own = law.count, shared = common_.cols(), all = own + shared;
    const auto columns = law.response.innovation.matrix();  // four rows, of which the law fills the first
    MatrixXd normal(all, all);
    for (Index i = 0; i < shared; ++i) normal.col(own + i).head(own) = sum_of(columns, common_.col(i)).head(own);
    normal.topLeftCorner(own, own) = squares_of(columns).topLeftCorner(own, own);
    normal.bottomLeftCorner(shared, own) = normal.topRightCorner(own, shared).transpose();
    normal.bottomRightCorner(shared, shared) = gram_;
    VectorXd product(all);
    product << -sum_of(columns, measured_).head(own), product_;
    LinearFit fit = solve_normal_equations(normal, product);
    Eigen::Vector4d by_law = Eigen::Vector4d::Zero();
    by_law.head(own) = fit.coefficients.head(own);
    fit.residual = measured_ + common_ * fit.coefficients.tail(shared);
    for (Index k = 0; k < columns.cols(); ++k) fit.residual[k] += columns.col(k).dot(by_law);
    fit.square = fit.residual.squaredNorm() + inputs_.noise_variance * unlikelihood(fit.coefficients);
    return fit;
  }

  // The velocity of the motion that the solution describes.
  std::vector<double> velocity(const LawResponse& law, const VectorXd& coefficients) const {
    const VectorXd v = law.response.velocity.matrix().topRows(law.count).transpose() * coefficients.head(law.count) +
                       velocity_ * coefficients.tail(velocity_.cols()) + measured_velocity_;
    return {v.data(), v.data() + v.size()};
  }

  // The constant force of a solution; none where it is not fitted.
  double offset(const LawResponse& law, const VectorXd& coefficients) const {
    return offset_ ? coefficients[law.count + own_common_ - 1] : 0.0;
  }

  // How far a solution moves what is known only so well.
  VectorXd inputs(const VectorXd& coefficients) const { return coefficients.tail(inputs_.force.rows()); }

  // Which parameters a solution could not tell, and why. `names` are those of the law's columns.
  std::string reasons(const LinearFit& solution, std::vector<std::string> names,
                      const std::vector<double>& velocity) const {
    const std::size_t own = names.size();
    if (observer_.sees_position()) names.emplace_back("the position at the start");
    names.emplace_back("the velocity at the start");
    const std::size_t starts = names.size();
    if (offset_) names.emplace_back("friction.offset");
    names.insert(names.end(), static_cast<std::size_t>(inputs_.force.rows()), "what is known only so well");
    const Eigen::Map<const VectorXd> speeds(velocity.data(), static_cast<Index>(velocity.size()));
    const std::vector<std::string> each = reasons_of_loss(names, solution.lost, speeds);
    std::string all;
    for (std::size_t i = 0; i < each.size(); ++i) {
      const bool is_start = i >= own && i < starts;
      if (is_start || each[i].empty() || all.find(each[i]) != std::string::npos) continue;
      all += (all.empty() ? "" : "; ") + each[i];
    }
    return all;
  }

  std::size_t used() const { return static_cast<std::size_t>((measured_.array() != 0.0).count()); }

 private:
  // The inputs of SlowObserver::of_motion(), and how many it takes at once.
  static constexpr Index kStartPosition = 0, kStartVelocity = 1, kConstantForce = 2, kMeasured = 3, kAtOnce = 4;

  double unlikelihood(const VectorXd& coefficients) const {
    if (inputs_.force.rows() == 0) return 0.0;
    return (inputs(coefficients) - inputs_.given).cwiseQuotient(inputs_.std).squaredNorm();
  }

  const SlowObserver& observer_;
  const InputColumns& inputs_;
  bool offset_;
  Index own_common_ = 0;        // start of position and velocity, and the constant force
  MatrixXd common_, velocity_;  // innovations and velocities, one column each
  VectorXd measured_, measured_velocity_;
  MatrixXd gram_;
  VectorXd product_;
};

// What the coefficients of force_samples() are.
std::vector<std::string> column_names(LawKind kind) {
  switch (hard_form(kind)) {
    case LawKind::exponential:
    case LawKind::hyperbolic:
      return {"friction.coulomb", "friction.excess"};
    case LawKind::exponential_viscous:
    case LawKind::gaussian_viscous:
      return {"friction.coulomb", "friction.excess", "friction.viscous"};
    case LawKind::asymmetric_coulomb:
      return {"friction.coulomb.positive", "friction.viscous.positive", "friction.coulomb.negative",
              "friction.viscous.negative"};
    case LawKind::asymmetric_exponential:
      return {"friction.coulomb.positive", "friction.excess.positive", "friction.coulomb.negative",
              "friction.excess.negative"};
    case LawKind::lugre:
      return {"friction.coulomb"};
    default:
      return {"friction.coulomb", "friction.viscous"};
  }
}

LawFit with_columns(LawKind kind, const Regression& regression, const std::vector<double>& velocity, LawShape before) {
  LawFit fit;
  fit.law.kind = kind;
  const auto square = [&](LawShape shape) {
    return regression.solve(regression.respond(force_samples(kind, velocity, shape))).square;
  };
  fit.law.shape = best_shape(kind, square, std::max(largest_speed(velocity), 1e-300), before);
  const auto responses = regression.respond(force_samples(kind, velocity, fit.law.shape));
  const auto solution = regression.solve(responses);
  fit.law.coefficients.assign(solution.coefficients.data(), solution.coefficients.data() + responses.count);
  fit.offset = regression.offset(responses, solution.coefficients);
  fit.moved_inputs = regression.inputs(solution.coefficients);
  fit.why = fit.law.why_impossible(largest_speed(velocity));
  fit.separable = solution.separable && fit.why.empty();
  if (!solution.separable) fit.why = regression.reasons(solution, column_names(kind), velocity);
  fit.variance = solution.square;
  fit.velocity = regression.velocity(responses, solution.coefficients);
  return fit;
}

LawFit with_bristles(const Regression& regression, const std::vector<double>& velocity, double period,
                     const std::vector<double>& before) {
  LawFit fit;
  fit.law.kind = LawKind::lugre;
  const auto respond = [&](const BristleParameters& p) {
    const std::vector<double> force = bristle_force(p, velocity, period);
    ForceSamples samples{Eigen::Array4Xd::Zero(4, static_cast<Index>(force.size())), 1};
    samples.value.row(0) = Eigen::Map<const Eigen::RowVectorXd>(force.data(), samples.value.cols());
    return regression.respond(samples);
  };
  const auto residual = [&](const BristleParameters& p) { return regression.solve(respond(p)).residual; };
  // The force is fitted as a whole, so a last free factor on it is one parameter less to search for.
  const BristleFit found = fit_bristles(residual, velocity, period, before);
  const auto responses = respond(found.parameters);
  const auto solution = regression.solve(responses);
  fit.law.coefficients = scaled_bristles(found.parameters, solution.coefficients[0]);
  fit.offset = regression.offset(responses, solution.coefficients);
  fit.moved_inputs = regression.inputs(solution.coefficients);
  fit.variance = solution.square;
  fit.velocity = regression.velocity(responses, solution.coefficients);
  fit.separable = solution.separable;
  if (!fit.separable) fit.why = regression.reasons(solution, column_names(LawKind::lugre), velocity);
  return fit;
}

}  // namespace

LawFit fit_law(LawKind kind, const Axis<double>& axis, const AxisSamples& samples, const std::vector<double>& velocity,
               const LawFitOptions& options) {
  const SlowObserver observer(axis, samples, options.bandwidth);
  const Regression regression(observer, has_own_offset(kind, options.offset), options.inputs);
  constexpr double kSettled = 2e-5;  // of the variance: a fraction of one BIC for ten thousand samples
  LawFit fit, best;
  fit.velocity = velocity;
  best.variance = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < options.passes; ++pass) {
    const std::vector<double> before = std::move(fit.velocity);
    fit = kind == LawKind::lugre ? with_bristles(regression, before, samples.period, fit.law.coefficients)
                                 : with_columns(kind, regression, before, fit.law.shape);
    // The fitted motion is mostly the better one; around standstill it may not be.
    const bool settled = std::abs(best.variance - fit.variance) < kSettled * fit.variance;
    if (fit.variance < best.variance) best = fit;
    if (settled) break;
    // Too much friction makes a motion that asks for too little: from one pass to the next the fit swings about its
    // answer, which half of the way meets.
    for (std::size_t k = 0; k < before.size(); ++k) fit.velocity[k] = 0.5 * (fit.velocity[k] + before[k]);
  }
  if (!std::isfinite(best.variance)) {
    best.law.kind = kind;
    best.law.coefficients.assign(column_names(kind).size(), 0.0);
    best.velocity = velocity;
    best.moved_inputs = VectorXd::Zero(options.inputs.force.rows());
    best.separable = false;
    best.why = "no motion by it comes near to the recorded one: check the units, the mass and the position's std";
  }
  fit = std::move(best);
  const auto n = static_cast<double>(regression.used());
  fit.variance /= n;
  fit.bic = n * std::log(std::max(fit.variance, 1e-300)) + fitted_parameters(fit.law, options.offset) * std::log(n);
  return fit;
}

}  // namespace tauhat
