// Fixed-interval smoother in the modified Bryson-Frazier form: what all data, before and after, say of each
// instant.
//
//   x_s = x(k|k) - P(k|k) lambda,   P_s = P(k|k) - P(k|k) Lambda P(k|k)
// with the adjoint pair carried backwards, through each scalar correction (C = I - K h^T)
//   lambda <- C^T lambda - h e / S,   Lambda <- C^T Lambda C + h h^T / S
// and through each transition
//   lambda <- Phi^T lambda,           Lambda <- Phi^T Lambda Phi
// Equal to Rauch-Tung-Striebel without inverting the predicted covariance (Bierman 1973).
#pragma once

#include <span>

#include "tauhat/core/filters/trajectory.hpp"

namespace tauhat {

template <class T, int N>
class BackwardSweep {
 public:
  // The belief at an instant whose later instants have been absorbed becomes the smoothed one.
  void smooth(Gaussian<T, N>& belief) const noexcept {
    PaddedMatrix<T, N>& p = belief.padded_covariance;
    belief.mean -= belief.covariance() * adjoint_;
    const PaddedMatrix<T, N> negative = -information_;
    const PaddedMatrix<T, N> lower = lower_covariance<N>(p, negative, p);  // P (-Lambda) P + P
    mirror_lower(lower, p);
  }

  Gaussian<T, N> smoothed(Gaussian<T, N> posterior) const noexcept {
    smooth(posterior);
    return posterior;
  }

  // Goes back over the instant's corrections (last first), then over the transition that led to it.
  void absorb(const StepRecord<T, N>& step, std::span<const CorrectionRecord<T, N>> corrections) noexcept {
    absorb(step.transition, corrections);
  }
  void absorb(const PaddedMatrix<T, N>& transition, std::span<const CorrectionRecord<T, N>> corrections) noexcept {
    for (std::size_t i = corrections.size(); i-- > 0;) uncorrect(corrections[i]);
    untransition(transition);
  }

  const Vector<T, N>& adjoint() const noexcept { return adjoint_; }
  const PaddedMatrix<T, N>& information() const noexcept { return information_; }

 private:
  void uncorrect(const CorrectionRecord<T, N>& c) noexcept {
    const auto& h = c.gradient;
    const auto& k = c.gain;
    adjoint_ -= h * (k.dot(adjoint_) + c.innovation / c.variance);
    // C^T Lambda C + h h^T / S = Lambda - h b^T - b h^T + (k^T b + 1/S) h h^T,   b = Lambda k
    PaddedVector<T, N> b = information_.col(0) * k[0];
    for (int j = 1; j < N; ++j) b += information_.col(j) * k[j];
    const T weight = k.dot(b.template head<N>()) + T(1) / c.variance;
    PaddedVector<T, N> padded_h = PaddedVector<T, N>::Zero();
    padded_h.template head<N>() = h;
    for (int j = 0; j < N; ++j) information_.col(j) += padded_h * (weight * h[j] - b[j]) - b * h[j];
  }

  void untransition(const PaddedMatrix<T, N>& phi) noexcept {
    const Vector<T, N> carried = phi.template topRows<N>().transpose() * adjoint_;
    adjoint_ = carried;
    const PaddedMatrix<T, N> lower = lower_information(phi, information_);
    mirror_lower(lower, information_);
  }

  Vector<T, N> adjoint_ = Vector<T, N>::Zero();
  PaddedMatrix<T, N> information_ = PaddedMatrix<T, N>::Zero();
};

// Smooths a stored trajectory in place: each posterior x(k|k) becomes x(k|all).
template <class T, int N>
void smooth(std::span<StepRecord<T, N>> steps, std::span<const CorrectionRecord<T, N>> corrections,
            BackwardSweep<T, N>& sweep) noexcept {
  for (std::size_t k = steps.size(); k-- > 0;) {
    StepRecord<T, N>& step = steps[k];
    sweep.smooth(step.posterior);
    sweep.absorb(step, corrections.subspan(step.first_correction, step.corrections));
  }
}

}  // namespace tauhat
