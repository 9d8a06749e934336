#include "tauhat/offline/identify/input_spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

constexpr std::array kTracks{&Replay::filtered, &Replay::smoothed, &Replay::lagged};

// Of each of these tracks, output and instant.
using Variances = std::array<std::vector<std::vector<double>>, kTracks.size()>;

Replay with_parameter_off(const Study& study, const UncertainParameter& parameter, double intensity, std::size_t lag,
                          const Timeline& timeline, bool smooth) {
  Study other = study;
  with_parameter(other.drive, parameter.index, [&](const ParameterInfo&, double& value) { value += parameter.std; });
  const auto estimator = make_online_estimator(other, intensity, first_row(timeline));
  estimator->set_lag(lag);
  return estimator->replay(timeline, {.smooth = smooth});
}

void add_squares(const Replay& as_said, const Replay& moved, Variances& variances) {
  for (std::size_t kind = 0; kind < kTracks.size(); ++kind) {
    const std::vector<Track>&said = as_said.*kTracks[kind], &off = moved.*kTracks[kind];
    variances[kind].resize(said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      std::vector<double>& variance = variances[kind][i];
      variance.resize(said[i].value.size(), 0.0);
      for (std::size_t k = 0; k < variance.size(); ++k) {
        const double shift = off[i].value[k] - said[i].value[k];
        variance[k] += shift * shift;
      }
    }
  }
}

// As many at once as there are cores: each holds tracks of the whole log. Added up in the study's order, so that the
// sum does not depend on their number.
Variances variances_by_inputs(const Study& study, double intensity, std::size_t lag, const Timeline& timeline,
                              const Replay& replay) {
  const std::vector<UncertainParameter>& uncertain = study.identification.uncertain;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  Variances variances;
  for (std::size_t first = 0; first < uncertain.size(); first += cores) {
    std::vector<Replay> moved(std::min(cores, uncertain.size() - first));
    for_each_in_parallel(moved.size(), [&](std::size_t i) {
      moved[i] = with_parameter_off(study, uncertain[first + i], intensity, lag, timeline, !replay.smoothed.empty());
    });
    for (const Replay& each : moved) add_squares(replay, each, variances);
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
