#include "tauhat/offline/identify/online_estimator.hpp"

namespace tauhat {

OnlineEstimator::OnlineEstimator(const Study& study, double intensity, const FirstRow& first)
    : as_said_(make_online_estimator(study, intensity, first)) {
  const auto uncertain = uncertain_inputs(study);
  for (std::size_t i = 0; i < uncertain.size(); ++i) {
    for (const Study& other : with_input_off(study, uncertain[i]))
      moved_.push_back({i, make_online_estimator(other, intensity, first), {}});
  }
}

void OnlineEstimator::set_lag(std::size_t samples) {
  as_said_->set_lag(samples);
  for (Moved& each : moved_) each.filter->set_lag(samples);
}

Correction<double> OnlineEstimator::correct(const Measurement<double>& z) noexcept {
  for (Moved& each : moved_) each.filter->correct(z);
  return as_said_->correct(z);
}

StepStatus OnlineEstimator::predict(std::span<const double> u, double dt) noexcept {
  for (Moved& each : moved_) each.filter->predict(u, dt);
  return as_said_->predict(u, dt);
}

bool OnlineEstimator::settle() {
  for (Moved& each : moved_) each.filter->settle();
  return as_said_->settle();
}

double OnlineEstimator::Moved::value(int output) const noexcept {
  double value = 0.0, std = 0.0;
  filter->estimate(output, value, std);
  return value;
}

double OnlineEstimator::Moved::lagged_value(int output, std::size_t finished) const noexcept {
  if (!last.empty()) return last[finished][static_cast<std::size_t>(output)];
  double value = 0.0, std = 0.0;
  filter->lagged(output, value, std);
  return value;
}

template <class Value>
double OnlineEstimator::widened(double said, double noise, const Value& value_of) const noexcept {
  if (moved_.empty()) return noise;
  InputVariance variance;
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    if (i == 0 || moved_[i].parameter != moved_[i - 1].parameter) variance.begin_parameter();
    variance.moved(value_of(moved_[i]), said);
    if (i + 1 == moved_.size() || moved_[i].parameter != moved_[i + 1].parameter) variance.end_parameter();
  }
  return variance.with_noise(noise).std;
}

void OnlineEstimator::estimate(int output, double& value, double& std) const noexcept {
  as_said_->estimate(output, value, std);
  std = widened(value, std, [output](const Moved& each) { return each.value(output); });
}

void OnlineEstimator::lagged(int output, double& value, double& std) const noexcept {
  as_said_->lagged(output, value, std);
  std = widened(value, std, [this, output](const Moved& each) { return each.lagged_value(output, finished_); });
}

// Each filter goes through its own instants at once, so the others' are kept until it is their turn.
void OnlineEstimator::finish(const std::function<void()>& each) {
  const auto count = static_cast<int>(outputs().size());
  for (Moved& other : moved_) {
    other.filter->finish([&] {
      std::vector<double>& values = other.last.emplace_back();
      for (int i = 0; i < count; ++i) {
        double std = 0.0;
        other.filter->lagged(i, values.emplace_back(), std);
      }
    });
  }
  finished_ = 0;
  as_said_->finish([&] {
    each();
    ++finished_;
  });
}

}  // namespace tauhat
