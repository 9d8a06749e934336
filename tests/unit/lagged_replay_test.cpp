// The fixed lag behind the run-time face: what it gives, and that stepping and replaying give the same bits.
#include <gtest/gtest.h>

#include "support/linear_model.hpp"
#include "support/random.hpp"
#include "tauhat/offline/replay/estimator_of.hpp"
#include "tauhat/offline/replay/step_by_step.hpp"

namespace tauhat {
namespace {

constexpr int N = 3;

// A chain of integrators whose second output reads the input, too: it tells inputs of different instants apart.
struct Chain : LinearModel<double, N, 2> {
  template <class S>
  using Rebind = LinearModel<S, N, 2>;
  static constexpr std::array<Signal, 2> kOutputs{{{"position", "m"}, {"force", "N"}}};
  double output(int index, const Vector<double, N>& x, const Vector<double, 1>& u) const {
    return c.row(index).dot(x) + (index == 1 ? u[0] : 0.0);
  }
  OutputGradient<double, N, 1> output_gradient(int index, const Vector<double, N>&, const Vector<double, 1>&) const {
    return {c.row(index).transpose(), Vector<double, 1>(index == 1 ? 1.0 : 0.0)};
  }
};
using Filter = Ekf<Chain>;

Chain noisy_chain() {
  Chain chain;
  chain.a(0, 1) = chain.a(1, 2) = 1.0;
  chain.b[1] = 0.5;
  chain.density << 0.1, 0.2, 0.5;
  chain.c << 1.0, 0.2, 0.0, 0.3, 1.0, -0.4;
  return chain;
}

Gaussian<double, N> prior() { return Gaussian<double, N>::from_variances({0.1, 0.2, 0.3}, {1.0, 2.0, 3.0}); }

std::unique_ptr<Estimator> make_estimator() {
  EstimatorTraits<Filter> traits;
  traits.outputs = {{"position", "m"}, {"force", "N"}};
  return std::make_unique<EstimatorOf<Filter>>(Filter(noisy_chain(), prior()), std::move(traits));
}

Timeline recorded(std::size_t instants) {
  Draw draw(23);
  Timeline timeline;
  timeline.inputs.resize(1);
  timeline.sensors = {{"position", 0, 0.3, {}}, {"force", 1, 0.7, {}}};
  double time = 0.0;
  for (std::size_t k = 0; k < instants; ++k) {
    timeline.time.push_back(time);
    time += k % 5 == 4 ? 0.02 : 0.01;
    timeline.inputs[0].push_back(draw.normal());
    timeline.sensors[0].value.push_back(draw.normal());
    timeline.sensors[1].value.push_back(k % 3 == 0 ? draw.normal() : std::nan(""));
  }
  return timeline;
}

// The core's filter and fixed lag, by hand; x(k|k+lag), or with what follows at the end.
std::vector<Gaussian<double, N>> by_core(const Timeline& timeline, std::size_t lag) {
  Filter filter(noisy_chain(), prior());
  FixedLag<double, N> smoother(lag);
  std::vector<Gaussian<double, N>> found;
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    PaddedMatrix<double, N> transition = PaddedMatrix<double, N>::Identity();
    if (k > 0) filter.predict(Vector<double, 1>(timeline.inputs[0][k - 1]), timeline.interval(k - 1), &transition);
    std::vector<CorrectionRecord<double, N>> corrections;
    for (const auto& sensor : timeline.sensors) {
      const auto correction = filter.correct({sensor.output, sensor.value[k], sensor.variance});
      if (correction.status == StepStatus::ok) corrections.push_back(filter.record_of(correction));
    }
    if (smoother.push(transition, corrections, filter.belief())) found.push_back(smoother.smoothed());
  }
  smoother.finish();
  while (found.size() < timeline.size()) found.push_back(smoother.smoothed(timeline.size() - 1 - found.size()));
  return found;
}

// Value and std of each output at each instant, by steps.
struct Steps {
  std::vector<Track> filtered = std::vector<Track>(2), lagged = std::vector<Track>(2);
};

void append(std::vector<Track>& tracks, const auto& read) {
  for (int i = 0; i < 2; ++i) {
    auto& track = tracks[static_cast<std::size_t>(i)];
    read(i, track.value.emplace_back(), track.std.emplace_back());
  }
}

Steps by_steps(Estimator& estimator, const Timeline& timeline) {
  Steps steps;
  const auto estimate = [&](int i, double& value, double& std) { estimator.estimate(i, value, std); };
  const auto lagged = [&](int i, double& value, double& std) { estimator.lagged(i, value, std); };
  estimator.reset();
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    if (k > 0) estimator.predict({&timeline.inputs[0][k - 1], 1}, timeline.interval(k - 1));
    for (const auto& sensor : timeline.sensors) estimator.correct({sensor.output, sensor.value[k], sensor.variance});
    append(steps.filtered, estimate);
    if (estimator.settle()) append(steps.lagged, lagged);
  }
  estimator.finish([&] { append(steps.lagged, lagged); });
  return steps;
}

