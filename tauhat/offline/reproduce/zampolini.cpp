// Zampolini's observers of an elastic joint, and those that go past them, on a simulated robot axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/joint/tune.hpp"
#include "tauhat/offline/reproduce/plan.hpp"
#include "tauhat/offline/reproduce/zampolini_design.hpp"
#include "tauhat/offline/reproduce/zampolini_observers.hpp"
#include "tauhat/offline/reproduce/zampolini_pose.hpp"
#include "tauhat/offline/reproduce/zampolini_trial.hpp"

namespace tauhat {
namespace {

using namespace zampolini;

// LuGre's parameters as somebody who has not measured them would guess, and 30 % off.
MeshLuGre<double> guessed_friction(const ParameterSet& set) { return assumed_friction(set.coulomb, 1.3, 3.0, 40.0); }
MeshLuGre<double> wrong_friction(const ParameterSet& set) { return assumed_friction(set.coulomb, 1.4, 4.0, 28.0); }

// Errors at rest: rms over samples after 0.5 s, inside windows of 0.1 s in which the motor rests throughout.
double error_at_rest(const Record& record, const std::vector<double>& estimate) {
  constexpr double kRest = 0.05;  // rad/s, of the motor
  const auto window = static_cast<std::size_t>(std::lround(0.1 / kPeriod));
  const auto first = static_cast<std::size_t>(std::lround(0.5 / kPeriod));
  double sum = 0.0, count = 0.0;
  std::size_t run = 0;
  const auto add = [&](std::size_t k) {
    if (k < first) return;
    sum += std::pow(estimate[k] - record.load_velocity[k], 2);
    count += 1.0;
  };
  for (std::size_t k = 0; k < record.size(); ++k) {
    run = std::abs(record.motor_velocity[k]) < kRest ? run + 1 : 0;
    if (run == window)
      for (std::size_t i = k + 1 - window; i < k; ++i) add(i);
    if (run >= window) add(k);
  }
  return count > 0.0 ? std::sqrt(sum / count) : 0.0;
}

struct Pair {
  Record normal, exciting;
};
Pair records_of(const RecordOptions& options) { return {normal(options), exciting(options)}; }

void add_pair(RunFigures& figures, const std::string& name, const JointSpec& spec, const ObserverSpec& observer,
              const Pair& records, const ParameterSet& set, double variance = kMeasurementVariance) {
  figures[name + ".fit_normal"] = fit_of(spec, observer, records.normal, set, variance);
  figures[name + ".fit_exciting"] = fit_of(spec, observer, records.exciting, set, variance);
}

RunFigures run_filters(std::uint64_t seed) {
  const Pair records = records_of({.seed = seed});
  const auto [guessed, found] = parameter_sets({.seed = seed});
  RunFigures figures;
  add_pair(figures, "k6d.identified", spec_of(found), disturbance_filter(), records, found);
  add_pair(figures, "lugre.identified", with_friction(spec_of(found), wrong_friction(found)), bristle_filter(), records,
           found);
  add_pair(figures, "lugre.nominal", with_friction(spec_of(guessed), guessed_friction(guessed)), bristle_filter(),
           records, guessed);
  const JointSpec known = with_friction(spec_of(found), guessed_friction(found));
  for (const ObserverSpec& observer : {disturbance_filter(), bristle_filter()}) {
    const Replay replay = seen(known, observer, records.normal, found, kMeasurementVariance);
    double& worst = figures["standstill.rms"];
    worst = std::max(worst, error_at_rest(records.normal, replay.filtered[joint_load_velocity].value));
  }
  return figures;
}

RunFigures run_table(std::uint64_t seed) {
  const Pair records = records_of({.seed = seed});
  const auto [guessed, found] = parameter_sets({.seed = seed});
  RunFigures figures;
  for (const char* name : kThesisObservers) {
    for (const auto& [which, set] :
         {std::pair<const char*, const ParameterSet*>{"nominal", &guessed}, {"identified", &found}}) {
      const std::string prefix = std::string("table.") + name + "." + which;
      figures[prefix + ".normal"] = fit_of(spec_of(*set), thesis_observer(name), records.normal, *set);
      figures[prefix + ".exciting"] = fit_of(spec_of(*set), thesis_observer(name), records.exciting, *set);
    }
  }
  for (const auto& [which, record] : {std::pair{"normal", &records.normal}, {"exciting", &records.exciting}}) {
    figures[std::string("table.naive.nominal.") + which] =
        fit_percent(record->load_velocity, naive_velocity(record->motor_position, found.joint.ratio));
  }
  return figures;
}

RunFigures run_22hz(std::uint64_t seed) {
  const RecordOptions options{.plant = with_wrist_at_22_hz(), .seed = seed};
  const Record record = exciting(options);
  const auto [guessed, found] = parameter_sets(options);
  const auto fit = [&](const ParameterSet& set) {
    return fit_of(with_friction(spec_of(set), guessed_friction(set)), bristle_filter(), record, set);
  };
  return {{"lugre_22hz.identified.fit_exciting", fit(found)}, {"lugre_22hz.nominal.fit_exciting", fit(guessed)}};
}

RunFigures run_coarse_encoder(std::uint64_t seed) {
  const Encoder encoder = coarse_encoder(12);
  const Pair records = records_of({.encoder = encoder, .seed = seed});
  const ParameterSet found = identified({.seed = seed});
  RunFigures figures;
  add_pair(figures, "k6d_12bit", spec_of(found), disturbance_filter(), records, found, encoder.variance());
  return figures;
}

RunFigures run_friction(std::uint64_t seed) {
  const Pair records = records_of({.seed = seed});
  const ParameterSet found = identified({.seed = seed});
  const JointSpec spec = with_friction(spec_of(found), assumed_friction(0.38, 0.48 / 0.38, 3.0, 40.0));
  ObserverSpec observer = bristle_filter();
  observer.motor_disturbance->intensity = std::sqrt(0.1);
  RunFigures figures;
  for (const auto& [which, record] : {std::pair{"fit_normal", &records.normal}, {"fit_exciting", &records.exciting}}) {
    const auto estimator = make_joint_estimator(spec, observer, kPeriod, kMeasurementVariance);
    const auto& outputs = estimator->outputs();
    const auto friction = std::find_if(outputs.begin(), outputs.end(),
                                       [](const OutputInfo& output) { return output.name == "motor.friction"; });
    const Replay replay = estimator->replay(timeline_of(*record, found, kMeasurementVariance), {});
    std::vector<double> truth = record->friction;
    constexpr double kViscous = 0.008;  // that of the plant
    for (std::size_t k = 0; k < truth.size(); ++k) truth[k] -= kViscous * record->motor_velocity[k];
    figures[std::string("friction.") + which] =
        fit_percent(truth, replay.filtered[static_cast<std::size_t>(friction - outputs.begin())].value);
  }
  return figures;
}

// From motor signals alone, and judged on other records.
RunFigures run_tuned(const char* name, bool with_identified, std::uint64_t seed) {
  const ParameterSets sets = parameter_sets({.seed = seed});
  const ParameterSet& set = with_identified ? sets.identified : sets.nominal;
  const std::uint64_t training = seed + 5000;
  const std::vector<Timeline> records{timeline_of(random_normal({.seed = training}), set, kMeasurementVariance),
                                      timeline_of(exciting({.seed = training}, 8.0), set, kMeasurementVariance)};
  ObserverSpec start = bristle_filter();
  start.motor_disturbance->intensity = std::sqrt(0.1);
  const JointSpec spec = with_friction(spec_of(set), assumed_friction(set.coulomb, 1.15, 5.0, 15.0));
  const Tuning tuning = tune_observer(spec, start, records, kPeriod, {.evaluations = 140});
  const std::uint64_t fresh = seed + 9000;
  const Pair judged{random_normal({.seed = fresh}), exciting({.seed = fresh}, 12.0)};
  RunFigures figures;
  add_pair(figures, std::string("tuned.") + name, tuning.spec, tuning.observer, judged, set);
  return figures;
}

void plan_runs(Plan& plan) {
  const int seeds = plan.count(6);
  plan.add(1, [](std::uint64_t) { return design_figures(); });
  plan.add(seeds, run_filters);
  plan.add(seeds, run_22hz);
  plan.add(seeds, run_coarse_encoder);
  plan.add(seeds, run_friction);
  plan.add(seeds, run_table);
  plan.add(seeds, pose_figures);
  for (const auto& [name, found] : {std::pair{"identified", true}, {"nominal", false}})
    plan.add(seeds, [name = name, found = found](std::uint64_t seed) { return run_tuned(name, found, seed); });
}

std::vector<Figure> figures_to_reach() {
  std::vector<Figure> figures{{"place.eigenvalue_error", 1e-8},
                              {"l6.gain_error", 1e-4},
                              {"k6.gain_error", 1e-4},
                              {"dare.residual", 1e-9},
                              {"dare.residual_of_seven_states", 1e-7},
                              {"disturbance_observer.invariance", 1e-4, "A"},
                              {"standstill.rms", 0.8e-3, "rad/s"}};
  const auto at_least = [&](const std::string& name, std::optional<double> limit) {
    figures.push_back({name, limit, "%", false});
  };
  const auto pair = [&](const std::string& name, double normal, double exciting) {
    at_least(name + ".fit_normal", normal);
    at_least(name + ".fit_exciting", exciting);
  };
  pair("k6d.identified", 99.2, 95.5);
  pair("lugre.identified", 99.2, 96.5);
  pair("lugre.nominal", 98.2, 91.5);
  at_least("lugre_22hz.identified.fit_exciting", 93.0);
  at_least("lugre_22hz.nominal.fit_exciting", 88.5);
  pair("tuned.identified", 99.5, 97.3);
  pair("tuned.nominal", 99.3, 93.5);
  pair("k6d_12bit", 99.3, 95.5);
  pair("friction", 83.0, 90.0);
  at_least("lpv.fit_exciting", 98.8);
  at_least("lpv.gain_over_frozen", 3.0);
  // Beside it, without a limit: the set-up's observer, which misses that of lpv.fit_exciting on most seeds.
  at_least("lpv_k6d.fit_exciting", std::nullopt);
  at_least("lpv_k6d.gain_over_frozen", std::nullopt);
  return figures;
}

// Tables 5.3 to 5.6: what the thesis reached on its robot, exciting motion. Its normal motion: 95.1 to 98.2.
std::optional<double> published(const std::string& observer, const std::string& which) {
  struct Row {
    const char* observer;
    double nominal, identified;
  };
  for (const Row& row : {Row{"L4", 90.1, 93.9},
                         {"L5", 89.6, 93.2},
                         {"L6hi", 91.4, 93.5},
                         {"K5", 89.4, 92.8},
                         {"K6lo", 62.5, 79.6},
                         {"K6hi", 90.9, 93.5},
                         {"K7", 90.8, 94.0}})
    if (row.observer == observer) return which == "nominal" ? row.nominal : row.identified;
  return std::nullopt;
}

std::vector<Result> collect(const Plan& plan) {
  std::vector<Result> results;
  const auto add = [&](const Figure& figure) { results.push_back(worst_of(figure, plan.values(figure.name))); };
  for (const Figure& figure : figures_to_reach()) add(figure);
  for (const char* observer : kThesisObservers)
    for (const char* which : {"nominal", "identified"})
      for (const char* motion : {"normal", "exciting"}) {
        Figure figure{fmt::format("table.{}.{}.{}", observer, which, motion), std::nullopt, "%", false};
        if (std::string_view(motion) == "exciting") figure.published = published(observer, which);
        add(figure);
      }
  for (const char* motion : {"normal", "exciting"})
    add({fmt::format("table.naive.nominal.{}", motion), std::nullopt, "%", false});
  return results;
}

}  // namespace

Report reproduce_zampolini(const ReproduceOptions& options) {
  Plan plan("zampolini", options);
  plan_runs(plan);
  plan.execute();
  Report report;
  report.command = "reproduce";
  report.title = "Zampolini: link velocity of an elastic joint from its motor";
  report.results = collect(plan);
  return report;
}

}  // namespace tauhat
