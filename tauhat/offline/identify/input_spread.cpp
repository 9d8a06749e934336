#include "tauhat/offline/identify/input_spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

constexpr std::array kTracks{&Replay::filtered, &Replay::smoothed, &Replay::lagged};

// Of each of these tracks, output and instant.
using Variances = std::array<std::vector<std::vector<double>>, kTracks.size()>;

// None where no drive has such a parameter.
std::optional<Replay> with_parameter_off(const Study& study, const UncertainParameter& parameter, double sign,
                                         double intensity, std::size_t lag, const Timeline& timeline, bool smooth) {
  Study other = study;
  bool is_possible = true;
  with_parameter(other.drive, parameter.index, [&](const ParameterInfo& info, double& value) {
    value += sign * parameter.std;
    is_possible = info.range.contains(value);
  });
  if (!is_possible) return {};
  const auto estimator = make_online_estimator(other, intensity, first_row(timeline));
  estimator->set_lag(lag);
  return estimator->replay(timeline, {.smooth = smooth});
}

// The larger shift of both directions: a filter of what is not linear moves farther to one side.
void add_squares(const Replay& as_said, const std::array<std::optional<Replay>, 2>& moved, Variances& variances) {
  for (std::size_t kind = 0; kind < kTracks.size(); ++kind) {
    const std::vector<Track>& said = as_said.*kTracks[kind];
    variances[kind].resize(said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      std::vector<double>& variance = variances[kind][i];
      variance.resize(said[i].value.size(), 0.0);
      for (std::size_t k = 0; k < variance.size(); ++k) {
        double largest = 0.0;
        for (const auto& side : moved)
          if (side) largest = std::max(largest, std::abs(((*side).*kTracks[kind])[i].value[k] - said[i].value[k]));
        variance[k] += largest * largest;
      }
    }
  }
}

// Both directions of one parameter at once: each holds tracks of the whole log.
Variances variances_by_inputs(const Study& study, double intensity, std::size_t lag, const Timeline& timeline,
                              const Replay& replay) {
  const std::vector<UncertainParameter>& uncertain = study.identification.uncertain;
  Variances variances;
  for (const UncertainParameter& parameter : uncertain) {
    std::array<std::optional<Replay>, 2> moved;
    for_each_in_parallel(moved.size(), [&](std::size_t side) {
      moved[side] = with_parameter_off(study, parameter, side == 0 ? 1.0 : -1.0, intensity, lag, timeline,
                                       !replay.smoothed.empty());
    });
    add_squares(replay, moved, variances);
  }
  return variances;
}

}  // namespace

bool has_uncertain_inputs(const Study& study) { return study.is_drive() && !study.identification.uncertain.empty(); }

std::vector<UncertaintyBudget> widen_by_inputs(const Study& study, double intensity, std::size_t lag,
                                               const Timeline& timeline, Replay& replay) {
  if (!has_uncertain_inputs(study)) return {};
  const Variances variances = variances_by_inputs(study, intensity, lag, timeline, replay);
  const auto shown = replay.smoothed.empty() ? &Replay::filtered : &Replay::smoothed;
  std::vector<UncertaintyBudget> last((replay.*shown).size());
  for (std::size_t kind = 0; kind < kTracks.size(); ++kind) {
    std::vector<Track>& tracks = replay.*kTracks[kind];
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      for (std::size_t k = 0; k < tracks[i].std.size(); ++k) {
        UncertaintyBudget budget{.noise = tracks[i].std[k]};
        if (std::isfinite(variances[kind][i][k])) budget.inputs = std::sqrt(variances[kind][i][k]);
        tracks[i].std[k] = budget.total();
        if (kTracks[kind] == shown) last[i] = budget;
      }
    }
  }
  return last;
}

}  // namespace tauhat
