#include "tauhat/offline/robot/excitation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/core/robot/frame_motion.hpp"
#include "tauhat/core/robot/friction_under_load.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/robot/predicted_deviations.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {
namespace {

using Eigen::VectorXd;
using Samples = std::vector<double>;

void require_limits(const RobotSpec& robot, const std::string& source) {
  std::vector<std::string> missing;
  for (const RobotJoint& joint : robot.joints) {
    const auto require = [&](const char* key, double limit) {
      if (!std::isfinite(limit)) missing.push_back(fmt::format("{} limit.{}", joint.name, key));
    };
    require("lower", joint.limits.lower);
    require("upper", joint.limits.upper);
    require("velocity", joint.limits.velocity);
    require("acceleration", joint.limits.acceleration);
  }
  if (!missing.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: a motion needs limits that are missing; give in [[robot.joint]]: {}", source,
                            fmt::join(missing, ", ")));
}

bool has_torque_limits(const RobotSpec& robot) {
  return std::any_of(robot.joints.begin(), robot.joints.end(),
                     [](const RobotJoint& joint) { return std::isfinite(joint.limits.torque); });
}

bool knows_torque(const RobotSpec& robot) { return inertia_faults(robot).empty(); }

// The robot with all places that have to stay above the floor: a joint's own place is watched anyway.
Robot<double> with_watched_frames(const RobotSpec& spec, const std::string& source) {
  Robot<double> robot = spec.robot;
  for (const NamedFrame& frame : spec.frames) {
    if (frame.link == kBase || frame.placement.translation.norm() < 1e-9 || robot.find_frame(frame.name)) continue;
    if (!robot.add_frame(frame.name, frame.link, frame.placement) && spec.excite.height)
      throw Error(
          ExitCode::wrong_use,
          fmt::format("{}: frame \"{}\" cannot be kept above excite.height: a robot has at most {} frames, with "
                      "names of at most {} letters",
                      source, frame.name, Robot<double>::kMaxFrames, FrameName::kCapacity));
  }
  return robot;
}

// One period, sampled.
struct SampledMotion {
  Samples time;
  std::vector<Samples> position, velocity, acceleration, torque;  // torque: empty where inertias are not known
  Samples height;
  std::vector<Vector<double, 3>> tool;  // of the last link's farthest frame

  static SampledMotion of(const ExcitingMotion& motion, const TorqueColumns& columns, const MotionLimits& limits);
};

// The last named frame of the last link that has one; else the last link's own.
Frame<double> tool_of(const Robot<double>& robot) {
  Frame<double> tool{FrameName("last joint"), robot.joints() - 1, {}};
  for (int f = 0; f < robot.frame_count(); ++f)
    if (robot.frame(f).link == tool.link) tool = robot.frame(f);
  return tool;
}

SampledMotion SampledMotion::of(const ExcitingMotion& motion, const TorqueColumns& columns,
                                const MotionLimits& limits) {
  constexpr int kSamples = 1000;
  const auto joints = static_cast<std::size_t>(columns.joints());
  SampledMotion all;
  for (auto* series : {&all.position, &all.velocity, &all.acceleration}) series->resize(joints);
  if (limits.torque_of) all.torque.resize(joints);
  const Frame<double> tool = tool_of(columns.robot());
  for (int k = 0; k <= kSamples; ++k) {
    all.time.push_back(motion.trajectory.period * k / kSamples);
    const JointMotion at = motion.trajectory.at(all.time.back());
    const VectorXd torque = limits.torque_of ? limits.torque_of(at) : VectorXd::Zero(columns.joints());
    for (std::size_t j = 0; j < joints; ++j) {
      const auto joint = static_cast<Eigen::Index>(j);
      all.position[j].push_back(at.position[joint]);
      all.velocity[j].push_back(at.velocity[joint]);
      all.acceleration[j].push_back(at.acceleration[joint]);
      if (!all.torque.empty()) all.torque[j].push_back(torque[joint]);
    }
    all.height.push_back(lowest_point(columns.robot(), at.position));
    all.tool.push_back(frame_placement(pose_of(columns.robot(), at.position), tool).translation);
  }
  return all;
}

double largest(const Samples& values) {
  double most = 0.0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

// A horizontal line.
Series level(std::string name, const Samples& time, double value) {
  return dashed(line(std::move(name), {time.front(), time.back()}, {value, value}));
}

Section position_section(const RobotSpec& robot, const SampledMotion& motion) {
  Section section{"Positions", "One period of each joint, and where it may go.", {}, {}};
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const bool turns = robot.robot.joint(static_cast<int>(j)).is_revolute();
    const double factor = turns ? 180.0 / std::numbers::pi : 1e3;
    const JointLimits& limits = robot.joints[j].limits;
    Plot plot{.title = robot.joints[j].name,
              .x_label = "time [s]",
              .y_label = turns ? "position [deg]" : "position [mm]",
              .caption = "Dashed: the joint's limits, of which the margin is left free."};
    plot.series = {line("position", motion.time, scaled(motion.position[j], factor)),
                   level("lower limit", motion.time, factor * limits.lower),
                   level("upper limit", motion.time, factor * limits.upper)};
    section.plots.push_back(std::move(plot));
  }
  return section;
}

