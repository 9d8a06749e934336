// Discretisation and filter against Octave: values in *.txt, made by make_*.m.
#include <gtest/gtest.h>

#include "support/differences.hpp"
#include "support/linear_model.hpp"
#include "support/oracle.hpp"
#include "support/paths.hpp"
#include "tauhat/core/filters/ekf.hpp"

namespace tauhat {
namespace {

OracleValues stored(const char* file) { return read_oracle((source_dir() / "tests/oracle" / file).string()); }

// Octave's expm and Van Loan's block in double lose e^(|A| h) of their digits, e^10 at standstill: 1e-11 is
// what they have.
template <int N>
void expect_same_step(const OracleValues& values, const std::string& name, double tolerance) {
  const Matrix<double, N> a = values.at(name + ".a");
  const Vector<double, N> density = values.at(name + ".density");
  const auto step = discretise<double, N>(a, density, values.at(name + ".interval")(0, 0));
  EXPECT_LT(relative_difference(step.transition.template topRows<N>(), values.at(name + ".transition")), tolerance);
  EXPECT_LT(scaled_difference(step.noise.template topRows<N>(), values.at(name + ".noise")), tolerance);
}

TEST(DiscretisationFromOctave, FreeTorque) { expect_same_step<5>(stored("discretisation.txt"), "free_torque", 1e-12); }
TEST(DiscretisationFromOctave, Standstill) { expect_same_step<5>(stored("discretisation.txt"), "standstill", 1e-11); }
TEST(DiscretisationFromOctave, Spring) { expect_same_step<4>(stored("discretisation.txt"), "spring", 1e-12); }

struct SteadyState : testing::Test {
  const OracleValues values = stored("gains.txt");
  LinearModel<double, 3> model() const {
    LinearModel<double, 3> drive;
    drive.a = values.at("a");
    drive.density = values.at("density");
    drive.c = values.at("c");
    return drive;
  }
  // The filter after 4000 steps without surprise, up to the prediction: its covariance no longer changes.
  Ekf<LinearModel<double, 3>> settled() const {
    Ekf<LinearModel<double, 3>> filter(model(), {Vector<double, 3>::Zero(), Matrix<double, 3>::Identity()});
    for (int k = 0; k < 4000; ++k) {
      correct(filter);
      filter.predict(Vector<double, 1>::Zero(), values.at("interval")(0, 0));
    }
    return filter;
  }
  void correct(Ekf<LinearModel<double, 3>>& filter) const {
    for (int i = 0; i < 2; ++i) filter.correct({i, 0.0, values.at("r")(i, i)});
  }
};

TEST_F(SteadyState, PredictedCovarianceSolvesTheRiccatiEquation) {
  EXPECT_LT(scaled_difference(settled().belief().covariance(), values.at("predicted")), 1e-10);
}

TEST_F(SteadyState, CorrectedCovarianceIsThatOfDlqe) {
  auto filter = settled();
  correct(filter);
  EXPECT_LT(scaled_difference(filter.belief().covariance(), values.at("corrected")), 1e-10);
}

// Scalar corrections have no gain matrix; what they do to the mean, unit innovation by unit innovation, is
// it.
TEST_F(SteadyState, GainIsThatOfDlqe) {
  Matrix<double, 3, 2> gain;
  for (int sensor = 0; sensor < 2; ++sensor) {
    auto filter = settled();
    for (int i = 0; i < 2; ++i) filter.correct({i, i == sensor ? 1.0 : 0.0, values.at("r")(i, i)});
    gain.col(sensor) = filter.belief().mean;
  }
  EXPECT_LT(relative_difference(gain, values.at("gain")), 1e-10);
}

}  // namespace
}  // namespace tauhat
