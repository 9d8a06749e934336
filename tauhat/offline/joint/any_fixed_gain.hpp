// The observer of core/observers/fixed_gain.hpp for sizes that are known at run time.
//   e = y - C x,   x+ = A x + B u + L e
//   the estimate:   predictor form x,   filter form x + K e, of which L = A K
#pragma once

#include <cmath>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"

namespace tauhat {

class AnyFixedGain {
 public:
  using Sampled = tauhat::Sampled<double, Eigen::Dynamic, Eigen::Dynamic>;

  // `gain` is that of the form: K of the filter, L of the predictor.
  AnyFixedGain(const Sampled& model, const Eigen::MatrixXd& measured, ObserverForm form, const Eigen::MatrixXd& gain)
      : form_(form),
        measured_(measured),
        gain_(gain),
        x_(Eigen::VectorXd::Zero(measured.cols())),
        estimate_(x_),
        next_(x_),
        innovation_(Eigen::VectorXd::Zero(measured.rows())) {
    reschedule(model);
  }

  // Another pose, or a longer interval; the gain of the form stays.
  void reschedule(const Sampled& model) noexcept {
    model_ = model;
    by_innovation_ = form_ == ObserverForm::filter ? Eigen::MatrixXd(model.transition * gain_) : gain_;
  }
  void start(const Eigen::VectorXd& x) noexcept { x_ = estimate_ = x; }

  // A sample that is missing (NaN) has no innovation.
  void correct(const Eigen::VectorXd& y) noexcept {
    innovation_ = y;
    innovation_.noalias() -= measured_ * x_;
    for (double& e : innovation_)
      if (!std::isfinite(e)) e = 0.0;
    estimate_ = x_;
    if (form_ == ObserverForm::filter) estimate_.noalias() += gain_ * innovation_;
  }
  void predict(const Eigen::VectorXd& u) noexcept {
    next_.noalias() = model_.transition * x_;
    next_.noalias() += model_.by_input * u;
    next_.noalias() += by_innovation_ * innovation_;
    x_.swap(next_);
  }

  const Eigen::VectorXd& estimate() const noexcept { return estimate_; }
  const Eigen::VectorXd& state() const noexcept { return x_; }
  const Eigen::VectorXd& innovation() const noexcept { return innovation_; }

 private:
  ObserverForm form_;
  Sampled model_;
  Eigen::MatrixXd measured_, gain_, by_innovation_;
  Eigen::VectorXd x_, estimate_, next_, innovation_;
};

}  // namespace tauhat
