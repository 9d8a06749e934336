// Law: scalar corrections on padded columns and the Bryson-Frazier smoother give the numbers of a textbook's
// filter with a vector measurement and of its Rauch-Tung-Striebel smoother (bench/textbook.hpp), over a whole
// recording.
#include <gtest/gtest.h>

#include "bench/smoothing.hpp"

namespace tauhat::bench {
namespace {

template <class Drive>
class Textbook : public testing::Test {};
using Drives = testing::Types<FlexibleDrive<4>, FlexibleDrive<7>, FlexibleDrive<4, Tangent::standard>,
                              FlexibleDrive<7, Tangent::standard>>;
TYPED_TEST_SUITE(Textbook, Drives);

// Relative to each state's size: means by the standard deviation or the value, covariances by both
// deviations.
template <int N, class Mean, class Covariance>
double difference(const Gaussian<double, N>& ours, const Mean& mean, const Covariance& covariance) {
  const Vector<double, N> deviation = covariance.diagonal().cwiseSqrt();
  const auto scale = deviation.cwiseMax(mean.cwiseAbs());
  const double of_mean = (ours.mean - mean).cwiseQuotient(scale).cwiseAbs().maxCoeff();
  const auto by_both = deviation * deviation.transpose();
  return std::max(of_mean, (ours.covariance() - covariance).cwiseQuotient(by_both).cwiseAbs().maxCoeff());
}

// A record through both filters; after each sample `look` sees them and the normalised innovations squared of each.
template <class Drive, class Look>
void filter_by_both(const Look& look) {
  const Drive drive;
  Ekf<Drive> ours(drive, prior<Drive>());
  TextbookEkf<Drive> textbook(drive, Drive::start(), Drive::start_variances(), kSensorVariance,
                              std::numeric_limits<double>::infinity());
  for (const auto& sample : record(drive)) {
    ours.predict(sample.input, kInterval);
    textbook.predict(sample.input, kInterval);
    double sum = 0.0;
    for (int s = 0; s < Drive::kSensors; ++s) sum += ours.correct({s, sample.sensors[s], kSensorVariance}).nis();
    look(ours, textbook, sum, textbook.correct(sample.sensors));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(Textbook, FilterGivesTheSameNumbers) {
  const auto look = [](const auto& ours, const auto& textbook, double, double) {
    ASSERT_LT(difference(ours.belief(), textbook.mean(), textbook.covariance()), 1e-10);
  };
  filter_by_both<TypeParam>(look);
}

TYPED_TEST(Textbook, SmootherGivesTheSameNumbers) {
  using Drive = TypeParam;
  const Drive drive;
  const auto samples = record(drive);
  Smoothing<Drive> ours(drive, samples.size());
  TextbookSmoothing<Drive> textbook(drive, samples.size());
  ours.run(samples);
  textbook.run(samples);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    ASSERT_LT(difference(ours.at(k), textbook.at(k).mean, textbook.at(k).covariance), 1e-8) << "step " << k;
  }
}

// The innovation squared over its variance is additive over scalar corrections: their sum is the vector's.
TYPED_TEST(Textbook, NormalisedInnovationsAddUp) {
  const auto look = [](const auto&, const auto&, double sum, double of_the_vector) {
    ASSERT_NEAR(sum, of_the_vector, 1e-6 * (1.0 + of_the_vector));
  };
  filter_by_both<TypeParam>(look);
}

}  // namespace
}  // namespace tauhat::bench
