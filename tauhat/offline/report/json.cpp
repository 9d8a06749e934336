// The fixed JSON of docs: programs rely on its keys, so that text and HTML may change, and this may not.
#include <nlohmann/json.hpp>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const Result& result) {
  Json json{
      {"value", result.value}, {"std", or_null(result.std)}, {"ci95", or_null(result.ci95)}, {"unit", result.unit}};
  if (const auto& budget = result.budget) {
    json["std.noise"] = budget->noise;
    json["std.inputs"] = budget->inputs;
    json["std.repeat"] = budget->repeat;
    json["std.model"] = budget->model;
  }
  if (const auto& said = result.identifiability) {
    json["identifiability"] = name_of(said->told);
    if (!said->partner.empty()) json["confounded_with"] = {{"name", said->partner}, {"correlation", said->correlation}};
    if (!said->separated_by.empty()) json["separated_by"] = said->separated_by;
  }
  if (const auto& other = result.at_other_intensities) {
    json["value.intensity_0.3"] = other->at(0);
    json["value.intensity_3"] = other->at(1);
  }
  if (const auto& reproduction = result.reproduction) {
    json["limit"] = or_null(reproduction->limit);
    json["sense"] = reproduction->at_most ? "at_most" : "at_least";
    json["published"] = or_null(reproduction->published);
    json["seeds"] = reproduction->seeds;
    json["worst_seed"] = or_null(reproduction->worst_seed);
    json["passed"] = reproduction->passed;
  }
  return json;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json{{"tauhat", TAUHAT_VERSION}, {"command", report.command}};
  if (!report.headline.empty()) json["headline"] = report.headline;
  json["results"] = Json::object();
  for (const Result& result : report.results) json["results"][result.name] = json_of(result);
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : report.verdicts)
    json["verdicts"].push_back({{"name", verdict.name},
                                {"verdict", name_of(verdict.verdict)},
                                {"limit", verdict.limit},
                                {"reason", verdict.reason}});
  json["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : report.diagnostics)
    json["diagnostics"].push_back(
        {{"name", diagnostic.name}, {"severity", name_of(diagnostic.severity)}, {"message", diagnostic.message}});
  // Names come from logs and may hold any byte; numbers that are not finite are written as null.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tauhat
