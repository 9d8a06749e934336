#include "tauhat/offline/friction/coulomb_line.hpp"

#include <Eigen/Dense>
#include <unsupported/Eigen/SpecialFunctions>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRoundOff = 1e-9;  // of the friction: off a line by less is no bend

double chi_square_tail(double value, double freedom) { return Eigen::numext::igammac(0.5 * freedom, 0.5 * value); }

//   P(F > value),   F distributed as F(1, m)
double f_tail(double value, double m) { return Eigen::numext::betainc(0.5 * m, 0.5, m / (m + value)); }

// A point as its direction has it: speed and friction along the motion.
struct PointOfWay {
  double speed, friction, std;
  std::size_t index;  // among all points
};
using Way = std::vector<PointOfWay>;

Way points_of(const std::vector<SpeedPoint>& points, bool positive) {
  Way way;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SpeedPoint& point = points[i];
    if ((point.speed > 0.0) != positive) continue;
    way.push_back({std::abs(point.speed), positive ? point.friction : -point.friction, point.std, i});
  }
  std::stable_sort(way.begin(), way.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  return way;
}

std::size_t different_speeds(const Way& way) {
  std::size_t count = 0;
  double last = 0.0;
  for (const PointOfWay& point : way) {
    if (count > 0 && point.speed <= (1.0 + kSameSpeed) * last) continue;
    ++count, last = point.speed;
  }
  return count;
}

// Weighted by the points' deviations. Without noise all count alike, and how exact they are shows only in their
// scatter.
class WeightedLine {
 public:
  explicit WeightedLine(const Way& way) : way_(way), is_exact_(!(way.front().std > 0.0)) {
    const auto count = static_cast<Index>(way.size());
    weights_.resize(count), friction_.resize(count), regressor_.resize(count, 2);
    for (Index i = 0; i < count; ++i) {
      const PointOfWay& point = way[static_cast<std::size_t>(i)];
      weights_[i] = is_exact_ ? 1.0 : 1.0 / point.std;
      regressor_.row(i) << weights_[i], weights_[i] * point.speed;
      friction_[i] = weights_[i] * point.friction;
    }
    inverse_ = (regressor_.transpose() * regressor_).inverse();
    found_ = inverse_ * (regressor_.transpose() * friction_);
    residual_ = friction_ - regressor_ * found_;
  }

  // Where the points scatter more than their deviations say, these are too small (Birge 1932).
  FrictionLine line() const {
    const double freedom = static_cast<double>(way_.size()) - 2.0;
    const double nobody_knows = std::numeric_limits<double>::quiet_NaN();
    const double birge = freedom > 0.0 ? residual_.squaredNorm() / freedom : is_exact_ ? nobody_knows : 1.0;
    const double inflated = is_exact_ ? birge : std::max(1.0, birge);
    FrictionLine line;
    line.separable = true;
    line.coulomb = found_[0], line.viscous = found_[1];
    line.coulomb_std = std::sqrt(inflated * inverse_(0, 0));
    line.viscous_std = std::sqrt(inflated * inverse_(1, 1));
    line.covariance = inflated * inverse_(0, 1);
    line.test = test(freedom, std::sqrt(inflated));
    return line;
  }

  // In a list of `count` points, of which this way's have the sign.
  std::vector<FrictionLine::ByPoint> by_point(std::size_t count, double sign) const {
    const MatrixXd by_way = inverse_ * regressor_.transpose() * weights_.asDiagonal();
    std::vector<FrictionLine::ByPoint> all(count);
    for (std::size_t i = 0; i < way_.size(); ++i) {
      const auto at = static_cast<Index>(i);
      all[way_[i].index] = {sign * by_way(0, at), sign * by_way(1, at)};
    }
    return all;
  }

 private:
  LineTest test(double freedom, double widened) const {
    LineTest test{.speeds = different_speeds(way_), .widened = widened};
    if (test.speeds < 3) return test;
    Index farthest = 0;
    residual_.cwiseQuotient(weights_).cwiseAbs().maxCoeff(&farthest);
    test.largest_off = residual_[farthest] / weights_[farthest];
    test.off_at = way_[static_cast<std::size_t>(farthest)].speed;
    test.share_off = std::abs(test.largest_off * weights_[farthest] / friction_[farthest]);
    const bool is_line = residual_.norm() < kRoundOff * friction_.norm();
    if (is_line) return test;
    test.scatter_p_value = is_exact_ ? 0.0 : chi_square_tail(residual_.squaredNorm(), freedom);
    test_bend(freedom - 1.0, test);
    return test;
  }

  // What the parabola has that the line has not:  c = v^2 less its own line.
  void test_bend(double freedom, LineTest& test) const {
    const VectorXd square = regressor_.col(1).cwiseAbs2().cwiseQuotient(weights_);
    const Eigen::Vector2d its_line = inverse_ * (regressor_.transpose() * square);
    const VectorXd column = square - regressor_ * its_line;
    const double bend = column.dot(residual_) / column.squaredNorm();
    const double explained = bend * bend * column.squaredNorm(), left = residual_.squaredNorm() - explained;
    test.coulomb_of_curve = found_[0] - bend * its_line[0];
    const double variance = freedom > 0.0 ? left / freedom : 0.0;
    if (!is_exact_ && variance <= 1.0) {
      test.bend_p_value = chi_square_tail(explained, 1.0);
    } else {
      test.bend_p_value = freedom > 0.0 ? f_tail(explained / variance, freedom) : 0.0;
    }
  }

  const Way& way_;
  bool is_exact_;
  VectorXd weights_, friction_, residual_;  // all but the weights are weighted
  MatrixXd regressor_;
  Eigen::Matrix2d inverse_;
  Eigen::Vector2d found_;
};

}  // namespace

// The points' deviations are estimates themselves, where noise remembers rough ones, and chi-square knows nothing of
// it: of straight lines 1.5 % lie beyond 1e-4, and 0.5 % beyond this.
bool LineTest::scatters() const noexcept { return scatter_p_value < 1e-5; }

double FrictionLine::friction_std(double speed) const noexcept {
  return std::sqrt(coulomb_std * coulomb_std + speed * (2.0 * covariance + speed * viscous_std * viscous_std));
}

// Beyond the noise, by more than the scatter about the parabola, and so far that it matters.
bool FrictionLine::bends() const noexcept {
  constexpr double kSignificant = 0.05, kMatters = 0.05;
  return test.scatters() && test.bend_p_value < kSignificant &&
         std::abs(test.coulomb_of_curve - coulomb) > kMatters * std::abs(coulomb);
}

FrictionLine line_through(const std::vector<SpeedPoint>& points, bool positive) {
  const Way way = points_of(points, positive);
  FrictionLine line;
  if (way.empty()) {
    line.why = "no constant speed in this direction: record both directions";
  } else if (different_speeds(way) < 2) {
    line.why = "only one speed: viscous and coulomb friction cannot be told apart; record several speeds";
  }
  if (!line.why.empty()) return line;
  const WeightedLine weighted(way);
  line = weighted.line();
  line.by_point = weighted.by_point(points.size(), positive ? 1.0 : -1.0);
  return line;
}

}  // namespace tauhat