// All joints in one plot: each as a share of its limit.
Plot share_plot(const RobotSpec& robot, const Samples& time, const std::vector<Samples>& values, const char* quantity,
                double JointLimits::*limit) {
  Plot plot{.title = fmt::format("{} over its limit", quantity),
            .x_label = "time [s]",
            .y_label = "share of the limit [%]",
            .caption = "100 % is the joint's limit, either way."};
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const double most = robot.joints[j].limits.*limit;
    if (std::isfinite(most)) plot.series.push_back(line(robot.joints[j].name, time, scaled(values[j], 100.0 / most)));
  }
  return plot;
}

Section place_section(const RobotSpec& robot, const SampledMotion& motion) {
  Section section{"Where it goes", "In the world's axes, z upwards.", {}, {}};
  if (std::isfinite(motion.height.front())) {
    Plot height{.title = "Height of the lowest point",
                .x_label = "time [s]",
                .y_label = "height [m]",
                .caption = "Of joints and named frames that any motion raises; the bodies around them reach further."};
    height.series = {line("lowest point", motion.time, motion.height)};
    if (robot.excite.height) height.series.push_back(level("keep-out height", motion.time, *robot.excite.height));
    section.plots.push_back(std::move(height));
  }
  Samples x, y, z;
  for (const Vector<double, 3>& at : motion.tool) x.push_back(at.x()), y.push_back(at.y()), z.push_back(at.z());
  section.plots.push_back({.title = "Path of the tool, from the side",
                           .x_label = "x [m]",
                           .y_label = "z [m]",
                           .caption = "Look for what stands there.",
                           .series = {curve("tool", x, z)}});
  section.plots.push_back({.title = "Path of the tool, from above",
                           .x_label = "x [m]",
                           .y_label = "y [m]",
                           .caption = "Look for who stands there.",
                           .series = {curve("tool", x, y)}});
  return section;
}

Table use_table(const RobotSpec& robot, const SampledMotion& motion) {
  Table table{"Largest of each joint, of its limit", {"joint", "velocity", "acceleration", "torque"}, {}};
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const JointLimits& limits = robot.joints[j].limits;
    const auto used = [&](double most, double limit, const char* rotary) {
      const std::string unit = joint_unit(robot, static_cast<int>(j), rotary);
      return std::isfinite(limit) ? fmt::format("{:.3g} of {:.3g} {}", most, limit, unit)
                                  : fmt::format("{:.3g} {}, no limit given", most, unit);
    };
    table.rows.push_back({robot.joints[j].name, used(largest(motion.velocity[j]), limits.velocity, "rad/s"),
                          used(largest(motion.acceleration[j]), limits.acceleration, "rad/s^2"),
                          motion.torque.empty() ? "not known" : used(largest(motion.torque[j]), limits.torque, "N m")});
  }
  return table;
}

void note_torque(const RobotSpec& robot, Report& report) {
  if (!has_torque_limits(robot)) return;
  if (knows_torque(robot)) {
    const bool has_friction = std::any_of(robot.joints.begin(), robot.joints.end(), [](const RobotJoint& joint) {
      return joint.friction.viscous > 0.0 || joint.friction.coulomb > 0.0 || joint.friction.excess > 0.0;
    });
    if (!has_friction)
      report.diagnostics.push_back({"torque.without_friction", Severity::warning,
                                    "Friction is not known: the torque is kept within its limits without it. Run the "
                                    "motion slowly first."});
    return;
  }
  const InertiaFault fault = inertia_faults(robot).front();
  report.diagnostics.push_back({"torque.not_limited", Severity::warning,
                                fmt::format("{} {}: the torque is not known, and its limits are not looked at. Run the "
                                            "motion slowly first.",
                                            fault.link, fault.what)});
}

// As `identify` names its results: what the study believes, with the standard deviation that one period will give.
void add_prediction(const RobotSpec& robot, const TorqueColumns& columns, const BaseParameters& base,
                    const FourierTrajectory& trajectory, const VectorXd& torque_std, Report& report) {
  const VectorXd std = predicted_deviations(trajectory, columns, base, torque_std, robot.excite.rate);
  if (!std.allFinite()) return;  // the condition says it
  const VectorXd believed = base.grouping * (knows_torque(robot) ? columns.parameters(robot.robot, friction_of(robot))
                                                                 : VectorXd::Zero(columns.count()));
  Table table{"How well one period will tell the parameters", {"parameter", "standard deviation", "unit"}, {}};
  for (int k = 0; k < base.count(); ++k) {
    const int column = base.columns[static_cast<std::size_t>(k)];
    const std::string unit(columns.unit(column)), name = column_result_name(robot, columns, column);
    table.rows.push_back({name, fmt::format("{:.2g}", std[k]), unit});
    if (!knows_torque(robot)) continue;
    Result result = with_interval(name, believed[k], std[k], unit);
    result.note = "as the study has it; the interval is predicted, of one period";
    report.results.push_back(std::move(result));
  }
  report.sections.push_back({"What it will tell",
                             "By the information of the regressor, under white noise of the torques as [log.channels] "
                             "gives it; twice the periods leave 0.71 of it.",
                             {},
                             {std::move(table)}});
}

}  // namespace

