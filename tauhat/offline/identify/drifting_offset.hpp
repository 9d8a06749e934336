// The offset of a cloud that drifts: c(t) linear between knots, with a random-walk prior on its steps.
//
// Displacement is an integral of measured velocities, so its error wanders; a single offset smears the gap away. Each
// sample touches two neighbouring knots, hence the normal equations are tridiagonal in the knots, bordered by the few
// curve parameters:
//   [ G  B^T ] [ dp ]   [ g ]
//   [ B   T  ] [ dc ] = [ c ]         solved in time proportional to the number of knots
#pragma once

#include <Eigen/Dense>

#include <cstddef>
#include <vector>

namespace tauhat {

struct DriftingOffset {
  std::vector<double> knot_times;
  std::vector<double> step_variance;  // prior variance of c[i+1] - c[i]
  std::vector<double> value;

  // Where t lies: knot `index` with weight 1 - fraction, the next with weight fraction.
  struct Place {
    std::size_t index;
    double fraction;
  };
  Place place(double t) const;
  double at(double t) const;
};

class BorderedSystem {
 public:
  BorderedSystem(std::size_t knots, int parameters);

  void clear();
  // One sample: residual with weight, its gradient by the parameters, and by c through `slope` (d residual model / dc).
  void add(const Eigen::VectorXd& gradient, double slope, DriftingOffset::Place place, double weight, double residual);
  void add_prior(const DriftingOffset& offset);
  void damp(double relative);

  // Solves for the steps; false where the system is singular.
  bool solve(Eigen::VectorXd& parameter_step, std::vector<double>& knot_step);

  // After solve(): what a unit change of each parameter does to the knots, and the parameters' Schur complement.
  const Eigen::MatrixXd& knots_by_parameter() const { return solved_border_; }
  const Eigen::MatrixXd& schur() const { return schur_; }

 private:
  std::size_t knots_;
  int parameters_;
  Eigen::MatrixXd corner_, border_, solved_border_, schur_;  // G, B, T^-1 B, G - B^T T^-1 B
  Eigen::VectorXd corner_rhs_, knot_rhs_, diagonal_, off_diagonal_;
};

}  // namespace tauhat
