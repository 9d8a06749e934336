// The filter's models in float: the Jacobian that the filter uses is the automatic one of the double model.
#include <gtest/gtest.h>

#include "support/core_types.hpp"
#include "support/differences.hpp"
#include "support/parameters.hpp"
#include "support/random.hpp"

namespace tauhat {
namespace {

template <class M>
struct FloatModels : testing::Test {};
using FloatModelTypes =
    testing::Types<TwoMassDrive<float, CoulombAtan>, TwoMassDrive<float, CoulombTanh>, TwoMassDrive<float, Stribeck>>;
TYPED_TEST_SUITE(FloatModels, FloatModelTypes);

TYPED_TEST(FloatModels, AnalyticJacobianIsTheAutomaticOne) {
  const Augmented<TypeParam, RandomWalk<1>> model{with_distinct_parameters<TypeParam>(), 2.0F, 0.5F};
  const auto wide = model.template cast<double>();
  Draw draw(6);
  for (int i = 0; i < 50; ++i) {
    const Vector<float, 5> x = draw.matrix<float, 5>();
    const Vector<float, 1> u = draw.matrix<float, 1>();
    const auto given = model.linearised(x, u);
    const auto automatic = linearise_automatically(wide, x.cast<double>(), u.cast<double>());
    EXPECT_LT(relative_difference(given.derivative.template cast<double>(), automatic.derivative), 2e-6);
    EXPECT_LT(relative_difference(given.by_state.template cast<double>(), automatic.by_state), 2e-6);
    EXPECT_LT(relative_difference(given.by_input.template cast<double>(), automatic.by_input), 2e-6);
  }
}

}  // namespace
}  // namespace tauhat
