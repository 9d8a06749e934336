#include "tauhat/offline/joint/joint_response.hpp"

#include <Eigen/Dense>

#include <algorithm>
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

// A neighbour that nothing couples to swings by itself: the motor does not feel it.
std::vector<Mode<double>> resonances_of(const Joint& joint, std::vector<int> bodies) {
  if (joint.coupling_inertia != 0.0) bodies.push_back(Joint::neighbour_position);
  const std::size_t count = bodies.size();
  for (std::size_t i = 0; i < count; ++i) bodies.push_back(bodies[i] + Joint::kBodies);
  return resonances_of(linear(joint).by_state(bodies, bodies));
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

Complex virtual_sensor_gain(const Joint& joint, double frequency) {
  const Complex s(0.0, 2.0 * pi * frequency);
  const Complex link = joint.load_inertia * s * s + (joint.damping + joint.load_viscous) * s + joint.stiffness;
  const Complex neighbour = joint.neighbour_inertia * s * s + (joint.neighbour_damping + joint.neighbour_viscous) * s +
                            joint.neighbour_stiffness;
  const Complex coupling = joint.coupling_inertia * s * s;
  return (joint.stiffness + joint.damping * s) / joint.ratio * neighbour / (link * neighbour - coupling * coupling);
}

std::vector<Mode<double>> poles_of(const Joint& joint) {
  return resonances_of(joint, {Joint::motor_position, Joint::load_position});
}

std::vector<Mode<double>> zeros_of(const Joint& joint) { return resonances_of(joint, {Joint::load_position}); }

}  // namespace tauhat
