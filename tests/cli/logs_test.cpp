// Commands that need a log and no study: init, convert, plot; and what the shell asks for.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/gear_on_bench.hpp"
#include "support/mat_bytes.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

class LogCommands : public Program {
 protected:
  std::string fixture(const std::string& name) const { return (source_dir() / "tests/fixtures/logs" / name).string(); }
};

TEST_F(LogCommands, ConvertKeepsEveryNumber) {
  ASSERT_EQ(run("convert " + fixture("excel_german.csv") + " -o " + path("a.h5")).code, 0);
  ASSERT_EQ(run("convert " + path("a.h5") + " -o " + path("b.csv")).code, 0);
  ASSERT_EQ(run("convert " + fixture("excel_german.csv") + " -o " + path("c.csv")).code, 0);
  EXPECT_EQ(read("b.csv"), read("c.csv"));
  EXPECT_THAT(read("c.csv"), HasSubstr("Zeit [ms],Drehzahl [rpm],Strom [A]\n0,0,3.2\n"));
}

TEST_F(LogCommands, ConvertListsAndPicksColumns) {
  const Outcome list = run("convert " + fixture("moteus.csv") + " --list");
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.output, HasSubstr("torque_Nm"));
  ASSERT_EQ(run("convert " + fixture("moteus.csv") + " --column velocity -o " + path("v.csv")).code, 0);
  EXPECT_THAT(read("v.csv"), testing::StartsWith("velocity\n0\n"));
}

TEST_F(LogCommands, ConvertSaysWhatItCannotDo) {
  EXPECT_EQ(run("convert " + fixture("moteus.csv")).code, 2);
  const Outcome odd = run("convert " + fixture("moteus.csv") + " -o " + path("a.xlsx"));
  EXPECT_EQ(odd.code, 2);
  EXPECT_THAT(odd.output, HasSubstr(".csv or .h5"));
  EXPECT_EQ(run("convert " + path("none.csv") + " --list").code, 3);
  EXPECT_FALSE(fs::exists(path("a.xlsx")));
}

// Two names that HDF5 cannot tell apart: the sentence says which, of the file that was asked for.
TEST_F(LogCommands, ConvertSaysWhatHdf5CannotHold) {
  write("two.csv", "t,a/b,a_b\n0,1,2\n1,2,3\n");
  const Outcome refused = run("convert " + path("two.csv") + " -o " + path("two.h5"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.output, path("two.h5") + ": two columns would be called \"a_b\"\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(path("two.csv")).parent_path()), fs::directory_iterator()),
            1);
}

TEST_F(LogCommands, PlotNamesWhatItSkips) {
  const MatBytes mat;
  std::vector<double> time(40), speed(40);
  for (std::size_t k = 0; k < time.size(); ++k) time[k] = 1e-3 * static_cast<double>(k), speed[k] = std::sin(time[k]);
  write("log.mat", mat.file(mat.reals("t", time) + mat.reals("w", speed) + mat.object("current", "timeseries")));
  const Outcome plot = run("plot " + path("log.mat") + " -o " + path("p.html"));
  EXPECT_EQ(plot.code, 0);
  EXPECT_THAT(plot.output, HasSubstr("skipped: \"current\" is of class timeseries"));
  EXPECT_THAT(read("p.html"), HasSubstr("is of class timeseries"));
  EXPECT_THAT(run("convert " + path("log.mat") + " --list").output, HasSubstr("skipped: \"current\""));
}

TEST_F(LogCommands, PlotDrawsEveryColumn) {
  const Outcome plot = run("plot " + fixture("moteus.csv") + " -o " + path("p.html"));
  EXPECT_EQ(plot.code, 0);
  EXPECT_THAT(plot.output, HasSubstr("5 plots"));
  EXPECT_THAT(read("p.html"), HasSubstr("q_current_A"));
}

TEST_F(LogCommands, CompletionKnowsTheCommands) {
  write("try.sh", "source <(" + program().string() +
                      " completion bash)\nCOMP_WORDS=(tauhat ide); COMP_CWORD=1; _tauhat; echo ${COMPREPLY[@]}\n" +
                      "COMP_WORDS=(tauhat identify --rep); COMP_CWORD=2; _tauhat; echo ${COMPREPLY[@]}\n");
  std::FILE* pipe = ::popen(("bash " + path("try.sh") + " 2>&1").c_str(), "r");
  std::array<char, 256> text{};
  const std::size_t size = std::fread(text.data(), 1, text.size() - 1, pipe);
  ::pclose(pipe);
  EXPECT_EQ(std::string(text.data(), size), "identify\n--report\n");
  EXPECT_THAT(run("completion zsh").output, HasSubstr("#compdef tauhat"));
  EXPECT_EQ(run("completion fish").code, 2);
}

TEST_F(LogCommands, ManualNamesEveryCommand) {
  const std::string manual = run("man").output;
  for (const char* command :
       {"init", "plot", "convert", "simulate", "estimate", "excite", "identify", "check", "reproduce", "describe"})
    EXPECT_THAT(manual, HasSubstr(std::string(".SS ") + command));
}

TEST_F(LogCommands, ABenchTestGoesFromLogToVerdict) {
  const HysteresisRecord record =
      GearOnBench{.twist = flanks(2e-3, 5000.0), .period = 5e-3, .torque_noise = 0.02, .twist_noise = 2e-6}.record(7);
  std::string csv = "t,torque,angle\n";
  for (std::size_t k = 0; k < record.ramp.size(); ++k)
    csv += fmt::format("{},{},{}\n", record.ramp.time[k], record.ramp.torque[k], record.ramp.displacement[k]);
  write("bench.csv", csv);
  write("gear.toml", R"toml(
[test]
kind = "hysteresis-curve"
definition = "nabtesco"
rated_torque = "10 N m"
part = "gear <b>4711</b>"
[log]
time = { column = "t", unit = "s" }
[log.channels]
"transmission.torque" = { column = "torque", unit = "N m", gain = { value = 1, std = 0.01 } }
"transmission.displacement" = { column = "angle", unit = "rad" }
[accept]
"backlash.lost_motion" = "<= 8 arcmin"
"transmission.torsional_rigidity" = ">= 2 N m/arcmin"
)toml");
  const Outcome done = run("identify " + path("gear.toml") + " " + path("bench.csv") + " --json " + path("r.json") +
                           " --report " + path("r.html"));
  EXPECT_EQ(done.code, 1) << done.output;  // 5000 N m/rad are 1.45 N m/arcmin
  const auto results = json("r.json")["results"];
  EXPECT_NEAR(results["backlash.lost_motion"]["value"].get<double>(), 2e-3 + 2.0 * 0.3 / 5000.0, 3e-5);
  EXPECT_NEAR(results["transmission.torsional_rigidity"]["std.inputs"].get<double>(), 50.0, 5.0);
  const Outcome twice = run("identify " + path("gear.toml") + " " + path("bench.csv") + " " + path("bench.csv"));
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.output, HasSubstr("bench.csv is given twice"));
  const std::string html = read("r.html");
  EXPECT_THAT(html, HasSubstr("sha256"));
  EXPECT_THAT(html, Not(HasSubstr("<b>4711")));
  EXPECT_THAT(html, HasSubstr("What dominates the uncertainty"));
}

