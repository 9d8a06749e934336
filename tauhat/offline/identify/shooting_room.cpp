#include "tauhat/offline/identify/shooting_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

// Beside the dead zone's own.
std::size_t room_for_the_drive(const Study& study) {
  const bool motor = study.find_channel("motor.position"), load = study.find_channel("load.position");
  const bool position_is_local = motor || load || study.drive.position_gain > 0.0;
  const std::size_t gap_and_flanks = 3, offset = motor && load ? 1 : 0;
  return kMostDirections - local_directions(position_is_local) - gap_and_flanks - offset;
}

std::size_t asked_for(const BacklashOptions& options) {
  const bool gain = options.torque_gain_free || options.torque_gain_std > 0.0;
  const bool delay = options.torque_delay_free || options.torque_delay_std > 0.0;
  return options.estimated.size() + options.uncertain.size() + (gain ? 1 : 0) + (delay ? 1 : 0);
}

// Names of the values that are known best, by their relative std.
std::vector<std::string> best_known(const Study& study, std::size_t count) {
  std::vector<UncertainParameter> all = study.identification.uncertain;
  const auto relative = [&](const UncertainParameter& p) {
    return p.std / std::abs(parameter_value(study.drive, p.index));
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return relative(a) < relative(b); });
  all.resize(std::min(count, all.size()));
  std::vector<std::string> names;
  for (const UncertainParameter& p : all) names.push_back("drive." + parameter_name(study.drive, p.index));
  return names;
}

}  // namespace

void refuse_more_than_fits(const Study& study) {
  const std::size_t asked = asked_for(study.identification), room = room_for_the_drive(study);
  if (asked <= room) return;
  throw Error(
      ExitCode::wrong_use,
      fmt::format("{}: {} values are unknown or have a std, and beside gap and stiffness at most {} can be fitted: "
                  "leave out the std of those known best, {}",
                  study.source, asked, room, fmt::join(best_known(study, asked - room), ", ")));
}

}  // namespace tauhat
