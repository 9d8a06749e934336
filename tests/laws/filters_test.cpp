// What every filter obeys, on linear models of all sizes, in double and in float: the exact step isolates its algebra.
#include <gtest/gtest.h>

#include "support/differences.hpp"
#include "support/kalman_reference.hpp"
#include "support/linear_model.hpp"
#include "support/random.hpp"
#include "tauhat/core/filters/ekf.hpp"

namespace tauhat {
namespace {

template <class Number, int Size>
struct Of {
  using T = Number;
  static constexpr int kSize = Size;
  static constexpr double kTolerance = sizeof(T) == 8 ? 1e-12 : 2e-4;
};

template <class Case>
struct Filters : testing::Test {
  using Number = typename Case::T;
  static constexpr int kSize = Case::kSize;
  using Model = ExactLinearModel<Number, kSize>;
  static constexpr double kInterval = 0.125;

  Draw draw{41};
  const Model model{drawn_model(draw), Number(kInterval)};
  const Gaussian<Number, kSize> prior{draw.matrix<Number, kSize>(), draw.covariance<Number, kSize>()};
  Ekf<Model> filter{model, prior};
  KalmanReference reference{prior.mean.template cast<double>(), prior.covariance().template cast<double>()};

  static LinearModel<Number, kSize> drawn_model(Draw& draw) {
    LinearModel<Number, kSize> drawn;
    drawn.a = stable_matrix<Number, kSize>(draw);
    drawn.b = draw.matrix<Number, kSize>();
    drawn.c = draw.matrix<Number, 2, kSize>();
    drawn.density = draw.matrix<Number, kSize>().cwiseAbs();
    return drawn;
  }
  // One instant for the filter and for the reference: both sensors, then the step.
  void advance() {
    const Vector<Number, 2> z = draw.matrix<Number, 2>();
    const Number u = static_cast<Number>(draw.normal());
    for (int i = 0; i < 2; ++i) filter.correct({i, z[i], Number(0.5)});
    filter.predict(Vector<Number, 1>(u), Number(kInterval));
    reference.correct(model.c.template cast<double>(), 0.5 * Eigen::MatrixXd::Identity(2, 2), z.template cast<double>());
    reference.predict(model.discrete.transition.topRows(kSize).template cast<double>(),
                      (model.response * u).template cast<double>(),
                      model.discrete.noise.topRows(kSize).template cast<double>());
  }
};
using Cases = testing::Types<Of<double, 1>, Of<double, 2>, Of<double, 4>, Of<double, 5>, Of<double, 7>, Of<double, 8>,
                             Of<float, 2>, Of<float, 5>, Of<float, 9>>;
TYPED_TEST_SUITE(Filters, Cases);

TYPED_TEST(Filters, AreKalmanFiltersOfLinearModels) {
  for (int k = 0; k < 200; ++k) {
    this->advance();
    const auto& belief = this->filter.belief();
    ASSERT_LT(deviation(belief.mean.template cast<double>(), this->reference.mean, this->reference.covariance),
              TypeParam::kTolerance);
    ASSERT_LT(scaled_difference(belief.covariance(), this->reference.covariance.template cast<typename TypeParam::T>()),
              TypeParam::kTolerance);
  }
}

TYPED_TEST(Filters, KeepTheCovarianceSymmetricAndDefinite) {
  for (int k = 0; k < 500; ++k) {
    this->advance();
    const auto& belief = this->filter.belief();
    ASSERT_TRUE(belief.covariance() == belief.covariance().transpose().eval()) << k;  // to the last bit
    ASSERT_TRUE(is_definite(belief)) << k;
  }
}

TYPED_TEST(Filters, KeepThePaddingZero) {
  for (int k = 0; k < 100; ++k) this->advance();
  const auto& padded = this->filter.belief().padded_covariance;
  EXPECT_TRUE(padded.bottomRows(padded.rows() - padded.cols()).isZero(0));
}

// A correction never adds variance, whatever it says.
TYPED_TEST(Filters, LoseVarianceByCorrection) {
  using T = typename TypeParam::T;
  for (int k = 0; k < 50; ++k) {
    this->advance();
    const auto before = this->filter.belief();
    this->filter.correct({k % 2, static_cast<T>(this->draw.normal()), T(0.1)});
    const auto lost = (before.covariance().diagonal() - this->filter.belief().covariance().diagonal()).eval();
    EXPECT_GE(lost.minCoeff(), -4 * std::numeric_limits<T>::epsilon() * before.covariance().diagonal().maxCoeff());
  }
}

// Two runs give the same bytes.
TYPED_TEST(Filters, AreReproducible) {
  struct : TestFixture { void TestBody() override {} } other;
  for (int k = 0; k < 100; ++k) this->advance(), other.advance();
  EXPECT_TRUE(this->filter.belief().mean == other.filter.belief().mean);
  EXPECT_TRUE(this->filter.belief().padded_covariance == other.filter.belief().padded_covariance);
}

}  // namespace
}  // namespace tauhat
