#include "tauhat/offline/friction/regression_columns.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/signal/decimate.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Series = std::vector<double>;

template <class Value>
Series column_of(const AxisMotion& motion, const Value& value) {
  Series values(motion.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(k);
  return values;
}

double sign(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

std::vector<RegressionColumn> friction_columns(const AxisMotion& motion, FrictionShape shape) {
  const Series& v = motion.velocity;
  const auto column = [&](const char* name, const auto& value) {
    return RegressionColumn{name, column_of(motion, value)};
  };
  if (shape == FrictionShape::symmetric) {
    return {column("friction.viscous", [&](std::size_t k) { return v[k]; }),
            column("friction.coulomb", [&](std::size_t k) { return sign(v[k]); }),
            column("friction.offset", [](std::size_t) { return 1.0; })};
  }
  return {column("friction.viscous.positive", [&](std::size_t k) { return std::max(v[k], 0.0); }),
          column("friction.viscous.negative", [&](std::size_t k) { return std::min(v[k], 0.0); }),
          column("friction.coulomb.positive", [&](std::size_t k) { return v[k] > 0.0 ? 1.0 : 0.0; }),
          column("friction.coulomb.negative", [&](std::size_t k) { return v[k] < 0.0 ? -1.0 : 0.0; })};
}

}  // namespace

std::vector<RegressionColumn> regression_columns(const AxisMotion& motion, FrictionShape friction, bool gravity) {
  std::vector<RegressionColumn> columns{{"axis.mass", motion.acceleration, true}};
  if (gravity) {
    const Series& q = motion.position;
    columns.push_back({"gravity.sine", column_of(motion, [&](std::size_t k) { return std::sin(q[k]); }), true});
    columns.push_back({"gravity.cosine", column_of(motion, [&](std::size_t k) { return std::cos(q[k]); }), true});
  }
  for (RegressionColumn& column : friction_columns(motion, friction)) columns.push_back(std::move(column));
  return columns;
}

std::vector<std::string> regression_names(FrictionShape friction, bool gravity, bool torque_dependent) {
  std::vector<std::string> names;
  for (const RegressionColumn& column : regression_columns({}, friction, gravity)) names.push_back(column.name);
  if (torque_dependent) names.insert(names.end(), {"friction.load.positive", "friction.load.negative"});
  return names;
}

std::string regression_unit(const std::string& name) {
  if (name == "axis.mass") return "kg m^2";
  if (name.starts_with("friction.viscous")) return "N m s/rad";
  return name.starts_with("friction.load") ? "1" : "N m";
}

VectorXd column_noise(const std::vector<std::string>& names, const MotionNoise& noise) {
  VectorXd deviation = VectorXd::Zero(static_cast<Index>(names.size()));
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j] == "axis.mass") deviation[static_cast<Index>(j)] = noise.acceleration;
    if (names[j].starts_with("friction.viscous")) deviation[static_cast<Index>(j)] = noise.velocity;
  }
  return deviation;
}

VectorXd decimated(const Series& values, int factor) {
  const Series kept = decimate(values, factor);
  return Eigen::Map<const VectorXd>(kept.data(), static_cast<Index>(kept.size()));
}

LinearForce linear_force(const std::vector<RegressionColumn>& columns, int decimation) {
  LinearForce model;
  for (const RegressionColumn& column : columns) {
    const VectorXd values = decimated(column.values, decimation);
    if (model.regressor.size() == 0) model.regressor.resize(values.size(), static_cast<Index>(columns.size()));
    model.regressor.col(&column - columns.data()) = values;
  }
  model.rest = VectorXd::Zero(model.regressor.rows());
  return model;
}

LinearForce with_load_friction(const std::vector<RegressionColumn>& columns, const AxisMotion& motion,
                               const VectorXd& parameters, int decimation) {
  const Series load = column_of(motion, [&](std::size_t k) {
    double sum = 0.0;
    for (const RegressionColumn& column : columns) {
      if (column.is_load) sum += parameters[&column - columns.data()] * column.values[k];
    }
    return sum;
  });
  const double positive = parameters[parameters.size() - 2], negative = parameters[parameters.size() - 1];
  const auto grown = [&](std::size_t k) {  // m
    return motion.velocity[k] > 0.0 ? positive : motion.velocity[k] < 0.0 ? -negative : 0.0;
  };
  std::vector<RegressionColumn> tangent = columns;
  for (RegressionColumn& column : tangent) {
    if (!column.is_load) continue;
    for (std::size_t k = 0; k < load.size(); ++k) column.values[k] *= 1.0 + grown(k) * sign(load[k]);
  }
  const Series& v = motion.velocity;
  const auto in_direction = [&](std::size_t k, double direction) {
    return sign(v[k]) == direction ? direction * std::abs(load[k]) : 0.0;
  };
  tangent.push_back({"friction.load.positive", column_of(motion, [&](std::size_t k) { return in_direction(k, 1.0); })});
  tangent.push_back(
      {"friction.load.negative", column_of(motion, [&](std::size_t k) { return in_direction(k, -1.0); })});
  LinearForce model = linear_force(tangent, decimation);
  model.rest = -model.regressor.rightCols(2) * parameters.tail(2);
  return model;
}

}  // namespace tauhat
