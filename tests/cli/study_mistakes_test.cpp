// What the program says of studies and options that cannot be worked with, before the work.
#include <gmock/gmock.h>

#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

class StudyMistakes : public Program {
 protected:
  // The demo with a std at every value of its drive and at the torque's gain and delay.
  void write_uncertain(const std::string& name, const std::string& channels) const {
    write(name,
          "[drive]\nmodel = \"two-mass\"\nmotor.inertia = { value = 8e-4, std = \"1 %\" }\n"
          "load.inertia = { value = 17.65e-4, std = \"0.5 %\" }\n"
          "transmission.ratio = { value = 1, std = 1e-3 }\ntransmission.damping = { value = 0.01, std = 1e-3 }\n"
          "motor.friction = { law = \"stribeck\", coulomb = { value = 0.27, std = 0.01 }, breakaway = { value = 0.3, "
          "std = 0.01 }, viscous = { value = 0.01, std = 1e-3 }, stribeck_velocity = { value = 0.5, std = 0.1 }, width "
          "= { value = 0.01, std = 1e-3 } }\n"
          "load.friction = { coulomb = { value = 0.01, std = 1e-3 }, width = { value = 0.01, std = 1e-3 } }\n"
          "[log]\ntime = { column = \"t\", unit = \"ms\" }\n[log.channels]\n"
          "\"motor.torque\" = { column = \"tau_cmd\", gain = \"fit\", delay = \"fit\" }\n" +
              channels);
  }
};

// 16 directions: three of each segment's start, gap and two stiffnesses leave ten; positions of both sides leave eight.
TEST_F(StudyMistakes, MoreUncertainValuesThanCanBeFittedAreRefusedBeforeTheWork) {
  std::string log = "t,tau_cmd,w_m\n";
  for (const char* stamp : {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"})
    log += std::string(stamp) + "," + stamp + "," + stamp + "\n";
  write("log.csv", log);
  write_uncertain("velocity.toml", "\"motor.velocity\" = { column = \"w_m\", unit = \"rpm\" }\n");
  const Outcome outcome = run("identify " + path("velocity.toml") + " " + path("log.csv"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.output, path("velocity.toml") +
                                ": 13 values are unknown or have a std, and beside gap and stiffness at most 10 can be "
                                "fitted: leave out the std of those known best, drive.transmission.ratio, "
                                "drive.load.inertia, drive.motor.inertia\n");
  write_uncertain("position.toml",
                  "\"motor.position\" = { column = \"w_m\" }\n\"load.position\" = { column = \"tau_cmd\" }\n");
  EXPECT_THAT(run("check " + path("position.toml") + " " + path("log.csv")).output, HasSubstr("at most 8 can be"));
}

TEST_F(StudyMistakes, CountsOfOptionsAreSaidInWords) {
  for (const char* seeds : {"0", "-3", "1.5", "many"}) {
    const Outcome outcome = run(std::string("reproduce hovland --seeds ") + seeds);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.output, HasSubstr(std::string(seeds) + ": must be a whole number from 1")) << seeds;
  }
  EXPECT_THAT(run("excite nowhere.toml --period 0").output, HasSubstr("0: must be a positive number"));
}

}  // namespace
}  // namespace tauhat
