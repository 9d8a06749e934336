#include "tauhat/offline/gap/gap_fit.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/suspect.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

// What decides where a contact is, and is not read off a data sheet to a few per cent. As of the torque's gain, a
// tenth.
constexpr double kAssumed = 0.1;
bool is_seldom_known(const std::string& name) { return name == "load.inertia" || name == "transmission.stiffness"; }

double& parameter(P& drive, int index) {
  double* found = nullptr;
  int at = 0;
  P::visit_parameters(drive, [&](const ParameterInfo&, double& value) {
    if (at++ == index) found = &value;
  });
  return *found;
}

GapFit replayed(const Study& study, const GapSpec& spec, const Timeline& timeline,
                const std::vector<UncertainGapValue>& fitted, const std::function<void(double)>& progress) {
  const auto estimator = make_gap_estimator(spec);
  if (study.gate > 0.0) estimator->set_gate(study.gate);
  GapFit fit{.spec = spec,
             .replay = estimator->replay(timeline, {.progress = progress}),
             .remarks = estimator->remarks(),
             .scores = {},
             .fitted = fitted,
             .suspects = {}};
  fit.scores = score_gap(spec, timeline, fit.replay, fitted);
  return fit;
}

bool leads_far(const GapFit& fit) {
  // Standard deviations. The second order of a step is its square over the value: of 3 % in stiffness, 0.1 %.
  constexpr double kFar = 3.0;
  const GapScores::Shift& shift = fit.scores.gap;
  return std::abs(shift.by) > kFar * std::hypot(fit.replay.filtered[P::gap_output].std.back(), shift.std);
}

GapSpec stepped(const GapFit& fit) {
  constexpr double kLongest = 0.3;  // of a value, at once
  GapSpec spec = fit.spec;
  for (std::size_t i = 0; i < fit.fitted.size(); ++i) {
    double& value = parameter(spec.drive, fit.fitted[i].index);
    const double most = kLongest * std::abs(value);
    value += std::clamp(fit.scores.step[i], -most, most);
  }
  return spec;
}

std::vector<GapSuspect> suspects_of(const GapScores& from_the_study, const GapScores& fitted) {
  std::vector<GapSuspect> all;
  for (const GapSuspect& s : from_the_study.suspects)
    if (s.is_fitted) all.push_back(s);
  for (const GapSuspect& s : fitted.suspects)
    if (!s.is_fitted) all.push_back(s);
  sort_by_suspicion(all);
  return all;
}

GapEstimate estimate(const Track& track, const GapScores::Shift& shift, const std::vector<GapSuspect>& suspects,
                     double GapSuspect::*by) {
  const std::size_t last = last_said(track).value_or(track.value.size() - 1);
  GapEstimate estimate{track.value[last], {.noise = track.std[last]}};
  if (!(track.std[last] > 0.0)) return estimate;  // known, or never learned
  estimate.value += shift.by;
  estimate.budget.inputs = shift.std;
  for (const GapSuspect& s : suspects)
    if (!s.is_fitted && std::abs(s.z) > kWidens)
      estimate.budget.model = std::max(estimate.budget.model, std::abs(s.*by));
  return estimate;
}

}  // namespace

std::vector<UncertainGapValue> uncertain_values(const Study& study) {
  std::vector<UncertainGapValue> all;
  int index = 0;
  P::visit_parameters(study.powertrain->drive, [&](const ParameterInfo& info, const double& value) {
    const auto& given = study.identification.uncertain;
    const auto found = std::find_if(given.begin(), given.end(), [&](const auto& p) { return p.index == index; });
    if (found != given.end()) {
      all.push_back({index, value, found->std});
    } else if (is_seldom_known(full_name(info))) {
      all.push_back({index, value, kAssumed * value, true});
    }
    ++index;
  });
  return all;
}

std::optional<std::size_t> last_said(const Track& track) {
  for (std::size_t k = track.value.size(); k-- > 0;)
    if (std::isfinite(track.value[k])) return k;
  return std::nullopt;
}

double GapFit::value(std::size_t fitted_value) const {
  GapSpec copy = spec;
  return parameter(copy.drive, fitted[fitted_value].index) + (scores.step.empty() ? 0.0 : scores.step[fitted_value]);
}

GapFit fit_gap(const Study& study, const Timeline& timeline, const std::function<void(double)>& progress) {
  constexpr int kMostSteps = 4;
  GapFit fit = replayed(study, *study.powertrain, timeline, uncertain_values(study), progress);
  const GapScores first = fit.scores;
  for (int i = 0; i < kMostSteps && leads_far(fit); ++i) {
    GapFit next = replayed(study, stepped(fit), timeline, fit.fitted, {});
    // What another cause has bent does not get better.
    if (next.scores.suspects.empty() || !(next.replay.log_likelihood > fit.replay.log_likelihood)) break;
    fit = std::move(next);
  }
  fit.suspects = suspects_of(first, fit.scores);
  return fit;
}

GapEstimate gap_of(const GapFit& fit) {
  return estimate(fit.replay.filtered[P::gap_output], fit.scores.gap, fit.suspects, &GapSuspect::gap_shift);
}

GapEstimate offset_of(const GapFit& fit) {
  return estimate(fit.replay.filtered[P::offset_output], fit.scores.offset, fit.suspects, &GapSuspect::offset_shift);
}

}  // namespace tauhat
