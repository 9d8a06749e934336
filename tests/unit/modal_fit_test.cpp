// The parameters of an elastic joint from its frequency response. The joint is the one of the thesis (zampolini).
#include "tauhat/offline/joint/modal_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bands.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using Joint = ElasticJoint<double>;

constexpr double kPeriod = 400e-6;

Joint joint_of_thesis() {
  Joint joint;
  joint.motor_inertia = 7e-4, joint.motor_viscous = 0.008, joint.ratio = 120.0;
  joint.stiffness = 1.2e5, joint.damping = 80.0;
  joint.load_inertia = 14.3854, joint.load_viscous = 2.0;
  joint.coupling_inertia = 3.4358, joint.neighbour_inertia = 2.7927;
  joint.neighbour_stiffness = 3e4, joint.neighbour_damping = 12.0, joint.neighbour_viscous = 0.5;
  return joint;
}

// Off by about as much as a data sheet is.
Joint start_of_fit() {
  Joint joint = joint_of_thesis();
  joint.motor_inertia *= 1.06, joint.load_inertia *= 0.93, joint.coupling_inertia *= 0.92;
  joint.stiffness *= 1.15, joint.damping *= 0.6;
  joint.neighbour_stiffness *= 0.88, joint.neighbour_damping *= 1.5;
  return joint;
}

const std::vector<std::string> kFree{"motor.inertia",          "load.inertia",        "neighbour.coupling_inertia",
                                     "transmission.stiffness", "neighbour.stiffness", "transmission.damping",
                                     "neighbour.damping"};

FrequencyResponse response_of(const Joint& joint, double lowest, double highest, double relative_std,
                              std::uint64_t seed = 1) {
  const SampledJoint sampled(joint, kPeriod);
  Random random(seed, "response");
  FrequencyResponse response;
  for (double frequency = lowest; frequency <= highest; frequency += 0.25) {
    const std::complex<double> error(random.normal(), random.normal());
    response.frequency.push_back(frequency);
    response.gain.push_back(sampled.gain(frequency) * std::exp(relative_std * error));
    response.relative_std.push_back(relative_std);
    response.coherence.push_back(1.0);
  }
  return response;
}

ModalFitOptions without_prior() {
  ModalFitOptions options;
  options.period = kPeriod, options.free = kFree;
  options.prior_weight = 0.0, options.least_deviation = 1e-3;
  return options;
}

double true_value(std::string_view name) {
  double found = 0.0;
  const Joint joint = joint_of_thesis();
  Joint::visit_parameters(joint, [&](const ParameterInfo& info, double value) {
    if (std::string(info.group) + "." + std::string(info.name) == name) found = value;
  });
  return found;
}

// Spec: poles at 16.7 and 26.5 Hz, zeros at 12.4 and 23.0 Hz.
TEST(JointResponse, HasTheResonancesOfTheThesis) {
  const auto poles = poles_of(joint_of_thesis()), zeros = zeros_of(joint_of_thesis());
  ASSERT_EQ(poles.size(), 2U);
  ASSERT_EQ(zeros.size(), 2U);
  EXPECT_NEAR(poles[0].frequency, 16.7, 0.05);
  EXPECT_NEAR(poles[1].frequency, 26.5, 0.05);
  EXPECT_NEAR(zeros[0].frequency, 12.4, 0.05);
  EXPECT_NEAR(zeros[1].frequency, 23.0, 0.05);
  for (const auto& resonance : poles) EXPECT_GT(resonance.damping, 0.0);
}

// Far below the resonances all turns as one, and a held torque sampled at the ends of its steps lags by half a step:
//   G = e^(-s h / 2) / (J s^2 + b s),   J = J_m + (M_l) / N^2,   b = b_m + b_l / N^2
TEST(JointResponse, IsThatOfARigidBodyAtLowFrequency) {
  const Joint joint = joint_of_thesis();
  const double square = joint.ratio * joint.ratio;
  const std::complex<double> s(0.0, 2.0 * 3.14159265358979 * 0.02);
  const std::complex<double> rigid =
      std::exp(-0.5 * kPeriod * s) / ((joint.motor_inertia + joint.load_inertia / square) * s * s +
                                      (joint.motor_viscous + joint.load_viscous / square) * s);
  EXPECT_LT(std::abs(SampledJoint(joint, kPeriod).gain(0.02) / rigid - 1.0), 1e-4);
}

