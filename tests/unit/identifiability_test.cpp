// What the data told, in words: by an interval, by what was known before, by the covariance of a fit.
#include "tauhat/offline/report/identifiability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tauhat/offline/report/partners.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using Told = Identifiability::Told;

Told told_of(double value, double std, double lowest) {
  return with_interval("x", value, std, "rad", lowest).identifiability->told;
}

TEST(Identifiability, FollowsFromTheInterval) {
  constexpr double kAny = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(told_of(1.0, 0.1, 0.0), Told::identified);
  EXPECT_EQ(told_of(1.0, 0.6, 0.0), Told::only_a_bound);    // reaches zero, below which there is nothing
  EXPECT_EQ(told_of(1.0, 4.0, 0.0), Told::not_identified);  // not even its order of magnitude
  EXPECT_EQ(told_of(1.0, 0.6, kAny), Told::identified);     // an offset may well be zero
  EXPECT_EQ(told_of(1.0, std::numeric_limits<double>::infinity(), kAny), Told::not_identified);
  EXPECT_EQ(told_of(std::numeric_limits<double>::quiet_NaN(), 1.0, 0.0), Told::not_identified);
}

TEST(Identifiability, NothingIsLearnedThatWasKnownAsWellBefore) {
  Result learned = with_interval("load.inertia", 1.0, 0.05, "kg m^2", 0.0), known = learned;
  compare_with_prior(learned, 0.2);
  compare_with_prior(known, 0.051);
  EXPECT_EQ(learned.identifiability->told, Told::identified);
  EXPECT_EQ(known.identifiability->told, Told::not_identified);
  EXPECT_THAT(sentence_of(*known.identifiability), HasSubstr("more exactly than the study"));
}

TEST(Identifiability, NamesThePartnerAndTheMotionThatTellsThemApart) {
  std::vector<Result> results{with_interval("friction.viscous", 2.0, 0.1, "N m s/rad"),
                              with_interval("friction.coulomb", 1.0, 0.2, "N m"),
                              with_interval("axis.mass", 3.0, 0.1, "kg m^2")};
  Eigen::Matrix3d covariance;
  covariance << 0.01, -0.0195, 0.001,  //
      -0.0195, 0.04, 0.0,              //
      0.001, 0.0, 0.01;
  name_partners({"friction.viscous", "friction.coulomb", "axis.mass"}, covariance, results);
  EXPECT_EQ(results[0].identifiability->partner, "friction.coulomb");
  EXPECT_NEAR(results[0].identifiability->correlation, -0.975, 1e-12);
  EXPECT_EQ(results[1].identifiability->partner, "friction.viscous");
  EXPECT_THAT(results[1].identifiability->separated_by, HasSubstr("constant speeds"));
  EXPECT_EQ(results[2].identifiability->partner, "");
  EXPECT_EQ(sentence_of(*results[2].identifiability), "");
  EXPECT_THAT(to_json({.results = results}), HasSubstr("\"confounded_with\""));
  EXPECT_THAT(to_text({.results = results}), HasSubstr("confounded with friction.coulomb (-0.975)"));
}

TEST(Identifiability, EveryPairHasASentence) {
  EXPECT_THAT(separating_motion("transmission.stiffness", "load.inertia"), HasSubstr("resonance"));
  EXPECT_EQ(separating_motion("transmission.stiffness", "load.inertia"),
            separating_motion("load.inertia", "transmission.stiffness"));
  EXPECT_THAT(separating_motion("joint2.Ixx", "joint4.my"), HasSubstr("other speeds"));
}

}  // namespace
}  // namespace tauhat
