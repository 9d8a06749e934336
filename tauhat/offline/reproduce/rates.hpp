// How often each diagnostic is raised where it should be, and where it should not: records that are made to provoke it,
// beside the same ones without what provokes it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat::rates {

struct Provocation {
  std::string diagnostic;  // "log.gap"; "joint.clock" where a robot's joint gives the first word
  std::string by;          // "20 ms cut out of a record of 2 s", as the page says it
  // What is said of one record, with what provokes it and without. A refusal is its Error as a diagnostic "refused".
  std::function<std::vector<Diagnostic>(std::uint64_t seed, bool is_provoked)> run;
  int records = 100;  // of each kind; fewer where one takes long
};

// One list a part of the program.
std::vector<Provocation> of_logs();
std::vector<Provocation> of_drives();
std::vector<Provocation> of_friction();
std::vector<Provocation> of_bench_tests();
std::vector<Provocation> of_powertrains();
std::vector<Provocation> of_joints();
std::vector<Provocation> of_robots();

}  // namespace tauhat::rates
