#include "tauhat/offline/robot/robot_repeats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tauhat/offline/report/between_runs.hpp"
#include "tauhat/offline/robot/run_fits.hpp"

namespace tauhat {
namespace {

// As sum_rows() makes them.
std::size_t batches_of(const RobotIdentification& identification, const RobotRecord& record) {
  const std::size_t rows = identification.rows(record).size(), length = (rows - 1) / kMostBatches + 1;
  return (rows - 1) / length + 1;
}

// Of each log. A log's records follow one another.
std::vector<Run> runs_of_logs(const RobotIdentification& identification, const std::vector<RobotRecord>& records) {
  std::vector<Run> runs;
  std::size_t first = 0;
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (r == 0 || records[r].source != records[r - 1].source) runs.push_back({first, 0});
    const std::size_t own = batches_of(identification, records[r]);
    runs.back().count += own, first += own;
  }
  return runs;
}

// Of each whole period of a log; no more than some, and each of enough batches to tell the parameters.
std::vector<Run> runs_of_periods(const RobotFit& fit, const RobotRecord& record) {
  constexpr double kMostRuns = 4.0;
  const double duration = record.period * static_cast<double>(record.samples()), period = period_of(record);
  const double periods = period > 0.0 ? std::round(duration / period) : 1.0;
  const auto together = std::ceil(periods / kMostRuns);
  const auto count = static_cast<std::size_t>(periods / together), batches = fit.sums.batch_gram.size();
  std::vector<Run> runs;
  for (std::size_t run = 0; run < count; ++run) {
    const std::size_t first = run * batches / count;
    runs.push_back({first, (run + 1) * batches / count - first});
  }
  return runs;
}

std::vector<RunValue> values_of(int parameter, const std::vector<LinearFit>& fits) {
  constexpr double kLost = 0.01;  // of its square, as of all records together
  std::vector<RunValue> values;
  for (const LinearFit& fit : fits) {
    const double variance = fit.covariance(parameter, parameter);
    if (fit.lost[parameter] > kLost || !(variance > 0.0)) continue;
    values.push_back({fit.values[parameter], std::sqrt(variance), 1.0 / variance});
  }
  return values;
}

struct MovingJoint {
  const std::vector<double>& position;
  double square;  // mean, about the mean
};

// Joints that rest show their encoders' noise, which is the same again at no time: they tell no period.
std::vector<MovingJoint> moving_joints(const RobotRecord& record, std::size_t step, std::size_t instants) {
  constexpr double kRests = 1e-3;  // of how far the joint goes that goes the farthest
  std::vector<MovingJoint> joints;
  double farthest = 0.0;
  for (const std::vector<double>& q : record.position) {
    double mean = 0.0, square = 0.0;
    for (std::size_t k = 0; k < instants; ++k) mean += q[k * step] / static_cast<double>(instants);
    for (std::size_t k = 0; k < instants; ++k) square += std::pow(q[k * step] - mean, 2);
    joints.push_back({q, square / static_cast<double>(instants)});
    farthest = std::max(farthest, joints.back().square);
  }
  std::vector<MovingJoint> moving;
  for (const MovingJoint& joint : joints)
    if (joint.square > kRests * kRests * farthest) moving.push_back(joint);
  return moving;
}

}  // namespace

double period_of(const RobotRecord& record) {
  constexpr std::size_t kSteps = 400, kFewest = 20;  // instants of the record that are looked at; of a period
  constexpr double kAlike = 1e-4;                    // of the square of what the joints do
  const std::size_t step = std::max<std::size_t>(1, record.samples() / kSteps), instants = record.samples() / step;
  const std::vector<MovingJoint> joints = moving_joints(record, step, instants);
  if (joints.empty()) return 0.0;
  // How far the joints are from where they were `later` samples before, over how far they go.
  const auto difference = [&](std::size_t later) {
    double worst = 0.0;
    for (const auto& [q, square] : joints) {
      double off = 0.0, count = 0.0;
      for (std::size_t k = 0; k * step + later < q.size(); ++k)
        off += std::pow(q[k * step + later] - q[k * step], 2), count += 1.0;
      worst = std::max(worst, off / count / square);
    }
    return worst;
  };
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t later = kFewest * step; later <= record.samples() / 2; later += step) {
    const double now = difference(later);
    if (now < least) least = now, best = later;
    // The first that is alike, and no longer the way down to it.
    if (least < kAlike && now > 2.0 * least) break;
  }
  if (best == 0) return 0.0;
  const std::size_t from = best - step, to = std::min(best + step, record.samples() / 2);
  for (std::size_t later = from; later <= to; later += std::max<std::size_t>(1, step / 8))
    if (const double now = difference(later); now < least) least = now, best = later;
  return least < kAlike ? static_cast<double>(best) * record.period : 0.0;
}

RobotRepeats repeats_of(const RobotIdentification& identification, const RobotFit& fit,
                        const std::vector<RobotRecord>& records) {
  const BaseParameters& base = identification.base();
  RobotRepeats repeats{Eigen::VectorXd::Zero(base.count()),
                       Eigen::VectorXd::Constant(base.count(), std::numeric_limits<double>::infinity()), 1};
  std::vector<Run> runs = runs_of_logs(identification, records);
  if (runs.size() == 1 && records.size() == 1) runs = runs_of_periods(fit, records.front());
  repeats.runs = runs.size();
  if (runs.size() < 2) return repeats;
  const std::vector<LinearFit> fits = fit_runs(fit, runs);
  for (int k = 0; k < base.count(); ++k) {
    const std::vector<RunValue> values = values_of(k, fits);
    if (values.size() < 2 || !fit.is_determined(k)) continue;
    repeats.std[k] = std::sqrt(between_runs(values).repeat_variance());
    repeats.freedom[k] = static_cast<double>(values.size() - 1);
  }
  return repeats;
}

}  // namespace tauhat
