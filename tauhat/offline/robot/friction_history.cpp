#include "tauhat/offline/robot/friction_history.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/core/robot/friction_memory.hpp"
#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

using Friction = JointFriction<double, 1>;

// The torque of a joint with these numbers alone, over the motion. Between samples it moves with their mean velocity.
std::vector<double> torque_over(const Friction& friction, const std::vector<double>& velocity, double period) {
  using Value = JointVector<double, 1>;
  std::vector<double> torque;
  torque.reserve(velocity.size());
  auto memory = no_memory(friction);
  for (std::size_t k = 0; k < velocity.size(); ++k) {
    if (k > 0) memory = memory_after(friction, Value(0.5 * (velocity[k - 1] + velocity[k])), memory, period);
    torque.push_back(torque_and_slope(friction, Value(velocity[k]), memory).torque[0]);
  }
  return torque;
}

// Central differences: exact to the square of the change.
constexpr double kChange = 1e-3;

std::vector<RememberedTerms> terms_of(const Friction& about, bool falls, const std::vector<double>& velocity,
                                      double period) {
  const auto slope = [&](auto&& changed) {
    std::vector<double> more = torque_over(changed(kChange), velocity, period);
    const std::vector<double> less = torque_over(changed(-kChange), velocity, period);
    for (std::size_t k = 0; k < more.size(); ++k) more[k] = (more[k] - less[k]) / (2.0 * kChange);
    return more;
  };
  const auto with = [&](auto&& change) {
    Friction other = about;
    change(other);
    return other;
  };
  const std::vector<double> torque = torque_over(about, velocity, period);
  const std::vector<double> by_reach = slope([&](double d) { return with([&](Friction& f) { f.reach *= 1.0 + d; }); });
  std::vector<RememberedTerms> terms(velocity.size());
  for (std::size_t k = 0; k < terms.size(); ++k) terms[k] = {torque[k], 0.0, 0.0, by_reach[k]};
  if (!falls) return terms;
  const double ratio = about.excess[0];
  const std::vector<double> by_excess =
      slope([&](double d) { return with([&](Friction& f) { f.excess.array() += d; }); });
  const std::vector<double> by_decay = slope([&](double d) { return with([&](Friction& f) { f.decay *= 1.0 + d; }); });
  for (std::size_t k = 0; k < terms.size(); ++k) {
    terms[k].excess = by_excess[k];
    terms[k].coulomb -= ratio * by_excess[k];
    terms[k].decay = by_decay[k] / ratio;
  }
  return terms;
}

}  // namespace

FrictionHistory::FrictionHistory(const AssumedFriction& shape, const std::vector<std::vector<double>>& velocity,
                                 double period)
    : terms_(velocity.size()) {
  if (!has_memory(shape.law)) return;
  for_each_in_parallel(velocity.size(), [&](std::size_t j) {
    if (!(shape.reach[j] > 0.0)) return;
    Friction about;
    about.law = shape.law, about.width = shape.width;
    about.coulomb[0] = 1.0, about.reach[0] = shape.reach[j];
    const bool falls = has_excess(shape.law) && shape.decay[j] > 0.0;
    // The change of the decay is told by an excess alone: where there is none yet, by a small one.
    constexpr double kLeastRatio = 0.02;
    if (falls) about.excess[0] = std::max(shape.ratio[j], kLeastRatio), about.decay[0] = shape.decay[j];
    terms_[j] = terms_of(about, falls, velocity[j], period);
  });
}

}  // namespace tauhat
