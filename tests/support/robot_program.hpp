// The program on an arm: the study of its owner, who has the maker's wrong inertias (studies/robot), and logs of a
// TX40.
#pragma once

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>

#include "support/program.hpp"
#include "support/robot_records.hpp"
#include "tauhat/offline/robot/urdf.hpp"

namespace tauhat {

inline constexpr double kDegree = std::numbers::pi / 180.0;

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class RobotProgram : public Program {
 protected:
  fs::path studies() const { return source_dir() / "studies/robot"; }
  std::string study() const { return (studies() / "robot.toml").string(); }
  std::string urdf_text() const { return read_urdf_text((studies() / "arm.urdf").string()); }
  std::string study_text() const {
    std::ifstream file(study());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  // The columns of studies/robot/robot.toml. A drive's torque is held until the next row, and half of that is before
  // its middle; or it is sampled with the position.
  enum class Torques { held, sampled };
  void write_log(const std::string& name, const RobotRecord& record, Torques torques = Torques::held) const {
    const std::size_t later = torques == Torques::held ? 1 : 0;
    std::string text = "time";
    for (const char* column : {"q", "tau"})
      for (int j = 1; j <= 6; ++j) text += fmt::format(",{}{}", column, j);
    text += '\n';
    for (std::size_t k = 0; k < record.samples(); ++k) {
      text += fmt::format("{}", record.period * static_cast<double>(k));
      for (const auto& q : record.position) text += fmt::format(",{}", q[k] / kDegree);
      for (const auto& tau : record.torque)
        text += fmt::format(",{}", (tau[k] + tau[std::min(k + later, record.samples() - 1)]) / 2.0);
      text += '\n';
    }
    write(name, text);
  }
  RobotRecord record(std::uint64_t seed) const { return tx40_record(seed, 1.745e-5, 0.05); }

  // "name: message" of each, as a program reads them.
  std::string diagnostics(const std::string& file) const {
    const nlohmann::json report = json(file);
    std::string all;
    for (const auto& each : report["diagnostics"])
      all += each["name"].get<std::string>() + ": " + each["message"].get<std::string>() + "\n";
    return all;
  }
  std::string checked(const std::string& of, const std::string& log, int code) const {
    const auto done = run("check " + of + " " + path(log) + " --json " + path("c.json"));
    EXPECT_EQ(done.code, code) << done.output;
    return diagnostics("c.json");
  }

  // Another arm, described beside its URDF.
  Outcome describe(const std::string& urdf, const std::string& more = "") const {
    write("bad.urdf", urdf);
    write("bad.toml", "[robot]\nurdf = \"bad.urdf\"\n" + more);
    return run("describe " + path("bad.toml") + " --json " + path("d.json"));
  }
};

}  // namespace tauhat
