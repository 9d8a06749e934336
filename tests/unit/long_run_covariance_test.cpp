// The scatter of sums whose terms are correlated in time.
#include "tauhat/offline/friction/long_run_covariance.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace tauhat {
namespace {

// The mean of n samples of an autoregression has the variance s^2 (1 + rho) / (1 - rho) / n.
TEST(LongRunCovariance, MatchesAnAutoregression) {
  for (const double rho : {-0.4, 0.0, 0.5, 0.9}) {
    constexpr int kRuns = 100, kSize = 2000;
    double mean = 0.0;
    for (int run = 0; run < kRuns; ++run) {
      Draw draw(static_cast<std::uint64_t>(run));
      Eigen::VectorXd values(kSize);
      double x = draw.normal();
      for (double& value : values) value = x = rho * x + std::sqrt(1.0 - rho * rho) * draw.normal();
      mean += long_run_covariance(values)(0, 0) / (kRuns * kSize);
    }
    EXPECT_NEAR(mean / ((1.0 + rho) / (1.0 - rho)), 1.0, 0.1) << rho;
  }
}

// The variance of a sum of n independent terms, looked at over b neighbours, has n / (b int k^2) degrees of freedom;
// Parzen's kernel has int k^2 = 151 / 280 over both sides. With b below one there are only the terms themselves.
TEST(LongRunCovariance, HasTheFreedomOfItsKernel) {
  const Eigen::VectorXd alike = Eigen::VectorXd::Ones(20000);
  EXPECT_NEAR(long_run_freedom(alike, 50.0) / (20000.0 / (50.0 * 151.0 / 280.0)), 1.0, 0.005);
  EXPECT_NEAR(long_run_freedom(alike, 0.5), 20000.0, 1e-6);
}

}  // namespace
}  // namespace tauhat
