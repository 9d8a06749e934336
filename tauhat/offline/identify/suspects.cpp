#include "tauhat/offline/identify/suspects.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

bool is_fitted(const ShootingProblem& problem, int entry) {
  return std::any_of(problem.parameters.begin(), problem.parameters.end(), [&](const ShootingParameter& p) {
    return std::find(p.entries.begin(), p.entries.end(), entry) != p.entries.end();
  });
}

// Whatever the study says of the drive and the record does not contradict by itself.
std::vector<ShootingParameter> suspects_of(const ShootingProblem& problem) {
  std::vector<ShootingParameter> suspects;
  const auto add = [&](const std::string& name, const std::string& unit, int entry, double value) {
    if (!is_fitted(problem, entry)) suspects.push_back({name, unit, {entry}, value});
  };
  add("motor.torque.gain", "1", ShootingParameter::kTorqueGain, 1.0);
  add("motor.torque.delay", "s", ShootingParameter::kTorqueDelay, 0.0);
  add("motor.torque.offset", "N m", ShootingParameter::kTorqueOffset, 0.0);
  int at = 0;
  Drive::visit_parameters(problem.drive, [&](const ParameterInfo& info, const double& value) {
    // The width of a sign is not a cause; a control that is not there is not one either.
    const bool is_one = info.name != "width" && (info.name != "position_gain" || value != 0.0);
    if (is_one) add(full_name(info), std::string(info.unit), at, value);
    ++at;
  });
  add("motor.friction.bump", "N m", kBump, 0.0);
  add("transmission.hysteresis", "1", kHysteresis, 0.0);
  add("backlash.corner", "1", kCorner, 0.0);
  add("transmission.hardening", "1", kHardening, 0.0);
  const int locals = problem.position_is_local ? 4 : 3;
  const std::size_t room = static_cast<std::size_t>(kSuspectDirections - locals) - problem.parameters.size();
  if (suspects.size() > room) suspects.resize(room);
  return suspects;
}

// What may change in the course of a record: friction that warms up, a torque constant that cools down.
bool may_drift(const std::string& name) { return name.starts_with("motor.friction.") || name == "motor.torque.gain"; }

struct Sums {
  Eigen::MatrixXd information;
  Eigen::VectorXd score, with_start_known;
};

// Columns of drift are those of the same parameter times the time from the middle, -1/2 to 1/2: a segment is short
// beside the record.
Sums sum_of(const std::vector<SegmentScore>& segments, const std::vector<Eigen::Index>& drifting) {
  const Eigen::Index own = segments.front().score.size(), all = own + static_cast<Eigen::Index>(drifting.size());
  const double begin = segments.front().time, duration = std::max(segments.back().time - begin, 1e-12);
  Sums sums{Eigen::MatrixXd::Zero(all, all), Eigen::VectorXd::Zero(all), Eigen::VectorXd::Zero(all)};
  for (const SegmentScore& segment : segments) {
    Eigen::MatrixXd columns = Eigen::MatrixXd::Identity(own, all);
    for (std::size_t i = 0; i < drifting.size(); ++i)
      columns(drifting[i], own + static_cast<Eigen::Index>(i)) = (segment.time - begin) / duration - 0.5;
    sums.information += columns.transpose() * segment.information * columns;
    sums.score += columns.transpose() * segment.score;
    sums.with_start_known += columns.cwiseAbs2().transpose() * segment.with_start_known;
  }
  return sums;
}

}  // namespace

std::vector<Suspect> find_suspects(const ShootingProblem& problem, const ShootingFit& fit,
                                   const SuspectedShapes& shapes) {
  const std::vector<ShootingParameter> tried = suspects_of(problem);
  const std::vector<SegmentScore> segments = score_segments(problem, fit, tried, shapes);
  if (segments.size() < 2) return {};
  const auto fitted = static_cast<Eigen::Index>(problem.parameters.size());
  std::vector<Suspect> found;
  std::vector<Eigen::Index> drifting;
  for (const ShootingParameter& p : tried)
    found.push_back({.name = p.name, .unit = p.unit, .value = p.start, .shift = {}});
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (!may_drift(tried[i].name)) continue;
    drifting.push_back(fitted + static_cast<Eigen::Index>(i));
    found.push_back({.name = tried[i].name + ".drift", .unit = tried[i].unit, .shift = {}});
  }
  Sums sums = sum_of(segments, drifting);
  for (auto* each : {&sums.score, &sums.with_start_known}) *each /= fit.reduced_chi_square;
  sums.information /= fit.reduced_chi_square;
  for (Eigen::Index g = 0; g < fitted; ++g) {
    const ShootingParameter& p = problem.parameters[static_cast<std::size_t>(g)];
    if (!std::isfinite(p.prior_std)) continue;
    sums.information(g, g) += 1.0 / (p.prior_std * p.prior_std);
    sums.score[g] += (p.start - fit.value[static_cast<std::size_t>(g)]) / (p.prior_std * p.prior_std);
  }
  const Eigen::LDLT<Eigen::MatrixXd> own(Eigen::MatrixXd(sums.information.topLeftCorner(fitted, fitted)));
  const Eigen::VectorXd own_step = own.solve(sums.score.head(fitted));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto a = fitted + static_cast<Eigen::Index>(i);
    const Eigen::VectorXd border = sums.information.col(a).head(fitted);
    const Eigen::VectorXd follows = own.solve(border);
    const double left = sums.information(a, a) - border.dot(follows);
    Suspect& suspect = found[i];
    suspect.shift = Eigen::VectorXd::Zero(fitted);
    suspect.told_apart = left / sums.with_start_known[a];
    // Nothing tells it from the fitted parameters and the segments' own starts.
    if (!(suspect.told_apart > 1e-6)) continue;
    suspect.change = (sums.score[a] - border.dot(own_step)) / left;
    suspect.z = suspect.change * std::sqrt(left);
    suspect.shift = -suspect.change * follows;
  }
  sort_by_suspicion(found);
  return found;
}

}  // namespace tauhat
