// What a log says of the force on a robot, as a report: external torques, the force with its bands and its floor, when
// there was contact, and what the other estimators make of the same log.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/robot/force_floor.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// One estimator over the log.
struct ForceRun {
  ForceSpec::Kind kind = ForceSpec::Kind::ekf;
  std::vector<double> time;
  std::vector<OutputInfo> outputs;
  std::vector<Track> tracks;
  std::vector<std::optional<UncertaintyBudget>> budgets{};  // of each output at the last instant
};

// Channels for the columns truth.force.x ... of a simulated log, as many axes as the study asks for; none where the log
// has none.
std::vector<ChannelSpec> force_truth_channels(const std::string& path, const RobotSpec& robot);

// How a force sensor's axis, or the truth, agrees with the estimate, once a constant is taken out of the difference.
struct Agreement {
  double correlation = 0.0, rms = 0.0, offset = 0.0;  // 1, N, N: of the estimate above the sensor
  std::size_t samples = 0;
};
Agreement agreement_with(const Channel& sensor, const std::vector<double>& time, const std::vector<double>& estimate);

// From one time on until another, while the estimate was above the threshold; spells as short as noise makes them are
// joined and left out.
struct ContactInterval {
  double from = 0.0, to = 0.0, peak = 0.0;  // s, s, N
};
std::vector<ContactInterval> contact_intervals(const ForceRun& run, const RobotSpec& robot);

Report force_report(const Study& study, const Log& log, const ForceRun& run, const std::vector<ForceRun>& others,
                    const std::optional<FloorAnswer>& floor);

}  // namespace tauhat
