// A log laid out for a filter: the instants at which anything was measured, the inputs held from each to the next, and
// the sensors, with NaN where one has no sample. Channels with clocks of their own are merged by stamp.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/log.hpp"

namespace tauhat {

struct Timeline {
  struct Sensor {
    std::string signal;
    int output = 0;  // of the model
    double variance = 1.0;
    std::vector<double> value;
    bool assumed = false;      // not measured: kept out of every test of the filter's consistency
    std::vector<int> tooth{};  // of a wheel's pulses, one per instant; empty where it is sampled
  };
  std::vector<double> time;
  std::vector<std::vector<double>> inputs;  // one per input of the model
  std::vector<Sensor> sensors;

  std::size_t size() const noexcept { return time.size(); }
  double interval(std::size_t k) const noexcept { return time[k + 1] - time[k]; }
  double median_interval() const;
  Timeline part(std::size_t first, std::size_t count) const;
};

// Which channels play which part; sensors with their standard deviations.
struct TimelineSpec {
  struct SensorSpec {
    std::string signal;
    int output;
    double std;
  };
  std::vector<std::string> inputs;
  std::vector<SensorSpec> sensors;
};

Timeline make_timeline(const Log& log, const TimelineSpec& spec);

}  // namespace tauhat
