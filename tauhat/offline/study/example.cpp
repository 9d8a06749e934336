// A complete study, written from the model's own list of parameters.
#include <fmt/format.h>

#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

// A small geared servo axis: numbers that simulate and identify well.
Drive example_drive() {
  Drive drive;
  drive.motor_inertia = 8e-4;
  drive.load_inertia = 1.765e-3;
  drive.damping = 0.01;
  drive.motor_friction.coulomb_atan = {0.27, 0.01, 0.01};
  return drive;
}

std::string commented(const std::string& assignment, const ParameterInfo& info) {
  const std::string unit = info.unit == "1" ? "" : fmt::format("{}; ", info.unit);
  return fmt::format("{:<42} # {}{}\n", assignment, unit, info.meaning);
}

std::string line(const std::string& name, double value, const ParameterInfo& info) {
  return commented(fmt::format("{} = {:g}", name, value), info);
}

template <class T>
std::string parameter_lines(const T& owner, std::string_view only_group = {}) {
  std::string text;
  T::visit_parameters(owner, [&](const ParameterInfo& info, const double& value) {
    if (only_group.empty() || info.group == only_group) text += line(full_name(info), value, info);
  });
  return text;
}

}  // namespace

std::string example_study() {
  const Drive drive = example_drive();
  const DeadZone<double> law{79.0, 79.0, 0.1, 0.0};
  std::string text =
      "# A plain number is SI; \"8 kg cm^2\" has its unit; { value = 1.7e-3, std = \"2 %\" } is known only so well.\n"
      "[drive]\nmodel = \"two-mass\"\n";
  text += "motor.friction.law = \"coulomb-atan\"        # `describe two-mass` lists the others\n";
  text += parameter_lines(drive);
  text += "# The transmission's law is for `simulate`; `identify` does not look at it.\n";
  text +=
      "transmission.law = \"dead-zone\"             # or soft-dead-zone, linear-spring, stiffening-spring, "
      "hysteretic-dead-zone\n";
  text += parameter_lines(law);
  text += R"toml(
[[unknown]]
signal = "transmission.torque"             # what nobody measures
kind = "random-walk"
intensity = "auto"                         # or "30 N m/sqrt(s)"

# [[unknown]]                              # a parameter to be found along
# kind = "constant"
# parameter = "load.inertia"

[noise]
"motor.velocity" = "3.16 rad/s/sqrt(s)"    # what disturbs the motor, as a random walk of its velocity

[log]
time = { column = "t", unit = "ms" }       # or { rate = "2 kHz" }
[log.channels]
"motor.torque" = { column = "tau", unit = "N m" }                            # gain, delay: a value, { value, std } or "fit"
"motor.velocity" = { column = "w_m", unit = "rpm", std = "0.3 rad/s" }       # std = "auto": from the data
"load.velocity" = { column = "w_l", unit = "rpm", std = "0.3 rad/s" }        # leave out what is not measured

[estimator]
kind = "ekf"

[accept]
"backlash.gap" = "<= 400 arcmin"

[simulate]
duration = "3 s"
rate = "2 kHz"
input = { kind = "prbs", amplitude = "2 N m", hold = "5 ms" }  # or constant, steps, sines, multisine, chirp, file
)toml";
  return text;
}

std::string example_axis_study() {
  Axis<double> axis;
  axis.mass = 0.02;
  std::string text =
      "# A plain number is SI; \"200 kg cm^2\" has its unit.\n[drive]\nmodel = \"axis\"\nmotion = \"rotary\"        "
      "                  # or linear: N for N m, m for rad, kg for kg m^2\n";
  text += parameter_lines(axis);
  text += R"toml(# The law is for `simulate`; `identify` finds it out.
friction.law = "lugre"                     # `describe axis` lists the others
friction.coulomb = 0.2                     # N m
friction.breakaway = 0.35                  # N m
friction.viscous = 0.05                    # N m s/rad
friction.stribeck_velocity = 0.3           # rad/s
friction.bristle_stiffness = 2e4           # N m/rad
friction.bristle_damping = 1               # N m s/rad

[[unknown]]
signal = "friction.force"                  # what nobody measures
kind = "random-walk"
intensity = "auto"                         # or "0.5 N m/sqrt(s)"

[identify]
method = "two-step"                        # which law; or regression (mass and friction), constant-speed (the curve)

[log]
time = { column = "t", unit = "s" }        # or { rate = "1 kHz" }
[log.channels]
"axis.force" = { column = "torque", unit = "N m" }                           # unit = "A" takes a torque_constant
"axis.position" = { column = "angle", unit = "rad", std = 2e-5 }             # std = "auto": from the data

[estimator]
kind = "ekf"

[simulate]
duration = "20 s"
rate = "1 kHz"
input = { kind = "sines", tones = [{ frequency = 0.31, amplitude = 0.6, phase = 0 }, { frequency = 0.83, amplitude = 0.35, phase = 1 }] }
)toml";
  return text;
}

