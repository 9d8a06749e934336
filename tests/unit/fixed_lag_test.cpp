// The fixed-lag smoother: against the paper's column recursion, and against the fixed-interval one cut at each sample.
#include "tauhat/core/filters/fixed_lag.hpp"

#include <gtest/gtest.h>

#include "support/differences.hpp"
#include "support/linear_model.hpp"
#include "support/random.hpp"
#include "support/recorded_run.hpp"
#include "tauhat/offline/reproduce/lag_columns.hpp"

namespace tauhat {
namespace {

constexpr int N = 3;
using Chain = LinearModel<double, N, 2>;
using Filter = Ekf<Chain>;

Chain noisy_chain() {
  Chain chain = integrator_chain<double, N, 2>(0.5);
  chain.density << 0.1, 0.2, 0.5;
  chain.c << 1.0, 0.2, 0.0, 0.3, 1.0, -0.4;
  return chain;
}

Recorded<Filter> recorded(int instants) {
  Draw draw(17);
  std::vector<std::vector<Measurement<double>>> samples;
  std::vector<Vector<double, 1>> inputs;
  for (int k = 0; k < instants; ++k) {
    samples.push_back({{0, draw.normal(), 0.3}});
    if (k % 3 == 0) samples.back().push_back({1, draw.normal(), 0.7});  // some instants have two sensors
    if (k % 7 == 5) samples.back().clear();                             // and some none
    inputs.push_back(draw.matrix<double, 1>());
  }
  Filter filter(noisy_chain(), Gaussian<double, N>{draw.matrix<double, N>(), draw.covariance<double, N>()});
  return record_run(filter, samples, inputs, 0.1);
}

std::span<const CorrectionRecord<double, N>> corrections_of(const Recorded<Filter>& run, std::size_t k) {
  return std::span(run.corrections).subspan(run.steps[k].first_correction, run.steps[k].corrections);
}

// x(k-L|k) by the fixed-interval smoother over the first k + 1 instants.
Gaussian<double, N> by_interval(const Recorded<Filter>& run, std::size_t last, std::size_t at) {
  Recorded<Filter> part = run;
  part.steps.resize(last + 1);
  smooth_run(part);
  return part.steps[at].posterior;
}

TEST(FixedLag, EqualsTheFixedIntervalSmootherOfWhatIsKnown) {
  const auto run = recorded(60);
  for (const std::size_t lag : {1u, 2u, 3u, 4u, 7u, 10u, 25u}) {
    FixedLag<double, N> smoother(lag);
    for (std::size_t k = 0; k < run.steps.size(); ++k) {
      const bool ready = smoother.push(run.steps[k].transition, corrections_of(run, k), run.steps[k].posterior);
      ASSERT_EQ(ready, k >= lag);
      if (!ready) continue;
      const Gaussian<double, N> expected = by_interval(run, k, k - lag), found = smoother.smoothed();
      EXPECT_LT((found.mean - expected.mean).norm(), 1e-12) << "lag " << lag << ", sample " << k;
      EXPECT_LT((found.covariance() - expected.covariance()).norm(), 1e-12);
    }
  }
}

// At the end of a record the youngest instants get all samples there are.
TEST(FixedLag, FinishesWithWhatThereIs) {
  for (const std::size_t instants : {5u, 23u, 24u, 31u}) {
    const auto run = recorded(static_cast<int>(instants));
    for (const std::size_t lag : {1u, 4u, 9u, 40u}) {
      FixedLag<double, N> smoother(lag);
      for (std::size_t k = 0; k < instants; ++k)
        smoother.push(run.steps[k].transition, corrections_of(run, k), run.steps[k].posterior);
      smoother.finish();
      for (std::size_t age = 0; age <= std::min(lag, instants - 1); ++age) {
        const auto expected = by_interval(run, instants - 1, instants - 1 - age);
        EXPECT_LT((smoother.smoothed(age).mean - expected.mean).norm(), 1e-12) << lag << " " << age;
      }
    }
  }
}

TEST(FixedLag, EqualsTheColumnRecursion) {
  constexpr std::size_t kLag = 200;
  Draw draw(3);
  Filter filter(noisy_chain(), Gaussian<double, N>{draw.matrix<double, N>(), draw.covariance<double, N>()});
  FixedLag<double, N> smoother(kLag);
  LagColumns<N> oracle(kLag);
  for (int k = 0; k < 1000; ++k) {
    PaddedMatrix<double, N> transition = PaddedMatrix<double, N>::Identity();
    if (k > 0) filter.predict(draw.matrix<double, 1>(), 0.1, &transition);
    oracle.predict(transition.topRows<N>());
    std::vector<CorrectionRecord<double, N>> corrections;
    for (const int output : {0, 1}) {
      const Matrix<double, N> before = filter.belief().covariance();
      const auto correction = filter.correct({output, draw.normal(), 0.5});
      corrections.push_back(filter.record_of(correction));
      oracle.correct(corrections.back(), before);
    }
    oracle.shift(filter.belief());
    if (!smoother.push(transition, corrections, filter.belief())) continue;
    ASSERT_LT((smoother.smoothed().mean - oracle.oldest()).norm(), 1e-10);
  }
}

TEST(FixedLag, BeginsAnewAfterAReset) {
  const auto run = recorded(40);
  FixedLag<double, N> smoother(6);
  Vector<double, N> first;
  for (int pass = 0; pass < 2; ++pass) {
    smoother.reset();
    for (std::size_t k = 0; k < run.steps.size() - static_cast<std::size_t>(pass); ++k)
      smoother.push(run.steps[k].transition, corrections_of(run, k), run.steps[k].posterior);
    if (pass == 0) continue;
    first = smoother.smoothed().mean;
  }
  EXPECT_LT((first - by_interval(run, 38, 32).mean).norm(), 1e-12);
}

}  // namespace
}  // namespace tauhat
