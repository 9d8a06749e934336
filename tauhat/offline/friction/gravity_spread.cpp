#include "tauhat/offline/friction/gravity_spread.hpp"

#include <array>
#include <cmath>

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The numbers of a curve: its points, then these of its lines.
enum LineNumber { positive_coulomb, positive_viscous, negative_coulomb, negative_viscous, kLineNumbers };

// w_s: one row a number, one column a section.
MatrixXd section_weights(const SpeedCurve& curve, std::size_t sections) {
  const auto points = static_cast<Index>(curve.points.size());
  MatrixXd weights = MatrixXd::Zero(points + kLineNumbers, static_cast<Index>(sections));
  for (Index i = 0; i < points; ++i) {
    for (const SectionShare& part : curve.points[static_cast<std::size_t>(i)].shares)
      weights(i, static_cast<Index>(part.section)) = part.share;
  }
  const auto add_line = [&](const FrictionLine& line, Index coulomb, Index viscous) {
    for (std::size_t i = 0; i < line.by_point.size(); ++i) {
      weights.row(points + coulomb) += line.by_point[i].coulomb * weights.row(static_cast<Index>(i));
      weights.row(points + viscous) += line.by_point[i].viscous * weights.row(static_cast<Index>(i));
    }
  };
  add_line(curve.positive, positive_coulomb, positive_viscous);
  add_line(curve.negative, negative_coulomb, negative_viscous);
  return weights;
}

// sum_s w_s mean_s(g)
MatrixXd gravity_weights(const MatrixXd& weights, const AxisMotion& motion,
                         const std::vector<SteadySection>& sections) {
  MatrixXd sum = MatrixXd::Zero(weights.rows(), 3);
  for (std::size_t s = 0; s < sections.size(); ++s) {
    Vector3d mean = Vector3d::Zero();
    for (std::size_t k = sections[s].first; k < sections[s].last; ++k)
      mean += Vector3d(1.0, std::sin(motion.position[k]), std::cos(motion.position[k]));
    sum += weights.col(static_cast<Index>(s)) * (mean / static_cast<double>(sections[s].size())).transpose();
  }
  return sum;
}

MatrixXd covariance_of(const FittedGravity& fitted, const AxisMotion& motion,
                       const std::vector<SteadySection>& sections, const std::vector<SectionNoise>& noise,
                       const MatrixXd& own, const MatrixXd& by_gravity) {
  MatrixXd covariance = MatrixXd::Zero(own.rows(), own.rows());
  const MatrixXd by_row = by_gravity * fitted.by_row;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const SteadySection& section = sections[s];
    const VectorXd mean = own.col(static_cast<Index>(s)) / static_cast<double>(section.size());
    MatrixXd samples(own.rows(), static_cast<Index>(section.size()));
    for (std::size_t k = section.first; k < section.last; ++k)
      samples.col(static_cast<Index>(k - section.first)) = mean - by_row * fitted.row(section, motion.position[k]);
    const VectorXd sum = samples.rowwise().sum();
    covariance += noise[s].long_run * samples * samples.transpose() + noise[s].between * sum * sum.transpose();
  }
  return covariance;
}

}  // namespace

void add_gravity_spread(const FittedGravity& fitted, const AxisMotion& motion,
                        const std::vector<SteadySection>& sections, const std::vector<SectionNoise>& noise,
                        bool is_exact, SpeedCurve& curve) {
  const MatrixXd weights = section_weights(curve, sections.size());
  const MatrixXd by_gravity = gravity_weights(weights, motion, sections);
  const MatrixXd own = is_exact ? MatrixXd::Zero(weights.rows(), weights.cols()) : weights;
  const MatrixXd covariance = covariance_of(fitted, motion, sections, noise, own, by_gravity);
  const auto points = static_cast<Index>(curve.points.size());
  for (Index i = 0; i < points; ++i) curve.points[static_cast<std::size_t>(i)].std = std::sqrt(covariance(i, i));
  // Points that scatter more than they should widen their line, as they did without gravity.
  const auto widen = [&](FrictionLine& line, Index coulomb, Index viscous) {
    if (!line.separable) return 1.0;
    const double factor = is_exact ? 1.0 : line.test.widened * line.test.widened, kept = is_exact ? 1.0 : 0.0;
    const auto total = [&](double before, Index i, Index j) {
      return kept * before + factor * covariance(points + i, points + j);
    };
    line.coulomb_std = std::sqrt(total(line.coulomb_std * line.coulomb_std, coulomb, coulomb));
    line.viscous_std = std::sqrt(total(line.viscous_std * line.viscous_std, viscous, viscous));
    line.covariance = total(line.covariance, coulomb, viscous);
    return std::sqrt(factor);
  };
  const double forth = widen(curve.positive, positive_coulomb, positive_viscous);
  const double back = widen(curve.negative, negative_coulomb, negative_viscous);
  curve.coulomb_covariance = forth * back * covariance(points + positive_coulomb, points + negative_coulomb);
}

}  // namespace tauhat
