// An arm's parameters as its owner meets them: identify with a URDF and a study written and read back, and what it
// carries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/random.hpp"
#include "support/robot_program.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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

}  // namespace
}  // namespace tauhat
