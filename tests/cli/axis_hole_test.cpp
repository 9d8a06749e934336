// A log of an axis in which the force is missing for seconds: it is not taken for what it was before.
#include <gmock/gmock.h>

#include "support/axis_records.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

class AxisHole : public Program {
 protected:
  void write_record(const AxisRecord& record, double hole_begin, double hole_end) const {
    std::string rows = "t,u,q\n";
    for (std::size_t k = 0; k < record.force.size(); ++k) {
      const double time = static_cast<double>(k) * record.period;
      const bool missing = time > hole_begin && time < hole_end;
      rows += std::to_string(time) + "," + (missing ? "" : std::to_string(record.force[k])) + "," +
              std::to_string(record.position[k]) + "\n";
    }
    write("log.csv", rows);
  }
  void write_study(const std::string& method) const {
    write("axis.toml", "[drive]\nmodel = \"axis\"\nmotion = \"linear\"\n[identify]\nmethod = \"" + method +
                           "\"\n[log]\ntime = { column = \"t\", unit = \"s\" }\n[log.channels]\n"
                           "\"axis.force\" = { column = \"u\", unit = \"N\" }\n"
                           "\"axis.position\" = { column = \"q\", unit = \"m\", std = 1e-6 }\n");
  }
};

// 3 s of 27 s: held, they moved the Coulomb friction by 1 N, with an interval of 0.1 N.
TEST_F(AxisHole, IsLeftOutByEveryMethod) {
  const AxisMoves moves = positioning_moves({0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1, 0.2, 0.3, 0.4}, 0.2, 0.8);
  write_record(measured(moves, kSymmetric, {.resolution = 1e-6, .force = 0.5}, 3), 20.0, 23.0);
  for (const char* method : {"regression", "constant-speed"}) {
    write_study(method);
    const Outcome outcome =
        run("identify " + path("axis.toml") + " " + path("log.csv") + " --json " + path("result.json"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("log.hole")) << method;
    const auto coulomb = json("result.json")["results"].at("friction.coulomb");
    EXPECT_LT(coulomb["ci95"][0].get<double>(), 20.2) << method;
    EXPECT_GT(coulomb["ci95"][1].get<double>(), 19.8) << method;
  }
}

}  // namespace
}  // namespace tauhat
