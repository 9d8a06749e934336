#include "tauhat/offline/robot/motion_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/signal/decimate.hpp"
#include "tauhat/offline/signal/differentiate.hpp"

namespace tauhat {
namespace {

using Series = std::vector<double>;

constexpr int kOrder = 4;  // of the Butterworth filter

LowPass motion_filter(double cut_off, double period) { return butterworth_low_pass(kOrder, 2.0 * cut_off * period); }

Series part(const Series& series, std::size_t begin, std::size_t end) {
  return {series.begin() + static_cast<std::ptrdiff_t>(begin), series.begin() + static_cast<std::ptrdiff_t>(end)};
}

void require_series(const RobotRecord& record, const std::vector<Series>& series, const char* what, int joints) {
  if (static_cast<int>(series.size()) != joints) {
    throw Error(ExitCode::unusable_data, fmt::format("{}: {} series of {} for a robot of {} joints", record.source,
                                                     series.size(), what, joints));
  }
  for (std::size_t j = 0; j < series.size(); ++j) {
    if (series[j].size() != record.samples()) {
      throw Error(ExitCode::unusable_data, fmt::format("{}: {} samples of the {} of joint {}, where joint 1 has {}",
                                                       record.source, series[j].size(), what, j + 1, record.samples()));
    }
    const auto bad = std::find_if(series[j].begin(), series[j].end(), [](double x) { return !std::isfinite(x); });
    if (bad != series[j].end()) {
      throw Error(ExitCode::unusable_data, fmt::format("{}: sample {} of the {} of joint {} is not a number",
                                                       record.source, bad - series[j].begin(), what, j + 1));
    }
  }
}

}  // namespace

// Of the samples from `begin` on, one series for each joint.
struct MotionRowSource::Motion {
  std::vector<Series> position, velocity, acceleration, torque;

