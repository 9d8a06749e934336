#include "tauhat/offline/robot/robot_prior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tauhat {
namespace {

using Eigen::VectorXd;
using Pseudo = Matrix<double, 4>;

constexpr double kFree = std::numeric_limits<double>::quiet_NaN();

// A body of this mass whose parts are some 0.1 m around its centre.
LinkInertia<double> compact_body(const LinkInertia<double>& described) {
  constexpr double kMass = 1.0, kRadius = 0.1;  // kg, m
  const double mass = described.mass > 0.0 ? described.mass : kMass;
  const Vector<double, 3> centre = described.mass > 0.0 ? Vector<double, 3>(described.first_moment / mass)
                                                        : Vector<double, 3>(Vector<double, 3>::Zero());
  Pseudo pseudo = Pseudo::Zero();
  pseudo.topLeftCorner<3, 3>() = mass * (centre * centre.transpose());
  pseudo.topLeftCorner<3, 3>().diagonal().array() += mass * kRadius * kRadius / 3.0;
  pseudo.topRightCorner<3, 1>() = mass * centre;
  pseudo.bottomLeftCorner<1, 3>() = mass * centre.transpose();
  pseudo(3, 3) = mass;
  return LinkInertia<double>::from_pseudo_inertia(pseudo);
}

// A thin rod or plate, and the rounding of a file's decimals, are at the edge of what can exist: a little inside.
LinkInertia<double> inside(const LinkInertia<double>& body) {
  Pseudo pseudo = body.pseudo_inertia();
  if (Eigen::LLT<Pseudo>(pseudo).info() == Eigen::Success) return body;
  constexpr double kShare = 1e-3;
  const double second = std::max(pseudo.topLeftCorner<3, 3>().trace(), 0.0);
  pseudo.topLeftCorner<3, 3>().diagonal().array() += kShare * second;
  return LinkInertia<double>::from_pseudo_inertia(pseudo);
}

// What the fit leaves of the group that a column is part of, when all that is known is taken out.
double rest_of_group(const BaseParameters& base, const VectorXd& values, const VectorXd& known, int column) {
  constexpr double kLeastShare = 0.05, kLeast = 1e-6;
  Eigen::Index row = 0;
  const double coefficient = base.grouping.col(column).cwiseAbs().maxCoeff(&row);
  if (!(coefficient > 0.0)) return 1.0;  // no torque depends on it
  const double rest = values[row] - base.grouping.row(row).dot(known);
  return std::max({rest, kLeastShare * std::abs(values[row]), kLeast}) / coefficient;
}

bool has_any_sign(const TorqueColumns& columns, int column) {
  if (column < columns.inertial()) return false;
  const auto kind = columns.friction_kind(column);
  using Kind = TorqueColumns::FrictionKind;
  return kind == Kind::offset || kind == Kind::asymmetry || (columns.is_change(column) && columns.is_part(column));
}

}  // namespace

VectorXd RobotPrior::known_base(const BaseParameters& base) const {
  VectorXd known = VectorXd::Constant(base.count(), kFree);
  for (int k = 0; k < base.count(); ++k) {
    double sum = 0.0;
    for (Eigen::Index c = 0; c < parameters.size(); ++c) {
      const double share = base.grouping(k, c);
      if (share != 0.0) sum += is_known[static_cast<std::size_t>(c)] ? share * parameters[c] : kFree;
    }
    known[k] = sum;
  }
  return known;
}

RobotPrior robot_prior(const RobotSpec& robot, const TorqueColumns& columns, const BaseParameters& base,
                       const VectorXd& values) {
  RobotPrior prior;
  prior.is_known.assign(static_cast<std::size_t>(columns.count()), true);
  const std::vector<InertiaFault> faults = inertia_faults(robot);
  Robot<double> bodies = robot.robot;
  for (int i = 0; i < robot.count(); ++i) {
    const std::string& link = robot.joints[static_cast<std::size_t>(i)].link;
    const bool is_guess =
        std::any_of(faults.begin(), faults.end(), [&](const InertiaFault& fault) { return fault.link == link; });
    bodies.set_link(i, is_guess ? compact_body(bodies.link(i)) : inside(bodies.link(i)));
    if (!is_guess) continue;
    prior.guessed_links.push_back(link);
    std::fill_n(prior.is_known.begin() + kInertialParameters * i, kInertialParameters, false);
  }
  const VectorXd known = columns.parameters(bodies, friction_of(robot));
  prior.parameters = known;
  for (int column = kInertialParameters * robot.count(); column < columns.count(); ++column) {
    if (known[column] > 0.0 && !has_any_sign(columns, column)) continue;
    prior.is_known[static_cast<std::size_t>(column)] = known[column] != 0.0;
    prior.parameters[column] = has_any_sign(columns, column) ? kFree : rest_of_group(base, values, known, column);
  }
  return prior;
}

}  // namespace tauhat
