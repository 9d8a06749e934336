// tauhat reproduce diagnostics: every diagnostic on records that provoke it, and on the same ones that do not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/reproduce/figures.hpp"
#include "tauhat/offline/reproduce/limits_records.hpp"
#include "tauhat/offline/reproduce/rates_table.hpp"

namespace tauhat {
namespace rates {

std::vector<Provocation> all_provocations() {
  std::vector<Provocation> all;
  for (const auto& of_a_part : {of_logs(), of_drives(), of_friction(), of_bench_tests(), of_powertrains(), of_joints(),
                                of_poses(), of_robots(), of_payloads(), of_forces()})
    all.insert(all.end(), of_a_part.begin(), of_a_part.end());
  return all;
}

double most_false_alarms(int records) { return std::ceil(kMostFalseAlarms * records) / records; }

bool is_met(const Rate& rate) {
  return rate.found_share() >= kLeastFound && rate.false_alarm_share() <= most_false_alarms(rate.records);
}

bool is_said(const std::string& diagnostic, const std::vector<Diagnostic>& said) {
  const bool is_of_a_joint = diagnostic.starts_with("joint.");
  const std::string ending = is_of_a_joint ? diagnostic.substr(diagnostic.find('.')) : diagnostic;
  return std::any_of(said.begin(), said.end(), [&](const Diagnostic& each) {
    return is_of_a_joint ? each.name.ends_with(ending) : each.name == diagnostic;
  });
}

std::vector<Diagnostic> said_of(const Provocation& provocation, std::uint64_t seed, bool is_provoked) {
  try {
    return provocation.run(seed, is_provoked);
  } catch (const Error& error) {
    // No record: its truth cannot be simulated, or its study says nonsense.
    if (error.code() == ExitCode::wrong_use) throw;
    return {{"refused", Severity::error, error.what()}};
  }
}

namespace {

// Whether it is said of a record, which may have been answered before.
bool is_said_of(const Provocation& provocation, std::uint64_t seed, bool is_provoked, limits::KeptRecords& kept) {
  const std::string record =
      fmt::format("diagnostics.{} {} {}", provocation.diagnostic, is_provoked ? "with" : "without", provocation.by);
  if (const limits::Judged* before = kept.find(record, seed)) return !before->flags.empty();
  limits::Judged now;
  if (is_said(provocation.diagnostic, said_of(provocation, seed, is_provoked))) now.flags = {provocation.diagnostic};
  kept.add(record, seed, now);
  return !now.flags.empty();
}

}  // namespace

std::vector<Rate> run_provocations(const std::vector<Provocation>& provocations, int records,
                                   const ReproduceOptions& options) {
  struct Run {
    std::size_t provocation;
    std::uint64_t seed;
    bool is_provoked, is_said;
  };
  std::vector<Run> runs;
  std::vector<Rate> rates;
  for (std::size_t p = 0; p < provocations.size(); ++p) {
    rates.push_back({provocations[p].diagnostic, provocations[p].by, records > 0 ? records : provocations[p].records});
    for (int i = 0; i < rates[p].records; ++i)
      for (const bool is_provoked : {true, false})
        runs.push_back({p, options.first_seed + static_cast<std::uint64_t>(i), is_provoked, false});
  }
  limits::KeptRecords kept(options.records);
  for_each_in_parallel(
      runs.size(),
      [&](std::size_t i) {
        Run& run = runs[i];
        run.is_said = is_said_of(provocations[run.provocation], run.seed, run.is_provoked, kept);
      },
      [&](double share) {
        if (options.progress) options.progress("diagnostics", share);
      });
  for (const Run& run : runs)
    (run.is_provoked ? rates[run.provocation].found : rates[run.provocation].false_alarms) += run.is_said;
  return rates;
}

}  // namespace rates

namespace {

// One figure a diagnostic: where several things provoke it, of the worst.
void add_figures(const std::vector<rates::Rate>& rates, Report& report) {
  std::map<std::string, rates::Rate> least, most;
  for (const rates::Rate& rate : rates) {
    const auto worse = least.try_emplace(rate.diagnostic, rate).first;
    if (rate.found_share() < worse->second.found_share()) worse->second = rate;
    const auto more = most.try_emplace(rate.diagnostic, rate).first;
    if (rate.false_alarm_share() > more->second.false_alarm_share()) more->second = rate;
  }
  for (const auto& [name, rate] : least) {
    const rates::Rate& alarms = most.at(name);
    report.results.push_back(total_of({fmt::format("diagnostics.{}.found", name), rates::kLeastFound, "1", false},
                                      rate.found_share(), rate.records));
    report.results.push_back(total_of(
        {fmt::format("diagnostics.{}.false_alarms", name), rates::most_false_alarms(alarms.records), "1", true},
        alarms.false_alarm_share(), alarms.records));
  }
}

}  // namespace

Report reproduce_diagnostics(const ReproduceOptions& options) {
  constexpr int kQuick = 5;
  std::vector<rates::Provocation> chosen = rates::all_provocations();
  std::erase_if(chosen,
                [&](const rates::Provocation& p) { return p.diagnostic.find(options.only) == std::string::npos; });
  if (chosen.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("--only \"{}\": no diagnostic has this in its name, as in \"log.gap\"", options.only));
  const auto rates = rates::run_provocations(chosen, options.seeds.value_or(options.quick ? kQuick : 0), options);
  Report report;
  report.command = "reproduce";
  report.title = "Diagnostics: found and false alarms";
  add_figures(rates, report);
  if (options.write_page) options.write_page(rates::rates_page(rates));
  return report;
}

}  // namespace tauhat
