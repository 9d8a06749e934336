// What an elastic joint answers to its motor's torque: the response of the motor's position as samples see it, with the
// torque held between them, and its resonances.
//   x+ = Phi x + Gamma u,   [Phi Gamma; 0 1] = exp([A B; 0 0] h),   G(f) = C (z - Phi)^-1 Gamma,   z = exp(2 pi i f h)
#pragma once

#include <complex>
#include <vector>

#include "tauhat/core/linear/poles.hpp"
#include "tauhat/core/models/elastic_joint.hpp"

namespace tauhat {

// With its derivatives, where the matrices' derivatives by a parameter are known:
//   dG = C (z - Phi)^-1 (dPhi x + dGamma),   x = (z - Phi)^-1 Gamma
class SampledJoint {
 public:
  static constexpr int kStates = ElasticJoint<double>::kStates;
  struct Matrices {
    Matrix<double, kStates> transition;  // Phi
    Vector<double, kStates> by_torque;   // Gamma
  };
  SampledJoint(const ElasticJoint<double>& joint, double period);

  const Matrices& matrices() const noexcept { return matrices_; }

  // rad per N m.
  std::complex<double> gain(double frequency) const;
  // The gain, and its derivative in each direction of change.
  std::complex<double> gain(double frequency, const std::vector<Matrices>& changes,
                            std::vector<std::complex<double>>& derivatives) const;

 private:
  Matrices matrices_;
  double period_;
};

// The virtual sensor: from motor velocity to link velocity, as the links answer, rad/s per rad/s.
//   [M_ll s^2 + (D + b_l) s + K,  M_ln s^2;  M_ln s^2,  M_nn s^2 + (D_n + b_n) s + K_n] [q_l; q_n] = [(K + D s) q_m /
//   N; 0]
std::complex<double> virtual_sensor_gain(const ElasticJoint<double>& joint, double frequency);

// Where motor and links swing together, by frequency.
std::vector<Mode<double>> poles_of(const ElasticJoint<double>& joint);
// Where the links swing and the motor stands still, for it feels no torque: the response of the motor has a hole there.
//   the eigenvalues of A without the motor's rows and columns
std::vector<Mode<double>> zeros_of(const ElasticJoint<double>& joint);

}  // namespace tauhat
