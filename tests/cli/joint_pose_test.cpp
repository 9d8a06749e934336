// A joint whose numbers follow the pose of its robot, end to end: the model is rebuilt as the pose moves, what cannot
// be is refused, and what leaves the grid is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

class MovingNeighbour : public Program {
 protected:
  std::string study() const { return (source_dir() / "studies/elastic-joint/moving-neighbour.toml").string(); }
  void write_study(const std::string& name, const std::string& from, const std::string& to) const {
    write_changed(name, study(), from, to);
  }
  void simulate() const { ASSERT_EQ(run("simulate " + study() + " -o " + path("j.csv") + " --seed 3").code, 0); }

  nlohmann::json compared(const std::string& name) const {
    const auto done = run("compare " + name + " " + path("j.csv") + " --json " + path("c.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("c.json")["results"];
  }
  static double fit(const nlohmann::json& results, const std::string& observer) {
    return results[observer + ".fit"]["value"].get<double>();
  }

  void expect_refused(const std::string& from, const std::string& to, const std::string& sentence) const {
    write_study("changed.toml", from, to);
    const auto done = run("describe " + path("changed.toml"));
    EXPECT_EQ(done.code, 2) << done.output;
    EXPECT_THAT(done.output, HasSubstr(sentence));
  }

  // The study without [pose] and without its channels.
  std::string frozen() const {
    std::ifstream file(study());
    std::string text, line;
    bool inside = false;
    while (std::getline(file, line)) {
      if (line.starts_with("[")) inside = line.starts_with("[pose]");
      if (inside || line.starts_with("\"pose.") || line.starts_with("pose =")) continue;
      text += line + "\n";
    }
    return text;
  }
};

TEST_F(MovingNeighbour, FollowedIsBetterThanFrozen) {
  simulate();
  const auto followed = compared(study());
  write("frozen.toml", frozen());
  const auto left = compared(path("frozen.toml"));
  for (const char* observer : {"kalman", "lugre", "links"})
    EXPECT_GT(fit(followed, observer), fit(left, observer) + 3.0) << observer;
  EXPECT_GT(fit(followed, "lugre"), 98.0);
  EXPECT_GT(fit(followed, "kalman"), fit(followed, "naive") + 10.0);
}

TEST_F(MovingNeighbour, AGainThatIsSolvedAgainAddsNothing) {
  simulate();
  const auto fixed = compared(study());
  write_study("solved.toml", "gain = \"fixed\"", "gain = \"solved\"");
  const double solved = fit(compared(path("solved.toml")), "kalman");
  EXPECT_GT(fit(fixed, "kalman"), solved - 0.1);
  EXPECT_NEAR(fit(fixed, "kalman"), solved, 1.0);
}

TEST_F(MovingNeighbour, StreamIsEstimate) {
  simulate();
  for (const char* observer : {"kalman", "lugre", "links"}) {
    write_study("one.toml", "observer = \"kalman\"", std::string("observer = \"") + observer + "\"");
    ASSERT_EQ(run("estimate " + path("one.toml") + " " + path("j.csv") + " -o " + path("e.csv")).code, 0);
    ASSERT_EQ(run("stream " + path("one.toml") + " < " + path("j.csv") + " > " + path("s.csv")).code, 0);
    EXPECT_EQ(read("e.csv"), read("s.csv")) << observer;
  }
}

TEST_F(MovingNeighbour, SaysThatThePoseLeavesTheGrid) {
  simulate();
  std::string text = frozen();
  text.insert(text.find("[[observer]]"),
              "[pose]\nposition = [\"60 deg\", \"90 deg\"]\nload.inertia = [15.6, 13.1]\n\n");
  text.insert(text.find("\n[simulate]"), "\"pose.position\" = { column = \"q3\", unit = \"deg\" }\n");
  write("narrow.toml", text.substr(0, text.find("[simulate]")));
  for (const std::string& command : {"estimate -o " + path("e.csv"), std::string("compare")}) {
    run(command + " " + path("narrow.toml") + " " + path("j.csv") + " --json " + path("e.json"));
    EXPECT_THAT(read("e.json"), HasSubstr("pose.position leaves the grid of [pose], 1.047 to 1.571 rad")) << command;
  }
}

TEST_F(MovingNeighbour, DescribesStabilityOverThePoses) {
  const auto done = run("describe " + study() + " --json " + path("d.json") + " --report " + path("d.html"));
  ASSERT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("Stable at rest in every pose, and under poses that change at random"));
  const auto results = json("d.json")["results"];
  // Published of this filter on this axis: 0.9994 at most, and 0.854 every 10 ms.
  EXPECT_LT(results["kalman.pose.radius"]["value"].get<double>(), 0.9996);
  EXPECT_NEAR(results["kalman.pose.mean_square_radius"]["value"].get<double>(), 0.854, 0.05);
  EXPECT_THAT(read("d.html"), HasSubstr("Spectral radius over the pose"));
  EXPECT_THAT(read("d.html"), HasSubstr("The sensor&#39;s noise in it"));
}

// A gain by slow poles for the lightest arm, and one sixty times as heavy at the other end of the grid.
TEST_F(MovingNeighbour, ADesignThatIsNotStableIsAnError) {
  std::string text = frozen();
  const auto first = text.find("[[observer]]");
  text.replace(first, text.find("[estimator]") - first,
               "[pose]\nposition = [\"0 deg\", \"45 deg\", \"90 deg\"]\nload.inertia = [14.3854, 400, 900]\n"
               "neighbour.coupling_inertia = [3.4358, 3.4358, 3.4358]\n\n[[observer]]\nname = \"kalman\"\n"
               "kind = \"luenberger\"\npoles = [{ frequency = \"5 Hz\", damping = 0.9 }, { frequency = \"6 Hz\", "
               "damping = 0.9 }, { frequency = \"400 Hz\", damping = 0.9 }]\n\n");
  text.insert(text.find("\n[simulate]"), "\"pose.position\" = { column = \"q3\", unit = \"deg\" }\n");
  write("heavy.toml", text.substr(0, text.find("[simulate]")));
  const auto done = run("describe " + path("heavy.toml"));
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(done.output, HasSubstr("Not stable: at a pose of 1.571 rad its error grows"));
}

TEST_F(MovingNeighbour, RefusesWhatIsNoGrid) {
  expect_refused("\"15 deg\", \"30 deg\"", "\"30 deg\", \"15 deg\"", "pose.position: must rise, and point 3 does not");
  expect_refused("18.0992, 17.9288", "18.0992", "pose.load.inertia: has 10 numbers, and 11 are needed");
  expect_refused("8.7691]", "0.1]", "the mass matrix must be positive");
  expect_refused("every = 25", "every = 2.5", "must be a whole number of samples");
  expect_refused("\"pose.position\" = { column = \"q3\", unit = \"deg\" }", "", "has no pose.position");
  expect_refused("gain = \"fixed\"", "gain = \"solve\"", "did you mean \"solved\"?");
}

// A simulated pose beyond the grid would be of a joint that nobody described.
TEST_F(MovingNeighbour, TheSimulatedPoseStaysInTheGrid) {
  expect_refused("amplitude = \"60 deg\"", "amplitude = \"90 deg\"", "beyond what [pose] describes");
}

}  // namespace
}  // namespace tauhat
