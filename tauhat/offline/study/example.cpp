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

std::string line(const std::string& name, double value, const ParameterInfo& info) {
  const std::string unit = info.unit == "1" ? "" : fmt::format("{}; ", info.unit);
  const std::string assignment = fmt::format("{} = {:g}", name, value);
  return fmt::format("{:<42} # {}{}\n", assignment, unit, info.meaning);
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

}  // namespace tauhat
