#include "tauhat/offline/robot/force_floor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"
#include "tauhat/offline/robot/force_log.hpp"

namespace tauhat {
namespace {

constexpr double kSettling = 0.3;  // s, until the estimate has forgotten its start
constexpr double kWideEnough = 1.05;

struct Run {
  Timeline timeline;
  std::unique_ptr<RestingEstimator> estimator;
  Replay replay;
};

Run run_over(const Study& study, const Log& log, std::vector<Diagnostic>& diagnostics) {
  Run run{online_timeline(study, log, diagnostics), nullptr, {}};
  run.estimator = make_resting_estimator(study, first_row(run.timeline).period);
  if (study.gate > 0.0) run.estimator->set_gate(study.gate);
  run.replay = run.estimator->replay(run.timeline, {});
  for (const Diagnostic& problem : diagnose_steps(run.replay.failed, run.timeline.size()))
    throw Error(ExitCode::untrusted, fmt::format("{}: {}", log.source, problem.message));
  return run;
}

// Instants that count: the estimate has settled, and the values are there.
template <class Each>
void for_each_settled(const Run& run, const Each& each) {
  for (std::size_t k = 0; k < run.timeline.size(); ++k)
    if (run.timeline.time[k] - run.timeline.time.front() >= kSettling) each(k);
}

// Root mean square of each joint's external torque, and the mean of the variance that it has from noise alone, over the
// instants in which the joint moves: where it rests, its friction hides much more than the model lacks.
struct TorqueSpread {
  JointValues square, noise, count;
};
TorqueSpread torque_spread(const Run& run, const RobotSpec& robot) {
  const int n = robot.count();
  TorqueSpread spread{JointValues::Zero(n), JointValues::Zero(n), JointValues::Zero(n)};
  for_each_settled(run, [&](std::size_t k) {
    for (int i = 0; i < n; ++i) {
      const Track& track = run.replay.filtered[static_cast<std::size_t>(i)];
      if (run.estimator->rested(k, i) || !std::isfinite(track.value[k])) continue;
      spread.square[i] += track.value[k] * track.value[k];
      spread.noise[i] += track.std[k] * track.std[k];
      spread.count[i] += 1.0;
    }
  });
  const JointValues count = spread.count.cwiseMax(1.0);
  spread.square = spread.square.cwiseQuotient(count), spread.noise = spread.noise.cwiseQuotient(count);
  return spread;
}

bool has_residual(const RobotSpec& robot) {
  return std::any_of(robot.joints.begin(), robot.joints.end(), [](const RobotJoint& j) { return j.residual > 0.0; });
}

// Of the joints that the momentum observer, told of no residual, sees moving for long enough: what it shows beyond its
// noise.
std::vector<std::optional<double>> observed_residuals(const Log& log, const Study& study) {
  constexpr double kFewest = 30.0;  // instants: the rms of so many is known to an eighth
  Study observed = study;
  observed.robot->force.kind = ForceSpec::Kind::momentum_observer;
  for (RobotJoint& joint : observed.robot->joints) joint.residual = 0.0;
  std::vector<Diagnostic> ignored;
  const TorqueSpread spread = torque_spread(run_over(observed, log, ignored), *study.robot);
  std::vector<std::optional<double>> residuals;
  for (int i = 0; i < study.robot->count(); ++i) {
    residuals.emplace_back();
    if (spread.count[i] >= kFewest) residuals.back() = std::sqrt(std::max(0.0, spread.square[i] - spread.noise[i]));
  }
  return residuals;
}

// The study's own residuals are of torques that were filtered as the motion was: an estimator sees more, and where it
// does, it counts.
void find_residuals(const Log& log, Study& study, FloorAnswer& answer) {
  using Residual = FloorAnswer::Residual;
  for (std::size_t j = 0; j < answer.residuals.size(); ++j)
    if (!(study.robot->joints[j].residual > 0.0)) answer.residuals[j] = Residual::unknown;
  try {
    const std::vector<std::optional<double>> found = observed_residuals(log, study);
    std::vector<std::string> resting;
    for (std::size_t i = 0; i < found.size(); ++i) {
      RobotJoint& joint = study.robot->joints[i];
      Residual& by = answer.residuals[i];
      if (!found[i]) {
        if (by == Residual::unknown) resting.push_back(joint.name);
        continue;
      }
      if (by == Residual::given && *found[i] <= joint.residual) continue;
      by = by == Residual::given ? Residual::raised : Residual::found;
      joint.residual = *found[i];
    }
    if (!resting.empty())
      answer.diagnostics.push_back(
          {"residual.unknown", Severity::warning,
           fmt::format("{}: {} {}, so that the log without contact does not tell what the model lacks there: give the "
                       "residual in [[robot.joint]], or move all joints.",
                       log.source, fmt::join(resting, ", "), resting.size() > 1 ? "rest" : "rests")});
  } catch (const Error& problem) {
    if (has_residual(*study.robot)) return;  // the study's
    answer.diagnostics.push_back({"residual.unknown", Severity::warning,
                                  fmt::format("The joints' residuals could not be found ({}): give them in "
                                              "[[robot.joint]].",
                                              problem.what())});
  }
}

// By how much wider the bands would have to be to hold 95 % of a force that is not there, and of the joints' torques.
// Where a joint rests they hold its friction, too: such instants count only if there are no others. At a standstill
// they say that nothing is known.
double bands_to_hold(const Run& run, const RobotSpec& robot) {
  const ForceOutputs places = force_outputs(robot);
  struct Normalised {
    std::vector<double> moving, some_rest;

    double factor() {
      std::vector<double>& sizes = moving.empty() ? some_rest : moving;
      return sizes.empty() ? 1.0 : quantile(std::move(sizes), 0.95) / k95;
    }
  };
  Normalised torques, forces;
  for_each_settled(run, [&](std::size_t k) {
    int resting = 0;
    for (int i = 0; i < places.joints; ++i) resting += run.estimator->rested(k, i);
    if (resting == places.joints) return;
    for (int output = 0; output < places.joints + places.axes; ++output) {
      const Track& track = run.replay.filtered[static_cast<std::size_t>(output)];
      if (!std::isfinite(track.value[k])) continue;
      Normalised& all = output < places.joints ? torques : forces;
      (resting == 0 ? all.moving : all.some_rest).push_back(std::abs(track.value[k]) / track.std[k]);
    }
  });
  return std::max(torques.factor(), forces.factor());
}

bool study_tells_enough(const Log& log, const Study& study) {
  const std::vector<RobotJoint>& joints = study.robot->joints;
  if (!std::all_of(joints.begin(), joints.end(), [](const RobotJoint& joint) { return joint.residual > 0.0; }))
    return false;
  std::vector<Diagnostic> said;
  return bands_to_hold(run_over(study, log, said), *study.robot) <= kWideEnough;
}

// What the model lacks is no noise: the torques of several joints are wrong together, and stay wrong for long. The
// residuals grow until the bands hold the force of this very log.
Run run_with_wide_bands(const Log& log, Study& study, FloorAnswer& answer) {
  constexpr int kMostPasses = 4;
  Run run = run_over(study, log, answer.diagnostics);
  double factor = bands_to_hold(run, *study.robot);
  for (int pass = 0; pass < kMostPasses && factor > kWideEnough && has_residual(*study.robot); ++pass) {
    for (RobotJoint& joint : study.robot->joints) joint.residual *= factor;
    std::vector<Diagnostic> said;
    run = run_over(study, log, said);
    factor = bands_to_hold(run, *study.robot);
    for (FloorAnswer::Residual& by : answer.residuals)
      if (by == FloorAnswer::Residual::given) by = FloorAnswer::Residual::raised;
  }
  answer.bands_hold = factor <= kWideEnough;
  if (!answer.bands_hold)
    answer.diagnostics.push_back(
        {"residual.too_small", Severity::warning,
         fmt::format("The bands of the force do not hold 95 % of {}, in which there is none: they would have to be "
                     "{:.2g} times as wide. Give larger residuals in [[robot.joint]], or a better model.",
                     log.source, factor)});
  return run;
}

// Where the log without contact asks for more than the study says, that is what is used, and who relies on the study
// alone has bands that are too narrow.
void say_raised(const Log& log, const RobotSpec& before, const RobotSpec& after, FloorAnswer& answer) {
  constexpr double kMuchMore = 1.2;
  std::vector<std::string> raised;
  for (std::size_t j = 0; j < after.joints.size(); ++j)
    if (answer.residuals[j] == FloorAnswer::Residual::raised &&
        after.joints[j].residual > kMuchMore * before.joints[j].residual)
      raised.push_back(fmt::format("{} {:.3g} instead of {:.3g} {}", after.joints[j].name, after.joints[j].residual,
                                   before.joints[j].residual, joint_unit(after, static_cast<int>(j), "N m")));
  if (raised.empty() || !answer.bands_hold) return;
  answer.diagnostics.push_back(
      {"residual.too_small", Severity::warning,
       fmt::format("With the study's residuals the bands would not hold {}, in which there is no force: {} are used. "
                   "Without --floor the study needs them in [[robot.joint]].",
                   log.source, fmt::join(raised, ", "))});
}

void collect_forces(const Run& run, const RobotSpec& robot, FloorAnswer& answer) {
  const ForceOutputs places = force_outputs(robot);
  const auto value = [&](int output, std::size_t k) {
    return run.replay.filtered[static_cast<std::size_t>(output)].value[k];
  };
  double moments = 0.0;
  for_each_settled(run, [&](std::size_t k) {
    // At a standstill contact is left open, so nothing there can be an alarm.
    const Eigen::Vector3d force(value(places.force(0), k), value(places.force(1), k), value(places.force(2), k));
    if (!force.allFinite() || std::isnan(value(places.contact(), k))) return;
    answer.samples.push_back(force);
    for (int axis = 3; axis < places.axes; ++axis) moments += std::pow(value(places.force(axis), k), 2);
  });
  answer.force = force_floor(answer.samples);
  if (places.axes == 6) answer.moment = std::sqrt(moments / (3.0 * static_cast<double>(answer.samples.size())));
}

}  // namespace

FloorAnswer measure_floor(const Log& recorded, Study& study) {
  FloorAnswer answer;
  const Log log = force_log(recorded, study);
  answer.source = log.source;
  complete_noise(log, study, answer.diagnostics);
  RobotSpec& robot = *study.robot;
  const RobotSpec before = robot;
  answer.residuals.assign(robot.joints.size(), FloorAnswer::Residual::given);
  if (!study_tells_enough(log, study)) find_residuals(log, study, answer);
  // A threshold that nothing reaches, so that a standstill shows.
  ContactSpec& contact = robot.force.contact;
  const std::optional<double> given = contact.threshold;
  if (!given) contact.threshold = 1e9;
  const Run run = run_with_wide_bands(log, study, answer);
  contact.threshold = given;
  say_raised(log, before, robot, answer);
  answer.torque = torque_spread(run, robot).square.cwiseSqrt();
  if (force_outputs(robot).axes == 0) return answer;
  collect_forces(run, robot, answer);
  if (answer.samples.empty())
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: every joint rests: friction hides the force there, and a floor needs {:g} s and more "
                            "of motion without contact",
                            log.source, kSettling));
  if (given) return answer;
  answer.found = contact_threshold(answer.samples, contact.false_alarm_rate);
  if (answer.found->extrapolated)
    answer.diagnostics.push_back(
        {"contact.extrapolated", Severity::info,
         fmt::format("{} samples without contact are too few for a false-alarm rate of {:g}: the threshold continues "
                     "their tail.",
                     answer.samples.size(), contact.false_alarm_rate)});
  contact.threshold = answer.found->force;
  return answer;
}

