// Poles: said, found and placed.
#include "tauhat/core/linear/pole_placement.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/elastic_axis.hpp"
#include "support/random.hpp"

namespace tauhat {
namespace {

using namespace elastic_axis;
using Complex = std::complex<double>;

TEST(Poles, AreSaidByFrequencyAndDamping) {
  const auto poles = ContinuousPoles<double, 5>().pair(40.0, 0.9).real(10.0).pair(20.0, 1.25);
  EXPECT_TRUE(poles.check(kPeriod).fine());
  const auto z = poles.sampled(kPeriod);
  EXPECT_NEAR(mode_of(z[0], kPeriod).frequency, 40.0, 1e-9);
  EXPECT_NEAR(mode_of(z[1], kPeriod).damping, 0.9, 1e-12);
  EXPECT_NEAR(mode_of(z[2], kPeriod).frequency, 10.0, 1e-9);
  EXPECT_EQ(z[2].imag(), 0.0);
  // (s + 2 w)(s + w / 2): damping 1.25
  EXPECT_NEAR(mode_of(z[3], kPeriod).frequency, 10.0, 1e-9);
  EXPECT_NEAR(mode_of(z[4], kPeriod).frequency, 40.0, 1e-9);
  EXPECT_TRUE((check_poles<double, 5>(z).fine()));
}

TEST(Poles, ThatASampledObserverCannotHaveAreNamed) {
  using P = ContinuousPoles<double, 3>;
  const auto expect = [](const PoleCheck& found, PoleFault fault, int index) {
    EXPECT_EQ(found.fault, fault);
    EXPECT_EQ(found.index, index);
  };
  expect(P().pair(40.0, 0.9).check(kPeriod), PoleFault::missing, 2);
  expect(P().pair(40.0, 0.9).real(1300.0).check(kPeriod), PoleFault::beyond_nyquist, 2);
  expect(P().real(10.0).pair(1250.0, 0.1).check(kPeriod), PoleFault::beyond_nyquist, 1);
  expect(P().pair(40.0, 0.9).real(-1.0).check(kPeriod), PoleFault::not_stable, 2);
  expect(P().real(1.0).pair(40.0, -0.1).check(kPeriod), PoleFault::not_stable, 1);
  expect(P().pair(40.0, 0.9).real(std::nan("")).check(kPeriod), PoleFault::not_finite, 2);
  const auto of = [](Complex a, Complex b, Complex c) { return check_poles<double, 3>(Poles<double, 3>(a, b, c)); };
  expect(of(0.5, Complex(0.5, 0.1), Complex(0.5, -0.1)), PoleFault::none, -1);
  expect(of(0.5, 1.0, 0.2), PoleFault::not_stable, 1);
  expect(of(Complex(0.5, 0.1), 0.3, Complex(0.5, 0.1)), PoleFault::without_conjugate, 0);
  expect(of(0.1, 0.3, Complex(0.5, 0.1)), PoleFault::without_conjugate, 2);
  expect(of(0.1, std::nan(""), 0.0), PoleFault::not_finite, 1);
}

// T diag(...) T^-1 with known eigenvalues, T drawn.
TEST(Spectrum, FindsEigenvaluesThatAreKnown) {
  Draw draw(3);
  for (int run = 0; run < 200; ++run) {
    Matrix<double, 6> d = Matrix<double, 6>::Zero();
    Poles<double, 6> known;
    for (int i = 0; i < 6; i += 2) {
      const double x = draw.normal(), y = draw.normal();
      if (run % 2 == 0) {
        d.block<2, 2>(i, i) << x, y, -y, x;
        known.segment<2>(i) << Complex(x, y), Complex(x, -y);
      } else {
        d(i, i) = x, d(i + 1, i + 1) = y;
        known.segment<2>(i) << x, y;
      }
    }
    const Matrix<double, 6> t = draw.matrix<double, 6, 6>();
    const Matrix<double, 6> inverse = t.inverse();
    const double condition = t.norm() * inverse.norm();
    const Matrix<double, 6> a = t * d * inverse;
    EXPECT_LT((largest_distance<double, 6>(known, eigenvalues<double, 6>(a))), 1e-14 * condition * condition) << run;
  }
}

// The iteration's own shifts leave a permutation as it is: its eigenvalues are roots of one.
TEST(Spectrum, FindsTheRootsOfOne) {
  Matrix<double, 5> a = Matrix<double, 5>::Zero();
  for (int i = 0; i < 5; ++i) a((i + 1) % 5, i) = 1.0;
  Poles<double, 5> known;
  for (int i = 0; i < 5; ++i) known[i] = std::polar(1.0, 2.0 * std::numbers::pi * i / 5);
  EXPECT_LT((largest_distance<double, 5>(known, eigenvalues<double, 5>(a))), 1e-14);
  EXPECT_FALSE((std::isfinite(spectral_radius<double, 5>(a / 0.0))));
}

// Motor radians and newton metres in one matrix: balanced, small eigenvalues are as good as large ones.
TEST(Spectrum, ScalesDoNotMatter) {
  Draw draw(5);
  const Matrix<double, 5> a = draw.matrix<double, 5, 5>();
  const Vector<double, 5> scales(1e-6, 1e5, 1.0, 1e3, 1e-2);
  const Poles<double, 5> plain = eigenvalues<double, 5>(a), far = eigenvalues<double, 5>(scaled<double, 5>(a, scales));
  EXPECT_LT((largest_distance<double, 5>(plain, far)), 1e-12);
}

template <int N>
void expect_placed(const elastic_axis::Axis<N>& axis, const Poles<double, N>& poles) {
  const auto placed = place_poles<double, N>(axis.a, axis.c, poles);
  EXPECT_TRUE(placed.placed());
  EXPECT_LT(placed.error, 1e-10);  // the figure of the comparison is 1e-8
  // Looked at in z, without the help of A - I.
  const Matrix<double, N> closed = axis.a - placed.gain * axis.c;
  EXPECT_LT((largest_distance<double, N>(poles, eigenvalues<double, N>(closed))), 1e-9);
}

TEST(Placement, OfTheElasticAxisIsExact) {
  const auto at = [](auto poles) { return poles.sampled(kPeriod); };
  expect_placed<4>(four(), at(ContinuousPoles<double, 4>().pair(500.0, 0.9).pair(600.0, 0.9)));
  expect_placed<5>(five(), at(ContinuousPoles<double, 5>().pair(200.0, 0.9).pair(300.0, 0.9).real(1000.0)));
  expect_placed<6>(six(), six_poles(40.0, 80.0, 100.0));
  expect_placed<6>(six(), six_poles(200.0, 250.0, 300.0));
  expect_placed<7>(seven(),
                   at(ContinuousPoles<double, 7>().pair(200.0, 0.9).pair(250.0, 0.9).pair(300.0, 0.9).real(100.0)));
  expect_placed<7>(six_and_disturbance(),
                   at(ContinuousPoles<double, 7>().pair(40.0, 0.9).pair(80.0, 0.9).pair(100.0, 0.9).real(10.0)));
}

// The gain that another program found (Ackermann's formula in more digits).
TEST(Placement, GivesThePublishedGain) {
  const auto axis = six();
  const auto placed = place_poles<double, 6>(axis.a, axis.c, six_poles(40.0, 80.0, 100.0));
  const Vector<double, 6> published(68.1174, -5.44319, 775.617, 0.231023, 2.88575, 0.906997);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(placed.gain[i] / published[i], 1.0, 1e-5) << i;
}

// Two integrators by hand: (z - 1)^2 + l1 (z - 1) + h l2 = (z - p)^2, twice the same pole.
TEST(Placement, OfAMassIsTheQuadratic) {
  Matrix<double, 2> a;
  const double h = 1e-3, p = 0.9;
  a << 1.0, h, 0.0, 1.0;
  const auto placed = place_poles<double, 2>(a, Matrix<double, 1, 2>(1.0, 0.0), Poles<double, 2>(p, p));
  EXPECT_TRUE(placed.placed());
  EXPECT_NEAR(placed.gain[0], 2.0 * (1.0 - p), 1e-14);
  EXPECT_NEAR(placed.gain[1], (1.0 - p) * (1.0 - p) / h, 1e-11);
}

TEST(Placement, SaysWhyThereIsNone) {
  const auto axis = six();
  Poles<double, 6> poles = six_poles(40.0, 80.0, 100.0);
  EXPECT_EQ((place_poles<double, 6>(axis.a, Matrix<double, 1, 6>::Zero(), poles).status),
            PlacementStatus::not_observable);
  EXPECT_EQ((place_poles<double, 6>(axis.a / 0.0, axis.c, poles).status), PlacementStatus::model_not_finite);
  poles[3] = 0.3;
  const auto refused = place_poles<double, 6>(axis.a, axis.c, poles);
  EXPECT_EQ(refused.status, PlacementStatus::poles_at_fault);
  EXPECT_EQ(refused.poles.index, 2);
  const auto too_many = six_and_two_integrators();
  const auto eight = ContinuousPoles<double, 8>().pair(40, 0.9).pair(80, 0.9).pair(100, 0.9).real(10).real(20);
  EXPECT_EQ((place_poles<double, 8>(too_many.a, too_many.c, eight.sampled(kPeriod)).status),
            PlacementStatus::not_observable);
}

TEST(Placement, InFloat) {
  const auto axis = four();
  const auto poles = ContinuousPoles<float, 4>().pair(50.0F, 0.9F).pair(60.0F, 0.9F).sampled(float(kPeriod));
  const auto placed = place_poles<float, 4>(axis.a.cast<float>(), axis.c.cast<float>(), poles);
  EXPECT_TRUE(placed.placed());
  EXPECT_LT(placed.error, 1e-3F);
}

}  // namespace
}  // namespace tauhat
