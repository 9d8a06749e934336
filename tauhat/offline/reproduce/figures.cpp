#include "tauhat/offline/reproduce/figures.hpp"

#include <cmath>

namespace tauhat {
namespace {

bool meets(const Figure& figure, double value) {
  if (!figure.limit) return !std::isnan(value);
  return figure.at_most ? value <= *figure.limit : value >= *figure.limit;
}

}  // namespace

Result total_of(const Figure& figure, double value, int seeds) {
  Result result;
  result.name = figure.name;
  result.value = value;
  result.unit = figure.unit;
  result.reproduction = Result::Reproduction{};
  result.reproduction->limit = figure.limit;
  result.reproduction->at_most = figure.at_most;
  result.reproduction->published = figure.published;
  result.reproduction->seeds = seeds;
  result.reproduction->passed = meets(figure, value);  // a NaN meets nothing
  return result;
}

Result worst_of(const Figure& figure, const std::vector<SeedValue>& values) {
  SeedValue worst{0, std::nan("")};
  bool first = true;
  for (const SeedValue& v : values) {
    const bool is_worse =
        first || std::isnan(v.value) || (figure.at_most ? v.value > worst.value : v.value < worst.value);
    if (is_worse && (first || !std::isnan(worst.value))) worst = v;
    first = false;
  }
  Result result = total_of(figure, worst.value, static_cast<int>(values.size()));
  result.reproduction->worst_seed = worst.seed;
  return result;
}

}  // namespace tauhat