std::string example_powertrain_study() {
  std::string text = "# A plain number is SI; \"0.3 kg m^2\" has its unit.\n[drive]\nmodel = \"powertrain\"\n";
  text += parameter_lines(Powertrain<double>{});
  text += commented("motor.delay = \"30 ms\"", GapSpec::kDelay);
  text += commented("motor.gain = { value = 1, std = 0.1 }", GapSpec::kGain);
  text += commented("backlash.gap = { value = \"60 mrad\", std = \"20 mrad\" }", GapSpec::kGap);
  text += commented("# backlash.offset = 0", GapSpec::kOffset);
  text += R"toml(
[noise]
load.torque = "15 N m/sqrt(s)"             # how fast the road changes
motor.torque = "30 N m/sqrt(s)"            # how wrong the commanded torque may be: ten percent and some N m

[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.command" = { column = "command", unit = "N m" }
# Pulses: `stamps` is their column; where sensors share it, `sensor` says whose a stamp is. A count tells the direction.
"motor.position" = { stamps = "time", teeth = 60, sensor = { column = "sensor", number = 1 }, count = { column = "count" }, std = "1 mrad" }
"load.position" = { stamps = "time", teeth = 48, sensor = { column = "sensor", number = 2 }, count = { column = "count" }, std = "2.6 mrad" }

[estimator]
kind = "ekf"                               # as suits: "imm" where the gap or its middle is learned, else "direct"; or "cascade", "switching", "events", "staircase"

[simulate]
duration = "16 s"
rate = "1 kHz"
load_torque = "100 N m"
torque_noise = "1 N m"
start.velocity = "10 rad/s"                # of the load
sensors."motor.position".tooth_error = 0.01   # std, of a pitch
sensors."load.position".tooth_error = 0.02
input = { kind = "steps", times = [0, 1, 2.5, 4, 5, 6.2, 7.5, 9, 10.5, 11.7, 13.2, 14.4], levels = [30, -25, 70, -25, 50, -25, 40, -20, 90, -30, 30, -25] }
)toml";
  return text;
}

std::string example_joint_study() {
  std::string text = "# A plain number is SI; \"7 kg cm^2\" has its unit.\n[drive]\nmodel = \"elastic-joint\"\n";
  text += parameter_lines(ElasticJoint<double>{}, "motor");
  text += parameter_lines(ElasticJoint<double>{}, "transmission");
  text += parameter_lines(ElasticJoint<double>{}, "load");
  text += parameter_lines(GravityTorque<double>{});
  text += R"toml(motor.friction.coulomb = "0.3 N m"         # fed forward where an observer asks for it
# neighbour = { inertia = 3, coupling_inertia = 3, stiffness = 3e4, damping = 12 }   # the next axis, braked

[[observer]]
name = "kalman"
kind = "kalman"                            # or luenberger (poles), lugre-kalman (motor.friction.law = "lugre")
motor_disturbance = { intensity = "0.6 N m/sqrt(s)", leak = "0.2 Hz" }   # mostly friction
noise = { motor = 1e-3, load = 0.3 }       # torques, N m/sqrt(Hz)

[[observer]]
name = "poles"
kind = "luenberger"
poles = [{ frequency = "40 Hz", damping = 0.9 }, { frequency = "80 Hz", damping = 0.9 }]
friction_compensation = true
disturbance_observer = true

[estimator]
observer = "kalman"                        # what estimate and stream run
period = "400 us"

[log]
time = { column = "t", unit = "s" }
[log.channels]
"motor.torque" = { column = "current", unit = "A", torque_constant = 0.35 }
"motor.position" = { column = "angle", unit = "rad", std = 2e-6 }
"load.velocity" = { column = "gyro", unit = "rad/s" }   # a reference for compare; no observer uses it

[simulate]
duration = "12 s"
period = "400 us"
input = { kind = "multisine", lowest = 0.25, highest = 30, lines = 120, amplitude = "0.4 N m" }
)toml";
  return text;
}

