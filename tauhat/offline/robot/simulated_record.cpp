#include "tauhat/offline/robot/simulated_record.hpp"

#include <cmath>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {

RobotRecord simulated_record(const FourierTrajectory& motion, const TorqueColumns& columns,
                             const Eigen::VectorXd& parameters, double duration, double period,
                             const RecordNoise& noise, std::uint64_t seed) {
  Random position_noise(seed, "position"), torque_noise(seed, "torque");
  RobotRecord record;
  record.source = "simulated motion";
  record.period = period;
  record.position.resize(static_cast<std::size_t>(columns.joints()));
  record.torque.resize(record.position.size());
  const auto samples = static_cast<int>(std::lround(duration / period));
  TorqueRows rows;
  for (int k = 0; k < samples; ++k) {
    const JointMotion at = motion.at(k * period);
    columns.fill(at.position, at.velocity, at.acceleration, rows);
    const Eigen::VectorXd torque = rows * parameters;
    for (int j = 0; j < columns.joints(); ++j) {
      const auto joint = static_cast<std::size_t>(j);
      record.position[joint].push_back(at.position[j] + noise.position * position_noise.normal());
      record.torque[joint].push_back(torque[j] + noise.torque * torque_noise.normal());
    }
  }
  return record;
}

}  // namespace tauhat
