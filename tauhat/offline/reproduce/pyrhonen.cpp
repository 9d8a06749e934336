// Pyrhonen, Mikkola and Naets: the dynamic parameters of an arm from its motion, and the force at its tool from its
// motors, on a simulated Staubli TX40.
#include <limits>

#include "tauhat/offline/reproduce/mujoco_peer.hpp"
#include "tauhat/offline/reproduce/plan.hpp"
#include "tauhat/offline/reproduce/pyrhonen_dynamics.hpp"
#include "tauhat/offline/reproduce/pyrhonen_force.hpp"
#include "tauhat/offline/reproduce/pyrhonen_identification.hpp"
#include "tauhat/offline/reproduce/pyrhonen_plots.hpp"

namespace tauhat {
namespace {

using namespace pyrhonen;

void plan_runs(Plan& plan) {
  const int seeds = plan.count(8);
  plan.add(1, [](std::uint64_t) { return excitation_figures(); });
  plan.add(seeds, base_figures);
  plan.add(seeds, dynamics_figures);
  plan.add(seeds, identification_figures);
  plan.add(seeds, [](std::uint64_t seed) { return force_figures(seed, identified_model(seed)); });
}

std::vector<Figure> identification_limits() {
  constexpr double kAboveZero = std::numeric_limits<double>::min();
  return {{"base.rank", 52.0, "1", false},  // not above it either: base.gap is that after the 52nd singular value
          {"base.gap", 1e8, "1", false},
          {"dynamics.difference.regressor", 1e-10, "N m"},
          {"dynamics.difference.mujoco", 1e-9, "N m"},
          {"dynamics.jacobian_error", 1e-9},
          {"excitation.condition", 50.0},
          {"excitation.evaluations", 1000.0},
          {"excitation.validation_condition", {}},
          {"identification.noise_free.parameter_error", 0.005, "%"},
          {"identification.low.parameter_error", 0.05, "%"},
          {"identification.high.parameter_error", 0.5, "%"},
          {"identification.low.validation_error", 0.05, "%"},
          {"identification.high.validation_error", 0.45, "%"},
          {"identification.low.essential_parameters", {}},
          {"identification.high.essential_parameters", {}},
          {"consistent.min_eigenvalue", kAboveZero, "1", false},
          {"consistent.validation_ratio", 1.1},
          {"consistent.iterations", 20.0}};
}

}  // namespace

Report reproduce_pyrhonen(const ReproduceOptions& options) {
  Plan plan("pyrhonen", options);
  plan_runs(plan);
  plan.execute();
  Report report;
  report.command = "reproduce";
  report.title = "Pyrhonen: an arm's dynamic parameters and the force at its tool";
  for (const Figure& figure : identification_limits()) {
    const bool is_measured = MujocoPeer::is_available() || figure.name != "dynamics.difference.mujoco";
    if (is_measured) report.results.push_back(worst_of(figure, plan.values(figure.name)));
  }
  if (!MujocoPeer::is_available()) {
    report.diagnostics.push_back({"dynamics.difference.mujoco", Severity::info,
                                  "not measured: the program was built without MuJoCo (install libmujoco-dev and build "
                                  "it again)"});
  }
  add_force_results(plan, report.results);
  report.sections = {parameter_figure(options.first_seed), force_figure(options.first_seed)};
  return report;
}

}  // namespace tauhat
