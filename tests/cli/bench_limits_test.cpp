// bench/limited.py, by which the benchmarks of whole commands fail where they take too long or too much.
#include <gmock/gmock.h>

#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

class BenchLimits : public Program {
 protected:
  void SetUp() override {
    if (std::system("command -v python3 > /dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  }
  Outcome limited(const std::string& limits, const std::string& arguments) const {
    const std::string script = (source_dir() / "bench/limited.py").string();
    const int status = std::system((script + " " + limits + " " + program().string() + " " + arguments + " > " +
                                    path("out.txt") + " 2> " + path("err.txt"))
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("err.txt")};
  }
};

TEST_F(BenchLimits, PassesWhatIsWithinThem) {
  const Outcome outcome = limited("60 4", "--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, Not(HasSubstr("failed")));
}

TEST_F(BenchLimits, SaysWhichWasExceeded) {
  const Outcome slow = limited("--core 0 4", "--version"), large = limited("60 0.001", "--version");
  EXPECT_EQ(slow.code, 1);
  EXPECT_THAT(slow.output, HasSubstr("s of one core: more than 0 s"));
  EXPECT_THAT(slow.output, Not(HasSubstr("GB: more")));
  EXPECT_EQ(large.code, 1);
  EXPECT_THAT(large.output, HasSubstr("GB: more than 0.001 GB"));
}

TEST_F(BenchLimits, FailsWithoutAnAnswer) {
  const Outcome outcome = limited("60 4", "identify nowhere.toml nowhere.csv");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("exit code 2: no answer"));
}

}  // namespace
}  // namespace tauhat
