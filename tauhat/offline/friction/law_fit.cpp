#include "tauhat/offline/friction/law_fit.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/friction/bristles.hpp"
#include "tauhat/offline/friction/separability.hpp"

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

  struct Solution {
    VectorXd coefficients;  // of the law's columns, then of the common ones
    double square = 0.0;
    bool separable = true;
    MatrixXd lost;  // projector on the directions that the data do not tell, of the scaled coefficients
    VectorXd residual;
  };

  Solution solve(const std::vector<Response>& law) const {
    const auto columns = static_cast<Eigen::Index>(law.size() + common_.size());
    const auto rows = static_cast<Eigen::Index>(measured_.innovation.size());
    MatrixXd a(rows, columns);
    for (Eigen::Index i = 0; i < columns; ++i) a.col(i) = mapped(response(law, i).innovation);
    const VectorXd scale = a.colwise().norm().cwiseMax(1e-300).transpose();
    const MatrixXd scaled = a * scale.cwiseInverse().asDiagonal();
    const MatrixXd normal = scaled.transpose() * scaled;
    Solution s;
    // Columns that are alike to six digits say the same.
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(normal);
    const double least = 1e-12 * eigen.eigenvalues()[columns - 1];
    s.separable = eigen.eigenvalues()[0] > least;
    if (!s.separable) {
      const MatrixXd hidden = eigen.eigenvectors().leftCols((eigen.eigenvalues().array() <= least).count());
      s.lost = hidden * hidden.transpose();
    }
    s.coefficients = -normal.ldlt().solve(scaled.transpose() * mapped(measured_.innovation)).cwiseQuotient(scale);
    s.residual = mapped(measured_.innovation) + a * s.coefficients;
    s.square = s.residual.squaredNorm();
    return s;
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
  std::string reasons(const Solution& solution, std::vector<std::string> names,
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

// Three points about a smallest value, and the function there.
struct Bracket {
  double left, middle, right;
  double at_left, least, at_right;

  // Where a parabola through the three has its smallest value; where that is not between them, a golden section.
  double next() const {
    constexpr double kGolden = 0.381966;
    const double a = (middle - left) * (least - at_right), b = (middle - right) * (least - at_left);
    const double lowest = middle - 0.5 * ((middle - left) * a - (middle - right) * b) / (a - b);
    const bool is_between = lowest > left && lowest < right;
    if (is_between) return lowest;
    return right - middle > middle - left ? middle + kGolden * (right - middle) : middle - kGolden * (middle - left);
  }

  void take(double x, double value) {
    const bool above = x > middle;
    if (value < least) {
      (above ? left : right) = middle, (above ? at_left : at_right) = least;
      middle = x, least = value;
    } else {
      (above ? right : left) = x, (above ? at_right : at_left) = value;
    }
  }
};

constexpr int kMostSteps = 12;  // of a search

// The best of `grid` points from low on, and its neighbours. At an end of the grid the smallest may lie beyond it.
template <class F>
Bracket bracketed(const F& at, double low, double step, int grid) {
  double middle = low, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < grid; ++i) {
    const double x = low + step * i;
    if (const double value = at(x); value < least) least = value, middle = x;
  }
  double left = middle - step, right = middle + step, at_left = at(left), at_right = at(right);
  for (int i = 0; i < kMostSteps && at_left < least; ++i)
    right = middle, at_right = least, middle = left, least = at_left, left -= step, at_left = at(left);
  for (int i = 0; i < kMostSteps && at_right < least; ++i)
    left = middle, at_left = least, middle = right, least = at_right, right += step, at_right = at(right);
  return {left, middle, right, at_left, least, at_right};
}

// Finds the smallest f on a grid of factors from low to high, then between its neighbours, in the logarithm.
template <class F>
double minimise(F f, double low, double high, int grid) {
  constexpr double kClose = 1e-5;
  const auto at = [&](double x) { return f(std::exp(x)); };
  Bracket bracket = bracketed(at, std::log(low), std::log(high / low) / (grid - 1), grid);
  for (int i = 0; i < kMostSteps; ++i) {
    const double next = bracket.next();
    if (std::abs(next - bracket.middle) < kClose) break;
    bracket.take(next, at(next));
  }
  return std::exp(bracket.middle);
}

double largest_speed(const std::vector<double>& velocity) {
  double largest = 0.0;
  for (const double v : velocity) largest = std::max(largest, std::abs(v));
  return largest;
}

// The best of a grid that reaches from a hundredth of the fastest speed to all of it for the fall, and from ten
// thousandths of it to a tenth for the width.
template <class Square>
LawShape coarse_shape(const Square& square, double fastest) {
  constexpr int kFalls = 10, kWidths = 7;
  LawShape best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kFalls; ++i) {
    for (int j = 0; j < kWidths; ++j) {
      const LawShape shape{std::pow(100.0, i / (kFalls - 1.0)) / fastest,
                           fastest * std::pow(10.0, -1.0 - 3.0 * j / (kWidths - 1.0))};
      if (const double now = square(shape); now < least) least = now, best = shape;
    }
  }
  return best;
}

// The law's shape for this motion: where it has two parameters, one after the other from the best of a coarse grid.
LawShape best_shape(LawKind kind, const Regression& regression, const std::vector<double>& velocity, LawShape before) {
  const double fastest = std::max(largest_speed(velocity), 1e-300);
  const auto square = [&](LawShape shape) {
    return regression.solve(regression.responses(force_columns(kind, velocity, shape))).square;
  };
  const auto find_fall = [&](LawShape shape) {
    const auto at = [&](double fall) { return square({fall, shape.width}); };
    if (shape.fall > 0.0) return minimise(at, shape.fall / 1.2, shape.fall * 1.2, 3);
    return minimise(at, 1.0 / fastest, 60.0 / fastest, 25);
  };
  const auto find_width = [&](LawShape shape) {
    const auto at = [&](double width) { return square({shape.fall, width}); };
    if (shape.width > 0.0) return minimise(at, shape.width / 1.5, shape.width * 1.5, 3);
    return minimise(at, fastest / 60.0, fastest, 25);
  };
  if (has_fall(kind) && has_width(kind)) {
    LawShape shape = before.fall > 0.0 ? before : coarse_shape(square, fastest);
    for (int round = 0; round < 2; ++round) shape = {find_fall(shape), shape.width}, shape.width = find_width(shape);
    return shape;
  }
  if (has_fall(kind)) return {find_fall(before), 0.0};
  if (has_width(kind)) return {0.0, find_width(before)};
  return {};
}

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
  fit.law.shape = best_shape(kind, regression, velocity, before);
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

int fitted_parameters(const FittedLaw& law, bool offset) {
  // A law with a level for each direction has the constant force in it.
  return law.parameters() + (offset && !is_asymmetric(law.kind) ? 1 : 0);
}

LawFit fit_law(LawKind kind, const Axis<double>& axis, const AxisSamples& samples, const std::vector<double>& velocity,
               const LawFitOptions& options) {
  const SlowObserver observer(axis, samples, options.bandwidth);
  // A law with a level for each direction has the constant force in it.
  const Regression regression(observer, samples.force.size(), options.offset && !is_asymmetric(kind));
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