void expect_same(const std::vector<Track>& found, const std::vector<Track>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].value, expected[i].value);
    EXPECT_EQ(found[i].std, expected[i].std);
  }
}

TEST(LaggedReplay, IsTheCoresFixedLag) {
  const Timeline timeline = recorded(200);
  for (const std::size_t lag : {1u, 2u, 17u, 199u, 200u, 500u}) {
    const auto estimator = make_estimator();
    estimator->set_lag(lag);
    const Replay replay = estimator->replay(timeline, {});
    const auto expected = by_core(timeline, lag);
    ASSERT_EQ(replay.lagged.size(), 2U);
    for (std::size_t k = 0; k < timeline.size(); ++k) {
      const Vector<double, 1> input(k > 0 ? timeline.inputs[0][k - 1] : 0.0);
      for (const int i : {0, 1}) {
        const auto at = estimate_output(noisy_chain(), i, expected[k], input);
        const Track& track = replay.lagged[static_cast<std::size_t>(i)];
        EXPECT_NEAR(track.value[k], at.value, 1e-12) << "lag " << lag << ", instant " << k;
        EXPECT_NEAR(track.std[k], std::sqrt(at.variance), 1e-12);
      }
    }
  }
}

TEST(LaggedReplay, StepsGiveTheSameBits) {
  const Timeline timeline = recorded(400);
  for (const std::size_t lag : {0u, 1u, 40u, 1000u}) {
    const auto estimator = make_estimator();
    estimator->set_lag(lag);
    const Replay replay = estimator->replay(timeline, {});
    const Steps steps = by_steps(*estimator, timeline);
    expect_same(steps.filtered, replay.filtered);
    if (lag > 0) expect_same(steps.lagged, replay.lagged);
    EXPECT_EQ(replay.lagged.empty(), lag == 0);
  }
}

// 16384 instants are a block; the lag reaches over the seams, and the smoother's second run of a block does not disturb
// it.
TEST(LaggedReplay, BlocksDoNotShow) {
  const Timeline timeline = recorded(2 * 16384 + 500);
  const auto estimator = make_estimator();
  estimator->set_lag(300);
  const Replay smoothed = estimator->replay(timeline, {.smooth = true});
  const Steps steps = by_steps(*estimator, timeline);
  expect_same(steps.lagged, smoothed.lagged);
  // At the end both know all there is.
  for (std::size_t k = timeline.size() - 300; k < timeline.size(); ++k) {
    for (const std::size_t i : {0u, 1u})
      EXPECT_NEAR(smoothed.lagged[i].value[k], smoothed.smoothed[i].value[k], 1e-9) << k;
  }
}

TEST(LaggedReplay, ACloneHasTheLag) {
  const Timeline timeline = recorded(100);
  const auto estimator = make_estimator();
  estimator->set_lag(7);
  const auto clone = estimator->clone();
  EXPECT_EQ(clone->lag(), 7U);
  expect_same(clone->replay(timeline, {}).lagged, estimator->replay(timeline, {}).lagged);
  estimator->set_lag(0);
  EXPECT_TRUE(estimator->replay(timeline, {}).lagged.empty());
}

// What the gate refuses counts in either replay, so that it cannot hide a filter that is lost.
TEST(Replay, CountsWhatAGateRefusesInEitherWay) {
  Timeline timeline = recorded(300);
  for (std::size_t k = 20; k < timeline.size(); k += 10) timeline.sensors[0].value[k] += 100.0;
  const auto estimator = make_estimator();
  const ReplayOptions options{.settling = 5};
  const Replay free = estimator->replay(timeline, options);
  estimator->set_gate(9.0);
  const Replay whole = estimator->replay(timeline, options),
               stepped = replay_step_by_step(*estimator, timeline, options);
  EXPECT_GE(whole.gated, 20U);
  EXPECT_EQ(stepped.gated, whole.gated);
  EXPECT_EQ(whole.corrections, free.corrections);
  EXPECT_EQ(stepped.corrections, whole.corrections);
  EXPECT_DOUBLE_EQ(stepped.nis_sum, whole.nis_sum);
  EXPECT_DOUBLE_EQ(stepped.log_likelihood, whole.log_likelihood);
  EXPECT_GT(stepped.mean_nis(), 25.0);
}

}  // namespace
}  // namespace tauhat
