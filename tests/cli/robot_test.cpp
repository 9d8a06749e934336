// An arm as its owner meets it: excite, identify with a URDF and a study written and read back, check, and what is
// refused. The logs are those of a TX40; its study has the maker's wrong inertias (studies/robot).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "support/program.hpp"
#include "support/random.hpp"
#include "support/robot_records.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/robot/urdf.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kDegree = std::numbers::pi / 180.0;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Of the torque of two models, its rms over random states, as a share of the truth's.
double torque_difference(const RobotSpec& model, const RobotSpec& truth) {
  Draw draw(5);
  double away = 0.0, all = 0.0;
  for (int k = 0; k < 200; ++k) {
    const auto vector = [&](double range) {
      JointValues x(truth.count());
      for (double& each : x) each = draw.between(-range, range);
      return x;
    };
    const JointValues q = vector(1.5), v = vector(2.0), a = vector(8.0);
    const auto torque = [&](const RobotSpec& robot) -> JointValues {
      return inverse_dynamics(robot.robot, q, v, a) +
             friction_torque(robot.robot.transmission(), friction_of(robot), v);
    };
    const JointValues right = torque(truth);
    away += (torque(model) - right).squaredNorm();
    all += right.squaredNorm();
  }
  return std::sqrt(away / all);
}

