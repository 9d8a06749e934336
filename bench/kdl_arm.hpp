// An arm in Orocos KDL, behind plain numbers: Debian's KDL is built without vector instructions, and code that is built
// with them lays Eigen's memory out in another way. Nothing of Eigen or of the core may pass, or be included, here.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace tauhat::bench {

// A link on a revolute joint about z.
struct KdlLink {
  std::array<double, 9> rotation;  // of the joint's frame in the parent's, row by row
  std::array<double, 3> translation;
  double mass;
  std::array<double, 3> centre;  // in the joint's frame
  std::array<double, 6> moment;  // about the centre: xx xy xz yy yz zz
};

class KdlArm {
 public:
  KdlArm(const std::vector<KdlLink>& links, const std::array<double, 3>& gravity);
  ~KdlArm();
  KdlArm(const KdlArm&) = delete;
  KdlArm& operator=(const KdlArm&) = delete;

  // Torques by ChainIdSolver_RNE; the actuators' inertias are not in them.
  void inverse_dynamics(const double* position, const double* velocity, const double* acceleration, double* torque);

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace tauhat::bench
