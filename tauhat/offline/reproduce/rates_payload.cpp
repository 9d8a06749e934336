// What a robot carries, from a record without it and one with it.
#include "tauhat/offline/reproduce/rates_robotic.hpp"
#include "tauhat/offline/robot/robot_report.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::rates {
namespace {

constexpr int kOfASecond = 20;  // records, where an answer takes about that long

struct Carrying {
  Robotic empty, loaded;
  double mass = 2.5;                                                  // kg
  Eigen::Vector3d centre{0.0, 0.0, 0.15}, moments{0.05, 0.05, 0.05};  // m, kg m^2
};

std::vector<Diagnostic> answer_to(Carrying c, std::uint64_t seed) {
  constexpr int kLast = 5;
  LinkInertia<double> last = c.loaded.arm.truth.robot.link(kLast);
  const Matrix<double, 3> own = c.moments.asDiagonal();
  if (c.mass > 0.0)
    last += LinkInertia<double>::from_centre_of_mass(c.mass, {Matrix<double, 3>::Identity(), c.centre}, own);
  c.loaded.arm.truth.robot.set_link(kLast, last);
  RobotLogs logs;
  logs.motion.push_back(c.empty.log(seed));
  logs.with_payload = c.loaded.log(seed + 1000000);
  return answer_robot(c.empty.study, std::move(logs)).report.diagnostics;
}

Provocation of_carrying(const char* diagnostic, const char* by, void (*provoke)(Carrying&, Random&)) {
  return {diagnostic, by,
          [provoke](std::uint64_t seed, bool is_provoked) {
            Random random(seed, "payload");
            Carrying carrying;
            carrying.mass = random.uniform(2.0, 3.0);
            carrying.centre.x() = random.uniform(-0.05, 0.05);
            if (is_provoked) provoke(carrying, random);
            return answer_to(carrying, seed);
          },
          kOfASecond};
}

void carry_nothing(Carrying& c, Random&) { c.mass = 0.0; }
void carry_a_point(Carrying& c, Random& random) { c.mass = random.uniform(0.5, 1.0), c.moments.setConstant(1e-6); }
// A second load, on another link, that nobody told of.
void load_the_third(Carrying& c, Random& random) {
  constexpr int kThird = 2;
  LinkInertia<double> third = c.loaded.arm.truth.robot.link(kThird);
  third += LinkInertia<double>::from_centre_of_mass(random.uniform(2.0, 4.0),
                                                    {Matrix<double, 3>::Identity(), Vector<double, 3>(0.1, 0.05, 0.0)},
                                                    Matrix<double, 3>(0.01 * Matrix<double, 3>::Identity()));
  c.loaded.arm.truth.robot.set_link(kThird, third);
}
void turn_about_the_vertical(Carrying& c, Random& random) {
  const limits::ArmMotion about_all = c.empty.motion;
  const double held = random.uniform(0.2, 0.6);
  const limits::ArmMotion about_one = [=](double time) {
    auto at = about_all(time);
    at.position.tail(5).setConstant(held), at.velocity.tail(5).setZero(), at.acceleration.tail(5).setZero();
    return at;
  };
  c.empty.motion = c.loaded.motion = about_one;
}

}  // namespace

std::vector<Provocation> of_payloads() {
  return {of_carrying("payload.none", "nothing that is carried", carry_nothing),
          of_carrying("payload.inertia", "0.5 to 1 kg in one point", carry_a_point),
          of_carrying("payload.misfit", "2 to 4 kg more on another link in the second record", load_the_third),
          of_carrying("payload.undetermined", "motions about the vertical axis alone", turn_about_the_vertical)};
}

}  // namespace tauhat::rates