  JointValues at(const std::vector<Series>& series, std::size_t k) const {
    JointValues values(static_cast<int>(series.size()));
    for (std::size_t j = 0; j < series.size(); ++j) values[static_cast<int>(j)] = series[j][k];
    return values;
  }
};

MotionRowSource::MotionRowSource(const RobotRecord& record, const TorqueColumns& columns, const BaseParameters& base,
                                 const MotionRowOptions& options)
    : record_(&record), columns_(&columns), base_(&base), options_(options) {
  trimmed_ = static_cast<std::size_t>(std::ceil(options.trim() / record.period - 1e-9));
  kept_ = record.samples() > 2 * trimmed_ ? record.samples() - 2 * trimmed_ : 0;
  require_usable();
  first_ = first_decimated(kept_, options.decimation);
  rows_ = (kept_ - first_ - 1) / static_cast<std::size_t>(options.decimation) + 1;
  for (const std::vector<int>& depends_on : base.of_joint) width_ += depends_on.size() + 1;
  if (columns.terms().memory()) history_ = history();
}

// Where a joint was bent to may have begun at any time before: of this alone the record is taken as a whole.
std::shared_ptr<const FrictionHistory> MotionRowSource::history() const {
  std::vector<Series> velocity;
  for (std::size_t j = 0; j < record_->position.size(); ++j)
    velocity.push_back(record_->velocity.empty()
                           ? differentiate(smoothed(record_->position[j], 0, record_->samples()), record_->period)
                           : smoothed(record_->velocity[j], 0, record_->samples()));
  const auto& transmission = columns_->robot().transmission();
  for (std::size_t k = 0; transmission.is_coupled() && k < record_->samples(); ++k) {
    JointValues now(joints());
    for (int j = 0; j < joints(); ++j) now[j] = velocity[static_cast<std::size_t>(j)][k];
    now = transmission.actuator_motion(now);
    for (int j = 0; j < joints(); ++j) velocity[static_cast<std::size_t>(j)][k] = now[j];
  }
  return std::make_shared<FrictionHistory>(columns_->terms().shape(), velocity, record_->period);
}

void MotionRowSource::require_usable() const {
  if (options_.decimation < 1) {
    throw Error(ExitCode::wrong_use, fmt::format("a decimation by {}: must be at least 1", options_.decimation));
  }
  require_series(*record_, record_->position, "position", joints());
  require_series(*record_, record_->torque, "torque", joints());
  if (!record_->velocity.empty()) require_series(*record_, record_->velocity, "velocity", joints());
  if (kept_ <= 2 * static_cast<std::size_t>(options_.decimation)) {
    throw Error(
        ExitCode::unusable_data,
        fmt::format("{}: {:.3g} s of motion, of which {:.3g} s at each end are lost to filters: too short",
                    record_->source, static_cast<double>(record_->samples()) * record_->period, options_.trim()));
  }
}

double MotionRowSource::time(std::size_t row) const noexcept {
  return static_cast<double>(trimmed_ + first_ + row * static_cast<std::size_t>(options_.decimation)) * record_->period;
}

Series MotionRowSource::smoothed(const Series& series, std::size_t begin, std::size_t end) const {
  Series stretch = part(series, begin, end);
  if (options_.cut_off <= 0.0) return stretch;
  return filter_zero_phase(motion_filter(options_.cut_off, record_->period), stretch);
}

// Samples of the record from `begin` to before `end`, with their surroundings while they are filtered.
MotionRowSource::Motion MotionRowSource::motion(std::size_t begin, std::size_t end) const {
  constexpr std::size_t kDifferences = 2;  // neighbours that two central differences need
  const std::size_t margin =
      kDifferences + (options_.cut_off > 0.0 ? settling_samples(motion_filter(options_.cut_off, record_->period)) : 0);
  const std::size_t from = begin > margin ? begin - margin : 0, to = std::min(end + margin, record_->samples());
  const auto kept = [&](const Series& series) { return part(series, begin - from, end - from); };
  Motion motion;
  for (std::size_t j = 0; j < record_->position.size(); ++j) {
    const Series position = smoothed(record_->position[j], from, to);
    const Series velocity =
        record_->velocity.empty() ? differentiate(position, record_->period) : smoothed(record_->velocity[j], from, to);
    motion.position.push_back(kept(position));
    motion.velocity.push_back(kept(velocity));
    motion.acceleration.push_back(kept(differentiate(velocity, record_->period)));
    motion.torque.push_back(options_.filter_torque ? kept(smoothed(record_->torque[j], from, to))
                                                   : part(record_->torque[j], begin, end));
  }
  return motion;
}

// Side by side: of each joint the columns that its torque depends on, or what these values make of them, then the
// torque.
Series MotionRowSource::expanded(std::size_t begin, std::size_t end, std::size_t width,
                                 const Eigen::VectorXd* values) const {
  const Motion motion = this->motion(begin, end);
  const std::size_t stride = options_.anti_alias ? 1 : static_cast<std::size_t>(options_.decimation);
  Series all(((end - begin - 1) / stride + 1) * width);
  double* entry = all.data();
  TorqueRows rows;
  for (std::size_t k = 0; k < end - begin; k += stride) {
    columns_->fill(motion.at(motion.position, k), motion.at(motion.velocity, k), motion.at(motion.acceleration, k),
                   rows, history_.get(), begin + k);
    for (int joint = 0; joint < joints(); ++joint) {
      const auto j = static_cast<std::size_t>(joint);
      double sum = 0.0;
      for (const int b : base_->of_joint[j]) {
        const double own = rows(joint, base_->columns[static_cast<std::size_t>(b)]);
        if (values != nullptr)
          sum += own * (*values)[b];
        else
          *entry++ = own;
      }
      if (values != nullptr) *entry++ = sum;
      *entry++ = motion.torque[j][k];
    }
  }
  return all;
}

MotionRowSource::Decimated MotionRowSource::decimated(std::size_t first, std::size_t count, std::size_t width,
                                                      const Eigen::VectorXd* values) const {
  const auto factor = static_cast<std::size_t>(options_.decimation);
  const bool filtered = options_.anti_alias && factor > 1;
  const std::size_t margin = filtered ? settling_samples(anti_alias_filter(options_.decimation)) : 0;
  // Counted from the first sample that is not trimmed.
  const std::size_t begin = first_ + first * factor, end = begin + (count - 1) * factor + 1;
  const std::size_t from = begin > margin ? begin - margin : 0, to = std::min(end + margin, kept_);
  Series all = expanded(trimmed_ + from, trimmed_ + to, width, values);
  if (filtered) {
    const LowPass filter = anti_alias_filter(options_.decimation);
    // Inside the record the margins stand for what the ends' continuation is for.
    const bool reaches_an_end = begin < margin || end + margin > kept_;
    if (reaches_an_end) {
      all = filter_zero_phase(filter, all, width);
    } else {
      filter_both_ways(filter, all, width);
    }
  }
  return {std::move(all), (begin - from) * width, (options_.anti_alias ? factor : 1) * width};
}

MotionRows MotionRowSource::rows(std::size_t first, std::size_t count) const {
  const Decimated stretch = decimated(first, count, width_, nullptr);
  MotionRows result;
  result.first = first;
  const auto size = static_cast<Eigen::Index>(count);
  result.torque.resize(size, joints());
  const double* const start = stretch.all.data() + stretch.offset;
  std::size_t column = 0;
  for (int joint = 0; joint < joints(); ++joint) {
    const std::size_t depends_on = base_->of_joint[static_cast<std::size_t>(joint)].size();
    using Strided = Eigen::Map<const TorqueRows, 0, Eigen::OuterStride<>>;
    const Strided own(start + column, size, static_cast<Eigen::Index>(depends_on + 1),
                      Eigen::OuterStride<>(static_cast<Eigen::Index>(stretch.step)));
    result.regressor.emplace_back(own.leftCols(static_cast<Eigen::Index>(depends_on)));
    result.torque.col(joint) = own.rightCols<1>();
    column += depends_on + 1;
  }
  return result;
}

PredictedRows MotionRowSource::predicted(std::size_t first, std::size_t count, const Eigen::VectorXd& values) const {
  const auto size = static_cast<Eigen::Index>(count);
  const Decimated stretch = decimated(first, count, 2 * static_cast<std::size_t>(joints()), &values);
  PredictedRows result{Eigen::MatrixXd(size, joints()), Eigen::MatrixXd(size, joints())};
  for (Eigen::Index k = 0; k < size; ++k) {
    const double* entry = stretch.all.data() + stretch.offset + static_cast<std::size_t>(k) * stretch.step;
    for (int joint = 0; joint < joints(); ++joint) {
      result.predicted(k, joint) = *entry++;
      result.measured(k, joint) = *entry++;
    }
  }
  return result;
}

}  // namespace tauhat
