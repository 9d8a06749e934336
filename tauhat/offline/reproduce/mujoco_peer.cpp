#include "tauhat/offline/reproduce/mujoco_peer.hpp"

#include "tauhat/offline/error.hpp"

#ifdef TAUHAT_HAS_MUJOCO
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <string>
#include <vector>

namespace tauhat {
namespace {

using Values = MujocoPeer::Values;

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

std::string model_text(const Robot<double>& robot) {
  std::string xml = "<mujoco><compiler angle='radian'/><option gravity='" + text(robot.gravity) +
                    "'><flag contact='disable' limit='disable'/></option><worldbody>\n";
  for (int i = 0; i < robot.joints(); ++i) {
    if (robot.parent(i) == kBase) xml += body(robot, i);
  }
  return xml + "</worldbody></mujoco>\n";
}

mjModel* load(const std::string& xml) {
  constexpr const char* kName = "robot.xml";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), kName, static_cast<int>(xml.size()));
  std::copy(xml.begin(), xml.end(), static_cast<char*>(files->filedata[mj_findFileVFS(files.get(), kName)]));
  char error[500] = "";
  mjModel* const model = mj_loadXML(kName, files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw Error(ExitCode::wrong_use, fmt::format("MuJoCo does not take the robot: {}", error));
  return model;
}

}  // namespace

struct MujocoPeer::Simulation {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model;
  std::unique_ptr<mjData, void (*)(mjData*)> data;
  std::vector<int> address;  // MuJoCo numbers joints depth first

  explicit Simulation(const Robot<double>& robot)
      : model(load(model_text(robot)), mj_deleteModel), data(mj_makeData(model.get()), mj_deleteData) {
    for (int i = 0; i < robot.joints(); ++i) address.push_back(model->jnt_dofadr[model->body_jntadr[body_number(i)]]);
  }

  int body_number(int link) const { return mj_name2id(model.get(), mjOBJ_BODY, fmt::format("link{}", link).c_str()); }
  void put(const Values& from, mjtNum* to) const {
    for (int i = 0; i < from.size(); ++i) to[address[static_cast<std::size_t>(i)]] = from[i];
  }
  Values take(const mjtNum* from) const {
    Values to(static_cast<int>(address.size()));
    for (int i = 0; i < to.size(); ++i) to[i] = from[address[static_cast<std::size_t>(i)]];
    return to;
  }
};

bool MujocoPeer::is_available() noexcept { return true; }

MujocoPeer::MujocoPeer(const Robot<double>& robot) : simulation_(std::make_unique<Simulation>(robot)) {}
MujocoPeer::~MujocoPeer() = default;

Values MujocoPeer::inverse_dynamics(const Values& position, const Values& velocity, const Values& acceleration) {
  const Simulation& s = *simulation_;
  s.put(position, s.data->qpos), s.put(velocity, s.data->qvel), s.put(acceleration, s.data->qacc);
  mj_inverse(s.model.get(), s.data.get());
  return s.take(s.data->qfrc_inverse);
}

Values MujocoPeer::forward_dynamics(const Values& position, const Values& velocity, const Values& torque, int link,
                                    const Wrench<double>& wrench) {
  const Simulation& s = *simulation_;
  s.put(position, s.data->qpos), s.put(velocity, s.data->qvel), s.put(torque, s.data->qfrc_applied);
  mjtNum* const applied = s.data->xfrc_applied + 6 * s.body_number(link);
  for (int k = 0; k < 3; ++k) applied[k] = wrench.force[k], applied[3 + k] = wrench.moment[k];
  mj_forward(s.model.get(), s.data.get());
  return s.take(s.data->qacc);
}

}  // namespace tauhat

#else

namespace tauhat {
namespace {

[[noreturn]] void say_unavailable() { throw Error(ExitCode::wrong_use, "the program was built without MuJoCo"); }

}  // namespace

struct MujocoPeer::Simulation {};

bool MujocoPeer::is_available() noexcept { return false; }

MujocoPeer::MujocoPeer(const Robot<double>&) { say_unavailable(); }
MujocoPeer::~MujocoPeer() = default;

MujocoPeer::Values MujocoPeer::inverse_dynamics(const Values&, const Values&, const Values&) { say_unavailable(); }
MujocoPeer::Values MujocoPeer::forward_dynamics(const Values&, const Values&, const Values&, int,
                                                const Wrench<double>&) {
  say_unavailable();
}

}  // namespace tauhat

#endif