namespace {

Log log_of(const RobotRecord& record, const RobotSpec& robot) {
  auto time = std::make_shared<std::vector<double>>(record.samples());
  for (std::size_t k = 0; k < time->size(); ++k) (*time)[k] = static_cast<double>(k) * record.period;
  Log log;
  log.source = record.source;
  const auto add = [&](const char* quantity, const std::vector<std::vector<double>>& series) {
    for (std::size_t j = 0; j < series.size(); ++j) {
      log.channels.emplace_back();
      Channel& channel = log.channels.back();
      channel.signal = fmt::format("{}.{}", robot.joints[j].name, quantity);
      channel.time = time, channel.value = series[j];
    }
  };
  add("position", record.position), add("velocity", record.velocity), add("torque", record.torque);
  return log;
}

// All at the joints and by one clock, as a record is; the noise as the study says it of joints, else from the data.
Study study_of(const RobotRecord& record, const Log& log, const Study& study) {
  constexpr double kHighestCutOff = 0.2;  // of the sampling rate
  Study joints = study;
  joints.channels.clear();
  for (const Channel& channel : log.channels) {
    const StudyChannel* given = study.find_channel(channel.signal);
    joints.channels.emplace_back();
    joints.channels.back().spec.signal = channel.signal;
    if (given) joints.channels.back().std = given->std;
  }
  ForceSpec& force = joints.robot->force;
  force.kind = ForceSpec::Kind::momentum_observer;
  force.frame.clear();
  force.rate = 0.0, force.period = record.period;
  if (force.velocity_cut_off.value_or(100.0) * record.period > kHighestCutOff)
    force.velocity_cut_off = kHighestCutOff / record.period;
  return joints;
}

}  // namespace

