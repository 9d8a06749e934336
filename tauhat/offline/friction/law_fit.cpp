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
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Map<const VectorXd> mapped(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

// e0 + sum c_i e_i = residual: all columns that a law does not change, and those that it adds.
class Regression {
 public:
  Regression(const SlowObserver& observer, std::size_t samples, bool offset)
      : observer_(observer), measured_(observer.of_measurement()) {
    for (const int state : {0, 1}) common_.push_back(observer.of_start(state));
    if (offset) common_.push_back(observer.of_force(std::vector<double>(samples, 1.0)));
  }

  // Coefficients of the law's columns, then of the common ones.
  LinearFit solve(const std::vector<Response>& law) const {
    const auto columns = static_cast<Eigen::Index>(law.size() + common_.size());
    MatrixXd a(static_cast<Eigen::Index>(measured_.innovation.size()), columns);
    for (Eigen::Index i = 0; i < columns; ++i) a.col(i) = mapped(response(law, i).innovation);
    return fit_linearly(a, -mapped(measured_.innovation));
  }

  // The velocity of the motion that the solution describes.
  std::vector<double> velocity(const std::vector<Response>& law, const VectorXd& coefficients) const {
    VectorXd v = mapped(measured_.velocity);
    for (Eigen::Index i = 0; i < coefficients.size(); ++i) v += coefficients[i] * mapped(response(law, i).velocity);
    return {v.data(), v.data() + v.size()};
  }

  std::vector<Response> responses(const std::vector<std::vector<double>>& forces) const {
    std::vector<Response> all;
    for (const auto& force : forces) all.push_back(observer_.of_force(force));
    return all;
  }

  // The constant force of a solution; none where it is not fitted.
  double offset(const std::vector<Response>& law, const VectorXd& coefficients) const {
    return common_.size() > 2 ? coefficients[static_cast<Eigen::Index>(law.size()) + 2] : 0.0;
  }

  // Which parameters a solution could not tell, and why. `names` are those of the law's columns.
  std::string reasons(const LinearFit& solution, std::vector<std::string> names,
                      const std::vector<double>& velocity) const {
    const std::size_t own = names.size();
    names.insert(names.end(), {"the position at the start", "the velocity at the start"});
    if (common_.size() > 2) names.emplace_back("friction.offset");
    const std::vector<std::string> each = reasons_of_loss(names, solution.lost, mapped(velocity));
    std::string all;
    for (std::size_t i = 0; i < each.size(); ++i) {
      const bool is_start = i >= own && i < own + 2;
      if (is_start || each[i].empty() || all.find(each[i]) != std::string::npos) continue;
      all += (all.empty() ? "" : "; ") + each[i];
    }
    return all;
  }

  std::size_t used() const {
    return static_cast<std::size_t>(
        std::count_if(measured_.innovation.begin(), measured_.innovation.end(), [](double e) { return e != 0.0; }));
  }

 private:
  const Response& response(const std::vector<Response>& law, Eigen::Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return at < law.size() ? law[at] : common_[at - law.size()];
  }
  const SlowObserver& observer_;
  Response measured_;
  std::vector<Response> common_;
};

// What the coefficients of force_columns() are.
std::vector<std::string> column_names(LawKind kind) {
  switch (kind) {
    case LawKind::exponential:
    case LawKind::hyperbolic:
      return {"friction.coulomb", "friction.excess"};
    case LawKind::exponential_viscous:
    case LawKind::gaussian_viscous:
    case LawKind::smooth_gaussian_viscous:
      return {"friction.coulomb", "friction.excess", "friction.viscous"};
    case LawKind::asymmetric_coulomb:
    case LawKind::smooth_asymmetric_coulomb:
      return {"friction.coulomb.positive", "friction.viscous.positive", "friction.coulomb.negative",
              "friction.viscous.negative"};
    case LawKind::asymmetric_exponential:
      return {"friction.coulomb.positive", "friction.excess.positive", "friction.coulomb.negative",
              "friction.excess.negative"};
    case LawKind::lugre:
      return {"friction.coulomb"};
    case LawKind::coulomb_viscous:
    case LawKind::tanh_viscous:
      break;
  }
  return {"friction.coulomb", "friction.viscous"};
}

LawFit with_columns(LawKind kind, const Regression& regression, const std::vector<double>& velocity, LawShape before) {
  LawFit fit;
  fit.law.kind = kind;
  const auto square = [&](LawShape shape) {
    return regression.solve(regression.responses(force_columns(kind, velocity, shape))).square;
  };
  fit.law.shape = best_shape(kind, square, std::max(largest_speed(velocity), 1e-300), before);
  const auto responses = regression.responses(force_columns(kind, velocity, fit.law.shape));
  const auto solution = regression.solve(responses);
  fit.law.coefficients.assign(solution.coefficients.data(), solution.coefficients.data() + responses.size());
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
  const auto residual = [&](const BristleParameters& p) {
    return regression.solve(regression.responses({bristle_force(p, velocity, period)})).residual;
  };
  // The force is fitted as a whole, so a last free factor on it is one parameter less to search for.
  const BristleFit found = fit_bristles(residual, velocity, period, before);
  const auto responses = regression.responses({bristle_force(found.parameters, velocity, period)});
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
  const Regression regression(observer, samples.force.size(), has_own_offset(kind, options.offset));
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
  fit = std::move(best);
  const auto n = static_cast<double>(regression.used());
  fit.variance /= n;
  fit.bic = n * std::log(std::max(fit.variance, 1e-300)) + fitted_parameters(fit.law, options.offset) * std::log(n);
  return fit;
}

}  // namespace tauhat
