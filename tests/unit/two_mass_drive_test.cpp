// The two-mass drive against its equations of motion, and the list of its parameters.
#include "tauhat/core/models/two_mass_drive.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/core_types.hpp"
#include "support/parameters.hpp"

namespace tauhat {
namespace {

using Drive = TwoMassDrive<double>;

// J_m w_m' = u - (D w_d + tau) / N - tau_f - K_r q_m,  J_l w_l' = D w_d + tau - tau_load,  with round
// numbers: w_d = 10 / 2 - 3 = 2, D w_d + tau = 0.5 * 2 + 4 = 5.
TEST(TwoMassDrive, FollowsItsEquations) {
  Drive drive;
  drive.motor_inertia = 0.5, drive.load_inertia = 2.0, drive.ratio = 2.0, drive.damping = 0.5,
  drive.position_gain = 3.0;
  drive.motor_friction = {.coulomb = 0.0, .viscous = 0.1, .width = 1.0};
  drive.load_friction = {.coulomb = 0.0, .viscous = 1.0, .width = 1.0};
  const Vector<double, 4> dx = drive.derivative({1.0, 7.0, 10.0, 3.0}, {8.0, 4.0});
  EXPECT_DOUBLE_EQ(dx[Drive::motor_position], 10.0);
  EXPECT_DOUBLE_EQ(dx[Drive::load_position], 3.0);
  EXPECT_DOUBLE_EQ(dx[Drive::motor_velocity], (8.0 - 5.0 / 2.0 - 1.0 - 3.0) / 0.5);
  EXPECT_DOUBLE_EQ(dx[Drive::load_velocity], (5.0 - 3.0) / 2.0);
}

TEST(TwoMassDrive, HasNamedOutputs) {
  Drive drive;
  drive.ratio = 2.0;
  const Vector<double, 4> x(1.0, 7.0, 10.0, 3.0);
  const auto output = [&](std::string_view name) {
    return drive.output(index_of(Drive::kOutputs, name), x, {8.0, 4.0});
  };
  EXPECT_EQ(output("motor.position"), 1.0);
  EXPECT_EQ(output("load.position"), 7.0);
  EXPECT_EQ(output("motor.velocity"), 10.0);
  EXPECT_EQ(output("load.velocity"), 3.0);
  EXPECT_EQ(output("transmission.displacement"), 1.0 / 2.0 - 7.0);
  EXPECT_EQ(output("transmission.displacement_rate"), 10.0 / 2.0 - 3.0);
  EXPECT_EQ(output("transmission.torque"), 4.0);
  EXPECT_EQ(index_of(Drive::kOutputs, "no.such"), -1);
}

// Names are the user's keys: none twice, each with a unit and a meaning.
TEST(TwoMassDrive, ListsEachParameterOnce) {
  const DriveWithLaw<double, Stribeck, HystereticDeadZone> drive;
  const auto names = parameter_names(drive);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(names.size(), 5U + 5U + 3U + 6U);  // drive, Stribeck, load friction, dead zone with hysteresis
  EXPECT_LE(names.size(), static_cast<std::size_t>(kMaxParameters));
  decltype(drive)::visit_parameters(drive, [](const ParameterInfo& info, const double&) {
    EXPECT_FALSE(info.unit.empty() || info.meaning.empty()) << full_name(info);
  });
}

// Default values are usable: inside the range that the list states. (Hysteresis has no default: zero is
// none.)
TEST(TwoMassDrive, HasDefaultsInsideTheirRanges) {
  const Drive drive;
  Drive::visit_parameters(drive, [](const ParameterInfo& info, const double& value) {
    EXPECT_TRUE(info.range.contains(value)) << full_name(info);
  });
}

TEST(TwoMassDrive, WithALawPassesItsTorque) {
  DriveWithLaw<double, CoulombAtan, LinearSpring> drive;
  drive.drive.ratio = 2.0;
  drive.law = {.stiffness = 80.0, .offset = 0.1};
  const Vector<double, 4> x(1.0, 0.3, 0.0, 0.0);  // displacement 0.2
  const Vector<double, 1> u(0.5);
  EXPECT_NEAR(drive.output(Drive::transmission_torque_output, x, u), 8.0, 1e-13);
  EXPECT_TRUE(drive.derivative(x, u).isApprox(drive.drive.derivative(x, {0.5, 8.0}), 1e-13));
}

TEST(Range, KnowsItsEnds) {
  EXPECT_TRUE(Range::not_negative().contains(0.0));
  EXPECT_FALSE(Range::positive().contains(0.0));
  EXPECT_TRUE(Range::not_zero_up_to(0.5).contains(0.5));
  EXPECT_FALSE(Range::not_zero_up_to(0.5).contains(0.0));
  EXPECT_FALSE(Range::not_zero_up_to(0.5).contains(0.51));
  for (const Range range : {Range::any(), Range::positive(), Range::not_negative()}) {
    EXPECT_FALSE(range.contains(std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(range.contains(std::numeric_limits<double>::quiet_NaN()));
  }
}

}  // namespace
}  // namespace tauhat