TEST(JointResponse, HasHolesAtItsZeros) {
  const SampledJoint sampled(joint_of_thesis(), kPeriod);
  for (const auto& zero : zeros_of(joint_of_thesis())) {
    EXPECT_LT(std::abs(sampled.gain(zero.frequency)), 0.7 * std::abs(sampled.gain(zero.frequency * 0.93)));
    EXPECT_LT(std::abs(sampled.gain(zero.frequency)), 0.7 * std::abs(sampled.gain(zero.frequency * 1.07)));
  }
}

TEST(ModalFit, RecoversTheParametersOfAnExactResponse) {
  const ModalFit fit = fit_modes(response_of(joint_of_thesis(), 4.0, 36.0, 0.0), start_of_fit(), without_prior());
  EXPECT_TRUE(fit.converged);
  EXPECT_THAT(fit.undetermined(), testing::IsEmpty());
  for (const ModalParameter& parameter : fit.parameters) {
    EXPECT_NEAR(parameter.value / true_value(parameter.name), 1.0, 1e-6) << parameter.name;
  }
  EXPECT_NEAR(fit.poles[0].frequency, poles_of(joint_of_thesis())[0].frequency, 1e-5);
  EXPECT_NEAR(fit.zeros[1].damping, zeros_of(joint_of_thesis())[1].damping, 1e-7);
}

// The input may be a current: its torque constant scales the gain, and is not a free parameter.
TEST(ModalFit, TakesACurrentByItsTorqueConstant) {
  FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 36.0, 0.0);
  for (auto& gain : response.gain) gain *= 0.35;
  ModalFitOptions options = without_prior();
  options.torque_constant = 0.35;
  const ModalFit fit = fit_modes(response, start_of_fit(), options);
  EXPECT_NEAR(fit.find("transmission.stiffness")->value / 1.2e5, 1.0, 1e-6);
}

// A torque that is logged 1.3 ms late turns the phase; told so, the fit finds it beside the parameters, and without it
// charges the dampings.
TEST(ModalFit, FindsTheDelayOfItsInput) {
  FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 36.0, 0.0);
  for (std::size_t i = 0; i < response.size(); ++i)
    response.gain[i] *= std::polar(1.0, 2.0 * std::numbers::pi * response.frequency[i] * 1.3e-3);
  ModalFitOptions options = without_prior();
  options.delay_free = true;
  const ModalFit fit = fit_modes(response, start_of_fit(), options);
  EXPECT_NEAR(fit.delay, 1.3e-3, 1e-9);
  EXPECT_GT(fit.delay_budget.total(), 0.0);
  for (const ModalParameter& parameter : fit.parameters)
    EXPECT_NEAR(parameter.value / true_value(parameter.name), 1.0, 1e-5) << parameter.name;
  EXPECT_EQ(fit.covariance.rows(), static_cast<Eigen::Index>(fit.parameters.size()));
}

// 200 seeds with 3 % noise: each interval holds the truth in 95 % of them, and chi-square is its freedom.
TEST(ModalFit, HasIntervalsThatHold) {
  constexpr int kSeeds = 200;
  std::vector<int> inside(kFree.size(), 0);
  double chi_square = 0.0, freedom = 0.0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const ModalFit fit =
        fit_modes(response_of(joint_of_thesis(), 4.0, 36.0, 0.03, seed), start_of_fit(), without_prior());
    for (std::size_t j = 0; j < kFree.size(); ++j) {
      const ModalParameter& parameter = fit.parameters[j];
      if (std::abs(parameter.value - true_value(parameter.name)) < kNormal95 * parameter.std) ++inside[j];
    }
    chi_square += fit.chi_square / kSeeds;
    freedom = fit.freedom;
  }
  for (std::size_t j = 0; j < kFree.size(); ++j) {
    EXPECT_THAT(static_cast<double>(inside[j]) / kSeeds, CoversAsOften(0.95, kSeeds)) << kFree[j];
  }
  EXPECT_NEAR(chi_square / freedom, 1.0, 0.03);
}

