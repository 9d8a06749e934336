// Values of the study that are known only so well: what they do to the standard deviations of `estimate` and `stream`.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

class UncertainInputs : public Program {
 protected:
  // The demo's axis for a stream, with its lag and a load known to 2 %, and the same with a load known exactly.
  void write_studies() const {
    write_changed("wide.toml", (source_dir() / "studies/demo/online.toml").string(), "load.inertia = \"17.65 kg cm^2\"",
                  "load.inertia = { value = \"17.65 kg cm^2\", std = \"2 %\" }");
    ASSERT_EQ(run("simulate " + demo() + " --seed 1 -o " + path("log.csv")).code, 0);
  }
  std::string exact() const { return (source_dir() / "studies/demo/online.toml").string(); }

  std::vector<std::vector<std::string>> estimate(const std::string& study, const std::string& options = "") const {
    const Outcome outcome = run("estimate " + study + " " + path("log.csv") + " -o " + path("e.csv") + " --json " +
                                path("e.json") + " " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return cells_of(read("e.csv"));
  }
};

// The CSV's last row and the JSON are of the same instant.
TEST_F(UncertainInputs, TheCsvSaysWhatTheJsonSays) {
  write_studies();
  for (const char* options : {"", "--smooth"}) {
    const auto cells = estimate(path("wide.toml"), options);
    const auto results = json("e.json")["results"];
    int compared = 0;
    for (std::size_t i = 0; i < cells[0].size(); ++i) {
      const std::string& column = cells[0][i];
      if (!column.ends_with(".std") || column.ends_with(".lagged.std")) continue;
      const auto& result = results[column.substr(0, column.size() - 4)];
      EXPECT_EQ(std::stod(cells.back()[i]), result["std"].get<double>()) << column << options;
      EXPECT_NEAR(std::hypot(result["std.noise"].get<double>(), result["std.inputs"].get<double>()),
                  result["std"].get<double>(), 1e-9);
      ++compared;
    }
    EXPECT_GE(compared, 5);
  }
}

// Every instant is wider than by the noise alone, the values are the same, and so it is of the lagged ones.
TEST_F(UncertainInputs, WidenEveryInstant) {
  write_studies();
  const auto narrow = estimate(exact()), wide = estimate(path("wide.toml"));
  ASSERT_EQ(narrow.size(), wide.size());
  for (const std::string name : {"transmission.torque", "transmission.torque.lagged"}) {
    const auto at = static_cast<std::size_t>(std::find(wide[0].begin(), wide[0].end(), name) - wide[0].begin());
    ASSERT_LT(at + 1, wide[0].size()) << name;
    std::size_t wider = 0;
    for (std::size_t k = 1; k < wide.size(); ++k) {
      ASSERT_EQ(wide[k][at], narrow[k][at]);
      ASSERT_GE(std::stod(wide[k][at + 1]), std::stod(narrow[k][at + 1]));
      wider += std::stod(wide[k][at + 1]) > std::stod(narrow[k][at + 1]) ? 1U : 0U;
    }
    EXPECT_GT(wider, wide.size() / 2) << name;
  }
}

// A stream has no record to run the filter over again: its std is the noise's, and it says so, once.
TEST_F(UncertainInputs, AStreamLeavesThemOutAndSaysSo) {
  write_studies();
  const auto stream = [&](const std::string& study, const std::string& name) {
    const std::string command = program().string() + " stream " + study + " < " + path("log.csv") + " > " + path(name) +
                                " 2> " + path("err.txt");
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read("err.txt");
  };
  EXPECT_EQ(stream(exact(), "exact.csv"), "");
  EXPECT_EQ(stream(path("wide.toml"), "wide.csv"),
            path("wide.toml") +
                ": values of [drive] have a std, and the .std columns leave it out: they are of the noise alone; "
                "`estimate` adds it on a record\n");
  EXPECT_EQ(read("wide.csv"), read("exact.csv"));
}

}  // namespace
}  // namespace tauhat
