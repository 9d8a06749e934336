#include "tauhat/offline/robot/base_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "tauhat/core/robot/link_inertia.hpp"
#include "tauhat/core/robot/parameters.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoEffect = 1e-9;      // of the largest column
constexpr double kIndependent = 1e-6;   // what a normalised column adds to those before it
constexpr double kCoefficient = 1e-10;  // of a grouping; less is round-off

// All states below each other, joint by joint: row joint * states + state.
MatrixXd sampled_rows(const TorqueColumns& columns, const BaseOptions& options) {
  Random random(options.seed, "states of base parameters");
  const auto drawn = [&](double range) {
    JointValues values(columns.joints());
    for (double& value : values) value = random.uniform(-range, range);
    return values;
  };
  MatrixXd all(columns.joints() * options.states, columns.count());
  TorqueRows rows;
  for (int state = 0; state < options.states; ++state) {
    const JointValues position = drawn(options.position), velocity = drawn(options.velocity),
                      acceleration = drawn(options.acceleration);
    columns.fill(position, velocity, acceleration, rows);
    for (int joint = 0; joint < columns.joints(); ++joint) all.row(joint * options.states + state) = rows.row(joint);
  }
  return all;
}

// Where a column stands among those of its joint, first by preference.
int preference(const TorqueColumns& columns, int column) {
  using L = LinkInertia<double>;
  constexpr std::array<int, kInertialParameters + 1> kOrder{L::xx,
                                                            L::zz,
                                                            L::xy,
                                                            L::xz,
                                                            L::yz,
                                                            L::first_x,
                                                            L::first_y,
                                                            kInertialParameters,  // the actuator
                                                            L::yy,
                                                            L::first_z,
                                                            L::mass_parameter};
  if (column >= columns.inertial()) return static_cast<int>(kOrder.size());
  const int kind = RobotParameter::at(column, columns.joints()).kind;
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), kind) - kOrder.begin());
}

// Friction has columns of its own; then what textbooks keep of all links, then their actuators, then the rest.
std::vector<int> by_preference(const TorqueColumns& columns, std::vector<int> candidates) {
  constexpr int kKept = 7;
  const auto key = [&](int column) {
    const int rank = preference(columns, column);
    return std::pair(column >= columns.inertial() ? -1 : std::max(rank, kKept - 1), column);
  };
  std::sort(candidates.begin(), candidates.end(), [&](int a, int b) { return key(a) < key(b); });
  return candidates;
}

// The order of a base set: inertial parameters joint by joint, then friction joint by joint.
void put_in_order(const TorqueColumns& columns, std::vector<int>& chosen) {
  const auto key = [&](int column) {
    return std::tuple(column >= columns.inertial(), columns.joint(column), preference(columns, column), column);
  };
  std::sort(chosen.begin(), chosen.end(), [&](int a, int b) { return key(a) < key(b); });
}

// Columns in this order, each that adds something to those before it (Gram and Schmidt, twice for round-off).
std::vector<int> independent(const MatrixXd& normalised, const std::vector<int>& order, Index rank) {
  std::vector<int> chosen;
  MatrixXd basis(normalised.rows(), rank);
  for (const int column : order) {
    const auto found = static_cast<Index>(chosen.size());
    if (found == rank) break;
    VectorXd rest = normalised.col(column);
    for (int pass = 0; pass < 2; ++pass) rest -= basis.leftCols(found) * (basis.leftCols(found).transpose() * rest);
    if (rest.norm() < kIndependent) continue;
    basis.col(found) = rest.normalized();
    chosen.push_back(column);
  }
  return chosen;
}

std::vector<std::vector<int>> dependence(const MatrixXd& rows, const std::vector<int>& chosen, int joints) {
  const Index states = rows.rows() / joints;
  const double largest = rows.cwiseAbs().maxCoeff();
  std::vector<std::vector<int>> of_joint(static_cast<std::size_t>(joints));
  for (int joint = 0; joint < joints; ++joint) {
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const double size = rows.col(chosen[k]).segment(joint * states, states).cwiseAbs().maxCoeff();
      if (size > kNoEffect * largest) of_joint[static_cast<std::size_t>(joint)].push_back(static_cast<int>(k));
    }
  }
  return of_joint;
}

}  // namespace

BaseParameters base_parameters(const TorqueColumns& columns, const BaseOptions& options) {
  const MatrixXd rows = sampled_rows(columns, options);
  const VectorXd length = rows.colwise().norm();
  BaseParameters base;
  std::vector<int> candidates;
  for (int c = 0; c < columns.count(); ++c)
    (length[c] > kNoEffect * length.maxCoeff() ? candidates : base.without_effect).push_back(c);

  MatrixXd normalised = rows;
  for (const int c : candidates) normalised.col(c) /= length[c];
  const auto count = static_cast<Index>(candidates.size());
  // The singular values of the triangular factor are those of the rows.
  const Eigen::HouseholderQR<MatrixXd> triangle(normalised(Eigen::all, candidates));
  const MatrixXd factor = triangle.matrixQR().topRows(count).triangularView<Eigen::Upper>();
  base.singular_values = Eigen::JacobiSVD<MatrixXd>(factor).singularValues();
  const VectorXd& values = base.singular_values;
  const Index rank = (values.array() > options.threshold * values[0]).count();
  const double first_lost = rank < count ? values[rank] : 0.0;
  base.gap = values[rank - 1] / std::max(first_lost, std::numeric_limits<double>::epsilon() * values[0]);

  base.columns = independent(normalised, by_preference(columns, candidates), rank);
  put_in_order(columns, base.columns);
  base.grouping = MatrixXd::Zero(base.count(), columns.count());
  const MatrixXd chosen = normalised(Eigen::all, base.columns);
  const MatrixXd shares = Eigen::HouseholderQR<MatrixXd>(chosen).solve(MatrixXd(normalised(Eigen::all, candidates)));
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    for (int b = 0; b < base.count(); ++b) {
      const int at = base.columns[static_cast<std::size_t>(b)];
      const double share = shares(b, static_cast<Index>(k));
      if (std::abs(share) > kCoefficient) base.grouping(b, candidates[k]) = share * length[candidates[k]] / length[at];
    }
  }
  base.of_joint = dependence(rows, base.columns, columns.joints());
  return base;
}

std::string grouping_text(const TorqueColumns& columns, const BaseParameters& base, int parameter) {
  std::string text;
  const auto add = [&](int column) {
    const double coefficient = base.grouping(parameter, column);
    if (coefficient == 0.0) return;
    const double size = std::abs(coefficient);
    if (!text.empty()) text += coefficient < 0.0 ? " - " : " + ";
    if (text.empty() && coefficient < 0.0) text += "-";
    if (std::abs(size - 1.0) > kCoefficient) text += fmt::format("{:.6g} ", size);
    text += columns.name(column);
  };
  const int own = base.columns[static_cast<std::size_t>(parameter)];
  add(own);
  for (int column = 0; column < columns.count(); ++column)
    if (column != own) add(column);
  return text;
}

VectorXd standard_parameters(const TorqueColumns& columns, const BaseParameters& base, const VectorXd& values) {
  VectorXd all = VectorXd::Zero(columns.count());
  for (int b = 0; b < base.count(); ++b) all[base.columns[static_cast<std::size_t>(b)]] = values[b];
  return all;
}

}  // namespace tauhat