class RobotProgram : public Program {
 protected:
  fs::path studies() const { return source_dir() / "studies/robot"; }
  std::string study() const { return (studies() / "robot.toml").string(); }
  std::string urdf_text() const { return read_urdf_text((studies() / "arm.urdf").string()); }
  std::string study_text() const {
    std::ifstream file(study());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  // The columns of studies/robot/robot.toml; a drive's torque is held until the next row, and half of that is before
  // its middle.
  void write_log(const std::string& name, const RobotRecord& record) const {
    std::string text = "time";
    for (const char* column : {"q", "tau"})
      for (int j = 1; j <= 6; ++j) text += fmt::format(",{}{}", column, j);
    text += '\n';
    for (std::size_t k = 0; k < record.samples(); ++k) {
      text += fmt::format("{}", record.period * static_cast<double>(k));
      for (const auto& q : record.position) text += fmt::format(",{}", q[k] / kDegree);
      for (const auto& tau : record.torque)
        text += fmt::format(",{}", (tau[k] + tau[std::min(k + 1, record.samples() - 1)]) / 2.0);
      text += '\n';
    }
    write(name, text);
  }
  RobotRecord record(std::uint64_t seed) const { return tx40_record(seed, 1.745e-5, 0.05); }

  // "name: message" of each, as a program reads them.
  std::string diagnostics(const std::string& file) const {
    const nlohmann::json report = json(file);
    std::string all;
    for (const auto& each : report["diagnostics"])
      all += each["name"].get<std::string>() + ": " + each["message"].get<std::string>() + "\n";
    return all;
  }
  std::string checked(const std::string& of, const std::string& log, int code) const {
    const auto done = run("check " + of + " " + path(log) + " --json " + path("c.json"));
    EXPECT_EQ(done.code, code) << done.output;
    return diagnostics("c.json");
  }

  // Another arm, described beside its URDF.
  Outcome describe(const std::string& urdf, const std::string& more = "") const {
    write("bad.urdf", urdf);
    write("bad.toml", "[robot]\nurdf = \"bad.urdf\"\n" + more);
    return run("describe " + path("bad.toml") + " --json " + path("d.json"));
  }
};

TEST_F(RobotProgram, ExcitesWithinItsLimitsFromRestToRest) {
  const auto done = run("excite " + study() + " -o " + path("t.csv") + " --evaluations 120 --rate 200 --json " +
                        path("t.json") + " --report " + path("t.html") + " --seed 4");
  ASSERT_EQ(done.code, 0) << done.output;
  std::vector<std::string> names{"time"};
  const Study arm = read_study(study());
  for (const RobotJoint& joint : arm.robot->joints)
    for (const char* quantity : {".position", ".velocity", ".acceleration"}) names.push_back(joint.name + quantity);
  const auto table = read_csv(path("t.csv"), names);
  ASSERT_EQ(table.columns[0].values.size(), 2001U);
  EXPECT_DOUBLE_EQ(table.columns[0].values.back(), 10.0);
  for (std::size_t j = 0; j < 6; ++j) {
    const JointLimits& limits = arm.robot->joints[j].limits;
    const auto& q = table.columns[1 + 3 * j].values;
    const auto &v = table.columns[2 + 3 * j].values, &a = table.columns[3 + 3 * j].values;
    for (std::size_t k = 0; k < q.size(); ++k) {
      EXPECT_LE(std::abs(q[k] - 0.5 * (limits.lower + limits.upper)), 0.45 * (limits.upper - limits.lower) + 1e-9);
      EXPECT_LE(std::abs(v[k]), 0.9 * limits.velocity + 1e-9);
      EXPECT_LE(std::abs(a[k]), 0.9 * limits.acceleration + 1e-9);
    }
    EXPECT_NEAR(v.front(), 0.0, 1e-9);
    EXPECT_NEAR(v.back(), 0.0, 1e-9);
    EXPECT_NEAR(a.front(), 0.0, 1e-9);
    EXPECT_NEAR(q.front(), q.back(), 1e-9);
  }
  const auto results = json("t.json")["results"];
  EXPECT_LT(results["excitation.condition"]["value"].get<double>(), 300.0);
  EXPECT_GE(results["excitation.height"]["value"].get<double>(), 0.049);
  EXPECT_THAT(read("t.html"),
              AllOf(HasSubstr("Height of the lowest point"), HasSubstr("Path of the tool"), HasSubstr("upper limit")));
  EXPECT_THAT(diagnostics("t.json"), HasSubstr("Friction is not known"));
}

// Twice the noise of all torques is twice the deviation of all parameters.
TEST_F(RobotProgram, ExcitePredictsTheIntervals) {
  write("arm.urdf", urdf_text());
  const auto predicted = [&](const std::string& std) {
    std::string text = study_text();
    for (int j = 1; j <= 6; ++j) {
      const std::string column = "column = \"tau" + std::to_string(j) + "\", ";
      text = replaced(text, column, column + "std = \"" + std + "\", ");
    }
    write("t.toml", text);
    const auto done = run("excite " + path("t.toml") + " --evaluations 60 -o " + path("t.csv") + " --json " +
                          path("t.json") + " --report " + path("t.html"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("t.json")["results"];
  };
  const auto quiet = predicted("0.2 N m"), noisy = predicted("0.4 N m");
  int parameters = 0;
  for (const auto& [name, result] : quiet.items()) {
    if (name.starts_with("excitation.")) continue;
    ++parameters;
    EXPECT_GT(result["std"].get<double>(), 0.0) << name;
    EXPECT_NEAR(noisy[name]["std"].get<double>() / result["std"].get<double>(), 2.0, 1e-9) << name;
  }
  EXPECT_EQ(parameters, 52);
  EXPECT_THAT(read("t.html"), HasSubstr("How well one period will tell the parameters"));
}

TEST_F(RobotProgram, ExciteNamesTheLimitsThatAreMissing) {
  write("arm.urdf", urdf_text());
  write("t.toml", replaced(study_text(), "limit.acceleration = \"15 rad/s^2\"", "ratio = 45"));
  const auto done = run("excite " + path("t.toml") + " -o " + path("t.csv"));
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.output, HasSubstr("limits that are missing; give in [[robot.joint]]: joint3 limit.acceleration\n"));
  EXPECT_FALSE(fs::exists(path("t.csv")));
  EXPECT_THAT(run("excite " + demo()).output, HasSubstr("excite needs [robot]"));
  EXPECT_THAT(run("excite " + study() + " -o " + path("no/t.csv")).output, HasSubstr("no does not exist"));
}

TEST_F(RobotProgram, IdentifiesAndWritesWhatItReadsBack) {
  write_log("run.csv", record(1));
  write_log("other.csv", record(2));
  const auto done = run("identify " + study() + " " + path("run.csv") + " --validation " + path("other.csv") +
                        " --urdf " + path("new.urdf") + " --study " + path("new.toml") + " --json " + path("i.json") +
                        " --report " + path("i.html"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto results = json("i.json")["results"];
  const RobotSpec truth = tx40_spec();
  for (int j = 0; j < 6; ++j) {
    const auto coulomb = results[fmt::format("joint{}.friction.coulomb", j + 1)];
    const double away = coulomb["value"].get<double>() - truth.joints[static_cast<std::size_t>(j)].friction.coulomb;
    EXPECT_LT(std::abs(away), 4.0 * coulomb["std"].get<double>()) << j;
    EXPECT_LT(results[fmt::format("joint{}.torque.validation", j + 1)]["value"].get<double>(), 0.05) << j;
  }
  EXPECT_LT(results["consistent.torque_ratio"]["value"].get<double>(), 1.1);
  EXPECT_GT(results["essential.parameters"]["value"].get<double>(), 20.0);
  EXPECT_THAT(read("i.html"), AllOf(HasSubstr("Parameters in kg m^2"), HasSubstr("Validation"), HasSubstr("reach")));

  const Study before = read_study(study()), after = read_study(path("new.toml"));
  EXPECT_GT(torque_difference(*before.robot, truth), 0.3);
  EXPECT_LT(torque_difference(*after.robot, truth), 2e-3);
  EXPECT_TRUE(inertia_faults(*after.robot).empty());
  EXPECT_THAT(read("new.toml"), AllOf(HasSubstr("# no URDF has it"), HasSubstr("urdf = \"new.urdf\""),
                                      HasSubstr("limit.acceleration = \"15 rad/s^2\"")));
  // What an estimator would leave unexplained, or the fit, if that leaves more.
  const double left = std::max(results["joint3.torque.residual"]["value"].get<double>(),
                               results["joint3.torque.unexplained"]["value"].get<double>());
  EXPECT_NEAR(after.robot->joints[2].residual, left, 1e-4);
  // A URDF has no place for the actuators' inertia, and that is said.
  EXPECT_THAT(diagnostics("i.json"), HasSubstr("urdf.incomplete: A URDF has no place for actuators' inertias"));
  RobotSpec from_urdf = *after.robot;
  static_cast<RobotDescription&>(from_urdf) = parse_urdf(read("new.urdf"), "new.urdf");
  from_urdf.robot.actuator_inertia() = after.robot->robot.actuator_inertia();
  EXPECT_LT(torque_difference(from_urdf, *after.robot), 1e-6);
  checked(path("new.toml"), "other.csv", 0);
}

// An arm that is simulated with its controller, whose torques are held from sample to sample: no time is lost between
// torque and motion, and 95 % intervals hold the truth as often as they say.
TEST_F(RobotProgram, IntervalsHoldTheTruthOfAControlledArm) {
  const std::string arm = (studies() / "force.toml").string();
  ASSERT_EQ(run("excite " + study() + " --evaluations 60 -o " + path("motion.csv")).code, 0);
  const RobotSpec truth = *read_study(arm).robot, asked = *read_study(study()).robot;
  const RobotIdentification identification(asked);
  const Eigen::VectorXd right =
      identification.base().grouping * identification.columns().parameters(truth.robot, friction_of(truth));
  int inside = 0, all = 0;
  for (const int seed : {1, 2, 3}) {
    ASSERT_EQ(run(fmt::format("simulate {} --without-contact --trajectory {} --seed {} -o {}", arm, path("motion.csv"),
                              seed, path("run.csv")))
                  .code,
              0);
    ASSERT_EQ(run("identify " + study() + " " + path("run.csv") + " --json " + path("i.json")).code, 0);
    const auto results = json("i.json")["results"];
    for (int k = 0; k < identification.base().count(); ++k, ++all) {
      const auto& interval = results[identification.result_name(k)]["ci95"];
      inside += interval[0].get<double>() < right[k] && right[k] < interval[1].get<double>() ? 1 : 0;
    }
  }
  EXPECT_GE(inside, 0.90 * all) << "of " << all;
  // Taken as sampled with the position, the torque would come half a sample early, 0.5 ms.
  ASSERT_EQ(run("check " + study() + " " + path("run.csv") + " --json " + path("c.json")).code, 0);
  const auto checked = json("c.json")["results"];
  for (int j = 1; j <= 6; ++j)
    EXPECT_LT(std::abs(checked[fmt::format("joint{}.torque.delay", j)]["value"].get<double>()), 2.5e-4) << j;
}

// A law that falls: its numbers are found, written to a study, and read back.
TEST_F(RobotProgram, FindsFrictionThatFallsWithSpeed) {
  RobotSpec truth = tx40_spec();
  truth.terms.law = SlidingLaw::exponential;
  for (RobotJoint& joint : truth.joints)
    joint.friction.excess = joint.friction.coulomb / 3.0, joint.friction.decay = 4.0;
  write_log("run.csv", tx40_record(1, 1.745e-5, 0.05, truth));
  write("falls.toml", replaced(replaced(study_text(), "[robot]\n", "[robot]\nfriction.law = \"exponential\"\n"),
                               "urdf = \"arm.urdf\"", "urdf = \"" + (studies() / "arm.urdf").string() + "\""));
  const auto done = run("identify " + path("falls.toml") + " " + path("run.csv") + " --study " + path("new.toml") +
                        " --json " + path("i.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto results = json("i.json")["results"];
  const RobotSpec after = *read_study(path("new.toml")).robot;
  for (int j = 0; j < 6; ++j) {
    const auto& decay = results[fmt::format("joint{}.friction.decay", j + 1)];
    EXPECT_NEAR(decay["value"].get<double>(), 4.0, 4.0 * decay["std"].get<double>()) << j;
    EXPECT_NEAR(after.joints[static_cast<std::size_t>(j)].friction.decay, decay["value"].get<double>(), 1e-6) << j;
    // That of the bodies that can exist, which leave the torques to the fit's within its uncertainty.
    const auto& excess = results[fmt::format("joint{}.friction.excess", j + 1)];
    EXPECT_NEAR(after.joints[static_cast<std::size_t>(j)].friction.excess, excess["value"].get<double>(),
                2.0 * excess["std"].get<double>())
        << j;
  }
  const auto refused = [&](const std::string& from, const std::string& to) {
    write("bad.toml", replaced(read("falls.toml"), from, to));
    const auto said = run("check " + path("bad.toml") + " " + path("run.csv"));
    EXPECT_EQ(said.code, 2) << said.output;
    return said.output;
  };
  EXPECT_THAT(refused("\"exponential\"", "\"expnential\""), HasSubstr("exponential"));
  const std::string limit = "limit.acceleration = \"15 rad/s^2\"";
  EXPECT_THAT(refused(limit, "friction.excess = -0.5\n" + limit), HasSubstr("friction.excess"));
  write("falls.toml", replaced(read("falls.toml"), limit, "actuator_inertia = 0.1\nfriction.excess = 0.5\n" + limit));
  EXPECT_THAT(refused("friction.law = \"exponential\"", ""), HasSubstr("has an excess"));
  EXPECT_THAT(refused("[robot]\n", "[robot]\ntorque_sensors = true\n"), HasSubstr("see no rotor"));
}

// Contacts that bend, under load: found, written to a study, read back, and followed by the force's estimator.
TEST_F(RobotProgram, FindsFrictionWithAMemoryAndUnderLoad) {
  RobotSpec truth = tx40_spec();
  truth.terms.law = SlidingLaw::dahl;
  for (RobotJoint& joint : truth.joints) joint.friction.reach = 0.03, joint.friction.load = 0.1;
  write_log("run.csv", tx40_record(1, 1.745e-5, 0.05, truth));
  write("bends.toml", replaced(replaced(study_text(), "[robot]\n", "[robot]\nfriction.law = \"dahl\"\n"),
                               "urdf = \"arm.urdf\"", "urdf = \"" + (studies() / "arm.urdf").string() + "\""));
  write("bends.toml", replaced(read("bends.toml"), "\"coulomb\"]", "\"coulomb\", \"load\"]"));
  const auto done = run("identify " + path("bends.toml") + " " + path("run.csv") + " --study " + path("new.toml") +
                        " --json " + path("i.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto results = json("i.json")["results"];
  const RobotSpec after = *read_study(path("new.toml")).robot;
  EXPECT_EQ(after.terms.law, SlidingLaw::dahl);
  for (int j = 0; j < 6; ++j) {
    const FrictionOfJoint& friction = after.joints[static_cast<std::size_t>(j)].friction;
    const auto& reach = results[fmt::format("joint{}.friction.reach", j + 1)];
    EXPECT_NEAR(reach["value"].get<double>(), 0.03, 4.0 * reach["std"].get<double>()) << j;
    EXPECT_NEAR(friction.reach, reach["value"].get<double>(), 1e-8) << j;
    const auto& load = results[fmt::format("joint{}.friction.load", j + 1)];
    EXPECT_NEAR(load["value"].get<double>(), 0.1, 4.0 * load["std"].get<double>()) << j;
    EXPECT_NEAR(friction.load, load["value"].get<double>(), 2.0 * load["std"].get<double>()) << j;
  }
  const auto refused = [&](const std::string& from, const std::string& to) {
    write("bad.toml", replaced(read("bends.toml"), from, to));
    const auto said = run("check " + path("bad.toml") + " " + path("run.csv"));
    EXPECT_EQ(said.code, 2) << said.output;
    return said.output;
  };
  const std::string limit = "limit.acceleration = \"15 rad/s^2\"";
  EXPECT_THAT(refused("\"load\"]", "\"loud\"]"), HasSubstr("asymmetric and load; \"loud\" is none"));
  EXPECT_THAT(refused("\"coulomb\", ", ""), HasSubstr("bends by its Coulomb friction"));
  EXPECT_THAT(refused(limit, "friction.load = 1.2\n" + limit), HasSubstr("friction.load"));
  write("bends.toml", replaced(read("bends.toml"), limit, "friction.reach = 0.02\n" + limit));
  EXPECT_THAT(refused("friction.law = \"dahl\"", "friction.law = \"stribeck\""),
              HasSubstr("has a reach, which stribeck"));
}

TEST_F(RobotProgram, WritesNothingWhereOneFileCannotBeWritten) {
  write_log("run.csv", record(1));
  const auto done = run("identify " + study() + " " + path("run.csv") + " --urdf " + path("new.urdf") + " --study " +
                        path("no/new.toml"));
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.output, HasSubstr("no does not exist"));
  EXPECT_FALSE(fs::exists(path("new.urdf")));
  EXPECT_THAT(run("identify " + demo() + " " + path("run.csv") + " --urdf " + path("new.urdf")).output,
              HasSubstr("--urdf is for a study with [robot]"));
}

// 1.5 kg, 0.1 m beyond the flange and 0.03 m aside.
TEST_F(RobotProgram, FindsWhatTheArmCarries) {
  write_log("empty.csv", record(1));
  RobotSpec loaded = tx40_spec();
  LinkInertia<double> last = loaded.robot.link(5);
  const Matrix<double, 3> own = Vector<double, 3>(2e-3, 2e-3, 1e-3).asDiagonal();
  last += LinkInertia<double>::from_centre_of_mass(1.5, {Matrix<double, 3>::Identity(), {0.03, 0.0, 0.165}}, own);
  loaded.robot.set_link(5, last);
  write_log("loaded.csv", tx40_record(3, 1.745e-5, 0.05, loaded));
  const auto done = run("identify " + study() + " " + path("empty.csv") + " --payload " + path("loaded.csv") +
                        " --json " + path("p.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto results = json("p.json")["results"];
  const auto check = [&](const char* name, double truth, double most) {
    const double value = results[name]["value"].get<double>(), std = results[name]["std"].get<double>();
    EXPECT_NEAR(value, truth, 4.0 * std) << name;
    EXPECT_LT(std, most) << name;
  };
  check("payload.mass", 1.5, 0.02);
  check("payload.centre.x", 0.03, 2e-3);
  check("payload.centre.y", 0.0, 2e-3);
  check("payload.centre.z", 0.1, 5e-3);
  check("payload.Izz", 1e-3, 2e-3);
  EXPECT_THAT(read("p.json"), Not(HasSubstr("payload.misfit")));
}

TEST_F(RobotProgram, CheckSaysWhichJointIsWrong) {
  RobotRecord turned = record(1);
  for (double& tau : turned.torque[2]) tau = -tau;
  write_log("turned.csv", turned);
  EXPECT_THAT(checked(study(), "turned.csv", 4), HasSubstr("joint3: joint3.torque has the wrong sign"));

  RobotRecord late = record(1);
  auto& tau = late.torque[3];
  constexpr std::ptrdiff_t kLate = 12;  // ms
  std::rotate(tau.begin(), tau.end() - kLate, tau.end());
  write_log("late.csv", late);
  EXPECT_THAT(checked(study(), "late.csv", 4), HasSubstr("ms after joint4.position: give it delay = \"12"));

  // The encoder is at the motor, whose gear is 32, and the study says 45.
  RobotRecord geared = record(1);
  for (double& q : geared.position[1]) q *= 32.0;
  for (double& t : geared.torque[1]) t /= 32.0;
  write_log("geared.csv", geared);
  write("arm.urdf", urdf_text());
  std::string text = replaced(study_text(), "\"joint2.position\"", "\"joint2.motor.position\"");
  text = replaced(text, "\"joint2.torque\"", "\"joint2.motor.torque\"");
  write("geared.toml", replaced(text, "name = \"joint2\"", "name = \"joint2\"\nratio = 45"));
  EXPECT_THAT(checked(path("geared.toml"), "geared.csv", 4), HasSubstr("joint2: the gear ratio 45 does not fit"));
  // What was identified of them is not to be trusted either.
  const auto identified = [&](const std::string& log) {
    const auto done = run("identify " + study() + " " + path(log) + " --json " + path("i.json"));
    EXPECT_EQ(done.code, 4) << done.output;
    return diagnostics("i.json");
  };
  EXPECT_THAT(identified("turned.csv"), HasSubstr("joint3: joint3.torque has the wrong sign"));
  EXPECT_THAT(identified("late.csv"), HasSubstr("ms after joint4.position: give it delay = \"12"));
}

TEST_F(RobotProgram, NamesWhatTheMotionDoesNotTell) {
  RobotRecord still = record(1);
  for (double& q : still.position[4]) q = 0.3;
  write_log("still.csv", still);
  run("identify " + study() + " " + path("still.csv") + " --json " + path("s.json"));
  EXPECT_THAT(diagnostics("s.json"),
              HasSubstr("parameter.undetermined: Ja5 (joint5): the motion makes no torque of it"));
  EXPECT_FALSE(json("s.json")["results"].contains("joint5.Ja"));
}

TEST_F(RobotProgram, SaysThatAnotherMotionIsPredictedBadly) {
  RobotRecord other = record(2);
  write_log("run.csv", record(1));
  write_log("good.csv", other);
  for (double& q : other.position[1]) q += 0.1;
  write_log("bad.csv", other);
  const auto said = [&](const char* validation) {
    const auto done = run("identify " + study() + " " + path("run.csv") + " --validation " + path(validation) +
                          " --json " + path("v.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return diagnostics("v.json");
  };
  EXPECT_THAT(said("good.csv"), Not(HasSubstr("validation.misfit")));
  EXPECT_THAT(said("bad.csv"), HasSubstr("validation.misfit"));
}

TEST_F(RobotProgram, SaysThatNothingMoves) {
  RobotRecord still = record(1);
  for (auto& q : still.position) std::fill(q.begin(), q.end(), 0.3);
  write_log("still.csv", still);
  EXPECT_THAT(checked(study(), "still.csv", 4), HasSubstr("excitation.none: The motion tells no parameter"));
  const auto done = run("identify " + study() + " " + path("still.csv") + " --json " + path("i.json") + " --study " +
                        path("none.toml"));
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(diagnostics("i.json"), HasSubstr("excitation.none"));
  EXPECT_FALSE(fs::exists(path("none.toml")));
}

// Currents that were sampled with the position are taken as that. As held ones they would stand for the middle of the
// row that follows, and what is compared with the row's own instant comes half a sample late.
TEST_F(RobotProgram, TorquesAreHeldOrSampled) {
  const RobotRecord sampled = record(1);
  std::string text = "time";
  for (const char* column : {"q", "tau"})
    for (int j = 1; j <= 6; ++j) text += fmt::format(",{}{}", column, j);
  text += '\n';
  for (std::size_t k = 0; k < sampled.samples(); ++k) {
    text += fmt::format("{}", sampled.period * static_cast<double>(k));
    for (const auto& q : sampled.position) text += fmt::format(",{}", q[k] / kDegree);
    for (const auto& tau : sampled.torque) text += fmt::format(",{}", tau[k]);
    text += '\n';
  }
  write("sampled.csv", text);
  write("arm.urdf", urdf_text());
  write("sampled.toml", replaced(study_text(), "[robot]\n", "[robot]\ntorques = \"sampled\"\n"));
  const auto delay = [&](const std::string& of) {
    checked(of, "sampled.csv", 0);
    double sum = 0.0;
    for (int j = 1; j <= 6; ++j)
      sum += json("c.json")["results"][fmt::format("joint{}.torque.delay", j)]["value"].get<double>();
    return sum / 6.0;
  };
  const double as_sampled = delay(path("sampled.toml")), as_held = delay(study());
  EXPECT_NEAR(as_held - as_sampled, sampled.period / 2.0, 0.05 * sampled.period);
  EXPECT_NEAR(as_sampled, 0.0, 0.1 * sampled.period);
  write("both.toml", replaced(study_text(), "[robot]\n", "[robot]\ntorque_sensors = true\ntorques = \"held\"\n"));
  EXPECT_THAT(run("describe " + path("both.toml")).output, HasSubstr("robot.torques = \"held\""));
}

TEST_F(RobotProgram, DescribePrintsAStudyOfARobot) {
  EXPECT_THAT(run("describe").output, HasSubstr("robot "));
  EXPECT_THAT(run("describe robot").output, HasSubstr("identify.friction"));
  ASSERT_EQ(run("describe robot --study > " + path("r.toml")).code, 0);
  const auto done = run("describe " + path("r.toml"));
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("2 joints"));
}

// Each its own sentence, exit code 2, or merged and said.
TEST_F(RobotProgram, UrdfsThatAreNotUsableAreRefusedByName) {
  const std::string good = urdf_text(), end = "</robot>";
  const auto fixed = describe(good);
  EXPECT_EQ(fixed.code, 0);
  EXPECT_THAT(fixed.output, AllOf(HasSubstr("6 joints"), HasSubstr("flange")));
  const auto zero = describe(replaced(good, "<mass value=\"0.8403\"/>", "<mass value=\"0\"/>"));
  EXPECT_EQ(zero.code, 0);
  EXPECT_THAT(diagnostics("d.json"), HasSubstr("link5 has a mass of 0 kg"));
  const auto refused = [&](const std::string& urdf, const std::string& sentence, const std::string& more = "") {
    const auto done = describe(urdf, more);
    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.output, HasSubstr(sentence));
  };
  refused(replaced(good, "<child link=\"link4\"/>", "<child link=\"link4\"/><mimic joint=\"joint3\"/>"),
          "joint \"joint4\" mimics \"joint3\"");
  refused(
      replaced(good, end,
               "<joint name=\"back\" type=\"revolute\"><parent link=\"link1\"/><child link=\"link6\"/><axis xyz=\"0 0 "
               "1\"/><limit lower=\"0\" upper=\"1\" velocity=\"1\" effort=\"1\"/></joint>" +
                   end),
      "link \"link6\" is carried by joint \"joint6\" and by joint \"back\": a loop");
  refused(good, "robot.force.frame = \"flang\": is not a frame of the robot; did you mean \"flange\"?",
          "force.frame = \"flang\"\n");
  refused(good, "identify.payload = \"hand\": is not a frame of the robot", "[identify]\npayload = \"hand\"\n");
  refused(replaced(good, "<mass value=\"7.088\"/>", "<mass value=\"nan\"/>"),
          ": link \"link1\": <mass> value = \"nan\": must be a finite number");
  refused(replaced(good, "lower=\"-2.1817\" upper=\"2.1817\"", "lower=\"2.1817\" upper=\"-2.1817\""),
          "bad.urdf: joint \"joint2\": <limit> lower = 2.1817 is above upper = -2.1817");
  refused(good, "bad.toml:7: robot.joint.name = \"joint1\": another [[robot.joint]] has this name",
          "[[robot.joint]]\nname = \"joint1\"\nratio = 3\n[[robot.joint]]\nname = \"joint1\"\nratio = 4\n");
  refused(good, "must be a list of viscous, coulomb, offset, asymmetric and load; \"stribeck\" is none",
          "[identify]\nfriction = [\"stribeck\"]\n");
}

TEST_F(RobotProgram, NamesTheNumberThatDoesNotFit) {
  write("arm.urdf", urdf_text());
  RobotRecord slow = record(1);
  constexpr std::size_t kEvery = 60;
  slow.period *= kEvery;
  for (auto* series : {&slow.position, &slow.torque})
    for (std::vector<double>& each : *series) {
      for (std::size_t k = 0; kEvery * k < each.size(); ++k) each[k] = each[kEvery * k];
      each.resize((each.size() - 1) / kEvery + 1);
    }
  write_log("slow.csv", slow);
  for (const char* command : {"identify ", "check "}) {
    const auto done = run(command + study() + " " + path("slow.csv"));
    EXPECT_EQ(done.code, 3) << done.output;
    EXPECT_THAT(done.output, HasSubstr("slow.csv: is sampled at 16.67 Hz, and identify.cut_off = 10 Hz"));
  }
  write("rate.toml", replaced(study_text(), "cut_off = \"10 Hz\"", "cut_off = \"60 Hz\"\nrate = \"100 Hz\""));
  const auto rate = run("identify " + path("rate.toml") + " " + path("slow.csv"));
  EXPECT_EQ(rate.code, 2);
  EXPECT_THAT(rate.output, HasSubstr("identify.cut_off = 60 Hz: must be below half of identify.rate = 100 Hz"));
  const auto one = run("excite " + study() + " --harmonics 1 -o " + path("t.csv"));
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.output, HasSubstr("robot.toml: excite.harmonics = 1: a motion that begins at rest needs 2"));
  write("high.toml", replaced(study_text(), "height = \"50 mm\"", "height = \"3 m\""));
  const auto high = run("excite " + path("high.toml") + " --evaluations 40 -o " + path("t.csv"));
  EXPECT_EQ(high.code, 2);
  EXPECT_THAT(high.output, HasSubstr("high.toml: no motion of 40 tried stays within the limits; the best does not keep "
                                     "excite.height = 3 m"));
}

// A force that divides by a mass needs one: it is asked for by the name of the link.
TEST_F(RobotProgram, RefusesAForceOfBodiesThatNobodyDescribed) {
  std::string urdf = urdf_text();
  for (auto at = urdf.find("<inertial>"); at != std::string::npos; at = urdf.find("<inertial>"))
    urdf.erase(at, urdf.find("</inertial>") + std::string("</inertial>").size() - at);
  write("arm.urdf", urdf);
  write("s.toml", replaced(study_text(), "friction.width", "force = { frame = \"flange\" }\nfriction.width"));
  write_log("run.csv", record(1));
  const auto done = run("estimate " + path("s.toml") + " " + path("run.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(done.code, 2) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("s.toml: the arm's mass matrix is not positive"), HasSubstr("link1 has"),
                                 HasSubstr("arm.urdf")));
}

}  // namespace
}  // namespace tauhat
