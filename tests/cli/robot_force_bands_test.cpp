// What the bands of a force are worth where the model lacks something, in each kind of estimator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kKinds = {"ekf", "momentum-observer", "disturbance-filter"};

class RobotForceBands : public Program {
 protected:
  // 4 s without contact of an arm whose second joint has a tenth more Coulomb friction, and whose third a sixth more
  // viscous friction, than the study says.
  void SetUp() override {
    Program::SetUp();
    write_changed("told.toml", (source_dir() / "studies/robot/force.toml").string(), "duration = \"8 s\"",
                  "duration = \"4 s\"");
    write_changed("truth.toml", path("told.toml"), "coulomb = 7.8301", "coulomb = 8.6131");
    write_changed("truth.toml", path("truth.toml"), "viscous = 1.9804", "viscous = 2.3");
    const auto done = run("simulate " + path("truth.toml") + " --without-contact -o " + path("free.csv") + " --seed 4");
    ASSERT_EQ(done.code, 0) << done.output;
  }
  // Estimates with `times` what each joint's torque lacks: 0.78 and 0.25 N m of the wrong friction, and what an
  // observer that takes friction by a velocity some ms old has at every joint.
  std::string estimated(const std::string& kind, double times, const std::string& more = "") const {
    const std::array<std::pair<const char*, double>, 6> lacking{
        {{"6.9822", 0.15}, {"7.8301", 0.78}, {"6.1939", 0.25}, {"2.4063", 0.05}, {"3.4092", 0.08}, {"1.8313", 0.05}}};
    write_changed("s.toml", path("told.toml"),
                  "kind = \"ekf\"                        # or \"momentum-observer\", \"disturbance-filter\"\n"
                  "force_walk = \"20 N/sqrt(s)\"         # how fast the force may change; 0: it is constant\n",
                  "kind = \"" + kind + "\"\n");
    for (const auto& [coulomb, residual] : lacking) {
      const std::string friction = std::string("coulomb = ") + coulomb + " }";
      write_changed("s.toml", path("s.toml"), friction, friction + "\nresidual = " + std::to_string(times * residual));
    }
    const auto done = run("estimate " + path("s.toml") + " " + path("free.csv") + " -o " + path("e.csv") + more);
    EXPECT_EQ(done.code, 0) << done.output;
    return done.output;
  }
  // Of the samples in which no joint rests, those whose band reaches over the force that is there: none.
  double share_held() const {
    const Cells cells = parse_cells(read("e.csv"));
    const auto time = cells.column("time"), observable = cells.column("force.observable");
    double held = 0.0, all = 0.0;
    for (const std::string axis : {"force.x", "force.y", "force.z"}) {
      const auto force = cells.column(axis), deviation = cells.column(axis + ".std");
      for (std::size_t k = 0; k < time.size(); ++k) {
        if (time[k] < 0.3 || observable[k] != 1.0) continue;
        held += std::abs(force[k]) < 1.96 * deviation[k], all += 1.0;
      }
    }
    return held / all;
  }
};

// What a model lacks stays: no estimator may take it for noise that it filters out.
TEST_F(RobotForceBands, HoldAnErrorThatTheResidualNames) {
  for (const std::string& kind : kKinds) {
    estimated(kind, 1.0);
    EXPECT_GE(share_held(), 0.95) << kind;
  }
}

// Where the log without contact shows that a residual of the study is too small, a larger one is used, and it is said.
TEST_F(RobotForceBands, GrowWithALogWithoutContactWhereTheStudyTellsTooLittle) {
  const std::string floor = " --floor " + path("free.csv"), sentence = "With the study's residuals the bands would not";
  for (const std::string kind : {"momentum-observer", "disturbance-filter"}) {
    estimated(kind, 0.1);
    EXPECT_LT(share_held(), 0.9) << kind;
    EXPECT_THAT(estimated(kind, 0.1, floor), HasSubstr(sentence)) << kind;
    EXPECT_GE(share_held(), 0.9) << kind;
    EXPECT_THAT(estimated(kind, 1.0, floor), Not(HasSubstr(sentence))) << kind;
  }
  // The filter's bands, which hold its walk, are wide enough all the same, and the study's residuals stay.
  EXPECT_THAT(estimated("ekf", 0.1, floor), Not(HasSubstr(sentence)));
  EXPECT_GE(share_held(), 0.95);
}

}  // namespace
}  // namespace tauhat
