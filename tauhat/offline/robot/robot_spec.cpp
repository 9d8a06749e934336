#include "tauhat/offline/robot/robot_spec.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <algorithm>

#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

// What a body lacks; empty for one that can exist.
std::string fault_of(const LinkInertia<double>& link) {
  if (link.mass == 0.0 && link.moment.isZero(0.0)) return "has no inertia";
  if (!(link.mass > 0.0)) return fmt::format("has a mass of {:g} kg", link.mass);
  // About the centre: what a point has about the joint is not enough.
  const Vector<double, 3> centre = link.first_moment / link.mass;
  const Matrix<double, 3> of_point =
      link.mass * (centre.squaredNorm() * Matrix<double, 3>::Identity() - centre * centre.transpose());
  if ((link.moment - of_point).norm() <= 1e-9 * link.moment.norm()) return "has a mass, but no moment of inertia";
  const Eigen::SelfAdjointEigenSolver<Matrix<double, 4>> solver(link.pseudo_inertia(), Eigen::EigenvaluesOnly);
  // Rounding of the decimals in the file counts as nothing.
  constexpr double kRounding = 1e-6;
  const auto& values = solver.eigenvalues();
  if (values[0] < -kRounding * values[3]) return "has an inertia that no body can have";
  return "";
}

}  // namespace

const NamedFrame* RobotSpec::find_frame(std::string_view name) const noexcept {
  const auto found = std::find_if(frames.begin(), frames.end(), [&](const NamedFrame& f) { return f.name == name; });
  return found == frames.end() ? nullptr : &*found;
}

int joint_index(const RobotDescription& description, std::string_view name) noexcept {
  const auto& joints = description.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const RobotJoint& j) { return j.name == name; });
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

std::string joint_unit(const RobotDescription& description, int joint, std::string_view rotary) {
  if (description.robot.joint(joint).is_revolute()) return std::string(rotary);
  if (rotary == "N m") return "N";
  if (rotary == "kg m^2") return "kg";
  if (rotary == "N m s/rad") return "N s/m";
  if (rotary == "N m/A") return "N/A";
  return "m" + std::string(rotary.substr(3));  // rad, rad/s, rad/s^2
}

std::vector<InertiaFault> inertia_faults(const RobotDescription& description) {
  std::vector<InertiaFault> faults;
  for (int i = 0; i < description.robot.joints(); ++i) {
    const std::string what = fault_of(description.robot.link(i));
    if (!what.empty()) faults.push_back({description.joints[static_cast<std::size_t>(i)].link, what});
  }
  return faults;
}

JointFriction<double, Eigen::Dynamic> friction_of(const RobotSpec& robot) {
  JointFriction<double, Eigen::Dynamic> friction(robot.count());
  for (int i = 0; i < robot.count(); ++i) {
    const FrictionOfJoint& each = robot.joints[static_cast<std::size_t>(i)].friction;
    friction.viscous[i] = each.viscous, friction.coulomb[i] = each.coulomb, friction.offset[i] = each.offset;
    friction.asymmetry[i] = each.asymmetry, friction.excess[i] = each.excess, friction.decay[i] = each.decay;
    friction.reach[i] = each.reach, friction.load[i] = each.load;
  }
  friction.law = robot.terms.law;
  friction.width = robot.terms.width;
  return friction;
}

std::string frame_hint(const RobotDescription& description, std::string_view unknown) {
  std::vector<std::string> names;
  for (const NamedFrame& frame : description.frames) names.push_back(frame.name);
  const std::string nearest = nearest_name(unknown, names);
  return nearest.empty() ? fmt::format("its frames are {}", fmt::join(names, ", "))
                         : fmt::format("did you mean \"{}\"?", nearest);
}

}  // namespace tauhat
