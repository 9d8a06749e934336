// Interacting multiple models (Blom and Bar-Shalom 1988): one filter a mode, their beliefs mixed as the modes may have
// changed. Any filters of one kind; how likely each change is, and what it does to a belief, are the caller's.
//   mix:      c_j = sum_i p_ij mu_i,   b_j = sum_i (p_ij mu_i / c_j) b_i, as it enters j
//   correct:  mu_j ~ c_j * likelihood_j
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "tauhat/core/filters/correction.hpp"
#include "tauhat/core/gaussian.hpp"
#include "tauhat/core/math/autodiff.hpp"

namespace tauhat {

// The moments of a mixture of the filters' beliefs:
//   m = sum w_i m_i,   P = sum w_i (P_i + (m_i - m) (m_i - m)^T)
template <class F, std::size_t K>
typename F::Belief mixture(const std::array<F, K>& filters,
                           const Vector<typename F::Scalar, static_cast<int>(K)>& weights) {
  using T = typename F::Scalar;
  constexpr int kStates = F::kStates;
  // Of the whole: what no rounding of a covariance would show, were its mean a thousand deviations away.
  constexpr double kNegligible = 1e-12;
  typename F::Belief mixed;
  for (std::size_t i = 0; i < K; ++i) mixed.mean += weights[static_cast<int>(i)] * filters[i].belief().mean;
  auto& p = mixed.padded_covariance;
  for (std::size_t i = 0; i < K; ++i) {
    const T weight = weights[static_cast<int>(i)];
    if (!(weight > constant<T>(kNegligible))) continue;
    const auto& part = filters[i].belief();
    const PaddedVector<T, kStates> off = padded<T, kStates>(part.mean - mixed.mean);
    for (int j = 0; j < kStates; ++j) p.col(j) += weight * part.padded_covariance.col(j) + (weight * off[j]) * off;
  }
  return mixed;
}

template <class F, int K>
class Imm {
 public:
  using Scalar = typename F::Scalar;
  using T = Scalar;
  using Belief = typename F::Belief;
  using Weights = Vector<T, K>;

  Imm(const std::array<F, K>& filters, const Weights& probability) noexcept
      : filters_(filters), probability_(probability) {}

  F& filter(int mode) noexcept { return filters_[static_cast<std::size_t>(mode)]; }
  const F& filter(int mode) const noexcept { return filters_[static_cast<std::size_t>(mode)]; }
  const Weights& probability() const noexcept { return probability_; }
  int likeliest() const noexcept {
    int best = 0;
    for (int i = 1; i < K; ++i)
      if (probability_[i] > probability_[best]) best = i;
    return best;
  }

  Belief belief() const noexcept { return mixture(filters_, probability_); }

  // `transition(i)` gives the probabilities of leading from mode i to each; `enter(j, belief)` what becomes of a belief
  // that comes to mode j: a linear map of its state, so that the mixture may enter as a whole.
  template <class Transition, class Enter>
  void mix(const Transition& transition, const Enter& enter) noexcept {
    Matrix<T, K> share;  // (i, j): from i to j
    for (int i = 0; i < K; ++i) share.row(i) = probability_[i] * transition(i).transpose();
    const Weights arrived = share.colwise().sum().transpose();
    std::array<Belief, K> mixed;
    for (int j = 0; j < K; ++j) {
      // A mode that nobody can be in starts from what it knew itself.
      const Weights weights = arrived[j] > T(0) ? Weights(share.col(j) / arrived[j]) : Weights(Weights::Unit(j));
      mixed[static_cast<std::size_t>(j)] = mixture(filters_, weights);
      enter(j, mixed[static_cast<std::size_t>(j)]);
    }
    for (std::size_t j = 0; j < K; ++j) filters_[j].belief() = mixed[j];
    probability_ = arrived / arrived.sum();
  }

  // `advance(filter)` carries one of them to the next instant: filters that move alike may share their step.
  template <class Advance>
  StepStatus predict(const Advance& advance) noexcept {
    StepStatus status = StepStatus::ok;
    for (F& filter : filters_) {
      if (const StepStatus one = advance(filter); one != StepStatus::ok) status = one;
    }
    return status;
  }

  // The correction that is returned is that of the mixture: what all modes expected, each as likely as it was.
  Correction<T> correct(const Measurement<T>& z) noexcept {
    const Weights before = probability_;
    StepStatus status = StepStatus::ok;
    Weights log_likelihood, innovation, variance;
    for (int i = 0; i < K; ++i) {
      const Correction<T> done = filters_[static_cast<std::size_t>(i)].correct(z);
      if (done.status == StepStatus::missing) return done;
      if (done.status != StepStatus::ok) status = done.status;
      log_likelihood[i] = done.log_likelihood();
      innovation[i] = done.innovation, variance[i] = done.variance;
    }
    using std::exp;
    const T best = log_likelihood.maxCoeff();
    // No mode is given up for ever: a surprise may bring it back.
    constexpr double kLeast = 1e-12;
    for (int i = 0; i < K; ++i)
      probability_[i] = std::max(T(probability_[i] * exp(log_likelihood[i] - best)), constant<T>(kLeast));
    probability_ /= probability_.sum();
    const T mean = before.dot(innovation);
    return {status, mean, before.dot(variance + (innovation.array() - mean).square().matrix())};
  }

 private:
  std::array<F, K> filters_;
  Weights probability_;
};

}  // namespace tauhat
