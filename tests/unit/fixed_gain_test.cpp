// Observers with a fixed gain, step by step, and the disturbance at their input.
#include "tauhat/core/observers/fixed_gain.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/elastic_axis.hpp"
#include "support/random.hpp"
#include "tauhat/core/linear/pole_placement.hpp"
#include "tauhat/core/observers/disturbance_observer.hpp"

namespace tauhat {
namespace {

using namespace elastic_axis;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

static_assert(Observer<FixedGainObserver<float, 4, 1, 2>>);
static_assert(Observer<DisturbanceObserver<6, 1>>);

template <class T>
class FixedGain : public testing::Test {
 protected:
  static constexpr int kN = 5, kInputs = 2, kOutputs = 3;
  using O = FixedGainObserver<T, kN, kInputs, kOutputs>;

  O observer(ObserverForm form) { return {a, b, c, form, gain}; }

  Draw draw{21};
  Matrix<T, kN> a = draw.matrix<T, kN, kN>() * T(0.2);
  Matrix<T, kN, kInputs> b = draw.matrix<T, kN, kInputs>();
  Matrix<T, kOutputs, kN> c = draw.matrix<T, kOutputs, kN>();
  Matrix<T, kN, kOutputs> gain = draw.matrix<T, kN, kOutputs>() * T(0.1);
  const double tolerance = 100.0 * static_cast<double>(std::numeric_limits<T>::epsilon());
};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(FixedGain, Scalars);

// Both forms against their equations, with every sort of gap in what is measured and commanded.
TYPED_TEST(FixedGain, IsItsEquations) {
  using F = FixedGain<TypeParam>;
  for (const ObserverForm form : {ObserverForm::predictor, ObserverForm::filter}) {
    auto observer = this->observer(form);
    Vector<TypeParam, F::kN> x = this->draw.template matrix<TypeParam, F::kN, 1>();
    Vector<TypeParam, F::kInputs> acting = Vector<TypeParam, F::kInputs>::Zero();
    observer.start(x);
    for (int k = 0; k < 200; ++k) {
      Vector<TypeParam, F::kInputs> u = this->draw.template matrix<TypeParam, F::kInputs, 1>();
      Vector<TypeParam, F::kOutputs> y = this->draw.template matrix<TypeParam, F::kOutputs, 1>();
      if (k % 5 == 1) y[k % 3] = TypeParam(kMissing);
      if (k % 7 == 1) u[k % 2] = TypeParam(k % 14 == 1 ? kMissing : std::numeric_limits<double>::infinity());
      Vector<TypeParam, F::kOutputs> e = y - this->c * x;
      for (auto& each : e) each = std::isnan(each) ? TypeParam(0) : each;
      for (int i = 0; i < F::kInputs; ++i) acting[i] = std::isfinite(u[i]) ? u[i] : acting[i];
      const Vector<TypeParam, F::kN> now = form == ObserverForm::filter ? (x + this->gain * e).eval() : x;
      if (form == ObserverForm::filter) {
        x = (this->a * now + this->b * acting).eval();
      } else {
        x = (this->a * x + this->b * acting + this->gain * e).eval();
      }
      const auto estimate = observer.step(u, y);
      ASSERT_LT((estimate - now).norm(), this->tolerance * (1.0 + static_cast<double>(now.norm()))) << k;
      ASSERT_LT((observer.state() - x).norm(), this->tolerance * (1.0 + static_cast<double>(x.norm()))) << k;
      ASSERT_LT((observer.innovation() - e).norm(), this->tolerance * 10.0) << k;
    }
  }
}

// After another pose is set the observer is the one that was built there, with the form's gain or with a new one.
TYPED_TEST(FixedGain, IsRescheduled) {
  using F = FixedGain<TypeParam>;
  for (const ObserverForm form : {ObserverForm::predictor, ObserverForm::filter}) {
    auto kept = this->observer(form), given = this->observer(form);
    const Vector<TypeParam, F::kN> x = this->draw.template matrix<TypeParam, F::kN, 1>();
    const decltype(this->a) new_a = this->a * TypeParam(1.1);
    const decltype(this->b) new_b = this->b * TypeParam(0.7);
    const decltype(this->gain) new_gain = this->gain * TypeParam(1.5);
    kept.start(x), given.start(x);
    kept.reschedule(new_a, new_b), given.reschedule(new_a, new_b, new_gain);
    typename F::O there(new_a, new_b, this->c, form, this->gain), with_gain(new_a, new_b, this->c, form, new_gain);
    there.start(x), with_gain.start(x);
    const Vector<TypeParam, F::kInputs> u(TypeParam(1), TypeParam(-2));
    const Vector<TypeParam, F::kOutputs> y(TypeParam(0.5), TypeParam(0.1), TypeParam(3));
    for (auto* each : {&kept, &given, &there, &with_gain}) each->step(u, y), each->step(u, y);
    EXPECT_EQ(kept.state(), there.state());
    EXPECT_EQ(given.state(), with_gain.state());
    EXPECT_NE(kept.state(), given.state());
  }
}

// A row is missing, so that the next one comes after two periods: the model of two is set between correct and predict,
// and the state is that of two steps of which the second sees nothing.
TYPED_TEST(FixedGain, BridgesAGap) {
  using F = FixedGain<TypeParam>;
  auto at_once = this->observer(ObserverForm::filter), in_steps = this->observer(ObserverForm::filter);
  const Vector<TypeParam, F::kN> x = this->draw.template matrix<TypeParam, F::kN, 1>();
  const Vector<TypeParam, F::kInputs> u(TypeParam(1), TypeParam(-2));
  const Vector<TypeParam, F::kOutputs> y(TypeParam(0.5), TypeParam(0.1), TypeParam(3)),
      missing = y * std::numeric_limits<TypeParam>::quiet_NaN();
  const decltype(this->a) twice = this->a * this->a;
  const decltype(this->b) by_input = this->a * this->b + this->b;
  at_once.start(x), in_steps.start(x);
  in_steps.step(u, y), in_steps.step(u, missing);
  at_once.correct(y);
  at_once.reschedule(twice, by_input);
  at_once.predict(u);
  EXPECT_LT((at_once.state() - in_steps.state()).norm(), this->tolerance * in_steps.state().norm());
}

// An error decays with the placed poles: below a billionth after as many time constants of the slowest, 36 / (2 pi 40).
TEST(FixedGainOfTheAxis, ForgetsItsStart) {
  const auto axis = six();
  const auto placed = place_poles<double, 6>(axis.a, axis.c, six_poles(40.0, 80.0, 100.0));
  FixedGainObserver<double, 6, 1, 1> observer(axis.a, axis.b, axis.c, ObserverForm::predictor, placed.gain);
  Vector<double, 6> x = Vector<double, 6>::Constant(0.1);
  observer.start(Vector<double, 6>::Zero());
  for (int k = 0; k < 400; ++k) {
    const Vector<double, 1> u(std::sin(0.01 * k));
    observer.step(u, axis.c * x);
    x = (axis.a * x + axis.b * u).eval();
  }
  EXPECT_LT((observer.state() - x).cwiseAbs().maxCoeff(), 1e-9);
}

// Friction that reverses, found by four observers.
std::vector<double> found_by(const Vector<double, 6>& gain, ObserverForm form = ObserverForm::predictor) {
  const auto axis = six();
  const Vector<double, 6> predictor = form == ObserverForm::filter ? Vector<double, 6>(axis.a * gain) : gain;
  const auto design = design_disturbance_observer<6>(axis.a, axis.b, axis.c, predictor, kPeriod);
  EXPECT_TRUE(design.designed());
  DisturbanceObserver<6, 1> observer({axis.a, axis.b, axis.c, form, gain}, design);
  Vector<double, 6> x = Vector<double, 6>::Zero();
  std::vector<double> found;
  for (int k = 0; k < 10000; ++k) {
    const double u = std::sin(0.02 * k), d = k < 6000 ? std::copysign(1.0, std::sin(0.003 * k)) : -2.0;
    observer.step(Vector<double, 1>(u), axis.c * x);
    found.push_back(observer.disturbance());
    x = (axis.a * x + axis.b * (u - d)).eval();
  }
  EXPECT_NEAR(found.back(), -2.0, 1e-9);
  EXPECT_LT((observer.state() - x).cwiseAbs().maxCoeff(), 1e-5);  // the filter's slowest pole takes 0.13 s
  return found;
}
TEST(DisturbanceObserver, DoesNotDependOnTheGain) {
  const auto axis = six();
  const Vector<double, 6> low = place_poles<double, 6>(axis.a, axis.c, six_poles(40.0, 80.0, 100.0)).gain;
  const Vector<double, 6> high = place_poles<double, 6>(axis.a, axis.c, six_poles(200.0, 250.0, 300.0)).gain;
  const Vector<double, 6> filter(5.43777e-3, -0.0618384, 1.6098, 1.28472e-4, 6.47032e-5, 1.00159);  // A K, published
  const Vector<double, 6> k = axis.a.partialPivLu().solve(filter);
  const std::vector<double> reference = found_by(low);
  for (const auto& other : {found_by(high), found_by(filter), found_by(k, ObserverForm::filter)}) {
    double largest = 0.0;
    for (std::size_t i = 0; i < other.size(); ++i) largest = std::max(largest, std::abs(other[i] - reference[i]));
    EXPECT_LT(largest, 1e-8);  // the figure of the comparison is 1e-4 A
  }
}

// d_hat = s0 B / Am d at any frequency, from determinants rather than coefficients.
TEST(DisturbanceObserver, HasTheTransferFunctionThatWasAsked) {
  const auto axis = six();
  const Vector<double, 6> gain = place_poles<double, 6>(axis.a, axis.c, six_poles(40.0, 80.0, 100.0)).gain;
  const auto design = design_disturbance_observer<6>(axis.a, axis.b, axis.c, gain, kPeriod);
  const auto over_am = [&](std::complex<double> z) {  // B / Am
    const Matrix<std::complex<double>, 6> m =
        z * Matrix<double, 6>::Identity() - (axis.a - gain * axis.c).cast<std::complex<double>>();
    std::complex<double> value =
        (axis.c.cast<std::complex<double>>() * m.inverse() * axis.b.cast<std::complex<double>>())(0, 0) *
        m.determinant();
    for (const auto& pole : design.assigned) value /= z - pole;
    return value;
  };
  for (const double frequency : {2.0, 18.0, 60.0}) {
    const double w = 2.0 * std::numbers::pi * frequency * kPeriod;
    const std::complex<double> expected = over_am(std::polar(1.0, w)) / over_am(1.0);
    DisturbanceObserver<6, 1> observer({axis.a, axis.b, axis.c, ObserverForm::predictor, gain}, design);
    Vector<double, 6> x = Vector<double, 6>::Zero();
    double largest = 0.0;
    for (int k = 0; k < 8000; ++k) {
      observer.step(Vector<double, 1>(0.0), axis.c * x);
      const double answer = (expected * std::polar(1.0, w * k)).real();
      if (k > 4000) largest = std::max(largest, std::abs(observer.disturbance() - answer));
      x = (axis.a * x - axis.b * std::cos(w * k)).eval();
    }
    EXPECT_LT(largest, 1e-6) << frequency;
  }
  EXPECT_NEAR(std::abs(mode_of(design.assigned[0], kPeriod).frequency), 10.0, 1e-9);
}

template <int N>
DisturbanceDesign<N> design_of(const elastic_axis::Axis<N>& axis, const DisturbancePoles& poles = {}) {
  return design_disturbance_observer<N>(axis.a, axis.b, axis.c, Vector<double, N>::Zero(), kPeriod, poles);
}
// A model with an integrator of its own leaves nothing to find.
TEST(DisturbanceObserver, IsRefusedAroundAnIntegrator) {
  EXPECT_EQ(design_of(five()).status, DisturbanceStatus::model_integrates);
  EXPECT_LT(design_of(five()).response_at_rest, 1e-11);
  EXPECT_EQ(design_of(seven()).status, DisturbanceStatus::model_integrates);
  EXPECT_EQ(design_of(six_and_two_integrators()).status, DisturbanceStatus::model_integrates);
  EXPECT_TRUE(design_of(four()).designed());
  EXPECT_NEAR(design_of(four()).response_at_rest, 2.6e-3, 1e-4);  // published
  EXPECT_TRUE(design_of(six()).designed());
  EXPECT_EQ(design_of(six(), {.fast = 1300.0}).status, DisturbanceStatus::poles_at_fault);
}

}  // namespace
}  // namespace tauhat