// A sensor on the locked side that misses a sample has not moved.
TEST_F(LogCommands, AMissingSampleOfTheOutputIsNoMotion) {
  const HysteresisRecord record = GearOnBench{.twist = flanks(2e-3, 5000.0), .period = 2e-2}.record();
  std::string csv = "t,torque,twist,output\n";
  for (std::size_t k = 0; k < record.ramp.size(); ++k)
    csv += fmt::format("{},{},{},{}\n", record.ramp.time[k], record.ramp.torque[k], record.ramp.displacement[k],
                       k % 100 == 7 ? "nan" : "0.5");
  write("bench.csv", csv);
  write("gear.toml", R"toml(
[test]
kind = "hysteresis-curve"
definition = "harmonic-drive"
rated_torque = "10 N m"
limit_torque_1 = 1.5
limit_torque_2 = 4
[log]
time = { column = "t", unit = "s" }
[log.channels]
"transmission.torque" = { column = "torque" }
"transmission.displacement" = { column = "twist" }
"load.position" = { column = "output" }
)toml");
  const Outcome done = run("identify " + path("gear.toml") + " " + path("bench.csv") + " --report " + path("r.html"));
  EXPECT_EQ(done.code, 0) << done.output;
  const std::string html = read("r.html"), page = html.substr(html.find("Test record"));
  for (const char* text : {"harmonic-drive", "10 N m", "T1 = 1.5 N m, T2 = 4 N m", "torsional_rigidity.k2",
                           "backlash.hysteresis_loss.spread_repeats"})
    EXPECT_THAT(page, HasSubstr(text));
}

TEST_F(LogCommands, ABenchTestRefusesWhatItCannotUse) {
  write("gear.toml",
        "[test]\nkind = \"hysteresis-curve\"\ndefinition = \"nabtesco\"\nrated_torque = \"10 N m\"\n[log]\ntime = { "
        "rate = "
        "\"1 kHz\" }\n[log.channels]\n\"motor.velocity\" = { column = \"w\" }\n");
  const Outcome refused = run("identify " + path("gear.toml") + " " + path("bench.csv"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, HasSubstr("has no torque"));
}

}  // namespace
}  // namespace tauhat
