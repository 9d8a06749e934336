#include "tauhat/offline/friction/motion_fit.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/law_motion.hpp"
#include "tauhat/offline/friction/law_parameters.hpp"
#include "tauhat/offline/friction/rivals.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double mean_square_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v * v;
  return sum / static_cast<double>(std::max<std::size_t>(values.size(), 1));
}

// Mean square of the sums over so many stretches, each over the root of its length.
double mean_square_of_stretches(const std::vector<double>& values, std::size_t stretches) {
  double sum = 0.0;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t first = i * values.size() / stretches, last = (i + 1) * values.size() / stretches;
    double total = 0.0;
    for (std::size_t k = first; k < last; ++k) total += values[k];
    sum += total * total / static_cast<double>(last - first);
  }
  return sum / static_cast<double>(stretches);
}

// The law's parameters, the constant force where it is unknown, and where the motion starts: each from its start, in
// deviations before the data.
class MotionProblem {
 public:
  MotionProblem(const ParametricSpec& spec, const Timeline& timeline) : spec_(spec), timeline_(timeline) {
    const auto names = parameter_names(spec.law.kind);
    parameters_.resize(names.size());
    for_each_fitted(spec.law, [&](const ParameterInfo&, const std::string& name, double value) {
      const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
      parameters_[at].name = name, parameters_[at].value = value;
    });
    for (const LawParameter& p : parameters_) add(p.value, deviation_before(spec, p.name, p.value));
    if (spec.offset_std > 0.0) add(spec.axis.offset, spec.offset_std);
    for (int i = 0; i < 2; ++i) add(spec.start[i], std::sqrt(spec.start_variances[i]));
    for (const auto& sensor : timeline.sensors) {
      if (sensor.output <= Axis<double>::velocity_output) sensors_.push_back(&sensor);
    }
  }

  Index size() const { return static_cast<Index>(start_.size()); }
  Index numbers() const { return size() - 2; }  // without where the motion starts
  double deviation(Index i) const { return deviation_[static_cast<std::size_t>(i)]; }
  double value(const VectorXd& p, Index i) const { return start_[static_cast<std::size_t>(i)] + p[i] * deviation(i); }

  FittedLaw law_at(const VectorXd& p) const {
    std::vector<LawParameter> parameters = parameters_;
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].value = value(p, static_cast<Index>(i));
    return law_from(parameters, spec_.law);
  }
  double offset_at(const VectorXd& p) const {
    return spec_.offset_std > 0.0 ? value(p, static_cast<Index>(parameters_.size())) : spec_.axis.offset;
  }

  // What is left of each sensor, over its deviation; no sensor: the axis could not be followed.
  std::vector<std::vector<double>> left(const VectorXd& p, std::size_t samples) const {
    Axis<double> axis = spec_.axis;
    axis.offset = offset_at(p);
    const Vector<double, 2> from(value(p, size() - 2), value(p, size() - 1));
    const LawMotion motion = move_by_law(axis, law_at(p), from, timeline_, samples);
    if (motion.position.size() < samples) return {};
    std::vector<std::vector<double>> all;
    for (const auto* sensor : sensors_) {
      const auto& moved = sensor->output == Axis<double>::velocity_output ? motion.velocity : motion.position;
      const double scale = 1.0 / std::sqrt(sensor->variance);
      auto& values = all.emplace_back();
      for (std::size_t k = 0; k < samples; ++k) {
        if (std::isfinite(sensor->value[k])) values.push_back(scale * (sensor->value[k] - moved[k]));
      }
    }
    return all;
  }

  VectorXd residual(const VectorXd& p, std::size_t samples) const {
    const auto all = left(p, samples);
    std::size_t count = 0, at = 0;
    for (const auto& values : all) count += values.size();
    VectorXd joined(static_cast<Index>(count));
    for (const auto& values : all) {
      for (const double v : values) joined[static_cast<Index>(at++)] = v;
    }
    return joined;
  }

 private:
  void add(double start, double deviation) { start_.push_back(start), deviation_.push_back(deviation); }

  const ParametricSpec& spec_;
  const Timeline& timeline_;
  std::vector<LawParameter> parameters_;
  std::vector<double> start_, deviation_;
  std::vector<const Timeline::Sensor*> sensors_;
};

// Levenberg and Marquardt's steps over the first samples of the record.
class MotionSearch {
 public:
  explicit MotionSearch(const MotionProblem& problem) : problem_(problem), p_(VectorXd::Zero(problem.size())) {}

  const VectorXd& found() const { return p_; }
  // Of the numbers, with what was known before the data.
  const MatrixXd& information() const { return normal_; }

  bool descend(std::size_t samples, int most, double settled) {
    VectorXd residual = problem_.residual(p_, samples);
    double square = cost(residual, p_);
    double damping = 1e-3;
    for (int i = 0; i < most && std::isfinite(square); ++i) {
      const MatrixXd jacobian = differences(residual, samples);
      if (jacobian.size() == 0) return false;
      normal_ = jacobian.transpose() * jacobian;
      normal_.diagonal().array() += 1.0;
      const VectorXd slope = jacobian.transpose() * residual + p_;
      const double before = square;
      for (int attempt = 0; attempt < 10; ++attempt, damping *= 10.0) {
        MatrixXd damped = normal_;
        damped.diagonal() *= 1.0 + damping;
        const VectorXd next = p_ - damped.ldlt().solve(slope);
        const VectorXd there = problem_.residual(next, samples);
        if (!(cost(there, next) < square)) continue;
        p_ = next, residual = there, square = cost(there, next), damping = std::max(damping / 16.0, 1e-12);
        break;
      }
      if (!(square < before * (1.0 - settled))) break;
    }
    return std::isfinite(square);
  }

