#include "tauhat/offline/joint/sample_response.hpp"

#include <array>
#include <cmath>

#include "tauhat/offline/joint/joint_estimator.hpp"

namespace tauhat {
namespace {

constexpr double kTravel = 0.5;   // rad/s of the link
constexpr double kSettled = 2.0;  // s, before the sample that is off
constexpr double kOff = 1e-4;     // rad: far above rounding, far below what bends a friction law

// The estimated velocity of the link, from the sample on that is off by so much.
std::vector<double> velocity_when(Estimator& observer, double off, double ratio, double period,
                                  double sensor_variance) {
  const auto settled = static_cast<std::size_t>(kSettled / period),
             all = settled + static_cast<std::size_t>(kLongestMemory / period);
  constexpr std::array<double, 1> kNoTorque{0.0};  // nor is anything known of what makes it travel
  std::vector<double> velocity;
  observer.reset();
  for (std::size_t k = 0; k < all; ++k) {
    if (k > 0) observer.predict(kNoTorque, period);
    const double position = kTravel * ratio * period * static_cast<double>(k);
    observer.correct({joint_motor_position, position + (k == settled ? off : 0.0), sensor_variance});
    double value = 0.0, std = 0.0;
    observer.estimate(joint_load_velocity, value, std);
    if (k >= settled) velocity.push_back(value);
  }
  return velocity;
}

}  // namespace

std::complex<double> SampleResponse::at(std::complex<double> z) const noexcept {
  const std::complex<double> one_later = 1.0 / z;
  std::complex<double> sum;
  for (std::size_t k = velocity.size(); k-- > 0;) sum = sum * one_later + velocity[k];
  return sum;
}

std::optional<SampleResponse> sample_response(Estimator& observer, double ratio, double period,
                                              double sensor_variance) {
  const std::vector<double> undisturbed = velocity_when(observer, 0.0, ratio, period, sensor_variance);
  SampleResponse response{velocity_when(observer, kOff, ratio, period, sensor_variance)};
  double all = 0.0, late = 0.0;
  for (std::size_t k = 0; k < undisturbed.size(); ++k) {
    double& h = response.velocity[k];
    h = (h - undisturbed[k]) / kOff;
    all += h * h;
    if (k > undisturbed.size() / 10 * 9) late += h * h;
  }
  constexpr double kForgotten = 1e-6;  // of the response's energy, in its last tenth
  if (!(late < kForgotten * all) || !std::isfinite(all)) return std::nullopt;
  return response;
}

}  // namespace tauhat
