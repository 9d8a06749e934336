#include "tauhat/offline/joint/wanted_poles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

[[noreturn]] void refuse(const PolesOwner& owner, const std::string& place, const std::string& why) {
  const std::string& where = place.empty() ? owner.place : place;
  throw Error(ExitCode::wrong_use,
              fmt::format("{}{}observer \"{}\": {}", where, where.empty() ? "" : ": ", owner.name, why));
}

int poles_in(const PoleSpec& pole) { return pole.damping < 1.0 ? 2 : 1; }

std::string text_of(const PoleSpec& pole) {
  return pole.damping < 1.0 ? fmt::format("{:.4g} Hz with a damping of {:.3g}", pole.frequency, pole.damping)
                            : fmt::format("{:.4g} Hz", pole.frequency);
}

// So many equal poles cannot be told apart by fewer outputs.
void refuse_repeated(const std::vector<PoleSpec>& poles, const PolesOwner& owner) {
  for (const PoleSpec& pole : poles) {
    const auto same = std::count_if(poles.begin(), poles.end(), [&](const PoleSpec& other) {
      return other.frequency == pole.frequency && other.damping == pole.damping;
    });
    if (owner.outputs > 1 && same > owner.outputs)
      refuse(owner, pole.place,
             fmt::format("poles: {} is wanted {} times, and {} sensors allow for {} equal ones; move some apart",
                         text_of(pole), same, owner.outputs, owner.outputs));
  }
}

}  // namespace

Eigen::VectorXcd wanted_poles(const std::vector<PoleSpec>& poles, const PolesOwner& owner, double period) {
  const int states = static_cast<int>(owner.states.size());
  ContinuousPoles<double, Eigen::Dynamic> rates(states);
  std::vector<const PoleSpec*> origin;
  for (const PoleSpec& pole : poles) {
    pole.damping < 1.0 ? rates.pair(pole.frequency, pole.damping) : rates.real(pole.frequency);
    origin.insert(origin.end(), static_cast<std::size_t>(poles_in(pole)), &pole);
  }
  if (rates.count() != states)
    refuse(owner, poles.empty() ? "" : poles.back().place,
           fmt::format("poles: there are {}, and the model has {} states ({}); a pole with a damping below 1 counts "
                       "twice",
                       rates.count(), states, fmt::join(owner.states, ", ")));
  if (const PoleCheck check = rates.check(period); !check.fine()) {
    const PoleSpec& pole = *origin[static_cast<std::size_t>(check.index)];
    refuse(owner, pole.place,
           check.fault == PoleFault::beyond_nyquist
               ? fmt::format("poles: {} is faster than half the sampling rate, {:.4g} Hz", text_of(pole), 0.5 / period)
               : fmt::format("poles: that of {} must be stable", text_of(pole)));
  }
  refuse_repeated(poles, owner);
  return rates.sampled(period);
}

void refuse_placement(PlacementStatus status, double error, const PolesOwner& owner, const std::vector<PoleSpec>& poles,
                      const LeastSeen& seen) {
  // Some hundred times what ModeTest takes for rounding: a placement that fails there fails for want of a sensor, and
  // not by its poles.
  constexpr double kHardlySeen = 1e-10, kHardlyMoved = 0.01;
  double slowest = std::numeric_limits<double>::infinity();
  for (const PoleSpec& pole : poles) slowest = std::min(slowest, pole.frequency);
  const bool hardly_moves = status == PlacementStatus::inaccurate && seen.frequency < kHardlyMoved * slowest;
  if (status == PlacementStatus::not_observable || seen.margin < kHardlySeen || hardly_moves)
    refuse(owner, "", seen.sentence);
  switch (status) {
    case PlacementStatus::inaccurate:
      refuse(owner, "",
             fmt::format("its poles cannot be placed: the nearest that was reached is off by {:.2g}; bring them nearer "
                         "to each other, or to those of the axis",
                         error));
    default:
      refuse(owner, "", "its poles cannot be placed: the model's numbers are not finite");
  }
}

}  // namespace tauhat
