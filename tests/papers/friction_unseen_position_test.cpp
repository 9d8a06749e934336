// An axis of which only the velocity was recorded, while its weight depends on where it stands: where it starts must be
// said, or its position recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/simulate/random.hpp"
#include "tauhat/offline/simulate/stick_slip.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

constexpr double kStart = 0.8;  // rad
const std::string kSaysStart = "[start]\n\"axis.position\" = { value = 0.8, std = 0.001 }\n";
const std::string kPosition = "\"axis.position\" = { column = \"q\", unit = \"rad\" }\n";

Study arm_study(const std::string& start = "", const std::string& gravity = "gravity.sine = 2\n",
                const std::string& identify = "", const std::string& more_sensors = "") {
  return parse_study(
      "[drive]\nmodel = \"axis\"\nmotion = \"rotary\"\naxis.mass = 0.2\n" + gravity + identify + start +
          "[log]\ntime.rate = \"1 kHz\"\n[log.channels]\n\"axis.force\" = { column = \"f\", unit = \"N m\" }\n" +
          "\"axis.velocity\" = { column = \"v\", unit = \"rad/s\", std = 1e-3 }\n" + more_sensors,
      "arm.toml");
}

double force(double t) { return 1.5 * std::sin(1.3 * t) + 2.0 * std::sin(3.1 * t + 1.0); }

Log arm_log() {
  Axis<double> arm;
  arm.mass = 0.2, arm.gravity_sine = 2.0;
  const CoulombTanh<double> law{.coulomb = 0.3, .viscous = 0.1, .width = 0.0};
  const AxisTruth truth = StickSlip(arm, law, force).run(kStart, 0.0, 1e-3, 6001, 4);
  const auto time = std::make_shared<std::vector<double>>(truth.time);
  Channel applied{.signal = "axis.force", .time = time, .value = {}};
  Channel speed{.signal = "axis.velocity", .time = time, .value = {}};
  Random random(3, "velocity");
  for (std::size_t k = 0; k < truth.time.size(); ++k) {
    applied.value.push_back(force(truth.time[k] + 5e-4));  // held: that of the middle
    speed.value.push_back(truth.velocity[k] + 1e-3 * random.normal());
  }
  Log log;
  log.source = "arm.csv";
  log.channels = {applied, speed};
  return log;
}

template <class Action>
std::string refusal(ExitCode code, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "accepted";
}

TEST(UnseenPosition, IsAskedForWhereItMatters) {
  for (const char* gravity : {"gravity.sine = 2\n", "gravity.cosine = 2\n", "axis.stiffness = 2\n"}) {
    const std::string said =
        refusal(ExitCode::unusable_data, [&] { answer_friction(arm_study("", gravity), arm_log()); });
    EXPECT_THAT(said, HasSubstr("arm.csv: only the velocity was recorded"));
    EXPECT_THAT(said, HasSubstr("Record axis.position, too, or say where the axis starts: [start]"));
  }
  const FirstRow first{{0.0}, {{Axis<double>::velocity_output, 0.0, 1e-6}}};
  EXPECT_THAT(refusal(ExitCode::unusable_data, [&] { make_online_estimator(arm_study(), 1.0, first); }),
              HasSubstr("Record axis.position"));
  EXPECT_NO_THROW(make_online_estimator(arm_study("", ""), 1.0, first));
}

TEST(UnseenPosition, StartsWhereTheStudySays) {
  const Report report = answer_friction(arm_study(kSaysStart), arm_log());
  EXPECT_TRUE(is_trusted(report.diagnostics)) << report.headline;
  const auto value = [&](const std::string& name) {
    return std::find_if(report.results.begin(), report.results.end(), [&](const Result& r) { return r.name == name; })
        ->value;
  };
  EXPECT_NEAR(value("friction.coulomb"), 0.3, 0.01);
  EXPECT_NEAR(value("friction.viscous"), 0.1, 0.01);
  const FirstRow first{{0.0}, {{Axis<double>::velocity_output, 0.0, 1e-6}}};
  const auto estimator = make_online_estimator(arm_study(kSaysStart), 1.0, first);
  double position = 0.0, std = 0.0;
  estimator->estimate(Axis<double>::position_output, position, std);
  EXPECT_DOUBLE_EQ(position, kStart);
  EXPECT_DOUBLE_EQ(std, 1e-3);
}

TEST(UnseenPosition, AStartThatIsNotUsedIsRefused) {
  EXPECT_THAT(refusal(ExitCode::wrong_use, [] { arm_study(kSaysStart, "gravity.sine = 2\n", "", kPosition); }),
              HasSubstr("[log.channels] has axis.position"));
  EXPECT_THAT(
      refusal(ExitCode::wrong_use, [] { arm_study(kSaysStart, "", "[identify]\nmethod = \"constant-speed\"\n"); }),
      HasSubstr("is for method = \"two-step\""));
}

}  // namespace
}  // namespace tauhat
