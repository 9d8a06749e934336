// Toothed wheels on any simulated drive: the passages of their teeth between its rows.
#pragma once

#include <cstdint>
#include <vector>

#include "tauhat/offline/log/pulses.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/simulate/simulate.hpp"
#include "tauhat/offline/simulate/toothed_wheel.hpp"

namespace tauhat {

// The wheel that a study describes, with errors of its teeth; `tooth_error` is their std, of a pitch.
ToothedWheel draw_wheel(const PulseSpec& spec, double tooth_error, std::uint64_t seed, std::size_t number);

// The pulses of sensor "x.position" by the truth of "x.position" and "x.velocity"; between rows the motion is a cubic.
std::vector<Pulse> passages(const ToothedWheel& wheel, const Simulated& data, const std::vector<OutputInfo>& outputs,
                            const std::string& signal);

// What a counter shows at each pulse, which goes up and down, leaves out missing teeth and begins anew.
std::vector<double> counter_readings(const PulseSpec& wheel, const std::vector<Pulse>& pulses);

}  // namespace tauhat
