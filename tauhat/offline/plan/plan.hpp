// An excitation for a quantity that is asked for, before anything is recorded. Each candidate is played to the drive
// that the study believes in, as loud as its limits allow, and the record identified as any log: the standard deviation
// that comes out is that of the fit's information. The narrowest wins, and is judged by noise that it was not chosen
// by.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/plan/candidate_input.hpp"
#include "tauhat/offline/plan/plan_spec.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/simulate/simulated_study.hpp"

namespace tauhat {

// How a study records and identifies (plan_trials.hpp).
struct PlanTrials {
  Rows rows;
  Excitation given;  // [simulate] input
  // What keeps the motion going that all candidates but the given one swing about: one value for each row, or none.
  std::vector<double> hold{};
  // Whether that motion still goes on under what swings about it, by the driven side's velocity; empty: it may turn.
  std::function<bool(const std::vector<double>& velocity)> goes_on{};
  double spacing = 0.0;  // Hz, that the tones of a multisine may have between them; 0: anything
  // Inputs that the method asks for, and nothing else tells: played as they are. By how many speeds each has.
  struct Own {
    std::size_t speeds;
    std::vector<double> input;
  };
  std::vector<Own> own{};
  std::function<SimulatedStudy(const std::vector<double>& input, std::uint64_t seed)> record;
  std::function<Report(const SimulatedStudy&)> identify;
  std::size_t speed = 0, travel = 0;  // which columns of the truth are limited
};

struct PlannedRecord {
  CandidateInput candidate;
  double force = 0.0, speed = 0.0, travel = 0.0;  // peaks; from end to end
  bool goes_on = true;                            // the motion that it swings about
  std::optional<Result> found;                    // empty: it does not tell the quantity
  std::string reason;                             // why not
};

struct Plan {
  std::vector<PlannedRecord> tried;  // narrowest first
  PlannedRecord chosen;              // with the standard deviation that is predicted
  std::vector<double> input;
  Simulated motion;
};

// Throws Error (untrusted) where no candidate tells the quantity, with the reason of the nearest.
Plan make_plan(const PlanSpec& spec, const PlanTrials& trials, std::uint64_t seed,
               const std::function<void(double)>& progress = {});

struct PlanUnits {
  std::string input, force, speed, travel;  // "motor.torque", "N m", "rad/s", "rad"
};
Report plan_report(const Plan& plan, const PlanSpec& spec, const PlanTrials& trials, const PlanUnits& units,
                   const std::string& study);

}  // namespace tauhat
