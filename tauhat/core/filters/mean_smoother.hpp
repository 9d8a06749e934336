// The smoothed means alone, as points to linearise anew about: of BackwardSweep only the adjoint vector, which is far
// cheaper than the covariances.
//   x_s = x(k|k) - P(k|k) lambda,   lambda <- C^T lambda - h e / S  over each correction,   lambda <- Phi^T lambda
#pragma once

#include <span>

#include "tauhat/core/filters/trajectory.hpp"

namespace tauhat {

// `visit(k, mean)` is called from the last instant to the first.
template <class T, int N, class Visit>
void smooth_means(std::span<const StepRecord<T, N>> steps, std::span<const CorrectionRecord<T, N>> corrections,
                  Visit&& visit) {
  Vector<T, N> adjoint = Vector<T, N>::Zero();
  for (std::size_t k = steps.size(); k-- > 0;) {
    const StepRecord<T, N>& step = steps[k];
    visit(k, Vector<T, N>(step.posterior.mean - step.posterior.covariance() * adjoint));
    for (std::size_t i = step.corrections; i-- > 0;) {
      const CorrectionRecord<T, N>& c = corrections[step.first_correction + i];
      adjoint -= c.gradient * (c.gain.dot(adjoint) + c.innovation / c.variance);
    }
    const Vector<T, N> carried = step.transition.template topRows<N>().transpose() * adjoint;
    adjoint = carried;
  }
}

}  // namespace tauhat
