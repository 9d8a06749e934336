// The dynamics of robots beside MuJoCo's, an independent program: the TX40 on the paper's states, and random trees.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "support/robots.hpp"
#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/regressor.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat {
namespace {

using JointValues = JointVector<double, Eigen::Dynamic>;

std::string text(const Vector<double, 3>& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }

std::string text(const Matrix<double, 3>& rotation) {
  const Eigen::Quaterniond turn(rotation);
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", turn.w(), turn.x(), turn.y(), turn.z());
}

// One body and those behind it, in MuJoCo's language: the principal inertias about the centre of mass. (MuJoCo finds
// them itself, but to a millionth.)
std::string body(const Robot<double>& robot, int i) {
  const Joint<double>& joint = robot.joint(i);
  const LinkInertia<double>& link = robot.link(i);
  const Vector<double, 3> centre = link.first_moment / link.mass, back = -centre;
  const Eigen::SelfAdjointEigenSolver<Matrix<double, 3>> principal(
      shifted_moment(link.moment, link.first_moment, link.mass, back));
  Matrix<double, 3> axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  std::string xml = fmt::format(
      "<body name='link{}' pos='{}' quat='{}'><joint type='{}' axis='{}' armature='{:.17g}'/>"
      "<inertial pos='{}' quat='{}' mass='{:.17g}' diaginertia='{}'/>\n",
      i, text(joint.placement().translation), text(joint.placement().rotation), joint.is_revolute() ? "hinge" : "slide",
      text(joint.axis()), robot.actuator_inertia()[i], text(centre), text(axes), link.mass,
      text(Vector<double, 3>(principal.eigenvalues())));
  for (int child = i + 1; child < robot.joints(); ++child) {
    if (robot.parent(child) == i) xml += body(robot, child);
  }
  return xml + "</body>\n";
}

struct Mujoco {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
  std::vector<int> address;  // MuJoCo numbers joints depth first

  explicit Mujoco(const Robot<double>& robot) {
    std::string xml = "<mujoco><compiler angle='radian'/><option gravity='" + text(robot.gravity) +
                      "'><flag contact='disable' limit='disable'/></option><worldbody>\n";
    for (int i = 0; i < robot.joints(); ++i) {
      if (robot.parent(i) == kBase) xml += body(robot, i);
    }
    const std::string path = testing::TempDir() + "/robot_mujoco_test.xml";
    std::ofstream(path) << xml << "</worldbody></mujoco>\n";
    char error[500] = "";
    model.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    std::remove(path.c_str());
    if (model == nullptr) throw std::runtime_error(error);
    data.reset(mj_makeData(model.get()));
    for (int i = 0; i < robot.joints(); ++i) {
      const int number = mj_name2id(model.get(), mjOBJ_BODY, fmt::format("link{}", i).c_str());
      address.push_back(model->jnt_dofadr[model->body_jntadr[number]]);
    }
  }

  void put(const JointValues& from, mjtNum* to) const {
    for (int i = 0; i < from.size(); ++i) to[address[static_cast<std::size_t>(i)]] = from[i];
  }
  JointValues take(const mjtNum* from) const {
    JointValues to(static_cast<int>(address.size()));
    for (int i = 0; i < to.size(); ++i) to[i] = from[address[static_cast<std::size_t>(i)]];
    return to;
  }

  JointValues inverse(const RobotState& s) {
    put(s.position, data->qpos), put(s.velocity, data->qvel), put(s.acceleration, data->qacc);
    mj_inverse(model.get(), data.get());
    return take(data->qfrc_inverse);
  }
  // `s.acceleration` are torques; a wrench acts on a link's centre of mass, in world axes.
  JointValues forward(const RobotState& s, int link, const Wrench<double>& f) {
    put(s.position, data->qpos), put(s.velocity, data->qvel), put(s.acceleration, data->qfrc_applied);
    const int number = mj_name2id(model.get(), mjOBJ_BODY, fmt::format("link{}", link).c_str());
    for (int k = 0; k < 3; ++k) {
      data->xfrc_applied[6 * number + k] = f.force[k], data->xfrc_applied[6 * number + 3 + k] = f.moment[k];
    }
    mj_forward(model.get(), data.get());
    return take(data->qacc);
  }
};

// 300 states as the paper's set-up draws them: q in +-2 rad, v in +-3 rad/s, a in +-20 rad/s^2.
TEST(RobotBesideMujoco, Tx40HasTheSameTorques) {
  const Robot<double> arm = pyrhonen::tx40().cast<double, Eigen::Dynamic>();
  Mujoco peer(arm);
  Draw draw(7);
  double largest = 0.0;
  for (int k = 0; k < 300; ++k) {
    const RobotState s = random_state(draw, 6);
    const JointValues torque = inverse_dynamics(arm, s.position, s.velocity, s.acceleration);
    largest = std::max(largest, (torque - peer.inverse(s)).cwiseAbs().maxCoeff());
  }
  RecordProperty("largest_difference", fmt::format("{:.2g} N m", largest));
  EXPECT_LT(largest, 1e-9);
}

TEST(RobotBesideMujoco, RandomTreesMoveAlike) {
  for_random_robots(5, [](const Robot<double>& random, const RobotState& s, Draw& draw) {
    Robot<double> robot = random;
    robot.transmission() = Transmission<double, Eigen::Dynamic>(robot.joints());  // MuJoCo's actuators are not coupled
    Mujoco peer(robot);
    const JointValues torque = inverse_dynamics(robot, s.position, s.velocity, s.acceleration);
    EXPECT_LT((torque - peer.inverse(s)).cwiseAbs().maxCoeff(), 1e-9);
    const int link = robot.joints() / 2;
    const Vector<double, 3> centre = robot.link(link).first_moment / robot.link(link).mass;
    const ExternalWrench<double> f{{FrameName("centre"), link, {Matrix<double, 3>::Identity(), centre}},
                                   {10.0 * draw.matrix<double, 3>(), draw.matrix<double, 3>()},
                                   WrenchAxes::world};
    const JointValues acceleration = forward_dynamics(robot, s.position, s.velocity, s.acceleration, f).acceleration;
    const JointValues theirs = peer.forward(s, link, f.wrench);
    EXPECT_LT((acceleration - theirs).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + theirs.cwiseAbs().maxCoeff()));
  });
}

}  // namespace
}  // namespace tauhat
