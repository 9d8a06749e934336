#include "tauhat/offline/robot/checked_samples.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

constexpr int kOrder = 4;  // of the Butterworth filter

// As many as lie between two rows, as far as the motion does not change meanwhile: an odd number.
std::size_t averaged_samples(std::size_t stride, const MotionRowOptions& options, double period) {
  constexpr double kShort = 0.05;  // of the period of the fastest motion that is left
  const double most = options.cut_off > 0.0 ? kShort / (options.cut_off * period) : 1.0;
  const auto samples = static_cast<std::size_t>(std::max(1.0, std::min(static_cast<double>(stride), most)));
  return samples - (samples + 1) % 2;
}

}  // namespace

Eigen::ArrayXXd CheckedSamples::steady(const TorqueColumns& columns, const std::vector<double>& reach) const {
  constexpr double kSaturated = 5.0;  // widths, or reaches: tanh 5 and 1 - e^-5 are one to 1 %
  const Eigen::MatrixXd w = actuator_velocity(columns.robot()),
                        way = position * columns.robot().transmission().coupling().transpose();
  Eigen::ArrayXXd is_steady = (w.array().abs() > kSaturated * columns.terms().width).cast<double>();
  for (Eigen::Index j = 0; j < w.cols(); ++j) {
    const double bent = kSaturated * reach[static_cast<std::size_t>(j)];
    Eigen::Index turned = 0;
    for (Eigen::Index k = 0; bent > 0.0 && k < size(); ++k) {
      if (k > 0 && w(k, j) * w(k - 1, j) <= 0.0) turned = k;
      if (std::abs(way(k, j) - way(turned, j)) < bent) is_steady(k, j) = 0.0;
    }
  }
  return is_steady;
}

Eigen::ArrayXXd CheckedSamples::moving(const Robot<double>& robot) const {
  constexpr double kFast = 0.9, kUsual = 0.3;  // the speed that is exceeded in a tenth of the rows; of it
  const Eigen::ArrayXXd speed = actuator_velocity(robot).array().abs();
  Eigen::ArrayXXd moves(speed.rows(), speed.cols());
  for (Eigen::Index j = 0; j < speed.cols(); ++j) {
    const double fast = quantile({speed.col(j).begin(), speed.col(j).end()}, kFast);
    moves.col(j) = (speed.col(j) > kUsual * fast).cast<double>();
  }
  return moves;
}

std::vector<double> centred_mean(const std::vector<double>& series, std::size_t samples) {
  if (samples <= 1) return series;
  const std::size_t half = samples / 2;
  std::vector<double> means(series.size());
  for (std::size_t k = 0; k < series.size(); ++k) {
    const std::size_t beside = std::min({half, k, series.size() - 1 - k});  // as many before as after
    double sum = 0.0;
    for (std::size_t i = k - beside; i <= k + beside; ++i) sum += series[i];
    means[k] = sum / static_cast<double>(2 * beside + 1);
  }
  return means;
}

CheckedSamples checked_samples(const RobotRecord& record, const MotionRowOptions& options, std::size_t rows,
                               int shift) {
  const LowPass filter = butterworth_low_pass(kOrder, 2.0 * options.cut_off * record.period);
  const auto trimmed = static_cast<std::size_t>(std::ceil(options.trim() / record.period));
  const std::size_t end = record.samples() - std::min(trimmed, record.samples() / 3);
  const std::size_t begin = record.samples() - end;
  const auto stride = std::max<std::size_t>(1, (end - begin) / rows);
  CheckedSamples samples;
  samples.turn_std = options.turn_std();
  samples.averaged = averaged_samples(stride, options, record.period);
  // Where nothing is trimmed, what comes earlier or later may lie outside the record: its ends stand for that.
  const auto last = static_cast<std::ptrdiff_t>(record.samples()) - 1;
  for (std::size_t k = begin; k < end; k += stride)
    samples.at.push_back(
        static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(k) + shift, 0, last)));
  const auto count = static_cast<Eigen::Index>(samples.at.size());
  const auto joints = static_cast<Eigen::Index>(record.position.size());
  for (Eigen::MatrixXd* each : {&samples.position, &samples.velocity, &samples.acceleration, &samples.torque})
    each->resize(count, joints);
  for (Eigen::Index j = 0; j < joints; ++j) {
    const auto joint = static_cast<std::size_t>(j);
    const auto position = filter_zero_phase(filter, record.position[joint]);
    const auto velocity = record.velocity.empty() ? differentiate(position, record.period)
                                                  : filter_zero_phase(filter, record.velocity[joint]);
    const auto acceleration = differentiate(velocity, record.period);
    const auto torque = centred_mean(record.torque[joint], samples.averaged);
    for (Eigen::Index i = 0; i < count; ++i) {
      const std::size_t k = samples.at[static_cast<std::size_t>(i)];
      samples.position(i, j) = position[k], samples.velocity(i, j) = velocity[k];
      samples.acceleration(i, j) = acceleration[k], samples.torque(i, j) = torque[k];
    }
  }
  return samples;
}

std::vector<Eigen::MatrixXd> checked_rows(const TorqueColumns& columns, const BaseParameters& base,
                                          const CheckedSamples& samples, const Eigen::MatrixXd& position_map) {
  const int joints = columns.joints();
  std::vector<Eigen::MatrixXd> all;
  for (const auto& own : base.of_joint) all.emplace_back(samples.size(), static_cast<Eigen::Index>(own.size()));
  TorqueRows rows;
  for (Eigen::Index i = 0; i < samples.size(); ++i) {
    const auto mapped = [&](const Eigen::MatrixXd& series) {
      return JointValues(position_map * series.row(i).transpose());
    };
    columns.fill(mapped(samples.position), mapped(samples.velocity), mapped(samples.acceleration), rows);
    for (int j = 0; j < joints; ++j) {
      const std::vector<int>& own = base.of_joint[static_cast<std::size_t>(j)];
      for (std::size_t c = 0; c < own.size(); ++c)
        all[static_cast<std::size_t>(j)](i, static_cast<Eigen::Index>(c)) =
            rows(j, base.columns[static_cast<std::size_t>(own[c])]);
    }
  }
  return all;
}

}  // namespace tauhat
