#include "tauhat/offline/reproduce/rates_added.hpp"

#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "tauhat/offline/reproduce/rates_table.hpp"

namespace tauhat::rates {
namespace {

using Rates = std::map<std::pair<std::string, std::string>, Rate>;  // by diagnostic, and what provokes it

// Of a row as rates_page() writes it; without records where it is none.
Rate rate_of(const std::string& line) {
  const std::string begin = "| [`", between = " | ";
  if (!line.starts_with(begin)) return {};
  std::vector<std::string> entries;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + between.size()) {
    end = line.find(between, at);
    entries.push_back(line.substr(at, end == std::string::npos ? end : end - at));
  }
  if (entries.size() < 4) return {};
  Rate rate{.diagnostic = entries[0].substr(begin.size(), entries[0].find('`', begin.size()) - begin.size()),
            .by = entries[1]};
  const auto share_of = [&](const std::string& entry, int& count) {
    std::istringstream words(entry);  // "5 of 20"
    std::string of;
    return static_cast<bool>(words >> count >> of >> rate.records);
  };
  const bool is_whole = share_of(entries[2], rate.found) && share_of(entries[3], rate.false_alarms);
  return is_whole ? rate : Rate{};
}

void add(const std::string& page, Rates& rates) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const Rate rate = rate_of(line);
    if (rate.records == 0) continue;
    Rate& kept = rates[{rate.diagnostic, rate.by}];
    if (rate.records >= kept.records) kept = rate;
  }
}

}  // namespace

std::string added_to_page(const std::string& before, const std::string& now) {
  Rates rates;
  add(before, rates);
  add(now, rates);
  std::vector<Rate> all;
  for (const Provocation& provocation : all_provocations())
    if (const auto found = rates.find({provocation.diagnostic, provocation.by}); found != rates.end())
      all.push_back(found->second);
  return rates_page(all);
}

}  // namespace tauhat::rates
