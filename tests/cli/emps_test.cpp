// The studies of the EMPS benchmark, through the program, against what its authors published.
#include <cmath>

#include "support/program.hpp"

namespace tauhat {
namespace {

class EmpsStudies : public Program {
 protected:
  void SetUp() override {
    if (!fs::exists(log_)) GTEST_SKIP() << "the measurements are not here: " << log_;
  }

  nlohmann::json answer(const std::string& study, const std::string& more = "") const {
    const auto file = source_dir() / "studies" / "emps" / study;
    const Outcome outcome =
        run("identify " + file.string() + " " + log_.string() + " --json " + path("answer.json") + more);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return json("answer.json");
  }

  static double value(const nlohmann::json& answer, const std::string& name) {
    return answer.at("results").at(name).at("value").get<double>();
  }

  const fs::path log_ = source_dir() / ".." / "shared" / "data" / "emps" / "DATA_EMPS.mat";
};

TEST_F(EmpsStudies, SymmetricFriction) {
  const auto found = answer("emps.toml");
  EXPECT_NEAR(value(found, "axis.mass") / 95.1089, 1.0, 0.005);
  EXPECT_NEAR(value(found, "friction.viscous") / 203.5034, 1.0, 0.015);
  EXPECT_NEAR(value(found, "friction.coulomb") / 20.3935, 1.0, 0.015);
  EXPECT_NEAR(value(found, "friction.offset") / -3.1648, 1.0, 0.03);
  EXPECT_LE(value(found, "force.relative_error"), 0.036);
  EXPECT_GT(value(found, "simulation.position_error"), 0.0);
}

TEST_F(EmpsStudies, AsymmetricFriction) {
  const auto found = answer("emps_asymmetric.toml");
  EXPECT_NEAR(value(found, "axis.mass") / 95.1089, 1.0, 0.005);
  EXPECT_LE(value(found, "force.relative_error"), 0.024);
  EXPECT_GT(value(found, "simulation.position_error"), 0.0);
}

// The law of the curve bends, and agrees with the two lines of the regression in the middle of the speeds.
TEST_F(EmpsStudies, FrictionOverVelocity) {
  const auto found = answer("emps_curve.toml", " --report " + path("curve.html"));
  const auto lines = answer("emps_asymmetric.toml");
  constexpr double kSpeed = 0.06;  // m/s, of 0.125
  for (const std::string side : {"positive", "negative"}) {
    const auto of_law = [&](const char* name) { return value(found, "friction." + side + "." + name); };
    const auto of_line = [&](const char* name) { return value(lines, std::string("friction.") + name + "." + side); };
    const double law = of_law("coulomb") + of_law("excess") * std::exp(-of_law("decay") * kSpeed);
    EXPECT_NEAR(law / (of_line("coulomb") + of_line("viscous") * kSpeed), 1.0, 0.05) << side;
  }
  const std::string report = read("curve.html");
  EXPECT_NE(report.find("blind smoother"), std::string::npos);
  EXPECT_NE(report.find("law: asymmetric-exponential"), std::string::npos);
}

}  // namespace
}  // namespace tauhat
