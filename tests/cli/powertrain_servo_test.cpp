// A servo axis instead of a car: torques, inertias and gap of another size, the same filters.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

// `scale` multiplies everything that has a torque in its unit: the motion is the same.
std::string servo(const std::string& kind, double scale) {
  const auto of = [&](double value) { return fmt::format("{:.17g}", scale * value); };
  return "[drive]\nmodel = \"powertrain\"\nmotor = { inertia = " + of(1e-4) + ", lag = \"1 ms\", delay = 0 }\n" +
         "load = { inertia = " + of(0.02) + ", damping = " + of(0.002) + " }\n" +
         "transmission = { ratio = 10, stiffness = " + of(500) + ", damping = " + of(1) + " }\n" +
         "backlash.gap = { value = \"4 mrad\", std = \"1.5 mrad\" }\n" +  //
         "[noise]\nload.torque = \"" + of(0.1) + " N m/sqrt(s)\"\nmotor.torque = \"" + of(0.3) + " N m/sqrt(s)\"\n" +
         "[estimator]\nkind = \"" + kind + "\"\n[log]\ntime = { column = \"time\", unit = \"s\" }\n[log.channels]\n" +
         "\"motor.command\" = { column = \"command\", unit = \"N m\", gain = " + of(1) + " }\n" + R"toml(
"motor.position" = { stamps = "engine", teeth = 500, std = "0.1 mrad" }
"load.position" = { stamps = "wheel", teeth = 1000, std = "0.1 mrad" }
[simulate]
duration = "8 s"
rate = "2 kHz"
load_torque = "0.3 N m"
torque_noise = "0.002 N m"
start.velocity = "20 rad/s"
sensors."motor.position".tooth_error = 0.01
sensors."load.position".tooth_error = 0.015
input = { kind = "steps", times = [0, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7], levels = [0.05, -0.02, 0.09, -0.02, 0.09, -0.02, 0.09, -0.02, 0.09, -0.02, 0.09, -0.02, 0.09, -0.02] }
)toml";
}

class ServoAxis : public PowertrainProgram, public testing::WithParamInterface<const char*> {
 protected:
  void estimate(double scale, const std::string& csv) const {
    write("scaled.toml", servo(GetParam(), scale));
    const Outcome outcome = run("estimate " + path("scaled.toml") + " " + path("log.csv") + " -o " + path(csv) +
                                " --json " + path("e.json"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
  }
};
INSTANTIATE_TEST_SUITE_P(Kind, ServoAxis, testing::Values("direct", "imm"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(ServoAxis, IsSeenAsACarIs) {
  write("servo.toml", servo(GetParam(), 1.0));
  for (int seed = 1; seed <= 2; ++seed) {
    ASSERT_EQ(run("simulate " + path("servo.toml") + " -o " + path("log.csv") + " --seed " + std::to_string(seed)).code,
              0);
    estimate(1.0, "e.csv");
    const Score s = score("e.csv", "log.csv", 4.0);
    // As much of its gap as unknown_gap allows the car. The shaft's torque is known to 0.05 N m, and the load presses
    // with as little for a third of the time: nobody can tell contact from separation to the last millisecond there.
    EXPECT_LT(s.rms, 1.1 / 60.0 * 4e-3) << seed;
    EXPECT_GT(s.accuracy, 0.92) << seed;
    const auto results = json("e.json")["results"];
    const auto gap = results["backlash.gap"], gain = results["motor.gain"];
    EXPECT_NEAR(gap["value"].get<double>(), 4e-3, 4.0 * gap["std"].get<double>()) << seed;
    EXPECT_NEAR(gain["value"].get<double>(), 1.0, 4.0 * gain["std"].get<double>()) << seed;
  }
}

// What was a hundred times the torque everywhere gives the same position, to rounding.
TEST_P(ServoAxis, DoesNotDependOnTheSizeOfItsTorques) {
  write("servo.toml", servo(GetParam(), 1.0));
  ASSERT_EQ(run("simulate " + path("servo.toml") + " -o " + path("log.csv") + " --seed 1").code, 0);
  estimate(1.0, "small.csv");
  estimate(100.0, "large.csv");
  const auto small = cells("small.csv").column("backlash.position"),
             large = cells("large.csv").column("backlash.position");
  ASSERT_EQ(small.size(), large.size());
  for (std::size_t k = 0; k < small.size(); ++k) {
    ASSERT_EQ(std::isnan(small[k]), std::isnan(large[k])) << k;
    if (std::isnan(small[k])) continue;
    ASSERT_NEAR(small[k], large[k], 1e-8) << k;
  }
}

}  // namespace
}  // namespace tauhat
