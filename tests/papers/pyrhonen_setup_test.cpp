// The arm of Pyrhonen et al. as it is set up: what its nominal model may be.
#include "tauhat/offline/reproduce/pyrhonen_setup.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace tauhat::pyrhonen {
namespace {

double smallest_eigenvalue(const LinkInertia<double>& link) {
  return Eigen::SelfAdjointEigenSolver<Matrix<double, 4>>(link.pseudo_inertia()).eigenvalues().minCoeff();
}

TEST(PyrhonenSetup, PseudoInertiaGoesThereAndBack) {
  const Arm arm = true_model().arm;
  for (int i = 0; i < kJoints; ++i) {
    const auto back = LinkInertia<double>::from_pseudo_inertia(arm.link(i).pseudo_inertia());
    EXPECT_LT((back.parameters() - arm.link(i).parameters()).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(PyrhonenSetup, NominalModelsCanExistAndAreWrongByUpToAFifth) {
  const ArmModel truth = true_model();
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const ArmModel nominal = nominal_model(seed);
    for (int i = 0; i < kJoints; ++i) {
      EXPECT_GT(smallest_eigenvalue(nominal.arm.link(i)), 0.0);
      EXPECT_NEAR(nominal.arm.link(i).mass / truth.arm.link(i).mass, 1.0, 0.2);
      EXPECT_NEAR(nominal.arm.actuator_inertia()[i] / truth.arm.actuator_inertia()[i], 1.0, 0.2);
      EXPECT_NEAR(nominal.friction.viscous[i] / truth.friction.viscous[i], 1.0, 0.2);
      EXPECT_NEAR(nominal.friction.coulomb[i] / truth.friction.coulomb[i], 1.0, 0.2);
    }
    EXPECT_GT((nominal.friction.coulomb - truth.friction.coulomb).norm(), 0.1);
  }
}

TEST(PyrhonenSetup, NominalModelDependsOnTheSeedAlone) {
  EXPECT_EQ(nominal_model(3).arm.parameters(), nominal_model(3).arm.parameters());
  EXPECT_NE(nominal_model(3).arm.parameters(), nominal_model(4).arm.parameters());
}

}  // namespace
}  // namespace tauhat::pyrhonen
