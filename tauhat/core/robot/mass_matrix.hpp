// The mass matrix, and its factors.
#pragma once

#include "tauhat/core/robot/composite.hpp"

namespace tauhat {

template <class T, int Joints>
inline JointMatrix<T, Joints> mass_matrix(const Robot<T, Joints>& robot,
                                          const JointVector<T, Joints>& position) noexcept {
  return CompositeInertia<T, Joints>(robot, pose_of(robot, position)).mass_matrix(robot);
}

// M = L D L^T, without square roots. is_positive() is false where masses are not physical: the solution is then not
// to be used.
template <class T, int Joints>
class MassFactor {
 public:
  explicit MassFactor(const JointMatrix<T, Joints>& mass) noexcept : lower_(mass), inverse_(mass.rows()) {
    const int n = static_cast<int>(mass.rows());
    for (int j = 0; j < n; ++j) {
      const T pivot = lower_(j, j);
      positive_ = positive_ && pivot > T(0);
      inverse_[j] = T(1) / pivot;
      for (int k = j + 1; k < n; ++k) {
        const T scaled = lower_(k, j) * inverse_[j];
        for (int i = k; i < n; ++i) lower_(i, k) -= lower_(i, j) * scaled;
      }
      for (int i = j + 1; i < n; ++i) lower_(i, j) *= inverse_[j];
    }
  }

  bool is_positive() const noexcept { return positive_; }

  JointVector<T, Joints> solve(JointVector<T, Joints> x) const noexcept {
    const int n = static_cast<int>(x.size());
    for (int j = 0; j < n; ++j) {
      for (int i = j + 1; i < n; ++i) x[i] -= lower_(i, j) * x[j];
    }
    for (int j = n - 1; j >= 0; --j) {
      x[j] *= inverse_[j];
      for (int i = j + 1; i < n; ++i) x[j] -= lower_(i, j) * x[i];
    }
    return x;
  }

  // By rows, all columns at once.
  JointMatrix<T, Joints> inverse() const noexcept {
    const int n = static_cast<int>(inverse_.size());
    JointMatrix<T, Joints> columns = JointMatrix<T, Joints>::Identity(n, n);  // of the inverse, which is symmetric
    for (int j = 0; j < n; ++j) {
      for (int i = j + 1; i < n; ++i) columns.col(i) -= columns.col(j) * lower_(i, j);
    }
    for (int j = n - 1; j >= 0; --j) {
      columns.col(j) *= inverse_[j];
      for (int i = j + 1; i < n; ++i) columns.col(j) -= columns.col(i) * lower_(i, j);
    }
    return columns;
  }

 private:
  JointMatrix<T, Joints> lower_;
  JointVector<T, Joints> inverse_;  // of the pivots
  bool positive_ = true;
};

}  // namespace tauhat
