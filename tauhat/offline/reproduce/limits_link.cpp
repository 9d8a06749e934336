// The velocity of an elastic joint's link from its motor's encoder and torque, where drive, torque or encoder are not
// what the study says.
#include <array>
#include <cmath>
#include <numbers>

#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/link_check.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

// As studies/elastic-joint, without the neighbour.
constexpr const char* kStudy = R"toml(
[drive]
model = "elastic-joint"
motor.inertia = 7e-4
motor.viscous = 0.008
transmission = { ratio = 120, stiffness = 1.2e5, damping = 80 }
load = { inertia = 14.4, viscous = 2 }
[[observer]]
name = "kalman"
kind = "kalman"
neighbour = false
motor_disturbance = { intensity = 0.2, leak = "0.2 Hz" }
noise = { motor = 1e-3, load = 0.32 }
[estimator]
observer = "kalman"
[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.torque" = { column = "torque", unit = "N m" }
"motor.position" = { column = "motor", unit = "rad", std = 1e-5 }
)toml";

using Joint = ElasticJoint<double>;
constexpr double kPeriod = 1e-3, kDuration = 8.0, kSettling = 0.5;   // s
constexpr double kMotorNoise = 1e-3, kLoadNoise = 0.32;              // N m/sqrt(Hz), as the study's
constexpr double kWalk = 0.2, kLeak = 2.0 * std::numbers::pi * 0.2;  // N m/sqrt(s), 1/s

struct LinkInstant {
  double time, motor_position, motor_velocity, load_position, load_velocity;
};

// What is true, and how it is logged.
struct HostileJoint {
  Study study = parse_study(kStudy, "study");
  Joint truth = without_neighbour(study.joint->joint);
  std::function<double(const LinkInstant&)> at_motor = [](const LinkInstant&) { return 0.0; };  // N m, against it
  std::function<double(const LinkInstant&)> at_load = at_motor;
  double hardening = 0.0;     // of the spring: times the twist's square over that of 1 mrad
  double gap = 0.0;           // rad, at the load
  double torque_gain = 1.0;   // of the log's, over what acts
  int torque_late = 0;        // samples
  double torque_limit = 0.0;  // N m that the drive gives at most, unlogged
  double noise = 1e-5, resolution = 0.0, jitter = 0.0, dropout = 0.0;  // rad, rad, of a period, share

  static Joint without_neighbour(Joint joint) {
    joint.coupling_inertia = 0.0, joint.neighbour_inertia = 1.0, joint.neighbour_stiffness = 1e4;
    joint.neighbour_damping = 10.0;
    return joint;
  }
};

struct Record {
  std::vector<double> time, torque, position, velocity;  // as logged; the last is true, of the link
};

// Many sines, and a controller that keeps the axis where it is.
class Drive {
 public:
  explicit Drive(std::uint64_t seed) {
    Random random(seed, "phases");
    for (double& phase : phase_) phase = random.uniform(0.0, 2.0 * std::numbers::pi);
  }
  double torque(double time, double position, double velocity) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      constexpr double kLowest = 0.5, kApart = 0.75, kEach = 0.2;  // Hz, Hz, N m
      sum += kEach * std::sin(2.0 * std::numbers::pi * (kLowest + kApart * static_cast<double>(i)) * time + phase_[i]);
    }
    constexpr double kSwing = 60.0, kRate = 2.0, kStiff = 0.02, kDamp = 0.01;  // rad, rad/s
    return sum + kStiff * (kSwing * std::sin(kRate * time) - position) +
           kDamp * (kSwing * kRate * std::cos(kRate * time) - velocity);
  }

 private:
  std::array<double, 32> phase_{};
};

class Plant {
 public:
  Plant(const HostileJoint& joint, std::uint64_t seed) : joint_(joint), random_(seed, "torques") {}

  LinkInstant now(double time) const {
    return {time, x_[Joint::motor_position], x_[Joint::motor_velocity], x_[Joint::load_position],
            x_[Joint::load_velocity]};
  }
  // Noise is held over parts of a sample, so short that the filter takes it for white.
  void advance(double time, double torque) {
    constexpr int kParts = 8;
    const double h = kPeriod / kParts;
    for (int i = 0; i < kParts; ++i) {
      InputOf<Joint> u = InputOf<Joint>::Zero();
      u[Joint::motor_torque] = torque + kMotorNoise / std::sqrt(h) * random_.normal();
      u[Joint::external_torque] = kLoadNoise / std::sqrt(h) * random_.normal();
      walk_ = std::exp(-kLeak * h) * walk_ + kWalk * std::sqrt(h) * random_.normal();
      u[Joint::motor_disturbance] = walk_;
      const double t = time + i * h;
      const auto k1 = rate(t, x_, u), k2 = rate(t, x_ + h / 2 * k1, u), k3 = rate(t, x_ + h / 2 * k2, u),
                 k4 = rate(t, x_ + h * k3, u);
      x_ += h / 6 * (k1 + 2 * (k2 + k3) + k4);
    }
  }

