// The program on the study of one elastic joint.
#pragma once

#include "support/program.hpp"

namespace tauhat {

class JointProgram : public Program {
 protected:
  std::string study() const { return (source_dir() / "studies/elastic-joint/elastic-joint.toml").string(); }

  void write_study(const std::string& name, const std::string& from, const std::string& to) const {
    write_changed(name, study(), from, to);
  }

  // The study without Coulomb friction, which turning over would bend the response.
  void write_frictionless(const std::string& name) const {
    std::ifstream file(study());
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto from = text.find("motor.friction"), to = text.find("transmission =");
    text.replace(from, to - from, "motor.friction.coulomb = 0\n");
    const auto lugre = text.find("[[observer]]\nname = \"lugre\""), estimator = text.find("[estimator]");
    text.erase(lugre, estimator - lugre);
    const std::string compensation = "friction_compensation = true\n";
    text.erase(text.find(compensation), compensation.size());
    write(name, text);
  }

  void simulate() const { ASSERT_EQ(run("simulate " + study() + " -o " + path("j.csv") + " --seed 3").code, 0); }

  // What `describe`, which designs all observers, says of the study with one text replaced.
  std::string refused(const std::string& from, const std::string& to) const {
    write_study("changed.toml", from, to);
    const auto done = run("describe " + path("changed.toml"));
    EXPECT_EQ(done.code, 2) << done.output;
    return done.output;
  }
};

}  // namespace tauhat
