// A simulated record as the log that a reader would have made of it, without a file between.
#pragma once

#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// The study's sampled channels; a channel with a delay shows what was so long ago (sensors have theirs already).
Log simulated_log(const Study& study, const Simulated& data);

// Numbers that are at hand, judged as if they had been read.
Channel channel_of(const std::string& signal, const std::shared_ptr<const std::vector<double>>& time,
                   std::vector<double> values);

}  // namespace tauhat
