// A filter of any size and number behind one face: law suites are compiled once and run on all of them.
#pragma once

#include <Eigen/Core>

#include <memory>

#include "support/linear_model.hpp"
#include "support/random.hpp"
#include "tauhat/core/filters/ekf.hpp"

namespace tauhat {

// A linear drive with run-time sizes, and its exact step.
struct DenseDrive {
  Eigen::MatrixXd transition, noise, sensors;
  Eigen::VectorXd response;

  static DenseDrive drawn(int states, double interval, Draw& draw) {
    const auto normal = [&](Eigen::Index, Eigen::Index) { return draw.normal(); };
    Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(states, states, normal);
    a.diagonal().array() -= a.cwiseAbs().rowwise().sum().maxCoeff();  // Gershgorin: stable
    const Eigen::MatrixXd b = Eigen::MatrixXd::NullaryExpr(states, 1, normal);
    const Eigen::MatrixXd density = Eigen::MatrixXd::NullaryExpr(states, 1, normal).cwiseAbs();
    using Real = VanLoan::Real;
    const VanLoan exact(a.cast<Real>(), b.cast<Real>(), density.cast<Real>(), static_cast<Real>(interval));
    return {exact.transition.cast<double>(), exact.noise.cast<double>(),
            Eigen::MatrixXd::NullaryExpr(2, states, normal), exact.response.cast<double>()};
  }
};

class AnyFilter {
 public:
  virtual ~AnyFilter() = default;
  virtual void correct(int output, double value, double variance) = 0;
  virtual void predict(double input) = 0;
  virtual Eigen::VectorXd mean() const = 0;
  virtual Eigen::MatrixXd covariance() const = 0;
  virtual bool is_definite() const = 0;
  virtual bool padding_is_zero() const = 0;
};

// The drive as a model with its own step: nothing is integrated, what remains is the filter's algebra.
template <class T, int N>
struct SteppedModel {
  using Scalar = T;
  template <class S>
  using Rebind = SteppedModel<S, N>;
  static constexpr int kStates = N, kInputs = 1;
  static constexpr std::array<Signal, 2> kOutputs{};
  Discrete<T, N> discrete;
  Vector<T, N> response;
  Matrix<T, 2, N> sensors;

  explicit SteppedModel(const DenseDrive& drive)
      : response(drive.response.cast<T>()), sensors(drive.sensors.cast<T>()) {
    discrete.transition.topRows(N) = drive.transition.cast<T>();
    discrete.noise.topRows(N) = drive.noise.cast<T>();
  }
  Propagated<T, N> step(const Vector<T, N>& x, const Vector<T, 1>& u, T) const noexcept {
    return {discrete.transition.template topRows<N>() * x + response * u[0], discrete};
  }
  T output(int index, const Vector<T, N>& x, const Vector<T, 1>&) const { return sensors.row(index).dot(x); }
  OutputGradient<T, N, 1> output_gradient(int index, const Vector<T, N>&, const Vector<T, 1>&) const {
    return {sensors.row(index).transpose(), Vector<T, 1>::Zero()};
  }
  // What the concept asks for, and a model with its own step is never asked for.
  Vector<T, N> derivative(const Vector<T, N>& x, const Vector<T, 1>&) const { return x; }
  Vector<T, N> spectral_density() const { return response; }
};

template <class T, int N>
class EkfBehindTheFace : public AnyFilter {
 public:
  EkfBehindTheFace(const DenseDrive& drive, const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance)
      : filter_(SteppedModel<T, N>(drive), {mean.cast<T>(), covariance.cast<T>()}) {}
  void correct(int output, double value, double variance) override {
    filter_.correct({output, static_cast<T>(value), static_cast<T>(variance)});
  }
  void predict(double input) override { filter_.predict(Vector<T, 1>(static_cast<T>(input)), T(1)); }
  Eigen::VectorXd mean() const override { return filter_.belief().mean.template cast<double>(); }
  Eigen::MatrixXd covariance() const override { return filter_.belief().covariance().template cast<double>(); }
  bool is_definite() const override { return tauhat::is_definite(filter_.belief()); }
  bool padding_is_zero() const override {
    const auto& padded = filter_.belief().padded_covariance;
    return padded.bottomRows(padded.rows() - N).isZero(0);
  }

 private:
  Ekf<SteppedModel<T, N>> filter_;
};

}  // namespace tauhat