// Deviations that were stated three times too small: the residuals tell.
TEST(ModalFit, WidensItsIntervalsWhereTheResidualsSaySo) {
  FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 36.0, 0.03);
  const double honest = fit_modes(response, start_of_fit(), without_prior()).find("transmission.stiffness")->std;
  for (double& deviation : response.relative_std) deviation /= 3.0;
  const ModalFit fit = fit_modes(response, start_of_fit(), without_prior());
  EXPECT_NEAR(fit.find("transmission.stiffness")->std / honest, 1.0, 0.25);
  EXPECT_GT(fit.chi_square, 5.0 * fit.freedom);
}

// Below the resonances neither damper moves.
TEST(ModalFit, SaysThatDampingIsNotSeenBelowTheResonances) {
  ModalFitOptions options = without_prior();
  options.prior_weight = 0.5, options.least_deviation = 0.02;
  const ModalFit fit = fit_modes(response_of(joint_of_thesis(), 2.0, 6.0, 0.01), start_of_fit(), options);
  EXPECT_THAT(fit.undetermined(), testing::IsSupersetOf({"transmission.damping", "neighbour.damping"}));
  EXPECT_FALSE(fit.find("transmission.damping")->determined);
  EXPECT_GT(fit.find("transmission.damping")->std, 0.3 * fit.find("transmission.damping")->value);
}

// What the study says of a number counts, as well as the usual prior has it or not.
TEST(ModalFit, KnowledgeIsNotTheUsualPrior) {
  ModalFitOptions options = without_prior();
  options.prior_weight = 2.0, options.least_deviation = 0.02;
  options.free = {"transmission.damping"};
  const FrequencyResponse below = response_of(joint_of_thesis(), 2.0, 4.0, 0.01);
  EXPECT_FALSE(fit_modes(below, joint_of_thesis(), options).find("transmission.damping")->determined);
  options.known = {{"transmission.damping", 1.0 / options.prior_weight}};
  EXPECT_TRUE(fit_modes(below, joint_of_thesis(), options).find("transmission.damping")->determined);
}

// A gain that scales the neighbour's angle changes its inertia, coupling, spring and damper, and nothing at the motor.
TEST(ModalFit, NamesWhatOnlyTheNeighboursAngleWouldTell) {
  ModalFitOptions options = without_prior();
  options.prior_weight = 0.5;
  options.free.emplace_back("neighbour.inertia");
  const ModalFit fit = fit_modes(response_of(joint_of_thesis(), 4.0, 36.0, 0.01), start_of_fit(), options);
  EXPECT_THAT(fit.undetermined(), testing::IsSupersetOf({"neighbour.inertia", "neighbour.coupling_inertia",
                                                         "neighbour.stiffness", "neighbour.damping"}));
  EXPECT_THAT(fit.undetermined(), testing::Not(testing::Contains("transmission.stiffness")));
}

TEST(ModalFit, RefusesNamesAndStartsThatItCannotUse) {
  const FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 36.0, 0.0);
  ModalFitOptions options = without_prior();
  options.free = {"transmission.stifness"};
  try {
    fit_modes(response, start_of_fit(), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean \"transmission.stiffness\"?"));
  }
  options.free = {"transmission.damping"};
  Joint undamped = start_of_fit();
  undamped.damping = 0.0;
  EXPECT_THROW(fit_modes(response, undamped, options), Error);
  options.highest = 3.0;
  EXPECT_THROW(fit_modes(response, start_of_fit(), options), Error);
}

// Lines whose errors come in pairs tell as much as half of them.
TEST(ModalFit, CountsLinesThatAreAlikeOnce) {
  FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 40.0, 0.03);
  const double alone = fit_modes(response, start_of_fit(), without_prior()).find("transmission.stiffness")->std;
  response.alike = 2.0;
  const double alike = fit_modes(response, start_of_fit(), without_prior()).find("transmission.stiffness")->std;
  EXPECT_NEAR(alike / alone, std::sqrt(2.0), 1e-6);
}

// As teeth that take this share of what they pass on show it, in one direction of travel.
Joint felt_through_teeth(double share) {
  Joint seen = joint_of_thesis();
  const double factor = 1.0 + share;
  seen.stiffness *= factor, seen.damping *= factor, seen.load_inertia *= factor, seen.load_viscous *= factor;
  seen.coupling_inertia *= std::sqrt(factor);
  return seen;
}

