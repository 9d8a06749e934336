// The extended Kalman filter and the Rauch-Tung-Striebel smoother as a textbook prints them (Simon 2006,
// sections 13.2 and 9.4), on Eigen's fixed-size matrices: what the core's speed and its numbers are compared
// with.
//
//   x = f(x, u),  P = F P F^T + Q
//   S = H P H^T + R,  K = P H^T S^-1,  x += K e,  P = (I - K H) P (I - K H)^T + K R K^T
// and backwards
//   G = P(k|k) F^T P(k+1|k)^-1,  x_s = x(k|k) + G (x_s' - x(k+1|k)),  P_s = P(k|k) + G (P_s' - P(k+1|k)) G^T
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Dense>

#include <span>

namespace tauhat::bench {

template <class Drive>
class TextbookEkf {
 public:
  static constexpr int kStates = Drive::kStates, kSensors = Drive::kSensors;
  using X = Eigen::Matrix<double, kStates, 1>;
  using P = Eigen::Matrix<double, kStates, kStates>;
  using Z = Eigen::Matrix<double, kSensors, 1>;
  using U = typename Drive::U;

  TextbookEkf(const Drive& drive, const X& mean, const X& variances, double sensor_variance, double gate)
      : drive_(drive), q_(drive.noise.template topRows<kStates>()), gate_(gate) {
    r_ = Eigen::Matrix<double, kSensors, kSensors>::Identity() * sensor_variance;
    reset(mean, variances);
  }

  void reset(const X& mean, const X& variances) {
    mean_ = mean;
    covariance_ = variances.asDiagonal();
  }

  const X& mean() const { return mean_; }
  const P& covariance() const { return covariance_; }
  const P& transition() const { return f_; }

  void predict(const U& u, double dt) {
    f_ = drive_.jacobian(mean_, u, dt);
    mean_ = drive_.next(mean_, u, dt);
    covariance_ = f_ * covariance_ * f_.transpose() + q_;
  }

  // Returns the normalised innovation squared; above the gate, the belief stays.
  double correct(const Z& z) {
    const Z innovation = z - drive_.outputs(mean_);
    const Eigen::Matrix<double, kSensors, kStates> h = drive_.output_jacobian(mean_);
    const Eigen::Matrix<double, kSensors, kSensors> s = h * covariance_ * h.transpose() + r_;
    const Eigen::Matrix<double, kSensors, kSensors> s_inverse = s.inverse();
    const double nis = innovation.dot(s_inverse * innovation);
    if (nis > gate_) return nis;
    const Eigen::Matrix<double, kStates, kSensors> k = covariance_ * h.transpose() * s_inverse;
    const P c = P::Identity() - k * h;
    mean_ += k * innovation;
    covariance_ = c * covariance_ * c.transpose() + k * r_ * k.transpose();
    return nis;
  }

 private:
  Drive drive_;
  X mean_;
  P covariance_, f_ = P::Identity(), q_;
  Eigen::Matrix<double, kSensors, kSensors> r_;
  double gate_;
};

// What the textbook's smoother needs of each instant: x(k|k-1), x(k|k), and the transition that led there.
template <int N>
struct TextbookRecord {
  Eigen::Matrix<double, N, 1> predicted_mean, mean;
  Eigen::Matrix<double, N, N> predicted_covariance, covariance, transition;
};

// In place: each x(k|k) becomes x(k|all).
template <int N>
void smooth_as_textbook(std::span<TextbookRecord<N>> steps) {
  for (std::size_t k = steps.size() - 1; k-- > 0;) {
    TextbookRecord<N>& now = steps[k];
    const TextbookRecord<N>& later = steps[k + 1];
    // G P' = P F^T, so G^T = P'^-1 (F P).
    const Eigen::Matrix<double, N, N> fp = later.transition * now.covariance;
    const Eigen::Matrix<double, N, N> g = later.predicted_covariance.llt().solve(fp).transpose();
    now.mean += g * (later.mean - later.predicted_mean);
    now.covariance += g * (later.covariance - later.predicted_covariance) * g.transpose();
  }
}

}  // namespace tauhat::bench
