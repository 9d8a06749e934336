// The electro-mechanical positioning system (Janot, Gautier, Brunot 2019: "Data set and reference models of EMPS"),
// measured by its authors, against what they published of it.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/paths.hpp"
#include "tauhat/offline/friction/constant_speed.hpp"
#include "tauhat/offline/friction/forward.hpp"
#include "tauhat/offline/log/formats/mat.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;

// Published: mass [kg], viscous [N s/m], Coulomb [N], offset [N].
constexpr double kMass = 95.1089, kViscous = 203.5034, kCoulomb = 20.3935, kOffset = -3.1648;

class Emps : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path file = source_dir() / ".." / "shared" / "data" / "emps" / "DATA_EMPS.mat";
    if (!fs::exists(file)) GTEST_SKIP() << "the measurements are not here: " << file;
    const Recording recording = read_mat(file.string(), {"qm", "qg", "vir", "gtau", "kp", "kv"});
    const auto column = [&](std::size_t j) { return recording.columns[j].values; };
    const double force_constant = column(3).at(0);  // N/V
    record = {.source = recording.source, .period = 1e-3, .position = column(0), .velocity = {}, .force = column(2)};
    for (double& force : record.force) force *= force_constant;
    reference = column(1);
    constexpr double kLimit = 10.0;  // V, of the drive's input
    controller = {column(4).at(0), column(5).at(0) * force_constant, kLimit * force_constant};
  }

  AxisRecord record;
  std::vector<double> reference;
  CascadeController controller;
};

TEST_F(Emps, SymmetricFrictionAgreesWithItsAuthors) {
  const RegressionFit fit = fit_axis(record, {});
  EXPECT_NEAR(fit.find("axis.mass")->value / kMass, 1.0, 0.005);
  EXPECT_NEAR(fit.find("friction.viscous")->value / kViscous, 1.0, 0.015);
  EXPECT_NEAR(fit.find("friction.coulomb")->value / kCoulomb, 1.0, 0.015);
  EXPECT_NEAR(fit.find("friction.offset")->value / kOffset, 1.0, 0.03);
  EXPECT_LE(fit.relative_error, 0.036);
  // The residual is a model error that goes on for long: far fewer samples than there are.
  EXPECT_LT(fit.effective_samples, 0.4 * static_cast<double>(fit.samples));
  for (const RegressionParameter& parameter : fit.parameters) {
    EXPECT_TRUE(parameter.separable) << parameter.name;
    EXPECT_LT(parameter.std, 0.06 * std::abs(parameter.value)) << parameter.name;
  }
}

TEST_F(Emps, AsymmetricFrictionFitsBetter) {
  const RegressionFit fit = fit_axis(record, {.friction = FrictionShape::asymmetric});
  EXPECT_LE(fit.relative_error, 0.024);
  EXPECT_NEAR(fit.find("axis.mass")->value / kMass, 1.0, 0.005);
  EXPECT_GT(fit.find("friction.viscous.negative")->value, 1.3 * fit.find("friction.viscous.positive")->value);
}

// What the symmetric model lacks, 4 % of the force, is that friction differs by direction: it is seen, at some speed.
// The asymmetric model still lacks 1 %.
TEST_F(Emps, SymmetricFrictionIsSeenToMisfit) {
  const auto share = [&](const RegressionFit& fit) {
    double square = 0.0;
    for (const double force : fit.force) square += force * force;
    return std::abs(fit.worst_misfit()->largest_band_mean) / std::sqrt(square / static_cast<double>(fit.force.size()));
  };
  const RegressionFit symmetric = fit_axis(record, {});
  const RegressionFit asymmetric = fit_axis(record, {.friction = FrictionShape::asymmetric});
  ASSERT_NE(symmetric.worst_misfit(), nullptr);
  EXPECT_EQ(symmetric.worst_misfit()->bands_of, BandsOf::speed);
  EXPECT_GT(share(symmetric), 0.03);
  ASSERT_NE(asymmetric.worst_misfit(), nullptr);
  EXPECT_LT(share(asymmetric), 0.015);
  // The two directions differ by 37 N s/m from their mean: within the symmetric model's interval, once it is widened.
  const RegressionParameter& viscous = *symmetric.find("friction.viscous");
  for (const char* side : {"friction.viscous.positive", "friction.viscous.negative"}) {
    const double difference = std::abs(asymmetric.find(side)->value - viscous.value);
    EXPECT_GT(difference, 1.96 * viscous.std) << side;
    EXPECT_LT(difference, 1.96 * std::hypot(viscous.std, viscous.misfit_std)) << side;
  }
}

// Each half of the record, by itself, lies within the intervals of both: the deviations are true.
TEST_F(Emps, HalvesAgreeWithinTheirIntervals) {
  const auto half = [&](std::size_t first, std::size_t last) {
    const auto cut = [&](const std::vector<double>& values) {
      return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                 values.begin() + static_cast<std::ptrdiff_t>(last));
    };
    return fit_axis({.source = "half", .period = 1e-3, .position = cut(record.position), .force = cut(record.force)},
                    {.friction = FrictionShape::asymmetric});
  };
  const std::size_t size = record.force.size();
  const RegressionFit early = half(0, size / 2), late = half(size / 2, size);
  for (const RegressionParameter& parameter : early.parameters) {
    const RegressionParameter& other = *late.find(parameter.name);
    EXPECT_LT(std::abs(parameter.value - other.value), 3.0 * std::hypot(parameter.std, other.std)) << parameter.name;
  }
}

// Driven by its own controller the axis follows to micrometres, so the force carries the model's error.
TEST_F(Emps, ForwardSimulationFollowsTheRecord) {
  const RigidAxis symmetric = axis_of(fit_axis(record, {}));
  const RigidAxis asymmetric = axis_of(fit_axis(record, {.friction = FrictionShape::asymmetric}));
  EXPECT_LT(run_closed_loop(symmetric, record, controller, reference).relative_force_error, 0.048);
  const ForwardRun closed = run_closed_loop(asymmetric, record, controller, reference);
  EXPECT_LT(closed.relative_force_error, 0.040);
  EXPECT_LT(closed.position_error, 2e-6);
  EXPECT_LT(run_open_loop(asymmetric, record).relative_position_error, 0.025);  // it drifts
}

// The authors' reference has three speeds; the curve from constant speeds alone agrees with the regression.
TEST_F(Emps, ConstantSpeedsAgreeWithTheRegression) {
  const RegressionFit fit = fit_axis(record, {.friction = FrictionShape::asymmetric});
  const SpeedCurve curve = friction_curve(record, {.gravity = Gravity{}});
  for (const SpeedPoint& point : curve.points) {
    const std::string side = point.speed > 0.0 ? ".positive" : ".negative";
    const double law = fit.find("friction.viscous" + side)->value * point.speed +
                       fit.find("friction.coulomb" + side)->value * (point.speed > 0.0 ? 1.0 : -1.0);
    EXPECT_NEAR(point.friction / law, 1.0, 0.06) << point.speed;
  }
}

}  // namespace
}  // namespace tauhat