// The response is that of a softer and lighter joint, exactly: at the motor's side the reaction, times the factor.
TEST(ModalFit, TeethMakeAJointLookSofter) {
  const auto reaction = [](const Joint& joint, double frequency) {
    const double rate = 2.0 * std::numbers::pi * frequency;
    return 1.0 / SampledJoint(joint, 1e-6).gain(frequency) + joint.motor_inertia * rate * rate -
           std::complex<double>(0.0, rate * joint.motor_viscous);
  };
  for (const double frequency : {8.0, 14.0, 30.0})
    EXPECT_LT(std::abs(reaction(felt_through_teeth(-0.04), frequency) / reaction(joint_of_thesis(), frequency) - 0.96),
              1e-3)
        << frequency;
}

// One direction: what the study says of the teeth is taken, and what it does not know is in the interval.
TEST(ModalFit, TeethOfOneDirectionAreWhatIsKnownOfThem) {
  const std::vector<TravelResponse> one{{response_of(felt_through_teeth(-0.08), 4.0, 40.0, 0.005), -1.0}};
  ModalFitOptions options = without_prior();
  const auto misses = [](const ModalFit& fit, const char* name) {
    return std::abs(fit.find(name)->value - true_value(name)) / fit.find(name)->std;
  };
  const ModalFit blind = fit_modes(one, start_of_fit(), options);
  EXPECT_GT(misses(blind, "transmission.stiffness"), 3.0);
  EXPECT_FALSE(blind.teeth);
  options.teeth = {0.08, 0.0, true};
  const ModalFit told = fit_modes(one, start_of_fit(), options);
  for (const char* name : {"transmission.stiffness", "load.inertia", "neighbour.coupling_inertia"})
    EXPECT_LT(misses(told, name), 3.0) << name;
  options.teeth = {0.0, 0.05, false};
  const ModalFit wide = fit_modes(one, start_of_fit(), options);
  for (const char* name : {"transmission.stiffness", "load.inertia", "neighbour.coupling_inertia"}) {
    EXPECT_LT(misses(wide, name), 2.0) << name;
    EXPECT_TRUE(wide.find(name)->determined) << name;
    EXPECT_GT(wide.find(name)->budget.model, 4.0 * wide.find(name)->budget.noise) << name;
  }
  ASSERT_TRUE(wide.teeth);
  EXPECT_NEAR(wide.teeth->std, 0.05, 0.003);  // nothing was told of them
  EXPECT_NEAR(wide.find("motor.inertia")->std / told.find("motor.inertia")->std, 1.0, 0.05);
}

// Both directions tell their share, and the joint's numbers as if there were none.
TEST(ModalFit, TeethOfBothDirectionsAreFound) {
  const std::vector<TravelResponse> both{{response_of(felt_through_teeth(0.08), 4.0, 40.0, 0.005, 1), 1.0},
                                         {response_of(felt_through_teeth(-0.08), 4.0, 40.0, 0.005, 2), -1.0}};
  ModalFitOptions options = without_prior();
  options.teeth = {0.0, 0.05, false};
  const ModalFit fit = fit_modes(both, start_of_fit(), options);
  ASSERT_TRUE(fit.teeth);
  EXPECT_NEAR(fit.teeth->value, 0.08, 3.0 * fit.teeth->std);
  EXPECT_LT(fit.teeth->std, 0.005);
  EXPECT_NEAR(fit.find("transmission.stiffness")->value, 1.2e5, 3.0 * fit.find("transmission.stiffness")->std);
  EXPECT_LT(fit.find("transmission.stiffness")->std, 0.01 * 1.2e5);
}