MotionLimits motion_limits(const RobotSpec& robot, const std::string& source) {
  require_limits(robot, source);
  const double share = 1.0 - robot.excite.margin;
  const int joints = robot.count();
  MotionLimits limits{VectorXd(joints), VectorXd(joints), VectorXd(joints), VectorXd(joints)};
  for (int j = 0; j < joints; ++j) {
    const JointLimits& own = robot.joints[static_cast<std::size_t>(j)].limits;
    const double middle = 0.5 * (own.lower + own.upper), half = 0.5 * share * (own.upper - own.lower);
    limits.lower[j] = middle - half, limits.upper[j] = middle + half;
    limits.velocity[j] = share * own.velocity, limits.acceleration[j] = share * own.acceleration;
  }
  limits.height = robot.excite.height;
  limits.source = source + ": ";
  for (const RobotJoint& joint : robot.joints) limits.names.push_back(joint.name);
  if (!knows_torque(robot)) return limits;
  // All that the study knows of friction, though not all of it may be fitted.
  limits.torque_of = [arm = robot.robot, friction = friction_of(robot)](const JointMotion& at) -> VectorXd {
    const JointValues load = inverse_dynamics(arm, at.position, at.velocity, at.acceleration);
    return load + friction_of_load<double, Eigen::Dynamic>(arm.transmission(), friction, at.velocity, load);
  };
  if (!has_torque_limits(robot)) return limits;
  limits.torque.resize(joints);
  for (int j = 0; j < joints; ++j) limits.torque[j] = share * robot.joints[static_cast<std::size_t>(j)].limits.torque;
  return limits;
}

ExcitationAnswer answer_excitation(const RobotSpec& robot, const std::string& source, std::uint64_t seed,
                                   const std::optional<VectorXd>& torque_std,
                                   const std::function<void(double)>& progress) {
  const MotionLimits limits = motion_limits(robot, source);
  const TorqueColumns columns(with_watched_frames(robot, source), robot.terms.plain());
  const BaseParameters base = base_parameters(columns);
  const ExciteSpec& asked = robot.excite;
  ExcitationAnswer answer;
  answer.motion = optimise_excitation(columns, base, limits,
                                      {.period = asked.period,
                                       .harmonics = asked.harmonics,
                                       .evaluations = asked.evaluations,
                                       .from_rest = asked.from_rest,
                                       .seed = seed,
                                       .progress = progress});
  const SampledMotion motion = SampledMotion::of(answer.motion, columns, limits);
  Report& report = answer.report;
  report.command = "excite";
  report.title = fmt::format("Exciting motion of {}", source);
  report.headline = fmt::format("A motion of {:.4g} s with condition {:.4g} of {} base parameters, the best of {}.",
                                asked.period, answer.motion.condition, base.count(), answer.motion.evaluations);
  report.results.push_back({.name = "excitation.condition",
                            .value = answer.motion.condition,
                            .unit = "1",
                            .note = "of the regressor, base columns in SI, not scaled"});
  if (const double lowest = *std::min_element(motion.height.begin(), motion.height.end()); std::isfinite(lowest))
    report.results.push_back(
        {.name = "excitation.height", .value = lowest, .unit = "m", .note = "of the lowest point"});
  note_torque(robot, report);
  if (torque_std) add_prediction(robot, columns, base, answer.motion.trajectory, *torque_std, report);
  report.sections.push_back(position_section(robot, motion));
  Section rates{"What it asks of the joints", "", {}, {use_table(robot, motion)}};
  rates.plots.push_back(share_plot(robot, motion.time, motion.velocity, "Velocity", &JointLimits::velocity));
  rates.plots.push_back(
      share_plot(robot, motion.time, motion.acceleration, "Acceleration", &JointLimits::acceleration));
  if (limits.torque.size() > 0)
    rates.plots.push_back(share_plot(robot, motion.time, motion.torque, "Torque", &JointLimits::torque));
  report.sections.push_back(std::move(rates));
  report.sections.push_back(place_section(robot, motion));
  report.assumptions = {{"margin", fmt::format("{:g} % of every limit is left free", 100.0 * asked.margin)},
                        {"harmonics", fmt::format("{}", asked.harmonics)},
                        {"seed", fmt::format("{}", seed)}};
  return answer;
}

}  // namespace tauhat
