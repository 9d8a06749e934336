// The tooth table of a powertrain's wheel, learned from a record.
#pragma once

#include <cstddef>
#include <functional>

#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/log/pulses.hpp"
#include "tauhat/offline/log/tooth_table.hpp"

namespace tauhat {

// Whether no pulse of the timeline's sensor was lost or came without a tooth: those after it are taken for other teeth,
// up to the next gap of a wheel that has one, for ever on a wheel that is counted. `replay` is of this timeline, by an
// estimator of `spec`.
bool keeps_its_count(const GapSpec& spec, const Timeline& timeline, const Replay& replay, std::size_t sensor);

// Of a sensor that keeps its count.
ToothTable learn_tooth_table(const GapSpec& spec, const Timeline& timeline, std::size_t sensor, const PulseSpec& wheel,
                             const std::function<void(double)>& progress = {});

}  // namespace tauhat