JointValues unexplained_torques(const RobotRecord& record, const Study& study) {
  const Log log = log_of(record, *study.robot);
  Study joints = study_of(record, log, study);
  std::vector<Diagnostic> ignored;
  complete_noise(log, joints, ignored);
  JointValues torques = JointValues::Zero(study.robot->count());
  const auto found = observed_residuals(log, joints);
  for (std::size_t i = 0; i < found.size(); ++i) torques[static_cast<Eigen::Index>(i)] = found[i].value_or(0.0);
  return torques;
}

namespace {

std::string threshold_note(const FloorAnswer& floor, const ContactThreshold& used) {
  if (floor.found) return fmt::format("exceeded by {:g} of the samples", used.false_alarm_rate);
  const auto above = std::count_if(floor.samples.begin(), floor.samples.end(),
                                   [&](const Eigen::Vector3d& force) { return force.norm() > used.force; });
  return fmt::format("as the study says; exceeded by {:.3g} of the samples without contact",
                     static_cast<double>(above) / static_cast<double>(floor.samples.size()));
}

std::string residual_note(const FloorAnswer& floor, std::size_t joint) {
  using Residual = FloorAnswer::Residual;
  if (floor.residuals[joint] == Residual::given) return "as the study says";
  if (floor.residuals[joint] == Residual::unknown) return "unknown, and taken for zero";
  if (floor.residuals[joint] == Residual::raised && floor.bands_hold)
    return "more than the study says, so that the bands hold the log without contact";
  return floor.bands_hold ? "so that the bands hold the log without contact"
                          : "by the log without contact, which the bands do not hold";
}

}  // namespace

