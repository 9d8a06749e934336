// Hovland et al. 2002: figures of the free-torque filter, the cloud fit and the shooting fit on simulations 1 to 3.
#include <cmath>

#include "tauhat/offline/identify/backlash.hpp"
#include "tauhat/offline/reproduce/figures.hpp"
#include "tauhat/offline/reproduce/hovland_setup.hpp"
#include "tauhat/offline/reproduce/plan.hpp"
#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat {
namespace {

using namespace hovland;

double torque_error(const Track& track, const std::vector<double>& truth) {
  constexpr std::size_t kLeftOut = 200;  // the first samples, while the filter settles
  double sum = 0.0;
  for (std::size_t k = kLeftOut; k < truth.size(); ++k) sum += std::pow(track.value[k] - truth[k], 2);
  return std::sqrt(sum / static_cast<double>(truth.size() - kLeftOut));
}

double relative_error(double value, double truth) { return std::abs(value / truth - 1.0); }

void add_cloud(RunFigures& figures, const std::string& name, const BacklashFit& fit, const Experiment& e) {
  figures[name + ".cloud.gap_error"] = std::abs(fit.dead_zone.gap() - e.law.gap);
  figures[name + ".cloud.stiffness_error"] = relative_error(fit.dead_zone.stiffness(), e.law.stiffness_positive);
}

void add_shooting(RunFigures& figures, const std::string& name, const BacklashFit& fit, const Experiment& e) {
  figures[name + ".shooting.gap_error"] = std::abs(fit.gap() - e.law.gap);
  figures[name + ".shooting.stiffness_error"] = relative_error(fit.stiffness(), e.law.stiffness_positive);
  figures["coverage"] = std::abs(fit.gap() - e.law.gap) < k95 * fit.gap_std() ? 1.0 : 0.0;
}

RunFigures run_plain(const std::string& name, const Experiment& e, std::uint64_t seed) {
  const Record data = record(e, seed);
  const BacklashFit fit = identify_backlash(data.timeline, e.drive, {});
  RunFigures figures;
  add_cloud(figures, name, fit, e);
  add_shooting(figures, name, fit, e);
  if (e.sines) {
    figures[name + ".torque_rmse.filtered"] = torque_error(fit.filtered("transmission.torque"), data.true_torque);
    figures[name + ".torque_rmse.smoothed"] = torque_error(fit.smoothed("transmission.torque"), data.true_torque);
  }
  return figures;
}

// Simulation 1 with the load's inertia 20 % too small and the viscous friction 20 % too large at the start.
RunFigures run_wrong(const Experiment& e, std::uint64_t seed) {
  const Record data = record(e, seed);
  Drive start = e.drive;
  start.load_inertia *= 0.8;
  start.motor_friction.coulomb_atan.viscous *= 1.2;
  BacklashOptions options;
  options.estimated = {
      {find_parameter(start, "load.inertia"), 0.3 * start.load_inertia},
      {find_parameter(start, "motor.friction.viscous"), 0.3 * start.motor_friction.coulomb_atan.viscous}};
  const BacklashFit fit = identify_backlash(data.timeline, start, options);
  const auto found = [&](const std::string& name) { return fit.shooting->value_of(*fit.shooting_problem, name); };
  return {{"sim1_wrong.shooting.gap_error", std::abs(fit.gap() - e.law.gap)},
          {"sim1_wrong.shooting.load_inertia_error", relative_error(found("load.inertia"), e.drive.load_inertia)},
          {"sim1_wrong.shooting.viscous_error",
           relative_error(found("motor.friction.viscous"), e.drive.motor_friction.coulomb_atan.viscous)}};
}

RunFigures run_without_gap(const Experiment& e, std::uint64_t seed) {
  const Record data = record(e, seed);
  const BacklashFit fit = identify_backlash(data.timeline, e.drive, {.refine = false});
  return {{"sim3.gap", fit.dead_zone.gap()},
          {"sim3.stiffness_error", relative_error(fit.dead_zone.stiffness(), e.law.stiffness_positive)},
          {"sim3.false_alarms", fit.is_backlash ? 1.0 : 0.0}};
}

RunFigures run_detection(const Experiment& e, std::uint64_t seed) {
  const Record data = record(e, seed);
  const BacklashFit fit = identify_backlash(data.timeline, e.drive, {.refine = false});
  return {{"detection.missed", fit.is_backlash ? 0.0 : 1.0}};
}

// Load measured; its inertia and the motor's friction all wrong by the same share, estimated as states.
RunFigures run_joint(Experiment e, double share, std::uint64_t seed) {
  e.drive.noise[Drive::motor_velocity] = 1.0;
  const Record data = record(e, seed);
  Drive start = e.drive;
  auto& friction = start.motor_friction.coulomb_atan;
  start.load_inertia *= share;
  friction.viscous *= share;
  friction.coulomb *= share;
  BacklashOptions options;
  options.refine = false;
  options.intensity = 100.0;
  options.estimated = {{find_parameter(start, "motor.friction.viscous"), 0.3 * friction.viscous},
                       {find_parameter(start, "motor.friction.coulomb"), 0.3 * friction.coulomb},
                       {find_parameter(start, "load.inertia"), 0.3 * start.load_inertia}};
  const BacklashFit fit = identify_backlash(data.timeline, start, options);
  const auto& truth = e.drive.motor_friction.coulomb_atan;
  const auto& found = fit.drive.motor_friction.coulomb_atan;
  return {{"joint.gap_error", std::abs(fit.dead_zone.gap() - e.law.gap)},
          {"joint.stiffness_error", relative_error(fit.dead_zone.stiffness(), e.law.stiffness_positive)},
          {"joint.load_inertia_error", relative_error(fit.drive.load_inertia, e.drive.load_inertia)},
          {"joint.viscous_error", relative_error(found.viscous, truth.viscous)},
          {"joint.coulomb_error", relative_error(found.coulomb, truth.coulomb)}};
}

void plan_runs(Plan& plan) {
  const int usual = plan.count(20), many = plan.count(50), few = plan.count(4);
  const Experiment sim1 = simulation_1(), sim2 = simulation_2(), noisy = simulation_2(0.1, 79.0, 1.0),
                   sim3 = simulation_2(0.0, 67.0, 0.3);
  plan.add(many, [=](std::uint64_t seed) { return run_plain("sim1", sim1, seed); });
  plan.add(many, [=](std::uint64_t seed) { return run_plain("sim2", sim2, seed); });
  plan.add(many, [=](std::uint64_t seed) { return run_plain("sim2_noisy", noisy, seed); });
  plan.add(usual, [=](std::uint64_t seed) { return run_wrong(sim1, seed); });
  plan.add(many, [=](std::uint64_t seed) { return run_without_gap(sim3, seed); });
  for (const double gap : {0.0, 0.05, 0.2}) {
    for (const double share : {0.8, 1.2}) {
      plan.add(few, [=](std::uint64_t seed) { return run_joint(simulation_2(gap), share, seed); });
    }
  }
  for (const double gap : {0.02, 0.05, 0.1, 0.2}) {
    plan.add(usual, [=](std::uint64_t seed) { return run_detection(simulation_1(gap), seed); });
    for (const double noise : {0.1, 0.3}) {
      plan.add(usual, [=](std::uint64_t seed) { return run_detection(simulation_2(gap, 79.0, noise), seed); });
    }
  }
}

std::vector<Result> collect(const Plan& plan) {
  const std::vector<Figure> worst{
      {"sim1.cloud.gap_error", 6e-4, "rad"},
      {"sim1.cloud.stiffness_error", 0.002},
      {"sim1.shooting.gap_error", 1.5e-4, "rad"},
      {"sim1.shooting.stiffness_error", 5e-4},
      {"sim1.torque_rmse.filtered", 0.20, "N m"},
      {"sim1.torque_rmse.smoothed", 0.10, "N m"},
      {"sim1_wrong.shooting.gap_error", 2e-4, "rad"},
      {"sim1_wrong.shooting.load_inertia_error", 1e-3},
      {"sim1_wrong.shooting.viscous_error", 1e-3},
      {"sim2.cloud.gap_error", 0.002, "rad"},
      {"sim2.cloud.stiffness_error", 0.02},
      {"sim2.shooting.gap_error", 6e-4, "rad"},
      {"sim2.shooting.stiffness_error", 0.005},
      {"sim2_noisy.cloud.gap_error", 0.008, "rad"},
      {"sim2_noisy.cloud.stiffness_error", 0.05},
      {"sim2_noisy.shooting.gap_error", 0.0018, "rad"},
      {"sim2_noisy.shooting.stiffness_error", 0.012},
      {"sim3.gap", 0.0015, "rad"},
      {"sim3.stiffness_error", 0.015},
      {"joint.gap_error", 0.0015, "rad"},
      {"joint.stiffness_error", 0.015},
      {"joint.load_inertia_error", 0.002},
      {"joint.viscous_error", 0.04},
      {"joint.coulomb_error", 0.03},
  };
  std::vector<Result> results;
  for (const Figure& figure : worst) results.push_back(worst_of(figure, plan.values(figure.name)));
  const auto runs = [&](const char* name) { return static_cast<int>(plan.values(name).size()); };
  results.push_back(total_of({"sim3.false_alarms", 0.0}, plan.sum("sim3.false_alarms"), runs("sim3.false_alarms")));
  results.push_back(total_of({"detection.missed", 0.0}, plan.sum("detection.missed"), runs("detection.missed")));
  const int covered = runs("coverage");
  results.push_back(total_of({"shooting.coverage", 0.85, "1", false}, plan.sum("coverage") / covered, covered));
  return results;
}

}  // namespace

Report reproduce_hovland(const ReproduceOptions& options) {
  Plan plan("hovland", options);
  plan_runs(plan);
  plan.execute();
  Report report;
  report.command = "reproduce";
  report.title = "Hovland et al. 2002: nonlinear identification of backlash in robot transmissions";
  report.results = collect(plan);
  return report;
}

}  // namespace tauhat
