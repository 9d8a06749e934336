// A law by the motion that it makes by itself: its numbers are those of the record, through reversals and rests.
#include "tauhat/offline/friction/motion_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/offline/friction/law_motion.hpp"
#include "tauhat/offline/friction/rivals.hpp"
#include "tauhat/offline/simulate/stick_slip.hpp"

namespace tauhat {
namespace {

constexpr double kPeriod = 1e-3, kNoise = 2e-5;  // s, rad
constexpr std::size_t kSamples = 12'001;

double torque(double t) { return 0.6 * std::sin(1.95 * t) + 0.35 * std::sin(5.2 * t + 1.0); }

Axis<double> servo() {
  Axis<double> axis;
  axis.mass = 0.02;
  return axis;
}

const Stribeck<double> kBump{
    .coulomb = 0.2, .viscous = 0.05, .width = 0.0, .breakaway = 0.35, .stribeck_velocity = 0.3};

const FittedLaw kFittedBump{LawKind::gaussian_viscous, {0.2, 0.15, 0.05}, {.fall = 1.0 / 0.3}};

Timeline at_rest(double period, std::size_t samples) {
  Timeline timeline{{}, {{}}, {{"axis.position", Axis<double>::position_output, kNoise * kNoise, {}}}};
  for (std::size_t k = 0; k < samples; ++k) {
    timeline.time.push_back(static_cast<double>(k) * period);
    timeline.inputs[0].push_back(torque(timeline.time[k] + period / 2.0));  // held: that of the middle
  }
  return timeline;
}

// The axis by this law, as its sensor sees it.
Timeline recorded(const Axis<double>& axis, const FittedLaw& law, std::uint64_t seed) {
  Timeline timeline = at_rest(kPeriod, kSamples);
  Draw draw(seed);
  for (const double position : move_by_law(axis, law, {0.0, 0.0}, timeline, kSamples).position)
    timeline.sensors[0].value.push_back(position + kNoise * draw.normal());
  return timeline;
}

ParametricSpec started(FittedLaw law) {
  ParametricSpec spec;
  spec.axis = servo();
  spec.law = std::move(law);
  spec.friction = 0.25, spec.fastest = 2.0;
  return spec;
}

struct Number {
  std::size_t at;
  double value, widest;  // and its largest deviation
};

void expect_numbers(const MotionFit& fit, const std::vector<double>& found, const std::vector<Number>& all) {
  for (const Number& number : all) {
    const double std =
        std::sqrt(fit.covariance(static_cast<Eigen::Index>(number.at), static_cast<Eigen::Index>(number.at)));
    EXPECT_NEAR(found[number.at], number.value, 4.0 * std) << number.at;
    EXPECT_LT(std, number.widest) << number.at;
  }
}

// Against a simulation whose torque is not held: at a tenth of the interval that is a hundredth of the difference.
TEST(LawMotion, SticksAndSlipsAsTheAxisDoes) {
  constexpr double kShort = 0.1 * kPeriod;
  constexpr std::size_t kMany = 10 * kSamples;
  const AxisTruth truth = StickSlip(servo(), kBump, torque).run(0.0, 0.0, kShort, kMany, 1);
  const LawMotion motion = move_by_law(servo(), kFittedBump, {0.0, 0.0}, at_rest(kShort, kMany), kMany);
  ASSERT_EQ(motion.position.size(), kMany);
  std::size_t stuck = 0;
  double off = 0.0;
  for (std::size_t k = 0; k < kMany; ++k) {
    off = std::max(off, std::abs(motion.position[k] - truth.position[k]));
    stuck += truth.sticks[k] != 0 && motion.velocity[k] == 0.0;
  }
  EXPECT_GT(stuck, kMany / 20);
  EXPECT_LT(off, 0.05 * kNoise);
}

// A sign that is all but hard.
TEST(LawMotion, CreepsAsANarrowSignDoes) {
  const Timeline timeline = at_rest(kPeriod, kSamples);
  const LawMotion hard =
      move_by_law(servo(), {LawKind::coulomb_viscous, {0.3, 0.1}, {}}, {0.0, 0.0}, timeline, kSamples);
  const LawMotion narrow =
      move_by_law(servo(), {LawKind::tanh_viscous, {0.3, 0.1}, {.width = 5e-3}}, {0.0, 0.0}, timeline, kSamples);
  ASSERT_EQ(narrow.position.size(), kSamples);
  for (std::size_t k = 0; k < kSamples; k += 100) EXPECT_NEAR(narrow.position[k], hard.position[k], 0.03) << k;
}

TEST(MotionFit, HasTheNumbersOfAnAxisThatSticks) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const MotionFit fit = fit_motion(started({LawKind::gaussian_viscous, {0.202, 0.146, 0.051}, {.fall = 3.25}}),
                                     recorded(servo(), kFittedBump, seed));
    ASSERT_TRUE(fit.follows) << fit.mean_square;
    EXPECT_NEAR(fit.mean_square, 1.0, 0.05);
    const auto& c = fit.law.coefficients;
    expect_numbers(fit, {c[0], c[0] + c[1], 1.0 / fit.law.shape.fall, c[2]},
                   {{0, 0.2, 2e-5}, {1, 0.35, 1e-4}, {2, 0.3, 1e-4}, {3, 0.05, 2e-5}});
  }
}

TEST(MotionFit, FindsAConstantForceAlong) {
  Axis<double> loaded = servo();
  loaded.offset = 0.03;
  const FittedLaw law{LawKind::coulomb_viscous, {0.25, 0.08}, {}};
  ParametricSpec spec = started({LawKind::coulomb_viscous, {0.27, 0.06}, {}});
  spec.offset_std = 0.2;
  const MotionFit fit = fit_motion(spec, recorded(loaded, law, 4));
  ASSERT_TRUE(fit.follows);
  expect_numbers(fit, {fit.law.coefficients[0], fit.law.coefficients[1], fit.offset},
                 {{0, 0.25, 1e-4}, {1, 0.08, 1e-4}, {2, 0.03, 1e-4}});
}

// By another law something is left.
TEST(MotionFit, FollowsNoOtherLaw) {
  const Timeline timeline = recorded(servo(), kFittedBump, 1);
  EXPECT_FALSE(fit_motion(started({LawKind::exponential_viscous, {0.2, 0.15, 0.05}, {.fall = 4.0}}), timeline).follows);
  EXPECT_FALSE(fit_motion(started({LawKind::coulomb_viscous, {0.25, 0.05}, {}}), timeline).follows);
}

TEST(MotionFit, KnowsWhatIsWhite) {
  constexpr std::size_t kCount = 20'000;
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    Draw draw(seed);
    std::vector<double> white(kCount), alike(kCount), slow(kCount);
    double before = 0.0;
    for (std::size_t k = 0; k < kCount; ++k) {
      white[k] = 3.0 * draw.normal();
      alike[k] = before = 0.3 * before + draw.normal();
      slow[k] = draw.normal() + 0.15 * std::sin(1e-3 * static_cast<double>(k));
    }
    EXPECT_TRUE(is_white(white));
    EXPECT_FALSE(is_white(alike));
    EXPECT_FALSE(is_white(slow));
  }
}

}  // namespace
}  // namespace tauhat
