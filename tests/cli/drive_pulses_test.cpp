// Pulses instead of samples, on drives that are no powertrain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

// The rms error of transmission.torque at the log's rows, relative to the torque's rms.
double torque_error(const Cells& said, const Cells& real) {
  const std::size_t guess = said.place("transmission.torque"), truth = real.place("truth.transmission.torque");
  double wrong = 0.0, all = 0.0;
  std::size_t k = 0;
  for (const auto& row : real.rows) {
    if (row.size() <= truth || row[truth].empty()) continue;
    const double time = 1e-3 * std::stod(row[0]), torque = std::stod(row[truth]);  // the demo's clock is in ms
    while (k + 1 < said.rows.size() && std::stod(said.rows[k + 1][0]) <= time + 1e-9) ++k;
    wrong += std::pow(std::stod(said.rows[k][guess]) - torque, 2), all += torque * torque;
  }
  return std::sqrt(wrong / all);
}

// Pulses are no matter of the powertrain alone: the torque in a servo's gear from two encoders of 4096 lines, stamped.
TEST_F(PowertrainProgram, OtherDrivesTakePulses) {
  const std::string sampled =
                        "\"motor.velocity\" = { column = \"w_m\", unit = \"rpm\", std = \"0.3 rad/s\" }\n"
                        "\"load.velocity\" = { column = \"w_l\", unit = \"rpm\", std = \"0.3 rad/s\" }",
                    motor =
                        "\"motor.position\" = { stamps = \"m\", teeth = 4096, unit = \"s\", std = \"0.05 mrad\", "
                        "count = { column = \"n_m\", wraps_at = 65536 } }",
                    load = "\"load.position\" = { stamps = \"l\", teeth = 4096, unit = \"s\", std = \"0.05 mrad\"";
  write_changed("drive.toml", demo(), "intensity = \"auto\"", "intensity = \"31.6 N m/sqrt(s)\"");
  write_changed("pulses.toml", path("drive.toml"), sampled,
                motor + "\n" + load + ", count = { column = \"n_l\", wraps_at = 65536 } }");
  ASSERT_EQ(run("simulate " + path("pulses.toml") + " -o " + path("p.csv") + " --seed 5").code, 0);
  const Outcome outcome = run("estimate " + path("pulses.toml") + " " + path("p.csv") + " -o " + path("e.csv"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_GT(cells("e.csv").rows.size(), 1.5 * 6001) << "rows of the torque and the pulses between them";
  EXPECT_LT(torque_error(cells("e.csv"), cells("p.csv")), 0.25);
  // As good as what 2000 samples a second of both speeds tell.
  ASSERT_EQ(run("simulate " + path("drive.toml") + " -o " + path("s.csv") + " --seed 5").code, 0);
  ASSERT_EQ(run("estimate " + path("drive.toml") + " " + path("s.csv") + " -o " + path("es.csv")).code, 0);
  EXPECT_LT(torque_error(cells("e.csv"), cells("p.csv")), torque_error(cells("es.csv"), cells("s.csv")));
  // Nobody would notice a reversal.
  write_changed("blind.toml", path("drive.toml"), sampled, motor + "\n" + load + " }");
  const Outcome refused = run("estimate " + path("blind.toml") + " " + path("p.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, HasSubstr("give count = { column = \"n\" }"));
}

}  // namespace
}  // namespace tauhat
