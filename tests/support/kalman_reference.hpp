// The Kalman filter and its batch posterior as a textbook prints them, with run-time sizes and inverses.
//   x = Phi x + g,  P = Phi P Phi^T + Q;   K = P H^T (H P H^T + R)^-1,  x += K (z - H x),  P = (I - K H) P
#pragma once

#include <Eigen/Dense>

#include <vector>

namespace tauhat {

struct KalmanReference {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;

  void predict(const Eigen::MatrixXd& phi, const Eigen::VectorXd& driven, const Eigen::MatrixXd& noise) {
    mean = phi * mean + driven;
    covariance = phi * covariance * phi.transpose() + noise;
  }
  // All sensors at once.
  void correct(const Eigen::MatrixXd& h, const Eigen::MatrixXd& r, const Eigen::VectorXd& z) {
    const Eigen::MatrixXd s = h * covariance * h.transpose() + r;
    const Eigen::MatrixXd k = covariance * h.transpose() * s.inverse();
    mean += k * (z - h * mean);
    covariance = (Eigen::MatrixXd::Identity(mean.size(), mean.size()) - k * h) * covariance;
  }
};

// The joint posterior of all states x_0 ... x_{K-1}, by one dense solve of the normal equations. No recursion
// at all.
class BatchPosterior {
 public:
  BatchPosterior(int states, int instants)
      : n_(states),
        information_(Eigen::MatrixXd::Zero(states * instants, states * instants)),
        right_(Eigen::VectorXd::Zero(states * instants)) {}

  // Adds the cost |J x - value|^2 weighted by `weight`, J acting from the states of `instant` on.
  void add(int instant, const Eigen::MatrixXd& j, const Eigen::VectorXd& value, const Eigen::MatrixXd& weight) {
    const Eigen::Index at = instant * n_, width = j.cols();
    information_.block(at, at, width, width) += j.transpose() * weight * j;
    right_.segment(at, width) += j.transpose() * weight * value;
  }
  void add_transition(int instant, const Eigen::MatrixXd& phi, const Eigen::VectorXd& driven,
                      const Eigen::MatrixXd& noise) {
    Eigen::MatrixXd j(n_, 2 * n_);
    j << -phi, Eigen::MatrixXd::Identity(n_, n_);
    add(instant, j, driven, noise.inverse());
  }
  void solve() {
    covariance_ = information_.ldlt().solve(Eigen::MatrixXd::Identity(information_.rows(), information_.rows()));
    mean_ = covariance_ * right_;
  }
  Eigen::VectorXd mean(int instant) const { return mean_.segment(instant * n_, n_); }
  Eigen::MatrixXd covariance(int instant) const { return covariance_.block(instant * n_, instant * n_, n_, n_); }

 private:
  Eigen::Index n_;
  Eigen::MatrixXd information_, covariance_;
  Eigen::VectorXd right_, mean_;
};

}  // namespace tauhat
