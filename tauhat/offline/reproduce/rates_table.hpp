// The table of rates: every provocation counted over its records.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/reproduce/rates.hpp"
#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat::rates {

std::vector<Provocation> of_poses();     // that an elastic joint's model follows
std::vector<Provocation> of_payloads();  // of a robot
std::vector<Provocation> of_forces();    // on a robot
std::vector<Provocation> all_provocations();

// A diagnostic that no record provokes, and why.
struct NotOfARecord {
  std::string diagnostic, why;
};
const std::vector<NotOfARecord>& not_of_a_record();

// How often, of so many records of each kind.
struct Rate {
  std::string diagnostic, by;
  int records = 0, found = 0, false_alarms = 0;

  double found_share() const { return static_cast<double>(found) / records; }
  double false_alarm_share() const { return static_cast<double>(false_alarms) / records; }
};

constexpr double kLeastFound = 0.95, kMostFalseAlarms = 0.02;
// That share of so many records, rounded up to a whole record: one is no rate.
double most_false_alarms(int records);
bool is_met(const Rate& rate);

// A joint's own name stands where the diagnostic says "joint".
bool is_said(const std::string& diagnostic, const std::vector<Diagnostic>& said);

// What is said of one record; a refusal is said as "refused".
std::vector<Diagnostic> said_of(const Provocation& provocation, std::uint64_t seed, bool is_provoked);

// `records` of each kind, or what each provocation says where that is 0.
std::vector<Rate> run_provocations(const std::vector<Provocation>& provocations, int records,
                                   const ReproduceOptions& options);

// The page of the documentation that a full run writes.
std::string rates_page(const std::vector<Rate>& rates);

}  // namespace tauhat::rates