// The parts of the variance add up; a torque that is known to 3 % moves inertias and stiffness by that at most.
TEST(ModalFit, SaysWhereItsUncertaintyComesFrom) {
  ModalFitOptions options = without_prior();
  options.least_deviation = 0.02;
  const FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 40.0, 0.005);
  const ModalFit exact = fit_modes(response, start_of_fit(), options);
  options.known = {{kTorqueGain, 0.03}};
  const ModalFit fit = fit_modes(response, start_of_fit(), options);
  for (const char* name : {"transmission.stiffness", "motor.inertia", "load.inertia"}) {
    const ModalParameter &p = *fit.find(name), &before = *exact.find(name);
    // A viscous friction that is known exactly tells a part of the gain.
    EXPECT_GT(p.budget.inputs / p.value, 0.01) << name;
    EXPECT_LT(p.budget.inputs / p.value, 0.0301) << name;
    EXPECT_NEAR(p.std, std::hypot(p.budget.noise, p.budget.inputs, p.budget.model), 1e-9 * p.value) << name;
    EXPECT_NEAR(p.budget.noise, before.budget.noise, 1e-6 * p.value) << name;
    EXPECT_EQ(before.budget.inputs, 0.0) << name;
    // Lines that are stated to half a per cent are trusted to two.
    EXPECT_NEAR(before.budget.noise / before.std, 0.25, 0.02) << name;
  }
}

// A hand that swings at 45 Hz, a tenth of the link's inertia: up to 36 Hz it acts as an inertia that grows, and makes
// the joint look softer. Where that is thought of, to first order, by less, and the deviation knows.
TEST(ModalFit, ThinksOfModesAboveTheBand) {
  FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 36.0, 0.005);
  for (std::size_t i = 0; i < response.size(); ++i) {
    const double square = std::pow(response.frequency[i] / 45.0, 2);
    Joint heavier = joint_of_thesis();
    heavier.load_inertia *= 1.0 + 0.1 * square / (1.0 - square);
    response.gain[i] *= SampledJoint(heavier, kPeriod).gain(response.frequency[i]) /
                        SampledJoint(joint_of_thesis(), kPeriod).gain(response.frequency[i]);
  }
  ModalFitOptions options = without_prior();
  options.least_deviation = 0.02;
  const ModalFit blind = fit_modes(response, start_of_fit(), options);
  options.modes_above = 0.1;
  const ModalFit fit = fit_modes(response, start_of_fit(), options);
  const auto off = [](const ModalFit& each) { return std::abs(each.find("transmission.stiffness")->value - 1.2e5); };
  EXPECT_LT(off(fit), 0.7 * off(blind));
  EXPECT_LT(off(fit), 2.0 * fit.find("transmission.stiffness")->std);
}

// Deviations that were stated seven times too large, as coherence does with what a window mixes: the residuals tell the
// true ones, and the intervals hold as often as they say.
TEST(ModalFit, TakesItsDeviationsFromTheResiduals) {
  constexpr int kSeeds = 60;
  ModalFitOptions options = without_prior();
  options.deviation_by_residuals = true;
  int inside = 0;
  double std = 0.0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 36.0, 0.003, seed);
    for (double& deviation : response.relative_std) deviation = 0.02;
    const ModalFit fit = fit_modes(response, start_of_fit(), options);
    const ModalParameter& found = *fit.find("transmission.stiffness");
    inside += std::abs(found.value - 1.2e5) < kNormal95 * found.std;
    std += found.std / kSeeds;
  }
  const double honest = fit_modes(response_of(joint_of_thesis(), 4.0, 36.0, 0.003), start_of_fit(), without_prior())
                            .find("transmission.stiffness")
                            ->std;
  EXPECT_NEAR(std / honest, 1.0, 0.3);
  EXPECT_THAT(static_cast<double>(inside) / kSeeds, CoversAsOften(0.95, kSeeds));
}

// Lines without modes above them make them unlikely: what these could do widens less, and the resonances not at all.
TEST(ModalFit, ModesAboveCountAsMuchAsTheyAreLikely) {
  ModalFitOptions options = without_prior();
  options.deviation_by_residuals = true;
  const FrequencyResponse response = response_of(joint_of_thesis(), 4.0, 36.0, 1e-3);
  const ModalFit without = fit_modes(response, start_of_fit(), options);
  options.modes_above = 0.1, options.modes_at = 1.5;
  const ModalFit with = fit_modes(response, start_of_fit(), options);
  const auto std = [](const ModalFit& fit) { return fit.find("transmission.stiffness")->std; };
  EXPECT_GT(std(with), std(without));
  EXPECT_LT(std(with), 0.005 * 1.2e5);
  EXPECT_LT(std::abs(with.find("transmission.stiffness")->value - 1.2e5), 2.0 * std(with));
  EXPECT_LT(with.pole_std[0].frequency, 1.3 * without.pole_std[0].frequency);
}

}  // namespace
}  // namespace tauhat