std::string example_axes_study() {
  return R"toml(# A plain number is SI; "7 kg cm^2" has its unit. One number an axis, or one for all.
[drive]
model = "elastic-axes"
axes = ["axis2", "axis3"]
motor = { inertia = [7e-4, 3e-4], viscous = [0.008, 0.004] }
transmission = { ratio = [120, 100], stiffness = [1.2e5, 3e4], damping = [80, 12] }
load = { inertia = [[14.4, 3.4], [3.4, 2.8]], viscous = [2, 0.5] }   # the links' mass matrix, without rotors
# urdf = "arm.urdf"                        # instead of axes and load.inertia: M(q) and the weight follow the pose
# pose = ["20 deg", "75 deg"]              # of the urdf's joints: where gains are designed

[[observer]]
name = "together"
kind = "kalman"
motor_disturbance = { intensity = [0.6, 0.3], leak = "0.2 Hz" }   # mostly friction, N m/sqrt(s)
noise = { motor = 1e-3, load = [0.3, 0.1] }   # torques, N m/sqrt(Hz)

[[observer]]
name = "alone"                             # each axis as if there were no other, to compare with
kind = "kalman"
coupled = false
motor_disturbance = { intensity = [0.6, 0.3], leak = "0.2 Hz" }
noise = { motor = 1e-3, load = [0.3, 0.1] }

[estimator]
observer = "together"                      # what estimate and stream run
period = "400 us"

[log]
time = { column = "t", unit = "s" }
[log.channels]
"axis2.motor.torque" = { column = "i2", unit = "A", torque_constant = 0.35 }
"axis2.motor.position" = { column = "q2", unit = "rad", std = 2e-6 }
"axis2.load.velocity" = { column = "gyro2", unit = "rad/s" }   # a reference for compare; no observer uses it
"axis3.motor.torque" = { column = "i3", unit = "A", torque_constant = 0.35 }
"axis3.motor.position" = { column = "q3", unit = "rad", std = 2e-6 }
"axis3.load.velocity" = { column = "gyro3", unit = "rad/s" }

[simulate]
duration = "12 s"
period = "400 us"
motion = { amplitude = ["20 deg", "30 deg"], frequency = "0.2 Hz" }
input = { kind = "multisine", lowest = 4, highest = 40, lines = 60, amplitude = "0.5 N m", share = [1, 0.5] }
)toml";
}

// Two joints, one of a table with what is known of it, one measured at its motor.
std::string example_robot_study() {
  return R"toml(# A plain number is SI; "320 mm" has its unit.
[robot]
friction.width = "0.05 rad/s"     # over which friction changes its sign

[[robot.joint]]                   # modified Denavit-Hartenberg; or urdf = "arm.urdf" in [robot]
name = "shoulder"
d = "320 mm"
inertia = { Ixx = 0.42, Iyy = 0.42, Izz = 0.35, mZ = -0.43, m = 8.6 }   # about the joint's frame: what is known before
limit = { lower = "-170 deg", upper = "170 deg", velocity = "200 deg/s", acceleration = "10 rad/s^2", torque = "100 N m" }

[[robot.joint]]
name = "elbow"
alpha = "-90 deg"
ratio = 45                        # of the motor, where "elbow.motor.position" is in the log
limit = { lower = "-120 deg", upper = "120 deg", velocity = "200 deg/s", acceleration = "10 rad/s^2" }

[[robot.frame]]
name = "tool"
on = "elbow"
xyz = [0.3, 0, 0]

[excite]
height = "50 mm"                  # no joint and no frame comes lower
margin = "10 %"                   # of every limit, left free
period = "10 s"
harmonics = 5

[identify]
cut_off = "10 Hz"                 # zero-phase filter of the position; above the motion's fastest harmonic
decimation = 10
friction = ["viscous", "coulomb"]   # "offset": a constant; "asymmetric": each direction by itself
weights = "residual"              # each joint by its own residual; or "equal"
robust = false                    # true: rows far off count less
held_back = "0 %"                 # the end of the log, to judge the fit by where there is no second one
payload = "tool"                  # the frame that --payload speaks of

[log]
time = { column = "t", unit = "s" }
[log.channels]
"shoulder.position" = { column = "q1", unit = "rad" }
"shoulder.torque" = { column = "tau1", unit = "N m" }
"elbow.motor.position" = { column = "q2", unit = "rad" }
"elbow.motor.torque" = { column = "i2", unit = "A", torque_constant = 0.12 }
)toml";
}

}  // namespace tauhat
