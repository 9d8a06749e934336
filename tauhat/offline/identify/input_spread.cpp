#include "tauhat/offline/identify/input_spread.hpp"

#include <cmath>

#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

const std::vector<Track>& tracks_of(const Replay& replay, bool smooth) {
  return smooth ? replay.smoothed : replay.filtered;
}

}  // namespace

std::vector<double> input_spread(const Study& study, double intensity, const Timeline& timeline, const Replay& replay,
                                 bool smooth) {
  const std::vector<UncertainParameter>& uncertain = study.identification.uncertain;
  if (!study.is_drive() || uncertain.empty()) return {};
  const std::vector<Track>& as_said = tracks_of(replay, smooth);
  std::vector<std::vector<double>> shifts(uncertain.size());
  for_each_in_parallel(uncertain.size(), [&](std::size_t i) {
    Study other = study;
    with_parameter(other.drive, uncertain[i].index,
                   [&](const ParameterInfo&, double& value) { value += uncertain[i].std; });
    const auto estimator = make_online_estimator(other, intensity, first_row(timeline));
    const Replay moved = estimator->replay(timeline, {.smooth = smooth});
    for (std::size_t k = 0; k < as_said.size(); ++k)
      shifts[i].push_back(tracks_of(moved, smooth)[k].value.back() - as_said[k].value.back());
  });
  std::vector<double> spread(as_said.size(), 0.0);
  for (const std::vector<double>& shift : shifts)
    for (std::size_t k = 0; k < spread.size(); ++k) spread[k] = std::hypot(spread[k], shift[k]);
  return spread;
}

void widen_by_inputs(const std::vector<double>& spread, std::vector<Result>& results) {
  for (std::size_t k = 0; k < spread.size() && k < results.size(); ++k) {
    Result& result = results[k];
    if (!result.std || !std::isfinite(spread[k])) continue;
    const UncertaintyBudget budget{.noise = *result.std, .inputs = spread[k]};
    result = with_interval(result.name, result.value, budget.total(), result.unit);
    result.budget = budget;
  }
}

}  // namespace tauhat