void add_floor(const FloorAnswer& floor, const Study& study, Report& report) {
  const RobotSpec& robot = *study.robot;
  const auto add = [&](std::string name, double value, std::string unit, std::string note) {
    report.results.push_back(
        {.name = std::move(name), .value = value, .unit = std::move(unit), .note = std::move(note)});
  };
  if (!floor.samples.empty()) {
    add("force.floor", floor.force, "N", "rms without contact, per axis");
    if (floor.moment) add("moment.floor", *floor.moment, "N m", "rms without contact, per axis");
    const ContactThreshold used{*robot.force.contact.threshold, robot.force.contact.false_alarm_rate, false};
    add("contact.threshold", used.force, "N", threshold_note(floor, used));
    constexpr double kSure = 0.95;
    add("contact.detectable", detectable_force(floor.samples, used, kSure), "N", "seen with 95 % in one sample");
  }
  for (int i = 0; i < robot.count(); ++i) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(i)];
    add(joint.name + ".torque.residual", joint.residual, joint_unit(robot, i, "N m"),
        residual_note(floor, static_cast<std::size_t>(i)));
  }
}

std::string floor_text(const FloorAnswer& floor, const Study& study) {
  if (floor.samples.empty()) return fmt::format("{}: no frame, no force", floor.source);
  return fmt::format("{}: force.floor {:.4g} N without contact; above {:.4g} N it is called contact", floor.source,
                     floor.force, *study.robot->force.contact.threshold);
}

}  // namespace tauhat
