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
using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::Vector4d;
using Eigen::VectorXd;

// What a law's forces do, and how many there are.
struct LawResponse {
  Response response;
  Index count;
};

// e0 + sum c_i e_i = residual: all columns that a law does not change, and those that it adds.
class Regression {
 public:
  Regression(const SlowObserver& observer, bool offset)
      : observer_(observer), motion_(observer.of_motion()), common_(offset ? 3 : 2) {
    gram_ = motion_.innovation.matrix() * motion_.innovation.matrix().transpose();
  }

  LawResponse respond(const ForceSamples& forces) const {
    return {observer_.of_forces(forces.value), static_cast<Index>(forces.count)};
  }

  // Coefficients of the law's columns, then of the common ones.
  LinearFit solve(const LawResponse& law) const {
    const Index own = law.count, all = own + common_;
    const auto columns = law.response.innovation.matrix();
    const Matrix4d with_itself = columns * columns.transpose(),
                   with_motion = columns * motion_.innovation.matrix().transpose();
    MatrixXd normal(all, all);
    normal.topLeftCorner(own, own) = with_itself.topLeftCorner(own, own);
    normal.topRightCorner(own, common_) = with_motion.topLeftCorner(own, common_);
    normal.bottomLeftCorner(common_, own) = with_motion.topLeftCorner(own, common_).transpose();
    normal.bottomRightCorner(common_, common_) = gram_.topLeftCorner(common_, common_);
    VectorXd product(all);
    product << -with_motion.col(kMeasured).head(own), -gram_.col(kMeasured).head(common_);
    LinearFit fit = solve_normal_equations(normal, product);
    const Weights weights = weights_of(law, fit.coefficients);
    fit.residual = columns.transpose() * weights.law + motion_.innovation.matrix().transpose() * weights.motion;
    fit.square = fit.residual.squaredNorm();
    return fit;
  }

  // The velocity of the motion that the solution describes.
  std::vector<double> velocity(const LawResponse& law, const VectorXd& coefficients) const {
    const Weights weights = weights_of(law, coefficients);
    const VectorXd v = law.response.velocity.matrix().transpose() * weights.law +
                       motion_.velocity.matrix().transpose() * weights.motion;
    return {v.data(), v.data() + v.size()};
  }

  // The constant force of a solution; none where it is not fitted.
  double offset(const LawResponse& law, const VectorXd& coefficients) const {
    return common_ > 2 ? coefficients[law.count + 2] : 0.0;
  }

  // Which parameters a solution could not tell, and why. `names` are those of the law's columns.
  std::string reasons(const LinearFit& solution, std::vector<std::string> names,
                      const std::vector<double>& velocity) const {
    const std::size_t own = names.size();
    names.insert(names.end(), {"the position at the start", "the velocity at the start"});
    if (common_ > 2) names.emplace_back("friction.offset");
    const Eigen::Map<const VectorXd> speeds(velocity.data(), static_cast<Index>(velocity.size()));
    const std::vector<std::string> each = reasons_of_loss(names, solution.lost, speeds);
    std::string all;
    for (std::size_t i = 0; i < each.size(); ++i) {
      const bool is_start = i >= own && i < own + 2;
      if (is_start || each[i].empty() || all.find(each[i]) != std::string::npos) continue;
      all += (all.empty() ? "" : "; ") + each[i];
    }
    return all;
  }

  std::size_t used() const { return static_cast<std::size_t>((motion_.innovation.row(kMeasured) != 0.0).count()); }

 private:
  static constexpr Index kMeasured = 3;  // of SlowObserver::of_motion()

  struct Weights {
    Vector4d law = Vector4d::Zero(), motion = Vector4d::Unit(kMeasured);
  };
  Weights weights_of(const LawResponse& law, const VectorXd& coefficients) const {
    Weights weights;
    weights.law.head(law.count) = coefficients.head(law.count);
    weights.motion.head(common_) = coefficients.tail(common_);
    return weights;
  }

  const SlowObserver& observer_;
  Response motion_;
  Index common_;   // how many of its inputs are fitted
  Matrix4d gram_;  // of its innovations
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
  const Regression regression(observer, has_own_offset(kind, options.offset));
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
