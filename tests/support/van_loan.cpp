// In a file of its own: Eigen's exponential takes long to compile.
#include <unsupported/Eigen/MatrixFunctions>

#include "support/linear_model.hpp"

namespace tauhat {
namespace {

VanLoan::Dense exponential(const VanLoan::Dense& m) { return m.exp(); }

}  // namespace

VanLoan::VanLoan(const Dense& a, const Dense& b, const Dense& density, Real interval) {
  const Eigen::Index n = a.rows();
  Dense block = Dense::Zero(2 * n, 2 * n);
  block.topLeftCorner(n, n) = -a;
  block.topRightCorner(n, n).diagonal() = density;
  block.bottomRightCorner(n, n) = a.transpose();
  const Dense power = exponential(block * interval);
  transition = power.bottomRightCorner(n, n).transpose();
  noise = transition * power.topRightCorner(n, n);

  Dense driven = Dense::Zero(n + 1, n + 1);
  driven.topLeftCorner(n, n) = a;
  driven.topRightCorner(n, 1) = b;
  response = exponential(driven * interval).topRightCorner(n, 1);
}

}  // namespace tauhat
