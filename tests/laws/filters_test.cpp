// What every filter obeys, on linear models of all sizes, in double and in float.
#include <gtest/gtest.h>

#include "support/any_filter.hpp"
#include "support/differences.hpp"
#include "support/kalman_reference.hpp"
#include "support/named.hpp"

namespace tauhat {
namespace {

struct Case : Named {
  int states;
  double tolerance, rounding;
  std::unique_ptr<AnyFilter> (*make)(const DenseDrive&, const Eigen::VectorXd&, const Eigen::MatrixXd&);
};

template <class T, int N>
Case ekf(const char* name) {
  const double rounding = static_cast<double>(std::numeric_limits<T>::epsilon());
  return {{name},
          N,
          sizeof(T) == 8 ? 1e-12 : 1e-4,
          rounding,
          [](const DenseDrive& drive, const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance) {
            return std::unique_ptr<AnyFilter>(new EkfBehindTheFace<T, N>(drive, mean, covariance));
          }};
}

// A filter and the textbook's beside it, on the same samples.
class Race {
 public:
  explicit Race(const Case& tested) : n_(tested.states) {
    const Eigen::MatrixXd root = drawn(n_, n_);
    reference_ = {drawn(n_, 1), root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n_, n_)};
    filter_ = tested.make(drive_, reference_.mean, reference_.covariance);
  }
  // One instant: both sensors, then the step.
  void advance() {
    const Eigen::VectorXd z = drawn(2, 1);
    const double u = draw_.normal();
    for (int i = 0; i < 2; ++i) filter_->correct(i, z[i], 0.5);
    filter_->predict(u);
    reference_.correct(drive_.sensors, 0.5 * Eigen::MatrixXd::Identity(2, 2), z);
    reference_.predict(drive_.transition, drive_.response * u, drive_.noise);
  }
  AnyFilter& filter() { return *filter_; }
  const KalmanReference& reference() const { return reference_; }
  double normal() { return draw_.normal(); }

 private:
  Eigen::MatrixXd drawn(int rows, int columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [this](Eigen::Index, Eigen::Index) { return draw_.normal(); });
  }
  int n_;
  Draw draw_{41};
  DenseDrive drive_ = DenseDrive::drawn(n_, 0.1, draw_);
  KalmanReference reference_;
  std::unique_ptr<AnyFilter> filter_;
};

struct Filters : testing::TestWithParam<Case> {
  Race race{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(All, Filters,
                         testing::Values(ekf<double, 1>("ekf_double1"), ekf<double, 4>("ekf_double4"),
                                         ekf<double, 5>("ekf_double5"), ekf<double, 8>("ekf_double8"),
                                         ekf<float, 3>("ekf_float3"), ekf<float, 9>("ekf_float9")),
                         by_name);

TEST_P(Filters, AreKalmanFiltersOfLinearModels) {
  for (int k = 0; k < 200; ++k) {
    race.advance();
    const KalmanReference& exact = race.reference();
    ASSERT_LT(deviation(race.filter().mean(), exact.mean, exact.covariance), GetParam().tolerance) << k;
    ASSERT_LT(scaled_difference(race.filter().covariance(), exact.covariance), GetParam().tolerance) << k;
  }
}

TEST_P(Filters, KeepTheCovarianceSymmetricAndDefinite) {
  for (int k = 0; k < 500; ++k) {
    race.advance();
    const Eigen::MatrixXd covariance = race.filter().covariance();
    ASSERT_TRUE(covariance == covariance.transpose()) << k;  // to the last bit
    ASSERT_TRUE(race.filter().is_definite()) << k;
  }
}

TEST_P(Filters, KeepThePaddingZero) {
  for (int k = 0; k < 100; ++k) race.advance();
  EXPECT_TRUE(race.filter().padding_is_zero());
}

// A correction never adds variance, whatever it says.
TEST_P(Filters, LoseVarianceByCorrection) {
  for (int k = 0; k < 50; ++k) {
    race.advance();
    const Eigen::VectorXd before = race.filter().covariance().diagonal();
    race.filter().correct(k % 2, race.normal(), 0.1);
    const Eigen::VectorXd lost = before - race.filter().covariance().diagonal();
    EXPECT_GE(lost.minCoeff(), -4.0 * GetParam().rounding * before.maxCoeff()) << k;
  }
}

// Two runs give the same bytes.
TEST_P(Filters, AreReproducible) {
  Race other(GetParam());
  for (int k = 0; k < 100; ++k) race.advance(), other.advance();
  EXPECT_TRUE(race.filter().mean() == other.filter().mean());
  EXPECT_TRUE(race.filter().covariance() == other.filter().covariance());
}

}  // namespace
}  // namespace tauhat
