#include "tauhat/offline/robot/hypothesis_fit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tauhat/core/robot/parameters.hpp"

namespace tauhat {
namespace {

// Of a body, or a rotor's.
bool is_mass(const TorqueColumns& columns, int column) {
  constexpr int kMass = kInertialParameters - 1;
  if (columns.is_rotor(column)) return true;
  return column < columns.inertial() && RobotParameter::at(column, columns.joints()).kind == kMass;
}

// Friction that is the same in both directions.
bool takes_energy(const TorqueColumns& columns, int column) {
  using Kind = TorqueColumns::FrictionKind;
  if (column < columns.inertial()) return false;
  return columns.friction_kind(column) == Kind::viscous || columns.friction_kind(column) == Kind::coulomb;
}

// Beside the round-off of an inverse.
bool takes_part(const Eigen::MatrixXd& map, int row, int column) {
  return std::abs(map(row, column)) > 1e-12 * map.row(row).cwiseAbs().maxCoeff();
}

}  // namespace

HypothesisFit::HypothesisFit(const RobotSpec& robot, const TorqueColumns& columns, const BaseParameters& base,
                             const CheckedSamples& samples, const Eigen::MatrixXd& measured,
                             const Eigen::ArrayXXd& counts)
    : columns_(columns),
      base_(base),
      samples_(samples),
      measured_(measured),
      expected_(Eigen::VectorXd::Zero(base.count())),
      precision_(expected_) {
  const int joints = columns.joints();
  const Eigen::MatrixXd of_actuators = measured * robot.robot.transmission().coupling().transpose();
  counted_ = Eigen::MatrixXd::Ones(counts.rows(), counts.cols());
  for (int i = 0; i < joints; ++i) {
    std::set<int> parameters;
    for (int j = 0; j < joints; ++j) {
      const std::vector<int>& own = base.of_joint[static_cast<std::size_t>(j)];
      if (takes_part(measured, i, j)) parameters.insert(own.begin(), own.end());
      if (takes_part(of_actuators, i, j)) counted_.col(i).array() *= counts.col(j);
    }
    of_measured_.emplace_back(parameters.begin(), parameters.end());
  }
  expect_inertias(robot);
  for (int k = 0; k < base.count(); ++k)
    if (is_sum_of_masses(k) || takes_energy(columns, base.columns[static_cast<std::size_t>(k)]))
      never_negative_.push_back(k);
}

bool HypothesisFit::is_sum_of_masses(int parameter) const {
  constexpr double kRoundOff = 1e-9;
  for (int column = 0; column < columns_.count(); ++column) {
    const double share = base_.grouping(parameter, column);
    if (std::abs(share) > kRoundOff && (share < 0.0 || !is_mass(columns_, column))) return false;
  }
  return true;
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
  return counted > static_cast<double>(of_measured_[static_cast<std::size_t>(torque)].size()) ? counted : 0.0;
}

HypothesisFit::Regressors HypothesisFit::regressors(const Eigen::MatrixXd& position) const {
  const std::vector<Eigen::MatrixXd> of_joints = checked_rows(columns_, base_, samples_, position);
  Regressors all;
  for (int i = 0; i < columns_.joints(); ++i) {
    const std::vector<int>& own = of_measured_[static_cast<std::size_t>(i)];
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(samples_.size(), static_cast<Eigen::Index>(own.size()));
    for (int j = 0; j < columns_.joints(); ++j) {
      if (!takes_part(measured_, i, j)) continue;
      const auto joint = static_cast<std::size_t>(j);
      for (std::size_t c = 0; c < base_.of_joint[joint].size(); ++c) {
        const auto at = std::lower_bound(own.begin(), own.end(), base_.of_joint[joint][c]) - own.begin();
        rows.col(at) += measured_(i, j) * of_joints[joint].col(static_cast<Eigen::Index>(c));
      }
    }
    const Eigen::MatrixXd counted = counted_.col(i).asDiagonal() * rows;
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(counted.cols(), counted.cols());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(counted.transpose());
    gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
    all.rows.push_back(std::move(rows)), all.gram.push_back(std::move(gram));
  }
  return all;
}

HypothesisFit::Misfit HypothesisFit::misfit(const Regressors& regressors, const Eigen::MatrixXd& of_torque) const {
  const Eigen::MatrixXd torque = samples_.torque * (measured_ * of_torque).transpose();
  const int torques = columns_.joints();
  std::vector<Eigen::VectorXd> product;
  for (int i = 0; i < torques; ++i) {
    const Eigen::VectorXd counted = counted_.col(i).cwiseProduct(torque.col(i));
    product.emplace_back(regressors.rows[static_cast<std::size_t>(i)].transpose() * counted);
  }
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(torques), values;
  const auto mean_square = [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    const Eigen::VectorXd own = values(of_measured_[at]), error = torque.col(i) - regressors.rows[at] * own;
    return error.cwiseProduct(counted_.col(i)).squaredNorm() / std::max(1.0, counted_.col(i).sum());
  };
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    values = solve(regressors.gram, product, weight, round > 0);
    for (int i = 0; i < torques; ++i) weight[i] = rows(i) > 0.0 ? 1.0 / mean_square(i) : 0.0;
  }
  Misfit result{0.0, (values - expected_).cwiseAbs2().dot(precision_)};
  for (int i = 0; i < torques; ++i)
    if (rows(i) > 0.0) result.record -= rows(i) * std::log(weight[i]);
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
    const std::vector<int>& own = of_measured_[j];
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
  // No body weighs, no rotor has and no friction takes less than nothing: what would is taken for nothing, and the
  // others make up for it.
  for (const int k : never_negative_) {
    if (values[k] >= 0.0) continue;
    h.row(k).setZero(), h.col(k).setZero();
    h(k, k) = 1.0, g[k] = 0.0;
    values = solution();
  }
  return values;
}

}  // namespace tauhat
