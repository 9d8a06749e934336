// The smoother, against one dense solve for all states and against Rauch, Tung and Striebel.
#include "tauhat/core/filters/smoother.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/differences.hpp"
#include "support/kalman_reference.hpp"
#include "support/linear_model.hpp"
#include "support/random.hpp"
#include "support/recorded_run.hpp"
#include "tauhat/core/filters/mean_smoother.hpp"

namespace tauhat {
namespace {

constexpr int N = 3, kInstants = 40;
using Chain = LinearModel<double, N, 2>;
using Filter = Ekf<Chain>;
constexpr double kInterval = 0.1;

// A chain of integrators with noise on every state, so that Qd has an inverse and the normal equations exist.
Chain noisy_chain() {
  Chain chain = integrator_chain<double, N, 2>(0.5);
  chain.density << 0.1, 0.2, 0.5;
  chain.c << 1.0, 0.2, 0.0, 0.3, 1.0, -0.4;
  return chain;
}

struct Problem {
  Draw draw{31};
  Chain chain = noisy_chain();
  Gaussian<double, N> prior{draw.matrix<double, N>(), draw.covariance<double, N>()};
  std::vector<std::vector<Measurement<double>>> samples;
  std::vector<Vector<double, 1>> inputs;

  Problem() {
    for (int k = 0; k < kInstants; ++k) {
      samples.push_back({{0, draw.normal(), 0.3}, {1, draw.normal(), 0.7}});
      inputs.push_back(draw.matrix<double, 1>());
    }
  }
  Recorded<Filter> filtered() const {
    Filter filter(chain, prior);
    return record_run(filter, samples, inputs, kInterval);
  }
  Recorded<Filter> smoothed() const {
    auto run = filtered();
    smooth_run(run);
    return run;
  }
  // Prior, transitions and samples as one least-squares problem.
  BatchPosterior batch() const {
    const VanLoan exact = van_loan(chain, kInterval);
    BatchPosterior all(N, kInstants);
    all.add(0, Eigen::MatrixXd::Identity(N, N), prior.mean, Eigen::MatrixXd(prior.covariance()).inverse());
    for (int k = 0; k < kInstants; ++k) {
      const auto at = static_cast<std::size_t>(k);
      for (const auto& z : samples[at]) {
        if (std::isnan(z.value)) continue;
        all.add(k, chain.c.row(z.output), Eigen::VectorXd::Constant(1, z.value),
                Eigen::MatrixXd::Constant(1, 1, 1.0 / z.variance));
      }
      if (k + 1 == kInstants) continue;
      all.add_transition(k, exact.transition.cast<double>(), exact.response.cast<double>() * inputs[at][0],
                         exact.noise.cast<double>());
    }
    all.solve();
    return all;
  }
  void expect_batch_posterior() const {
    const auto run = smoothed();
    const auto all = batch();
    for (int k = 0; k < kInstants; ++k) {
      const auto& posterior = run.steps[static_cast<std::size_t>(k)].posterior;
      EXPECT_LT(deviation(posterior.mean, all.mean(k), all.covariance(k)), 1e-9) << k;
      EXPECT_LT(scaled_difference(posterior.covariance(), all.covariance(k)), 1e-9) << k;
    }
  }
};

TEST(Smoother, IsThePosteriorOfAllStates) { Problem().expect_batch_posterior(); }

TEST(Smoother, GivesTheMeansAlone) {
  const Problem problem;
  const auto filtered = problem.filtered(), smoothed = problem.smoothed();
  std::size_t last = kInstants;
  smooth_means<double, N>(filtered.steps, filtered.corrections, [&](std::size_t k, const Vector<double, N>& mean) {
    EXPECT_EQ(k + 1, last);
    last = k;
    EXPECT_LT((mean - smoothed.steps[k].posterior.mean).norm(), 1e-13 * mean.norm()) << k;
  });
  EXPECT_EQ(last, 0U);
}

TEST(Smoother, IsThePosteriorWithMissingSamples) {
  Problem problem;
  for (std::size_t k = 0; k < kInstants; ++k) {
    if (k % 3 == 0) problem.samples[k][0].value = std::numeric_limits<double>::quiet_NaN();
    if (k >= 10 && k < 20) problem.samples[k][1].value = std::numeric_limits<double>::quiet_NaN();
  }
  problem.samples[25].clear();
  problem.expect_batch_posterior();
}

// G = P Phi^T (P-)^-1,  x_s = x + G (x_s' - x-),  P_s = P + G (P_s' - P-) G^T   (x- is the prediction to the
// next instant)
TEST(Smoother, IsRauchTungAndStriebel) {
  const Problem problem;
  const auto filtered = problem.filtered(), smoothed = problem.smoothed();
  Gaussian<double, N> later = filtered.steps.back().posterior;
  for (std::size_t k = kInstants - 1; k-- > 0;) {
    const auto& now = filtered.steps[k].posterior;
    const auto& predicted = filtered.predicted[k + 1];
    const Matrix<double, N> phi = filtered.steps[k + 1].transition.topRows<N>();
    const Matrix<double, N> p = now.covariance(), p_next = predicted.covariance(), p_later = later.covariance();
    const Matrix<double, N> g = p * phi.transpose() * p_next.inverse();
    later = {now.mean + g * (later.mean - predicted.mean), p + g * (p_later - p_next) * g.transpose()};
    EXPECT_LT(deviation(smoothed.steps[k].posterior.mean, later.mean, later.covariance()), 1e-11) << k;
    EXPECT_LT(scaled_difference(smoothed.steps[k].posterior.covariance(), Matrix<double, N>(later.covariance())), 1e-11)
        << k;
  }
}

TEST(Smoother, LeavesTheLastInstant) {
  const Problem problem;
  const auto filtered = problem.filtered(), smoothed = problem.smoothed();
  EXPECT_TRUE(smoothed.steps.back().posterior.mean == filtered.steps.back().posterior.mean);
}

// A long log is smoothed block by block, the last first; the sweep carries on from one to the next.
TEST(Smoother, GoesOnFromBlockToBlock) {
  const Problem problem;
  const auto whole = problem.smoothed();
  auto blocks = problem.filtered();
  BackwardSweep<double, N> sweep;
  const std::span<StepRecord<double, N>> steps = blocks.steps;
  const std::span<const CorrectionRecord<double, N>> corrections = blocks.corrections;
  smooth<double, N>(steps.subspan(27), corrections, sweep);
  smooth<double, N>(steps.subspan(11, 16), corrections, sweep);
  smooth<double, N>(steps.first(11), corrections, sweep);
  for (std::size_t k = 0; k < kInstants; ++k) {
    EXPECT_TRUE(blocks.steps[k].posterior.mean == whole.steps[k].posterior.mean) << k;
    EXPECT_TRUE(blocks.steps[k].posterior.padded_covariance == whole.steps[k].posterior.padded_covariance) << k;
  }
}

// More data never make an estimate worse: P_filtered - P_smoothed has no negative direction.
TEST(Smoother, IsNeverLessSureThanTheFilter) {
  const Problem problem;
  const auto filtered = problem.filtered(), smoothed = problem.smoothed();
  for (std::size_t k = 0; k < kInstants; ++k) {
    const Matrix<double, N> gained =
        filtered.steps[k].posterior.covariance() - smoothed.steps[k].posterior.covariance();
    const Eigen::SelfAdjointEigenSolver<Matrix<double, N>> solver(gained);
    EXPECT_GT(solver.eigenvalues().minCoeff(), -1e-14) << k;
    EXPECT_TRUE(is_definite(smoothed.steps[k].posterior)) << k;
  }
}

}  // namespace
}  // namespace tauhat
