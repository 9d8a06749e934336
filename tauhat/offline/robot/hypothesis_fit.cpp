#include "tauhat/offline/robot/hypothesis_fit.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {

HypothesisFit::HypothesisFit(const RobotSpec& robot, const TorqueColumns& columns, const BaseParameters& base,
                             const CheckedSamples& samples, const Eigen::MatrixXd& measured,
                             const std::vector<double>& reach)
    : columns_(columns),
      base_(base),
      samples_(samples),
      measured_(measured),
      expected_(Eigen::VectorXd::Zero(base.count())),
      precision_(expected_) {
  const Eigen::ArrayXXd steady = samples.steady(columns, reach);
  const Eigen::MatrixXd coupling = robot.robot.transmission().coupling();
  fitted_ = Eigen::MatrixXd::Ones(steady.rows(), steady.cols());
  for (Eigen::Index joint = 0; joint < steady.cols(); ++joint)
    for (Eigen::Index actuator = 0; actuator < steady.cols(); ++actuator)
      if (coupling(actuator, joint) != 0.0) fitted_.col(joint).array() *= steady.col(actuator);
  counted_ = steady;
  expect_inertias(robot);
  for (int k = 0; k < base.count(); ++k)
    if (columns.is_rotor(base.columns[static_cast<std::size_t>(k)]) &&
        (base.grouping.row(k).array() != 0.0).count() == 1)
      rotors_.push_back(k);
}

void HypothesisFit::expect_inertias(const RobotSpec& robot) {
  constexpr double kRelativeStd = 0.2;  // what a maker's inertias are worth
  const Eigen::VectorXd known = columns_.parameters(robot.robot, friction_of(robot));
  const std::vector<InertiaFault> faults = inertia_faults(robot);
  const auto is_unknown = [&](int column) {
    if (columns_.is_rotor(column)) return columns_.is_part(column) && known[column] == 0.0;
    const std::string& link = robot.joints[static_cast<std::size_t>(columns_.joint(column))].link;
    return std::any_of(faults.begin(), faults.end(), [&](const InertiaFault& fault) { return fault.link == link; });
  };
  expected_ = base_.grouping * known;
  for (int k = 0; k < base_.count(); ++k) {
    if (base_.columns[static_cast<std::size_t>(k)] >= columns_.inertial()) continue;
    bool is_known = true;
    for (int column = 0; column < columns_.inertial(); ++column)
      is_known = is_known && (base_.grouping(k, column) == 0.0 || !is_unknown(column));
    const double deviation = kRelativeStd * base_.grouping.row(k).transpose().cwiseProduct(known).norm();
    if (is_known && deviation > 0.0) precision_[k] = 1.0 / (deviation * deviation);
  }
}

double HypothesisFit::rows(int torque) const {
  const double counted = counted_.col(torque).sum();
  return counted > static_cast<double>(base_.of_joint[static_cast<std::size_t>(torque)].size()) ? counted : 0.0;
}

HypothesisFit::Regressors HypothesisFit::regressors(const Eigen::MatrixXd& position) const {
  Regressors all{checked_rows(columns_, base_, samples_, position), {}};
  for (int j = 0; j < columns_.joints(); ++j) {
    const Eigen::MatrixXd counted = fitted_.col(j).asDiagonal() * all.rows[static_cast<std::size_t>(j)];
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(counted.cols(), counted.cols());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(counted.transpose());
    gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
    all.gram.push_back(std::move(gram));
  }
  return all;
}

HypothesisFit::Misfit HypothesisFit::misfit(const Regressors& regressors, const Eigen::MatrixXd& of_torque) const {
  const Eigen::MatrixXd torque = samples_.torque * of_torque.transpose();
  const int joints = columns_.joints();
  std::vector<Eigen::VectorXd> product;
  for (int j = 0; j < joints; ++j) {
    const Eigen::VectorXd counted = fitted_.col(j).cwiseProduct(torque.col(j));
    product.emplace_back(regressors.rows[static_cast<std::size_t>(j)].transpose() * counted);
  }
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(joints), values;
  Eigen::MatrixXd error(torque.rows(), joints);
  const auto mean_square = [&](const auto& of, const Eigen::MatrixXd& which, int j) {
    return of.cwiseProduct(which.col(j)).squaredNorm() / std::max(1.0, which.col(j).sum());
  };
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    values = solve(regressors.gram, product, weight, round > 0);
    for (int j = 0; j < joints; ++j) {
      const std::vector<int>& own = base_.of_joint[static_cast<std::size_t>(j)];
      error.col(j) = torque.col(j) - regressors.rows[static_cast<std::size_t>(j)] * values(own);
      weight[j] = rows(j) > 0.0 ? 1.0 / mean_square(error.col(j), fitted_, j) : 0.0;
    }
  }
  Misfit result{0.0, (values - expected_).cwiseAbs2().dot(precision_)};
  // Noise is each measured torque's own: coupled joints share that of their motors.
  const Eigen::MatrixXd as_measured = error * measured_.transpose();
  for (int j = 0; j < joints; ++j)
    if (rows(j) > 0.0) result.record += rows(j) * std::log(mean_square(as_measured.col(j), counted_, j));
  result.record -= 2.0 * log_volume(of_torque);
  return result;
}

// What is to be explained is the record, not what a hypothesis makes of it: ln |det| of the map from one to the other,
// each torque's share for each of its rows. A coupling is no share of a single one.
double HypothesisFit::log_volume(const Eigen::MatrixXd& of_torque) const {
  const Eigen::MatrixXd map = measured_ * of_torque * measured_.inverse();
  double volume = 0.0, shares = 0.0, all = 0.0;
  for (int j = 0; j < columns_.joints(); ++j) {
    const double share = std::log(std::abs(map(j, j)));
    volume += rows(j) * share, shares += share, all += rows(j);
  }
  const double coupled = std::log(std::abs(map.determinant())) - shares;
  return volume + all / columns_.joints() * coupled;
}

Eigen::VectorXd HypothesisFit::solve(const std::vector<Eigen::MatrixXd>& gram,
                                     const std::vector<Eigen::VectorXd>& product, const Eigen::VectorXd& weight,
                                     bool with_prior) const {
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(base_.count(), base_.count());
  Eigen::VectorXd g = Eigen::VectorXd::Zero(base_.count());
  for (std::size_t j = 0; j < gram.size(); ++j) {
    const std::vector<int>& own = base_.of_joint[j];
    h(own, own) += weight[static_cast<Eigen::Index>(j)] * gram[j];
    g(own) += weight[static_cast<Eigen::Index>(j)] * product[j];
  }
  if (with_prior) {
    h += precision_.asDiagonal();
    g += precision_.cwiseProduct(expected_);
  }
  const auto solution = [&]() -> Eigen::VectorXd {
    // Columns differ by powers of ten; those that the motion does not tell stay small.
    const Eigen::VectorXd scale = (h.diagonal().array() + 1e-300).rsqrt();
    Eigen::MatrixXd scaled = scale.asDiagonal() * h * scale.asDiagonal();
    scaled.diagonal().array() += 1e-10;
    return scale.cwiseProduct(scaled.ldlt().solve(scale.cwiseProduct(g)));
  };
  Eigen::VectorXd values = solution();
  // No rotor has less than no inertia: one that would is taken for nothing, and the others make up for it.
  for (const int rotor : rotors_) {
    if (values[rotor] >= 0.0) continue;
    h.row(rotor).setZero(), h.col(rotor).setZero();
    h(rotor, rotor) = 1.0, g[rotor] = 0.0;
    values = solution();
  }
  return values;
}

}  // namespace tauhat
