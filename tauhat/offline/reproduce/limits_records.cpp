#include "tauhat/offline/reproduce/limits_records.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tauhat/offline/error.hpp"

namespace tauhat::limits {
namespace {

using nlohmann::json;

// The error is null where it is NaN, which JSON does not have.
json to_json(const std::string& cell, std::uint64_t seed, const Judged& record) {
  json quantities = json::object();
  for (const auto& [name, values] : record.quantities)
    quantities[name] = {values.held, std::isfinite(values.error) ? json(values.error) : json()};
  return {{"cell", cell}, {"seed", seed}, {"quantities", quantities}, {"flags", record.flags}};
}

Judged from_json(const json& line) {
  Judged record;
  for (const auto& [name, values] : line.at("quantities").items())
    record.quantities[name] = {values.at(0), values.at(1).is_null() ? std::nan("") : values.at(1).get<double>()};
  line.at("flags").get_to(record.flags);
  return record;
}

}  // namespace

KeptRecords::KeptRecords(const std::string& path) {
  if (path.empty()) return;
  std::ifstream before(path);
  std::size_t row = 0, whole = 0;
  bool is_cut_off = false;
  for (std::string text; std::getline(before, text); whole += text.size() + 1) {
    ++row;
    is_cut_off = before.eof();  // while the line was written
    if (is_cut_off) break;
    try {
      const json line = json::parse(text);
      records_[{line.at("cell"), line.at("seed")}] = from_json(line);
    } catch (const json::exception&) {
      throw Error(ExitCode::wrong_use, fmt::format("{}, line {}: not a record of `reproduce --records`", path, row));
    }
  }
  before.close();
  if (is_cut_off) std::filesystem::resize_file(path, whole);
  file_.open(path, std::ios::app);
  if (!file_) throw Error(ExitCode::wrong_use, fmt::format("{}: cannot be written", path));
}

const Judged* KeptRecords::find(const std::string& cell, std::uint64_t seed) const {
  const auto found = records_.find({cell, seed});
  return found == records_.end() ? nullptr : &found->second;
}

std::vector<Judged> KeptRecords::all_of(const std::string& cell) const {
  std::vector<Judged> records;
  for (auto each = records_.lower_bound({cell, 0}); each != records_.end() && each->first.first == cell; ++each)
    records.push_back(each->second);
  return records;
}

void KeptRecords::add(const std::string& cell, std::uint64_t seed, const Judged& record) {
  if (!file_.is_open()) return;
  const std::string line = to_json(cell, seed, record).dump() + '\n';
  const std::lock_guard lock(mutex_);
  file_ << line << std::flush;
}

}  // namespace tauhat::limits
