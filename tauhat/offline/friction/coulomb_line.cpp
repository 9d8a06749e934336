#include "tauhat/offline/friction/coulomb_line.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<SpeedPoint> points_of(const std::vector<SpeedPoint>& points, bool positive) {
  std::vector<SpeedPoint> way;
  for (SpeedPoint point : points) {
    if ((point.speed > 0.0) != positive) continue;
    point.friction = positive ? point.friction : -point.friction;
    point.speed = std::abs(point.speed);
    way.push_back(point);
  }
  std::stable_sort(way.begin(), way.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  return way;
}

std::size_t different_speeds(const std::vector<SpeedPoint>& way) {
  std::size_t count = 0;
  double last = 0.0;
  for (const SpeedPoint& point : way) {
    if (count > 0 && point.speed <= (1.0 + kSameSpeed) * last) continue;
    ++count, last = point.speed;
  }
  return count;
}

// Weighted by the points' deviations. Without noise all count alike, and how exact they are shows only in their
// scatter.
class WeightedLine {
 public:
  explicit WeightedLine(const std::vector<SpeedPoint>& way) : way_(way), is_exact_(!(way.front().std > 0.0)) {
    const auto count = static_cast<Index>(way.size());
    weights_.resize(count), friction_.resize(count), regressor_.resize(count, 2);
    for (Index i = 0; i < count; ++i) {
      const SpeedPoint& point = way[static_cast<std::size_t>(i)];
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
    return line;
  }

 private:
  const std::vector<SpeedPoint>& way_;
  bool is_exact_;
  VectorXd weights_, friction_, residual_;  // all but the weights are weighted
  MatrixXd regressor_;
  Eigen::Matrix2d inverse_;
  Eigen::Vector2d found_;
};

}  // namespace

FrictionLine line_through(const std::vector<SpeedPoint>& points, bool positive) {
  const std::vector<SpeedPoint> way = points_of(points, positive);
  FrictionLine line;
  if (way.empty()) {
    line.why = "no constant speed in this direction: record both directions";
  } else if (different_speeds(way) < 2) {
    line.why = "only one speed: viscous and coulomb friction cannot be told apart; record several speeds";
  }
  return line.why.empty() ? WeightedLine(way).line() : line;
}

}  // namespace tauhat
