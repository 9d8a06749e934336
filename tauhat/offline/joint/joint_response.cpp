#include "tauhat/offline/joint/joint_response.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tauhat/core/math/discretise.hpp"

namespace tauhat {
namespace {

using std::numbers::pi;
using Joint = ElasticJoint<double>;
using Complex = std::complex<double>;
constexpr int kStates = Joint::kStates;

LinearisedOf<Joint> linear(const Joint& joint) {
  return linearise(joint, StateOf<Joint>::Zero(), InputOf<Joint>::Zero());
}

SampledJoint::Matrices held(const Joint& joint, double period) {
  constexpr int kAll = kStates + 1;
  const LinearisedOf<Joint> rates = linear(joint);
  Matrix<double, kAll> all = Matrix<double, kAll>::Zero();
  all.topLeftCorner<kStates, kStates>() = rates.by_state;
  all.topRightCorner<kStates, 1>() = rates.by_input.col(Joint::motor_torque);
  const auto step = discretise<double, kAll>(all, Vector<double, kAll>::Zero(), period).transition;
  return {step.topLeftCorner<kStates, kStates>(), step.col(kStates).head<kStates>()};
}

using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;

ComplexMatrix resolvent_inverse(const SampledJoint::Matrices& matrices, double angle) {
  ComplexMatrix inverse = -matrices.transition.cast<Complex>();
  inverse.diagonal().array() += std::polar(1.0, angle);
  return inverse;
}

std::vector<Mode<double>> resonances_of(const Eigen::MatrixXd& rates) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(rates, false);
  std::vector<Mode<double>> found;
  for (Eigen::Index i = 0; i < rates.rows(); ++i) {
    const Complex s = solver.eigenvalues()[i];
    if (s.imag() > 0.0) found.push_back({std::abs(s) / (2.0 * pi), -s.real() / std::abs(s)});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  return found;
}

}  // namespace

SampledJoint::SampledJoint(const Joint& joint, double period) : matrices_(held(joint, period)), period_(period) {}

Complex SampledJoint::gain(double frequency) const {
  const ComplexMatrix inverse = resolvent_inverse(matrices_, 2.0 * pi * frequency * period_);
  return inverse.partialPivLu().solve(matrices_.by_torque.cast<Complex>())[Joint::motor_position];
}

Complex SampledJoint::gain(double frequency, const std::vector<Matrices>& changes,
                           std::vector<Complex>& derivatives) const {
  const Eigen::PartialPivLU<ComplexMatrix> resolvent(resolvent_inverse(matrices_, 2.0 * pi * frequency * period_));
  const ComplexVector x = resolvent.solve(matrices_.by_torque.cast<Complex>());
  const ComplexVector seen = resolvent.transpose().solve(ComplexVector::Unit(kStates, Joint::motor_position));
  derivatives.clear();
  for (const Matrices& change : changes) {
    derivatives.push_back((seen.transpose() * (change.transition * x + change.by_torque))(0));
  }
  return x[Joint::motor_position];
}

std::vector<Mode<double>> poles_of(const Joint& joint) { return resonances_of(linear(joint).by_state); }

std::vector<Mode<double>> zeros_of(const Joint& joint) {
  const std::array<int, 4> links{Joint::load_position, Joint::neighbour_position, Joint::load_velocity,
                                 Joint::neighbour_velocity};
  return resonances_of(linear(joint).by_state(links, links));
}

}  // namespace tauhat
