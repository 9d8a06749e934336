// Observers whose model follows the pose of the robot: poses outside of the grid, and designs that fail at some.
#include <numbers>

#include "tauhat/offline/joint/design_report.hpp"
#include "tauhat/offline/reproduce/rates_subject.hpp"
#include "tauhat/offline/reproduce/rates_table.hpp"
#include "tauhat/offline/robot/urdf.hpp"

namespace tauhat::rates {
namespace {

// As studies/elastic-joint/moving-neighbour.toml, without friction.
constexpr const char* kMovingNeighbour = R"toml(
[drive]
model = "elastic-joint"
motor.inertia = 7e-4
motor.viscous = 0.008
transmission = { ratio = 120, stiffness = 1.2e5, damping = 80 }
load = { inertia = 14.3854, viscous = 2 }
neighbour = { inertia = 2.7927, coupling_inertia = 3.4358, stiffness = 3e4, damping = 12, viscous = 0.5 }
[pose]
position = ["0 deg", "30 deg", "60 deg", "75 deg", "90 deg", "120 deg", "150 deg"]
load.inertia = [18.0992, 17.4293, 15.5992, 14.3933, 13.0992, 10.5992, 8.7691]
neighbour.coupling_inertia = [5.2927, 4.9578, 4.0427, 3.4397, 2.7927, 1.5427, 0.6276]
every = 25
gain = "solved"
[[observer]]
name = "poles"
kind = "luenberger"
poles = [{ frequency = "40 Hz", damping = 0.9 }, { frequency = "80 Hz", damping = 0.9 }, { frequency = "100 Hz", damping = 0.9 }]
[estimator]
observer = "poles"
period = "400 us"
[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.torque" = { column = "torque", unit = "N m" }
"motor.position" = { column = "motor", unit = "rad", std = 2e-6 }
"pose.position" = { column = "q3", unit = "rad" }
[simulate]
duration = 4
period = "400 us"
input = { kind = "multisine", lowest = 0.25, highest = 30, lines = 60, amplitude = 0.9 }
pose = { centre = "75 deg", amplitude = "60 deg", frequency = "0.3 Hz" }
)toml";

// As studies/elastic-joint/two-axes.toml, of the arm below.
constexpr const char* kTwoAxes = R"toml(
[drive]
model = "elastic-axes"
axes = ["axis2", "axis3"]
motor = { inertia = [7e-4, 3e-4], viscous = [0.008, 0.004] }
transmission = { ratio = [120, 100], stiffness = [1.2e5, 3e4], damping = [80, 12] }
load = { inertia = [[15.3364, 2.5082], [2.5082, 1.68]], viscous = [2, 0.5] }
[[observer]]
name = "together"
kind = "kalman"
motor_disturbance = { intensity = [0.63, 0.3], leak = "0.2 Hz" }
noise = { motor = 1e-3, load = [0.32, 0.1] }
[estimator]
observer = "together"
period = "400 us"
[log]
time = { column = "time", unit = "s" }
[log.channels]
"axis2.motor.torque" = { column = "u2", unit = "N m" }
"axis2.motor.position" = { column = "q2", unit = "rad", std = 2e-6 }
"axis3.motor.torque" = { column = "u3", unit = "N m" }
"axis3.motor.position" = { column = "q3", unit = "rad", std = 2e-6 }
[simulate]
duration = 4
period = "400 us"
motion = { amplitude = ["20 deg", "-60 deg"], frequency = "0.3 Hz" }
input = { kind = "multisine", lowest = 4, highest = 40, lines = 60, amplitude = 0.5, share = [1, 0.5] }
)toml";

// Two links of 1 m and 0.8 m in a vertical plane; iyy of the lower one may be what no body has.
Robot<double> arm_of(double lower_inertia) {
  const std::string lower = std::to_string(lower_inertia);
  const std::string text =
      R"(<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="12"/>
  <inertia ixx="0.1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="lower"><inertial><origin xyz="0.4 0 0"/><mass value="8"/>
  <inertia ixx="0.05" ixy="0" ixz="0" iyy=")" +
      lower + R"(" iyz="0" izz="0.4"/></inertial></link>
<joint name="axis2" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="1000" velocity="5"/></joint>
<joint name="axis3" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="1000" velocity="5"/></joint></robot>)";
  return parse_urdf(text, "arm.urdf").robot;
}

void vary(Subject& s, Random& random) {
  s.truth.joint->joint.stiffness *= random.uniform(0.95, 1.05);
  s.truth.simulation->integrator = Integrator::runge_kutta;
}

// The grid ends where the pose still travels, 15 to 135 degrees.
void leave_the_grid(Subject& s, Random& random) {
  PoseSchedule& pose = *s.believed.joint->pose;
  const bool at_the_end = random.bit();
  for (auto* values : {&pose.position, &pose.load_inertia, &pose.coupling_inertia})
    at_the_end ? values->pop_back() : static_cast<void>(values->erase(values->begin()));
}
// Where nothing couples it, the motor does not show the neighbour.
void decouple_some_poses(Subject& s, Random& random) {
  auto& coupling = s.believed.joint->pose->coupling_inertia;
  const auto first = static_cast<std::ptrdiff_t>(random.uniform(3.0, 5.0));
  std::fill(coupling.begin() + first, coupling.end(), 0.0);
}
void widen_the_inertia(Subject& s, Random& random) {
  s.believed.joint->pose->solves_gain = false;
  const double times = random.uniform(20.0, 40.0);
  auto& pose = *s.believed.joint->pose;
  for (std::size_t i = 0; i < pose.load_inertia.size(); ++i)
    if (pose.position[i] > 1.4) pose.load_inertia[i] *= times;
}
Said designed(const Study& study, const Log&) { return design_report(study).diagnostics; }

// Folded and stretched, where its mass matrix is not positive with that lower link.
void vary_arm(Subject& s, Random&) {
  for (Study* study : {&s.truth, &s.believed}) {
    study->elastic_axes->robot = arm_of(0.4);
    study->elastic_axes->pose = {0.5, 1.3};
  }
  s.truth.simulation->integrator = Integrator::runge_kutta;
}
void mistake_the_lower_link(Subject& s, Random& random) {
  s.believed.elastic_axes->robot = arm_of(random.uniform(-0.8, -0.6));
}

}  // namespace

std::vector<Provocation> of_poses() {
  const Part estimated_poses{kMovingNeighbour, vary, estimated}, designed_poses{kMovingNeighbour, vary, designed};
  const Part axes{kTwoAxes, vary_arm, estimated};
  constexpr int kRecords = 20;
  return {
      estimated_poses("pose.outside_grid", "poses of 15 to 135 degrees for a grid that ends at 30 or at 120 degrees",
                      leave_the_grid, kRecords),
      estimated_poses("pose.gain_not_solved", "poses whose neighbour nothing couples, and poles placed for it",
                      decouple_some_poses, kRecords),
      designed_poses("pose.not_stable", "an inertia 20 to 40 times as large beyond 80 degrees, and a gain that stays",
                     widen_the_inertia, kRecords),
      axes("pose.mass_not_positive", "a lower link whose inertia no body has", mistake_the_lower_link, kRecords)};
}

}  // namespace tauhat::rates