 private:
  using State = StateOf<Joint>;

  State rate(double time, const State& x, InputOf<Joint> u) const {
    const Joint& truth = joint_.truth;
    const LinkInstant at{time, x[Joint::motor_position], x[Joint::motor_velocity], x[Joint::load_position],
                         x[Joint::load_velocity]};
    u[Joint::motor_disturbance] += joint_.at_motor(at);
    u[Joint::external_torque] += joint_.at_load(at);
    // What the spring gives otherwise, as torques at both ends.
    const double twist = at.motor_position / truth.ratio - at.load_position;
    const double inside = std::clamp(twist, -joint_.gap / 2, joint_.gap / 2);
    const double pressed = twist - inside;
    const double more = truth.stiffness * (pressed * (1.0 + joint_.hardening * pressed * pressed * 1e6) - twist);
    u[Joint::motor_disturbance] += more / truth.ratio;
    u[Joint::external_torque] -= more;
    return truth.derivative(x, u);
  }

  const HostileJoint& joint_;
  Random random_;
  State x_ = State::Zero();
  double walk_ = 0.0;
};

Record record_of(const HostileJoint& joint, std::uint64_t seed) {
  const Drive drive(seed);
  Plant plant(joint, seed);
  Random noise(seed, "encoder"), shaken(seed, "jitter"), dropped(seed, "dropouts");
  Record record;
  std::vector<double> acting;
  const auto samples = static_cast<std::size_t>(kDuration / kPeriod);
  for (std::size_t k = 0; k < samples; ++k) {
    const double time = static_cast<double>(k) * kPeriod;
    const LinkInstant at = plant.now(time);
    const double off = joint.jitter * kPeriod * shaken.uniform(-0.5, 0.5) * at.motor_velocity;
    double shown = at.motor_position + off + joint.noise * noise.normal();
    if (joint.resolution > 0.0) shown = joint.resolution * std::round(shown / joint.resolution);
    if (dropped.uniform() < joint.dropout) shown = std::nan("");
    const double torque = drive.torque(time, at.motor_position, at.motor_velocity);
    acting.push_back(torque);
    record.time.push_back(time);
    record.position.push_back(shown);
    record.velocity.push_back(at.load_velocity);
    const auto late = static_cast<std::size_t>(joint.torque_late);
    record.torque.push_back(joint.torque_gain * acting[k - std::min(k, late)]);
    const double limit = joint.torque_limit > 0.0 ? joint.torque_limit : 1e9;
    plant.advance(time, std::clamp(torque, -limit, limit));
  }
  return record;
}

ManyValues judged(const Track& track, const Record& record) {
  double held = 0.0, count = 0.0, error = 0.0, square = 0.0;
  for (std::size_t k = 0; k < record.time.size(); ++k) {
    if (record.time[k] < kSettling) continue;
    const double off = track.value[k] - record.velocity[k];
    held += std::abs(off) <= k95 * track.std[k];
    error += off * off, square += record.velocity[k] * record.velocity[k], ++count;
  }
  return {held / count, std::sqrt(error / square)};
}

// As `estimate` answers.
Answer answer_to(const HostileJoint& joint, std::uint64_t seed) {
  const Record record = record_of(joint, seed);
  const Log log = log_in_memory({{"motor.torque", record.torque}, {"motor.position", record.position}}, record.time);
  Answer answer;
  if (log.channels[1].missing > 0) answer.diagnostics.push_back({"log.missing", Severity::warning, ""});
  const Timeline timeline = online_timeline(joint.study, log, answer.diagnostics);
  const auto estimator = make_online_estimator(joint.study, 1.0, first_row(timeline));
  const Replay replay = estimator->replay(timeline, {});
  for (const Diagnostic& each : diagnose_link(check_link(joint.study, timeline, replay)))
    answer.diagnostics.push_back(each);
  const auto link = static_cast<std::size_t>(estimator->find_output("load.velocity"));
  answer.many["load.velocity"] = judged(replay.filtered[link], record);
  return answer;
}

using Misfits = std::vector<Misfit<HostileJoint>>;
using J = HostileJoint;

