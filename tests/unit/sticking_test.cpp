// An axis whose law's parameters are estimated along: its Jacobian, and its step, against slower ways to the same.
#include "tauhat/core/models/sticking.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"
#include "tauhat/core/friction/asymmetric.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/hyperbolic.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/core/unknowns/constants.hpp"

namespace tauhat {
namespace {

// A law and the number of its parameters. All of axis and law are estimated along.
template <template <class> class Law, int LawParameters>
struct AnyLaw {
  using Axle = AxisWithFriction<double, Law>;
  static constexpr int kParameters = 6 + LawParameters;
  using Estimated = Augmented<Axle, Constants<kParameters>>;

  static Estimated example(double width) {
    Estimated model;
    int index = 0;
    Axle::visit_parameters(model.model, [&](const ParameterInfo& info, double& value) {
      value = info.name == "width" ? width : 0.3 + 0.1 * index;
      model.parameter[static_cast<std::size_t>(index)] = index;
      ++index;
    });
    EXPECT_EQ(index, kParameters);
    model.model.axis.mass = 0.5;
    model.model.axis.noise << 0.0, 1e-4;
    return model;
  }

  static StateOf<Estimated> state(double velocity, Draw& draw) {
    StateOf<Estimated> x;
    x << draw.between(-2.0, 2.0), velocity, Vector<double, kParameters>::Ones();
    for (int i = 0; i < kParameters; ++i) x[Estimated::kFirst + i] = draw.between(0.8, 1.2);
    return x;
  }
};

template <class L>
class SelfTuningAxis : public testing::Test {};
using Laws = testing::Types<AnyLaw<CoulombTanh, 3>, AnyLaw<Stribeck, 5>, AnyLaw<Exponential, 5>, AnyLaw<Hyperbolic, 5>,
                            AnyLaw<AsymmetricCoulomb, 6>>;
TYPED_TEST_SUITE(SelfTuningAxis, Laws);

TYPED_TEST(SelfTuningAxis, HasTheJacobianOfItsDerivative) {
  using Estimated = typename TypeParam::Estimated;
  static_assert(HasAnalyticJacobian<Estimated>);
  Draw draw(1);
  for (const double velocity : {-3.0, -0.4, -0.02, 0.02, 0.4, 3.0}) {
    const Estimated model = TypeParam::example(0.05);
    const auto x = TypeParam::state(velocity, draw);
    const Vector<double, 1> force(draw.between(-1.0, 1.0));
    const auto analytic = linearise(model, x, force), automatic = linearise_automatically(model, x, force);
    // The same sums, in another order.
    const double rounding = 1e-14 * automatic.by_state.norm();
    EXPECT_LT((analytic.by_state - automatic.by_state).norm(), rounding) << velocity;
    EXPECT_LT((analytic.by_input - automatic.by_input).norm(), rounding) << velocity;
    EXPECT_LT((analytic.derivative - automatic.derivative).norm(), rounding) << velocity;
  }
}

// Far from standstill neither a hard sign nor a narrow one needs the sub-steps that its steepest slope would ask for:
// mean and covariance are those of 32 of them.
TYPED_TEST(SelfTuningAxis, NeedsNoSubStepsAtSpeed) {
  using Estimated = typename TypeParam::Estimated;
  constexpr double kInterval = 1e-3;
  Draw draw(2);
  for (const double width : {0.0, 1e-4}) {
    for (const double velocity : {-3.0, -0.5, 0.5, 3.0}) {
      const Sticking<Estimated> model{TypeParam::example(width)};
      const auto x = TypeParam::state(velocity, draw);
      const Vector<double, 1> force(draw.between(-1.0, 1.0));
      const auto step = model.step(x, force, kInterval);
      Matrix<double, Estimated::kStates> jacobian = Matrix<double, Estimated::kStates>::Zero();
      StateOf<Estimated> mean = x;
      constexpr int kSubsteps = propagate_detail::kMaxSubsteps;
      for (int i = 0; i < kSubsteps; ++i)
        mean = runge_kutta_step(model.model, mean, force, kInterval / kSubsteps, jacobian);
      const Matrix<double, Estimated::kStates> average = jacobian / kSubsteps;
      const auto exact = discretise<double, Estimated::kStates>(average, model.spectral_density(), kInterval);
      // Rates reach 10/s: Runge and Kutta leave (rate dt)^4 / 120 of the change, the Jacobian in the middle (rate dt)^2
      // / 24 of that averaged over the way.
      EXPECT_LT((step.mean - mean).norm(), 1e-7 * (mean - x).norm()) << width << " at " << velocity;
      EXPECT_LT((step.step.transition - exact.transition).norm(),
                1e-4 * (exact.transition - decltype(exact.transition)::Identity()).norm());
      EXPECT_LT((step.step.noise - exact.noise).norm(), 1e-4 * exact.noise.norm());
    }
  }
}

}  // namespace
}  // namespace tauhat
