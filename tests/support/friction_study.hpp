// Studies of an axis and its logs without files, and what is asked of the answer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "support/axis_records.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/friction_report.hpp"

namespace tauhat {

inline constexpr const char* kChannels = "[log]\ntime.rate = \"1 kHz\"\n[log.channels]\n";
inline constexpr const char* kForce = "\"axis.force\" = { column = \"f\", unit = \"N m\" }\n";
inline constexpr const char* kForceToTwoPercent =
    "\"axis.force\" = { column = \"f\", unit = \"N m\", gain = { value = 1, std = 0.02 } }\n";
inline constexpr const char* kPosition = "\"axis.position\" = { column = \"q\", unit = \"rad\", std = 1e-6 }\n";
inline constexpr const char* kVelocity = "\"axis.velocity\" = { column = \"v\", unit = \"rad/s\", std = 1e-4 }\n";

inline Study study_of(const std::string& drive, const std::string& identify, const std::string& sensors = kPosition,
                      const std::string& force = kForce) {
  return parse_study("[drive]\nmodel = \"axis\"\nmotion = \"rotary\"\n" + drive + "\n[identify]\n" + identify + "\n" +
                         kChannels + force + sensors,
                     "axis.toml");
}

inline std::string refusal(const std::string& drive, const std::string& identify, const std::string& force = kForce) {
  try {
    study_of(drive, identify, kPosition, force);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    return error.what();
  }
  return "accepted";
}

inline Log log_of(const AxisRecord& record) {
  Log log;
  log.source = record.source;
  auto time = std::make_shared<std::vector<double>>();
  for (std::size_t k = 0; k < record.force.size(); ++k) time->push_back(static_cast<double>(k) * record.period);
  const auto add = [&](const char* signal, const std::vector<double>& values) {
    if (!values.empty()) log.channels.push_back({.signal = signal, .time = time, .value = values});
  };
  add("axis.force", record.force);
  add("axis.position", record.position);
  add("axis.velocity", record.velocity);
  return log;
}

inline const Result& result(const Report& report, const std::string& name) {
  const auto found =
      std::find_if(report.results.begin(), report.results.end(), [&](const Result& r) { return r.name == name; });
  if (found == report.results.end()) throw std::out_of_range(name);
  return *found;
}

inline std::string said(const Report& report, const std::string& name) {
  for (const Diagnostic& d : report.diagnostics) {
    if (d.name == name) return d.message;
  }
  return "";
}

inline void expect_result(const Report& report, const std::string& name, double value) {
  const Result& found = result(report, name);
  EXPECT_NEAR(found.value, value, 4.0 * found.std.value() + 1e-3 * std::abs(value)) << name;
}

// Swings of all sizes, for a rotary axis.
inline AxisMoves swings() {
  AxisMoves moves;
  for (int k = 0; k < 12000; ++k) {
    const double t = k * kAxisPeriod;
    moves.position.push_back(wandering(t));
    moves.velocity.push_back(wandering_rate(t));
    moves.acceleration.push_back(-0.968 * std::sin(1.1 * t) - 4.107 * std::sin(3.7 * t + 1.0) -
                                 8.281 * std::sin(9.1 * t));
  }
  return moves;
}

inline const AxisParameters kServo{{"axis.mass", 2.0}, {"friction.viscous", 3.0}, {"friction.coulomb", 5.0}};
inline constexpr AxisNoise kQuiet{.resolution = 1e-7, .force = 0.05};

}  // namespace tauhat
