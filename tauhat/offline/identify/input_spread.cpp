#include "tauhat/offline/identify/input_spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

constexpr std::array kTracks{&Replay::filtered, &Replay::smoothed, &Replay::lagged};

// Of each of these tracks, output and instant.
using Variances = std::array<std::vector<std::vector<InputVariance>>, kTracks.size()>;

Replay replay_again(const Study& study, double intensity, std::size_t lag, const Timeline& timeline, bool smooth) {
  const auto estimator = make_online_estimator(study, intensity, first_row(timeline));
  estimator->set_lag(lag);
  return estimator->replay(timeline, {.smooth = smooth});
}

void add_parameter(const Replay& as_said, const std::vector<Replay>& moved, Variances& variances) {
  for (std::size_t kind = 0; kind < kTracks.size(); ++kind) {
    const std::vector<Track>& said = as_said.*kTracks[kind];
    variances[kind].resize(said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      std::vector<InputVariance>& variance = variances[kind][i];
      variance.resize(said[i].value.size());
      for (std::size_t k = 0; k < variance.size(); ++k) {
        variance[k].begin_parameter();
        for (const Replay& side : moved) variance[k].moved((side.*kTracks[kind])[i].value[k], said[i].value[k]);
        variance[k].end_parameter();
      }
    }
  }
}

// Both directions of one parameter at once: each holds tracks of the whole log.
Variances variances_by_inputs(const Study& study, double intensity, std::size_t lag, const Timeline& timeline,
                              const Replay& replay) {
  Variances variances;
  for (const UncertainParameter& parameter : uncertain_inputs(study)) {
    const std::vector<Study> others = with_input_off(study, parameter);
    std::vector<Replay> moved(others.size());
    for_each_in_parallel(others.size(), [&](std::size_t side) {
      moved[side] = replay_again(others[side], intensity, lag, timeline, !replay.smoothed.empty());
    });
    add_parameter(replay, moved, variances);
  }
  return variances;
}

// Of a powertrain; the torque's gain is a state of the filters of the whole drive, and has its share there.
std::vector<UncertainParameter> not_learned(const Study& study) {
  std::vector<UncertainParameter> all = study.identification.uncertain;
  if (!study.powertrain->is_of_stages())
    std::erase_if(all, [](const UncertainParameter& each) { return each.index == GapSpec::kGainIndex; });
  return all;
}

}  // namespace

std::vector<UncertainParameter> uncertain_inputs(const Study& study) {
  if (study.axis) return study.axis->uncertain;
  if (study.joint) return study.joint->uncertain;
  if (study.elastic_axes) return study.elastic_axes->uncertain;
  if (study.is_drive()) return study.identification.uncertain;
  if (study.powertrain) return not_learned(study);
  return {};
}

std::vector<Study> with_input_off(const Study& study, const UncertainParameter& parameter) {
  std::vector<Study> others;
  for (const double sign : {1.0, -1.0}) {
    Study other = study;
    bool is_possible = true;
    const auto move = [&](const ParameterInfo& info, double& value) {
      value += sign * parameter.std;
      is_possible = info.range.contains(value);
    };
    if (study.axis) {
      with_parameter(other.axis->axis, parameter.index, move);
    } else if (study.powertrain && parameter.index == GapSpec::kGainIndex) {
      move(GapSpec::kGain, other.powertrain->gain);
    } else if (study.powertrain) {
      with_parameter(other.powertrain->drive, parameter.index, move);
    } else if (study.elastic_axes) {
      int place = 0;
      visit_axes_numbers(*other.elastic_axes, [&](const ParameterInfo& info, double& value) {
        if (place++ == parameter.index) move(info, value);
      });
    } else if (study.joint && parameter.index == kTorqueGainIndex) {
      other.joint->torque_gain += sign * parameter.std;
    } else if (study.joint) {
      with_parameter(other.joint->joint, parameter.index, move);
    } else {
      with_parameter(other.drive, parameter.index, move);
    }
    if (is_possible) others.push_back(std::move(other));
  }
  return others;
}

void InputVariance::moved(double to, double said) noexcept { largest_ = std::max(largest_, std::abs(to - said)); }

void InputVariance::end_parameter() noexcept { sum_ += largest_ * largest_; }

InputVariance::Total InputVariance::with_noise(double std) const noexcept {
  UncertaintyBudget budget{.noise = std};
  if (std::isfinite(sum_)) budget.inputs = std::sqrt(sum_);
  return {budget, budget.total()};
}

std::vector<UncertaintyBudget> widen_by_inputs(const Study& study, double intensity, std::size_t lag,
                                               const Timeline& timeline, Replay& replay) {
  if (uncertain_inputs(study).empty()) return {};
  const Variances variances = variances_by_inputs(study, intensity, lag, timeline, replay);
  const auto shown = replay.smoothed.empty() ? &Replay::filtered : &Replay::smoothed;
  std::vector<UncertaintyBudget> last((replay.*shown).size());
  for (std::size_t kind = 0; kind < kTracks.size(); ++kind) {
    std::vector<Track>& tracks = replay.*kTracks[kind];
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      for (std::size_t k = 0; k < tracks[i].std.size(); ++k) {
        const InputVariance::Total total = variances[kind][i][k].with_noise(tracks[i].std[k]);
        tracks[i].std[k] = total.std;
        if (kTracks[kind] == shown) last[i] = total.budget;
      }
    }
  }
  return last;
}

}  // namespace tauhat
