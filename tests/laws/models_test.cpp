// What every model obeys: its Jacobians are those of its derivative and outputs, and another scalar type is
// the same drive.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "support/core_types.hpp"
#include "support/differences.hpp"
#include "support/parameters.hpp"
#include "support/random.hpp"

namespace tauhat {
namespace {

constexpr int kPoints = 50;

template <class M>
M example() {
  M model{};
  if constexpr (requires { model.parameter; }) {
    model.model = example<decltype(model.model)>();
    model.parameter = {0, 3, 5};  // motor inertia, damping, Coulomb friction
  } else if constexpr (requires { model.leak; }) {
    model.model = example<decltype(model.model)>();
    model.intensity = 3, model.leak = typename M::Scalar(0.7);
  } else {
    model = with_distinct_parameters<M>();
  }
  return model;
}

// Within this distance of a corner of the law, differences would straddle it.
template <class M>
bool is_smooth_at(const M& model, const StateOf<M>& x) {
  constexpr double kNear = 0.01;
  if constexpr (requires { model.law; }) {
    for (const double kink : model.law.kinks()) {
      if (std::abs(model.displacement(x) - kink) < kNear) return false;
    }
    return std::abs(model.displacement_rate(x)) > kNear;
  } else if constexpr (requires { model.model_at(x); }) {
    return is_smooth_at(model.model_at(x),
                        StateOf<decltype(model.model)>(x.template head<decltype(model.model)::kStates>()));
  } else if constexpr (requires { model.inner_state(x); }) {
    return is_smooth_at(model.model, model.inner_state(x));
  } else {
    return true;
  }
}

// The torque that the mesh passes on, where friction grows with its size: |load| has a corner, too.
template <class M>
bool is_smooth_under_load(const M& model, const StateOf<M>& x, const InputOf<M>& u) {
  constexpr double kNear = 0.01;
  if constexpr (requires { model.torque_passed_on(x, u); }) {
    return !DependsOnLoad<decltype(model.motor_friction)> || std::abs(model.torque_passed_on(x, u)) > kNear;
  } else if constexpr (requires { model.drive_input(x, u); }) {
    return is_smooth_under_load(model.drive, StateOf<decltype(model.drive)>(x.template head<4>()),
                                model.drive_input(x, u));
  } else if constexpr (requires { model.inner_state(x); }) {
    return is_smooth_under_load(model.model, model.inner_state(x), model.inner_input(x, u));
  } else {
    using Inner = decltype(model.model);
    return is_smooth_under_load(Inner(model.model_at(x)), StateOf<Inner>(x.template head<Inner::kStates>()), u);
  }
}

// Positions and velocities of both signs; what follows them (torque, memory, relative parameters) is
// positive.
template <class M>
StateOf<M> drawn_state(const M& model, Draw& draw) {
  StateOf<M> x;
  do {
    for (int i = 0; i < M::kStates; ++i) {
      x[i] = static_cast<typename M::Scalar>(draw.between(0.3, 1.7) * (i < 4 && draw.normal() < 0.0 ? -1.0 : 1.0));
    }
  } while (!is_smooth_at(model, x));
  return x;
}

template <class M>
struct Models : testing::Test {
  M model = example<M>();
  Draw draw{5};
  StateOf<M> x;
  InputOf<M> u;
  void next_point() {
    do {
      x = drawn_state(model, draw);
      u = draw.matrix<typename M::Scalar, M::kInputs>();
    } while (!is_smooth_under_load(model, x, u));
  }
};
TYPED_TEST_SUITE(Models, DoubleModelTypes);

TYPED_TEST(Models, AnalyticJacobianIsTheAutomaticOne) {
  for (int i = 0; i < kPoints; ++i) {
    this->next_point();
    const auto given = linearise(this->model, this->x, this->u);
    const auto automatic = linearise_automatically(this->model, this->x, this->u);
    EXPECT_LT(relative_difference(given.derivative, automatic.derivative), 1e-12);
    EXPECT_LT(relative_difference(given.by_state, automatic.by_state), 1e-12);
    EXPECT_LT(relative_difference(given.by_input, automatic.by_input), 1e-12);
  }
}

TYPED_TEST(Models, JacobianIsTheDifferenceOfDerivatives) {
  using M = TypeParam;
  for (int i = 0; i < kPoints; ++i) {
    this->next_point();
    const auto at = linearise_automatically(this->model, this->x, this->u);
    const auto by_state = central_jacobian<M::kStates>(
        [&](const StateOf<M>& moved) { return this->model.derivative(moved, this->u); }, this->x, 1e-3);
    const auto by_input = central_jacobian<M::kStates>(
        [&](const InputOf<M>& moved) { return this->model.derivative(this->x, moved); }, this->u, 1e-3);
    EXPECT_LT(relative_difference(at.by_state, by_state), 1e-9);
    EXPECT_LT(relative_difference(at.by_input, by_input), 1e-9);
    EXPECT_TRUE(at.derivative.isApprox(this->model.derivative(this->x, this->u), 1e-14));  // fused operations differ
  }
}

// Output by output: the gradient given, the automatic one, and differences.
TYPED_TEST(Models, OutputGradientsAreThoseOfTheOutputs) {
  using M = TypeParam;
  for (int output = 0; output < static_cast<int>(M::kOutputs.size()); ++output) {
    this->next_point();
    const auto given = differentiate_output(this->model, output, this->x, this->u);
    const auto automatic = differentiate_output_automatically(this->model, output, this->x, this->u);
    EXPECT_TRUE(given.by_state.isApprox(automatic.by_state, 1e-12)) << output;
    EXPECT_TRUE(given.by_input.isApprox(automatic.by_input, 1e-12)) << output;
    const auto along = [&](const StateOf<M>& moved) {
      return Vector<double, 1>(this->model.output(output, moved, this->u));
    };
    const auto differences = central_jacobian<1>(along, this->x, 1e-3);
    EXPECT_LT((differences.transpose() - automatic.by_state).norm(), 1e-9 * (1.0 + automatic.by_state.norm()))
        << output;
  }
}

// Through float and back: each parameter rounded, none lost or exchanged; densities likewise.
TYPED_TEST(Models, KeepAllParametersWhenCast) {
  const auto single = this->model.template cast<float>();
  const auto back = single.template cast<double>();
  EXPECT_EQ(parameter_names(back), parameter_names(this->model));
  const auto before = parameter_values(this->model), after = parameter_values(back);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(static_cast<float>(after[i]), static_cast<float>(before[i])) << parameter_names(back)[i];
  EXPECT_TRUE(back.spectral_density().isApprox(this->model.spectral_density(), 1e-6));
}

TYPED_TEST(Models, MoveAlikeInFloat) {
  using M = TypeParam;
  const auto single = this->model.template cast<float>();
  for (int i = 0; i < kPoints; ++i) {
    this->next_point();
    const auto dx = single.derivative(this->x.template cast<float>(), this->u.template cast<float>());
    EXPECT_LT(relative_difference(dx.template cast<double>(), StateOf<M>(this->model.derivative(this->x, this->u))),
              1e-5);
  }
}

// Sub-steps are chosen from fastest_rate_at(): no mechanical motion may be faster. (The memory of a hysteretic
// law turns with the displacement, at |d'| / width, and is not counted.)
TYPED_TEST(Models, AreNowhereFasterThanTheySay) {
  set_parameter(this->model, "transmission.hardening", 0.0);  // its bound holds to a tenth of a radian only
  for (int i = 0; i < kPoints; ++i) {
    this->next_point();
    if constexpr (requires { TypeParam::kFirst; }) this->x.template tail<3>().setOnes();
    const auto at = linearise(this->model, this->x, this->u);
    const Matrix<double, 4> mechanical = at.by_state.template topLeftCorner<4, 4>();
    const double fastest = mechanical.eigenvalues().cwiseAbs().maxCoeff();
    const double said = fastest_rate_at(this->model, this->x, this->u);
    EXPECT_LE(fastest, said * (1.0 + 1e-9));
  }
}

}  // namespace
}  // namespace tauhat