Misfits misfits_of_the_drive() {
  return {
      {"torque gain", {{"+2 %", 1.02}, {"+10 %", 1.1}}, [](J& j, double gain) { j.torque_gain = gain; }},
      {"torque late",
       {{"1 ms, one sample", 1.0}, {"2 ms", 2.0}},
       [](J& j, double samples) { j.torque_late = static_cast<int>(samples); }},
      {"torque offset",
       {{"0.1 N m", 0.1}, {"0.5 N m", 0.5}},
       [](J& j, double offset) { j.at_motor = [offset](const LinkInstant&) { return offset; }; }},
      {"torque ripple",
       {{"0.02 N m", 0.02}, {"0.2 N m", 0.2}},
       [](J& j, double size) {
         j.at_motor = [size](const LinkInstant& at) { return size * std::sin(24.0 * at.motor_position); };
       }},
      {"saturated torque", {{"at 2 N m", 2.0}}, [](J& j, double limit) { j.torque_limit = limit; }},
      {"motor inertia", {{"+2 %", 1.02}, {"+20 %", 1.2}}, [](J& j, double gain) { j.truth.motor_inertia *= gain; }},
      {"load inertia", {{"+2 %", 1.02}, {"+20 %", 1.2}}, [](J& j, double gain) { j.truth.load_inertia *= gain; }},
      {"stiffness", {{"-2 %", 0.98}, {"-20 %", 0.8}}, [](J& j, double gain) { j.truth.stiffness *= gain; }},
      {"damping of the joint", {{"-20 %", 0.8}, {"-80 %", 0.2}}, [](J& j, double gain) { j.truth.damping *= gain; }},
      {"gear ratio", {{"+0.1 %", 1.001}, {"+1 %", 1.01}}, [](J& j, double gain) { j.truth.ratio *= gain; }}};
}

// Of Coulomb friction of 0.34 N m, with what goes with it.
double stribeck(double velocity) {
  return 0.34 * std::tanh(velocity / 0.2) * (1.0 + 0.3 * std::exp(-std::abs(velocity) / 3.0));
}

Misfits misfits_of_friction() {
  return {{"Coulomb and Stribeck friction",
           {{"0.03 N m", 0.1}, {"0.34 N m", 1.0}},
           [](J& j, double share) {
             j.at_motor = [share](const LinkInstant& at) { return share * stribeck(at.motor_velocity); };
           }},
          {"friction at the load",
           {{"4 N m", 4.0}, {"20 N m", 20.0}},
           [](J& j, double size) {
             j.at_load = [size](const LinkInstant& at) { return size * std::tanh(at.load_velocity / 0.01); };
           }},
          {"gravity",
           {{"10 N m", 10.0}, {"100 N m", 100.0}},
           [](J& j, double size) {
             j.at_load = [size](const LinkInstant& at) { return size * std::cos(at.load_position); };
           }},
          {"a push at the link", {{"50 N m", 50.0}}, [](J& j, double size) {
             j.at_load = [size](const LinkInstant& at) { return at.time > 3.0 && at.time < 4.0 ? size : 0.0; };
           }}};
}

Misfits misfits_of_the_rest() {
  return {
      {"a third mass",
       {{"couples by 0.3 kg m^2", 0.3}, {"couples by 3 kg m^2", 3.0}},
       [](J& j, double coupling) {
         j.truth.neighbour_inertia = 2.8, j.truth.neighbour_stiffness = 3e4, j.truth.neighbour_damping = 12.0;
         j.truth.coupling_inertia = coupling;
       }},
      {"a spring that hardens",
       {{"10 % at 1 mrad", 0.1}, {"100 % at 1 mrad", 1.0}},
       [](J& j, double share) { j.hardening = share; }},
      {"backlash", {{"0.1 mrad", 1e-4}, {"1 mrad", 1e-3}}, [](J& j, double gap) { j.gap = gap; }},
      {"quantisation", {{"16 bits", 1e-4}, {"12 bits", 1.5e-3}}, [](J& j, double step) { j.resolution = step; }},
      {"noise of the encoder",
       {{"a third", 1.0 / 3.0}, {"3 times", 3.0}},
       [](J& j, double times) { j.noise *= times; }},
      {"jitter", {{"10 % of a period", 0.1}, {"50 % of a period", 0.5}}, [](J& j, double share) { j.jitter = share; }},
      {"dropouts", {{"2 %", 0.02}}, [](J& j, double share) { j.dropout = share; }}};
}

}  // namespace

std::vector<Cell> link_cells() {
  Misfits misfits;
  for (const Misfits& group : {misfits_of_the_drive(), misfits_of_friction(), misfits_of_the_rest()})
    misfits.insert(misfits.end(), group.begin(), group.end());
  std::vector<Cell> cells;
  add_cells("link velocity", HostileJoint{}, {}, answer_to, misfits, cells);
  return cells;
}

}  // namespace tauhat::limits
