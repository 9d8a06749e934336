// A robot in MuJoCo, an independent program for the dynamics of rigid bodies: what ours are compared with. Actuators
// are not coupled there.
#pragma once

#include <memory>

#include "tauhat/core/robot/robot.hpp"

namespace tauhat {

class MujocoPeer {
 public:
  using Values = JointVector<double, Eigen::Dynamic>;

  // False where the program was built without it; nothing else may be called then.
  static bool is_available() noexcept;

  explicit MujocoPeer(const Robot<double>& robot);
  ~MujocoPeer();

  Values inverse_dynamics(const Values& position, const Values& velocity, const Values& acceleration);
  // A wrench of the environment acts at a link's centre of mass, in world axes.
  Values forward_dynamics(const Values& position, const Values& velocity, const Values& torque, int link,
                          const Wrench<double>& wrench);

 private:
  struct Simulation;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace tauhat
