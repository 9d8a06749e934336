// The padded products of covariances against plain Eigen, and to the last bit against their own transpose.
#include "tauhat/core/math/matrix.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tauhat {
namespace {

template <class T, int N>
struct Sized {
  using Scalar = T;
  static constexpr int kSize = N;
};

template <class S>
class PaddedProducts : public ::testing::Test {
 protected:
  using T = typename S::Scalar;
  static constexpr int kN = S::kSize;

  PaddedVector<T, kN> vector() {
    return padded<T, kN>(Vector<T, kN>::NullaryExpr([&] { return next(); }));
  }
  Matrix<T, kN> matrix() {
    return Matrix<T, kN>::NullaryExpr([&] { return next(); });
  }
  Matrix<T, kN> symmetric() {
    const Matrix<T, kN> any = matrix();
    return any + any.transpose();
  }
  static void expect_symmetric(const PaddedMatrix<T, kN>& p) {
    const Matrix<T, kN> upper = p.template topRows<kN>();
    EXPECT_TRUE((upper.array() == upper.transpose().array()).all());
    EXPECT_TRUE((p.bottomRows(p.rows() - kN).array() == T(0)).all());
  }
  // A sum of some N products of numbers around one.
  static constexpr T kRounding = T(100 * kN) * std::numeric_limits<T>::epsilon();

 private:
  T next() { return static_cast<T>(normal_(generator_)); }
  std::mt19937 generator_{7};
  std::normal_distribution<double> normal_;
};

// One tile, tiles that are full, and tiles that are not.
using Sizes = ::testing::Types<Sized<double, 4>, Sized<double, 5>, Sized<double, 8>, Sized<float, 3>, Sized<float, 9>>;
TYPED_TEST_SUITE(PaddedProducts, Sizes);

// With c = d a, a b^T + c a^T is symmetric where b is a multiple of a, as in a filter's correction.
TYPED_TEST(PaddedProducts, SubtractsSymmetrically) {
  using Number = typename TypeParam::Scalar;
  constexpr int kSize = TypeParam::kSize;
  for (int round = 0; round < 100; ++round) {
    const Matrix<Number, kSize> before = this->symmetric();
    const PaddedVector<Number, kSize> a = this->vector(), b = Number(1.7) * a, c = Number(-0.3) * a;
    PaddedMatrix<Number, kSize> p = padded<Number, kSize>(before);
    subtract_symmetric(a, b, c, p);
    this->expect_symmetric(p);
    const Matrix<Number, kSize> expected =
        before - (a * b.transpose() + c * a.transpose()).template topLeftCorner<kSize, kSize>();
    EXPECT_LT((p.template topRows<kSize>() - expected).cwiseAbs().maxCoeff(), this->kRounding);
  }
}

TYPED_TEST(PaddedProducts, TransformsACovariance) {
  using Number = typename TypeParam::Scalar;
  constexpr int kSize = TypeParam::kSize;
  for (int round = 0; round < 100; ++round) {
    const Matrix<Number, kSize> f = this->matrix(), before = this->symmetric(), added = this->symmetric();
    PaddedMatrix<Number, kSize> p = padded<Number, kSize>(before);
    const auto lower = lower_covariance<kSize>(padded<Number, kSize>(f), p, padded<Number, kSize>(added));
    mirror_lower(lower, p);
    this->expect_symmetric(p);
    const Matrix<Number, kSize> expected = f * before * f.transpose() + added;
    EXPECT_LT((p.template topRows<kSize>() - expected).cwiseAbs().maxCoeff(), Number(10 * kSize) * this->kRounding);
  }
}

}  // namespace
}  // namespace tauhat
