// The force on an arm whose friction remembers, or grows with the load, by estimators that know it and that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

class RobotForceFriction : public Program {
 protected:
  // The study of 4 s, every joint with these words more of its friction, and this law.
  void write_study(const std::string& file, const std::string& kind, const std::string& law, const std::string& more) {
    write_changed(file, (source_dir() / "studies/robot/force.toml").string(), "duration = \"8 s\"",
                  "duration = \"4 s\"");
    write_changed(file, path(file), "[robot]\n", "[robot]\nfriction.law = \"" + law + "\"\n");
    write_changed(file, path(file),
                  "kind = \"ekf\"                        # or \"momentum-observer\", \"disturbance-filter\"\n"
                  "force_walk = \"20 N/sqrt(s)\"         # how fast the force may change; 0: it is constant\n",
                  "kind = \"" + kind + "\"\n");
    for (const char* coulomb : {"6.9822", "7.8301", "6.1939", "2.4063", "3.4092", "1.8313"})
      write_changed(file, path(file), std::string("coulomb = ") + coulomb + " }",
                    std::string("coulomb = ") + coulomb + more + " }");
  }
  // N, rms of the error per axis, behind the first 0.3 s. A model that forgets friction may be refused: it writes all
  // the same.
  double error(const std::string& file, bool is_trusted) {
    const auto done = run("estimate " + path(file) + " " + path("run.csv") + " -o " + path("e.csv"));
    if (is_trusted) {
      EXPECT_EQ(done.code, 0) << done.output;
    }
    const Cells estimate = parse_cells(read("e.csv")), log = parse_cells(read("run.csv"));
    const auto time = estimate.column("time");
    double square = 0.0, count = 0.0;
    for (const std::string axis : {"force.x", "force.y", "force.z"}) {
      const auto force = estimate.column(axis), truth = log.column("truth." + axis);
      for (std::size_t k = 0; k < time.size(); ++k) {
        if (time[k] < 0.3 || !std::isfinite(force[k])) continue;
        square += std::pow(force[k] - truth[k], 2), count += 1.0;
      }
    }
    return std::sqrt(square / count);
  }
  void expect_better(const std::string& law, const std::string& more) {
    write_study("truth.toml", "ekf", law, more);
    const auto done = run("simulate " + path("truth.toml") + " -o " + path("run.csv") + " --seed 4");
    ASSERT_EQ(done.code, 0) << done.output;
    for (const std::string kind : {"ekf", "momentum-observer", "disturbance-filter"}) {
      write_study("knows.toml", kind, law, more);
      write_study("forgets.toml", kind, "coulomb-tanh", "");
      EXPECT_LT(error("knows.toml", true), 0.7 * error("forgets.toml", false)) << kind << " " << law << more;
    }
  }
};

TEST_F(RobotForceFriction, WithAMemoryIsFollowed) {
  expect_better("dahl", ", reach = 0.05");
  expect_better("lugre", ", reach = 0.05, excess = 1, decay = 5");
  expect_better("maxwell-slip", ", reach = 0.1");
}

TEST_F(RobotForceFriction, OfTheLoadIsFollowed) { expect_better("coulomb-tanh", ", load = 0.15"); }

}  // namespace
}  // namespace tauhat