 private:
  static double cost(const VectorXd& residual, const VectorXd& p) {
    return residual.size() == 0 ? std::numeric_limits<double>::infinity() : residual.squaredNorm() + p.squaredNorm();
  }

  MatrixXd differences(const VectorXd& at, std::size_t samples) const {
    MatrixXd jacobian(at.size(), problem_.size());
    for (Index j = 0; j < problem_.size(); ++j) {
      // Of a deviation before the data, which is a third of the number, or of the fastest speed.
      constexpr double kStep = 1e-5;
      const VectorXd moved = problem_.residual(p_ + kStep * VectorXd::Unit(problem_.size(), j), samples);
      if (moved.size() != at.size()) return {};
      jacobian.col(j) = (moved - at) / kStep;
    }
    return jacobian;
  }

  const MotionProblem& problem_;
  VectorXd p_;
  MatrixXd normal_;
};

}  // namespace

double largest_autocorrelation(const std::vector<double>& values) {
  double square = 0.0, largest = 0.0;
  for (const double v : values) square += v * v;
  for (std::size_t lag = 1; lag <= 10 && lag < values.size(); ++lag) {
    double product = 0.0;
    for (std::size_t k = lag; k < values.size(); ++k) product += values[k] * values[k - lag];
    if (std::abs(product / square) > std::abs(largest)) largest = product / square;
  }
  return largest;
}

bool is_white(const std::vector<double>& values) {
  constexpr std::size_t kShortest = 10;
  constexpr double kAlike = 0.05, kBeyondChance = 5.0;
  const auto n = static_cast<double>(values.size());
  if (std::abs(largest_autocorrelation(values)) > kAlike + kBeyondChance / std::sqrt(n)) return false;
  const double square = mean_square_of(values);
  for (const std::size_t stretches : {20U, 60U, 200U, 600U, 2000U}) {
    if (stretches * kShortest > values.size()) break;
    const double chance = std::sqrt(2.0 / static_cast<double>(stretches));
    if (mean_square_of_stretches(values, stretches) > (1.0 + kBeyondChance * chance) * square) return false;
  }
  return std::isfinite(square);
}

bool MotionFit::is_friction(double fastest) const {
  if (!law.why_impossible(fastest).empty()) return false;
  constexpr double kBeyondDoubt = 3.0;  // deviations
  const auto names = parameter_names(law.kind);
  bool is_one = true;
  for_each_fitted(law, [&](const ParameterInfo& info, const std::string& name, double value) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    if (info.name == "viscous" && value < -kBeyondDoubt * std::sqrt(covariance(at, at))) is_one = false;
  });
  return is_one;
}

MotionFit fit_motion(const ParametricSpec& spec, const Timeline& timeline) {
  MotionFit fit;
  fit.law = spec.law;
  const MotionProblem problem(spec, timeline);
  MotionSearch search(problem);
  // Over a short part first: what is a little off there is far off at the end of a long one.
  constexpr std::size_t kFirst = 4000, kLonger = 2;
  constexpr int kSteps = 12;
  constexpr double kHopeless = 4.0;  // of the noise's mean square, when the steps have come to their end
  // Not twice over nearly the same.
  const auto longer = [&](std::size_t samples) { return 2 * samples > timeline.size() ? timeline.size() : samples; };
  for (std::size_t samples = longer(kFirst);; samples = longer(kLonger * samples)) {
    const bool is_last = samples == timeline.size();
    if (!search.descend(samples, kSteps, is_last ? 1e-8 : 1e-3)) return fit;
    const auto left = problem.left(search.found(), samples);
    if (left.empty()) return fit;
    bool is_noise = true;
    fit.mean_square = fit.autocorrelation = 0.0;
    for (const auto& values : left) {
      is_noise = is_noise && is_white(values);
      fit.mean_square = std::max(fit.mean_square, mean_square_of(values));
      const double alike = largest_autocorrelation(values);
      if (std::abs(alike) > std::abs(fit.autocorrelation)) fit.autocorrelation = alike;
    }
    if (!is_noise && (is_last || fit.mean_square > kHopeless)) return fit;
    if (is_last) break;
  }
  fit.follows = true;
  const VectorXd& p = search.found();
  fit.law = problem.law_at(p), fit.offset = problem.offset_at(p);
  const MatrixXd inverse = search.information().ldlt().solve(MatrixXd::Identity(problem.size(), problem.size()));
  const auto count = static_cast<Index>(parameter_names(spec.law.kind).size());
  fit.covariance = MatrixXd::Zero(count + 1, count + 1);
  for (Index i = 0; i < problem.numbers(); ++i) {
    for (Index j = 0; j < problem.numbers(); ++j)
      fit.covariance(i, j) =
          inverse(i, j) * problem.deviation(i) * problem.deviation(j) * std::max(fit.mean_square, 1.0);
    // A motion that nothing holds shows a force to a hundred millionth, and with it how it was integrated. That its
    // force is held from sample to sample, and its clock, are not known so well.
    constexpr double kAsHeld = 1e-5;  // of a number: (rate * interval)^2 / 24 of a law that falls within 60 samples
    fit.covariance(i, i) += std::pow(kAsHeld * problem.value(p, i), 2);
  }
  // Each sensor has a noise of its own.
  double samples = 0.0;
  fit.bic = 0.0;
  for (const auto& values : problem.left(p, timeline.size())) {
    const auto n = static_cast<double>(values.size());
    samples += n, fit.bic += n * std::log(mean_square_of(values));
  }
  fit.bic += static_cast<double>(problem.numbers()) * std::log(samples);
  return fit;
}

}  // namespace tauhat
