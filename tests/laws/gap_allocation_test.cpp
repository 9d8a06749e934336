// Law: the gap's filters allocate nothing, whichever way they are put together. (allocation_test.cpp counts; like it,
// this file is left out where a sanitizer owns malloc.)
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "tauhat/core/filters/followed_observer.hpp"
#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/core/filters/staircase_positions.hpp"
#include "tauhat/core/filters/stationary_positions.hpp"
#include "tauhat/core/filters/time_varying_observer.hpp"

namespace tauhat {
namespace {

// Through contact and gap, one pulse after the other.
template <class F, class... Tuning>
long allocations_through_the_gap(const Tuning&... tuning) {
  using P = Powertrain<double>;
  P drive;
  drive.mode = GapMode::upper;
  Vector<double, P::kStates> x = Vector<double, P::kStates>::Zero();
  x[P::upper_limit] = x[P::gap_position] = 0.03, x[P::lower_limit] = -0.03;
  F filter(drive, Gaussian<double, P::kStates>::from_variances(x, Vector<double, P::kStates>::Constant(1e-6)),
           tuning...);
  return allocations_of([&] {
    for (int k = 0; k < 200; ++k) {
      filter.predict(Vector<double, 1>(k < 100 ? 30.0 : -30.0), 1e-3);
      for (const int position : {P::motor_position, P::load_position})
        filter.correct({position, filter.belief().mean[position], 1e-6});
    }
  });
}

TEST(GapAllocation, TheGapsFiltersAllocateNothing) {
  EXPECT_EQ(allocations_through_the_gap<GapFilter<double>>(), 0);
  EXPECT_EQ(allocations_through_the_gap<GapImm<double>>(), 0);
  using Observer = SwitchingObserver<double>;
  const Observer::Tuning tuning{Observer::State::Constant(1e-3), Observer::Positions::Constant(1e-6)};
  EXPECT_EQ(allocations_through_the_gap<GapCascade<double>>(GapCascade<double>::Tuning{{1e4, 1e2}, tuning}), 0);
  using Stairs = StaircasePositions<double>;
  using Varying = TimeVaryingObserver<double>;
  const Observer::Positions pitches(0.105, 0.131);
  using VaryingCascade = GapCascade<double, PulsePositions<double>, Varying>;
  EXPECT_EQ(allocations_through_the_gap<VaryingCascade>(VaryingCascade::Tuning{{1e4, 1e2}, tuning}), 0);
  using Switching = GapCascade<double, Stairs, Observer>;
  EXPECT_EQ(allocations_through_the_gap<Switching>(Switching::Tuning{pitches, tuning}), 0);
  using Followed = GapCascade<double, Stairs, FollowedObserver<double>>;
  EXPECT_EQ(allocations_through_the_gap<Followed>(Followed::Tuning{pitches, tuning}), 0);
  using Stationary = StationaryPositions<double>;
  using Staircase = GapCascade<double, Stairs, Stationary>;
  const Stationary::Tuning of_positions{Matrix<double, 3, 2>::Ones(), Observer::Positions::Constant(1e-6)};
  EXPECT_EQ(allocations_through_the_gap<Staircase>(Staircase::Tuning{pitches, of_positions}), 0);
  EXPECT_EQ(allocations_through_the_gap<PulsePositions<double>>(Observer::Positions(1e4, 1e2)), 0);
  EXPECT_EQ(allocations_of([&] {
              Observer observer({}, tuning, 1e-3, PositionSample::instant);
              for (int k = 0; k < 100; ++k) observer.step(30.0, Observer::Positions::Zero());
            }),
            0);
}

}  // namespace
}  // namespace tauhat
