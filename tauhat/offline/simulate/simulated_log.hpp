// A simulated record as the log that a reader would have made of it, without a file between.
#pragma once

#include "tauhat/offline/simulate/simulated_study.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// What the study's sampled channels show, in SI and in their order: one with a delay what was so long ago (sensors have
// theirs already). Throws Error (wrong_use) where the input's delay is no whole number of samples: rows cannot show it.
std::vector<std::vector<double>> logged_values(const Study& study, const Simulated& data);

// The number that stands in the column where a channel has this value: the inverse of value_in_si. Throws Error
// (wrong_use) where no number of a channel that saturates gives it.
double number_of(const StudyChannel& channel, double value, const std::string& source);

// As read: stamps are a channel's delay earlier. A wheel's channel has its pulses.
Log simulated_log(const Study& study, const Simulated& data);
Log simulated_log(const Study& study, const SimulatedStudy& simulated);

// Numbers that are at hand, judged as if they had been read.
Channel channel_of(const std::string& signal, const std::shared_ptr<const std::vector<double>>& time,
                   std::vector<double> values);

}  // namespace tauhat
