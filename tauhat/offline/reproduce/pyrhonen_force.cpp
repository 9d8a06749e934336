#include "tauhat/offline/reproduce/pyrhonen_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/offline/reproduce/contact_motion.hpp"

namespace tauhat::pyrhonen {
namespace {

using Joint = JointVector<double, kJoints>;

bool within(double time, double from, double to) { return time > from && time < to; }

Joint joints(std::initializer_list<double> values) { return Joint(values.begin()); }

}  // namespace

Vector<double, 6> pushing_wrench(double time, bool with_moment) {
  const auto sine = [&](double frequency, double from) {
    return std::sin(2.0 * std::numbers::pi * frequency * (time - from));
  };
  Vector<double, 6> wrench = Vector<double, 6>::Zero();
  if (within(time, 1.0, 2.5)) wrench[0] = 20.0;
  if (within(time, 5.0, 6.0)) wrench[0] = -15.0;
  if (within(time, 3.0, 6.0)) wrench[1] = 15.0 * sine(1.0, 3.0);
  if (time < 4.5) wrench[2] = -30.0 * std::clamp((time - 2.0) / 1.5, 0.0, 1.0);
  if (within(time, 6.2, 7.2)) wrench[2] = -25.0;
  if (!with_moment) return wrench;
  if (within(time, 1.5, 3.0)) wrench[3] = 1.0;
  if (time > 2.0) wrench[4] = 0.8 * sine(0.7, 0.0);
  if (within(time, 4.0, 6.0)) wrench[5] = -0.6;
  return wrench;
}

PushedArm<kJoints> pushed_arm(const ArmModel& model, bool with_moment) {
  return {model.arm,
          model.friction,
          contact_motion<kJoints>(),
          joints({4000.0, 4000.0, 2000.0, 600.0, 600.0, 300.0}),
          joints({120.0, 120.0, 50.0, 12.0, 12.0, 4.0}),
          *model.arm.find_frame("flange"),
          [with_moment](double time) { return pushing_wrench(time, with_moment); }};
}

double delay_of(const ForceRecord& record, const Wrenches& estimate) {
  constexpr std::size_t kFirst = 300, kLongest = 80;  // samples
  double best = std::numeric_limits<double>::infinity(), delay = 0.0;
  for (std::size_t shift = 0; shift <= kLongest; ++shift) {
    double sum = 0.0;
    for (std::size_t k = kFirst; k + kLongest < record.size(); ++k)
      sum += (estimate[k + shift] - record[k].wrench).head<3>().squaredNorm();
    if (sum >= best) continue;
    best = sum;
    delay = static_cast<double>(shift) * kPeriod;
  }
  return delay;
}

RunFigures force_figures(std::uint64_t seed, const ArmModel& identified) {
  const ArmModel truth = true_model();
  const PushedArm<kJoints> arm = pushed_arm(truth, false), twisted = pushed_arm(truth, true);
  const ForceRecord pushed = record(arm, seed), with_moment = record(twisted, seed);
  const Wrenches estimate = filtered_wrench(truth, arm.frame, pushed, 3);
  const auto error = [&](const Wrenches& force) { return errors_of(pushed, force).force; };
  const WrenchErrors wrench = errors_of(with_moment, filtered_wrench(truth, arm.frame, with_moment, 6));
  return {{"force.true.rmse", error(estimate)},
          {"force.identified.rmse", error(filtered_wrench(identified, arm.frame, pushed, 3))},
          {"force.nominal.rmse", error(filtered_wrench(nominal_model(seed), arm.frame, pushed, 3))},
          {"force.delay", 1e3 * delay_of(pushed, estimate)},
          {"force.momentum_observer.rmse", error(momentum_observer_force(truth, arm.frame, pushed))},
          {"force.disturbance_filter.rmse", error(disturbance_filter_force(truth, arm.frame, pushed))},
          {"wrench.force_rmse", wrench.force},
          {"wrench.moment_rmse", wrench.moment}};
}

void add_force_results(const Plan& plan, std::vector<Result>& results) {
  const auto worst = [&](const Figure& figure) { results.push_back(worst_of(figure, plan.values(figure.name))); };
  worst({"force.true.rmse", 1.25, "N"});
  worst({"force.identified.rmse", 1.35, "N"});
  worst({"force.delay", 9.0, "ms"});
  // Ratios of the means over all seeds.
  const auto ratio = [&](const Figure& figure, const std::string& above, const std::string& below) {
    const auto seeds = static_cast<int>(plan.values(above).size());
    results.push_back(total_of(figure, plan.sum(above) / plan.sum(below), seeds));
  };
  ratio({"force.ratio_to_momentum_observer", 0.8}, "force.true.rmse", "force.momentum_observer.rmse");
  ratio({"force.nominal_to_identified", 3.0, "1", false}, "force.nominal.rmse", "force.identified.rmse");
  worst({"wrench.force_rmse", 1.4, "N"});
  worst({"wrench.moment_rmse", 0.09, "N m"});
  // Without a limit: what stands beside it.
  for (const char* name : {"force.nominal.rmse", "force.momentum_observer.rmse", "force.disturbance_filter.rmse"})
    worst({name, {}, "N"});
}

}  // namespace tauhat::pyrhonen
