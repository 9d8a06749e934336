// The fixed-lag smoother as Shimizu prints it: columns P(j,0) = E[e(t-j) e(t)^T] of all lags, updated at every sample.
//   correct:  K(j) = P(j,0) h / S,  x(t-j) += K(j) e,  P(j,0) -= K(j) h^T P(0,0)
//   predict:  P(j+1,0) = P(j,0) Phi^T
// Work and memory grow with the lag; used as an oracle.
#pragma once

#include <deque>
#include <vector>

#include "tauhat/core/filters/trajectory.hpp"

namespace tauhat {

template <int N>
class LagColumns {
 public:
  explicit LagColumns(std::size_t lag) : lag_(lag) {}

  // The covariance before each correction must be given, because P(0,0) is the filter's.
  void predict(const Matrix<double, N>& transition) {
    for (auto& column : columns_) column = Matrix<double, N>(column * transition.transpose());
  }
  void correct(const CorrectionRecord<double, N>& c, const Matrix<double, N>& covariance) {
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Vector<double, N> gain = columns_[j] * c.gradient / c.variance;
      means_[j] += gain * c.innovation;
      columns_[j] -= gain * (c.gradient.transpose() * covariance);
    }
  }
  // After the corrections of an instant: it becomes lag zero of the next.
  void shift(const Gaussian<double, N>& posterior) {
    means_.push_front(posterior.mean);
    columns_.push_front(posterior.covariance());
    if (means_.size() > lag_ + 1) means_.pop_back(), columns_.pop_back();
  }
  bool full() const { return means_.size() == lag_ + 1; }
  const Vector<double, N>& oldest() const { return means_.back(); }
  const Vector<double, N>& at(std::size_t age) const { return means_[age]; }

 private:
  std::size_t lag_;
  std::deque<Vector<double, N>> means_;
  std::deque<Matrix<double, N>> columns_;
};

}  // namespace tauhat
