#include "tauhat/offline/robot/robot_identification.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tauhat {

std::string column_result_name(const RobotSpec& robot, const TorqueColumns& columns, int column) {
  std::string symbol = columns.name(column);
  while (!symbol.empty() && symbol.back() >= '0' && symbol.back() <= '9') symbol.pop_back();
  if (symbol == "Fv") symbol = "friction.viscous";
  if (symbol == "Fc") symbol = "friction.coulomb";
  if (symbol == "Fo") symbol = "friction.offset";
  if (symbol == "Fa") symbol = "friction.asymmetry";
  if (symbol == "Fe") symbol = "friction.excess";
  if (symbol == "Fd") symbol = "friction.decay";
  if (symbol == "Fr") symbol = "friction.reach";
  if (symbol == "Fl") symbol = "friction.load";
  return fmt::format("{}.{}", robot.joints[static_cast<std::size_t>(columns.joint(column))].name, symbol);
}

RobotIdentification::RobotIdentification(const RobotSpec& robot)
    : robot_(robot), columns_(robot.robot, robot.terms), base_(base_parameters(columns_)) {}

std::string RobotIdentification::result_name(int parameter) const {
  return column_result_name(robot_, columns_, base_.columns[static_cast<std::size_t>(parameter)]);
}

std::string_view RobotIdentification::unit(int parameter) const {
  return columns_.unit(base_.columns[static_cast<std::size_t>(parameter)]);
}

RobotFit RobotIdentification::fit(const std::vector<RobotRecord>& records) const {
  std::vector<MotionRowSource> sources;
  for (const RobotRecord& record : records) sources.push_back(rows(record));
  if (robot_.robust) return fit_robot_robustly(sources, robot_.regression);
  std::vector<RowSums> sums;
  for (const MotionRowSource& source : sources) sums.push_back(sum_rows(source));
  return fit_robot(joined(std::move(sums)), robot_.regression);
}

RobotFit RobotIdentification::fit(const std::vector<RobotRecord>& records, std::size_t most_rows,
                                  std::vector<RowSample>& samples) const {
  std::vector<MotionRowSource> sources;
  std::size_t count = 0;
  for (const RobotRecord& record : records) count += sources.emplace_back(rows(record)).size();
  const std::size_t stride = (count - 1) / most_rows + 1;
  samples.clear();
  std::vector<RowSums> sums;
  for (const MotionRowSource& source : sources)
    sums.push_back(sum_rows(source, {}, &samples.emplace_back(source, stride)));
  if (robot_.robust) return fit_robot_robustly(sources, robot_.regression);
  return fit_robot(joined(std::move(sums)), robot_.regression);
}

ConsistentFit RobotIdentification::consistent(const RobotFit& fit, const RobotPrior& prior) const {
  return consistent_parameters(columns_, base_, fit.sums, prior.parameters, {.penalty = robot_.penalty});
}

RobotSpec RobotIdentification::with_parameters(const Eigen::VectorXd& parameters) const {
  RobotSpec identified = robot_;
  identified.robot = columns_.robot_with(parameters);
  const auto friction = columns_.friction_with(parameters);
  for (int i = 0; i < robot_.count(); ++i)
    identified.joints[static_cast<std::size_t>(i)].friction = {
        friction.viscous[i], friction.coulomb[i], friction.offset[i], friction.asymmetry[i],
        friction.excess[i],  friction.decay[i],   friction.reach[i],  friction.load[i]};
  return identified;
}

double torque_left(const RobotFit& fit, const Eigen::VectorXd& values) {
  return std::sqrt(fit.sums.residual(values) / fit.sums.residual(fit.values));
}

}  // namespace tauhat
