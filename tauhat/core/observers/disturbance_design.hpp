// A regulator that finds the disturbance at an observer's input from its innovation, by polynomial pole placement
// (Zampolini, section 3.7.2). The model's input is u - d, the observer's u - d_hat:
//   e = B / A (d_hat - d)                                  core/linear/polynomial.hpp
//   d_hat = -S / R e,   S = s0 A,   R = Am - s0 B,   s0 = Am(1) / B(1)
// R(1) = 0: the regulator integrates. A cancels, and
//   d_hat = s0 B / Am d
// whatever the observer's gain, with Am at choice. B(1) = 0 where the model has an integrator of its own (a random walk
// at the link): that takes every constant, and nothing is left to find.
// Double only: in float s0 has not even its sign.
#pragma once

#include "tauhat/core/linear/polynomial.hpp"

namespace tauhat {

// The poles of Am: one slow, a pair at each complex zero of the model (else d_hat would ring with them), the rest fast,
// each faster than the one before.
struct DisturbancePoles {
  double slow = 10.0, fast = 200.0, faster_by = 1.25;  // Hz, Hz, 1
  double damping = 0.9;
};

enum class DisturbanceStatus { designed, not_observable, model_integrates, poles_at_fault };

template <int N>
struct DisturbanceDesign {
  DisturbanceStatus status = DisturbanceStatus::designed;
  double response_at_rest = 0.0;  // |B(1)| over the largest coefficient of B in z
  PoleCheck poles;
  Poles<double, N> assigned;  // those of Am, in z
  // -d_hat / s0 = e + (A - R) / R e, in g
  double rate = 0.0, gain = 0.0;  // r, s0
  Vector<double, N> numerator = Vector<double, N>::Zero(), denominator = Vector<double, N>::Zero();

  bool designed() const noexcept { return status == DisturbanceStatus::designed; }
};

namespace disturbance_detail {

// As many of the model's complex zeros as the degree has room for.
template <int N>
ContinuousPoles<double, N> closed_loop(const InnovationResponse<double, N>& response, const DisturbancePoles& wanted,
                                       double period) noexcept {
  ContinuousPoles<double, N> poles;
  poles.real(wanted.slow);
  for (const std::complex<double>& inverse : inverse_roots<double, N - 1>(response.b.template head<N>())) {
    if (!(inverse.imag() < 0.0) || poles.count() + 2 > N) continue;  // of a pair one
    const std::complex<double> zero = 1.0 + response.rate / inverse;
    poles.pair(mode_of(zero, period).frequency, wanted.damping);
  }
  for (double fast = wanted.fast; poles.count() < N; fast *= wanted.faster_by) poles.real(fast);
  return poles;
}

}  // namespace disturbance_detail

template <int N>
DisturbanceDesign<N> design_disturbance_observer(const Matrix<double, N>& a, const Vector<double, N>& b,
                                                 const Matrix<double, 1, N>& c, const Vector<double, N>& predictor_gain,
                                                 double period, const DisturbancePoles& wanted = {}) noexcept {
  static_assert(N > 1);
  constexpr double kNothing = 1e-9;  // of B at rest: rounding leaves 1e-15, a leak of 0.2 Hz 1e-5
  DisturbanceDesign<N> design;
  const auto refused = [&](DisturbanceStatus reason) { return design.status = reason, design; };
  const auto response = innovation_response<double, N>(a, b, c, predictor_gain);
  design.response_at_rest = std::abs(response.b[0]) / in_z<double, N>(response.b, response.rate).cwiseAbs().maxCoeff();
  if (!(std::abs(response.b[0]) > kNothing * response.b.cwiseAbs().maxCoeff())) {
    return refused(DisturbanceStatus::model_integrates);
  }
  const double weakest = hessenberg_form<double, N>(a, c).weakest_link;
  if (!(weakest > N * std::numeric_limits<double>::epsilon())) return refused(DisturbanceStatus::not_observable);
  const auto poles = disturbance_detail::closed_loop<N>(response, wanted, period);
  design.poles = poles.check(period);
  if (!design.poles.fine()) return refused(DisturbanceStatus::poles_at_fault);
  design.assigned = poles.sampled(period);

  const Polynomial<double, N> am = with_roots<double, N>(((design.assigned.array() - 1.0) / response.rate).matrix());
  design.rate = response.rate;
  design.gain = am[0] / response.b[0];
  Polynomial<double, N> r = am - design.gain * response.b;
  r[0] = 0.0;  // R = (z - 1) R', exactly
  design.denominator = r.template head<N>();
  design.numerator = (response.a - r).template head<N>();  // both are monic
  return design;
}

}  // namespace tauhat
