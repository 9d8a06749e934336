// The parsed study: which drive, what is unknown, which columns mean what, what is accepted. Checked whole before
// anything runs.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/core/transmission/hysteretic_dead_zone.hpp"
#include "tauhat/core/transmission/linear_spring.hpp"
#include "tauhat/core/transmission/soft_dead_zone.hpp"
#include "tauhat/core/transmission/stiffening_spring.hpp"
#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/constant_speed_options.hpp"
#include "tauhat/offline/friction/regression.hpp"
#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/gearbox/hysteresis_test.hpp"
#include "tauhat/offline/identify/backlash.hpp"
#include "tauhat/offline/joint/axes_spec.hpp"
#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/plan/bench_plan_spec.hpp"
#include "tauhat/offline/plan/plan_spec.hpp"
#include "tauhat/offline/robot/robot_simulation.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

using AnyTransmissionLaw = std::variant<DeadZone<double>, SoftDeadZone<double>, LinearSpring<double>,
                                        StiffeningSpring<double>, HystereticDeadZone<double>>;

// A column as the study describes it; `spec` is what the reader needs.
struct StudyChannel {
  ChannelSpec spec;
  std::string unit;           // as written, for `simulate` to write the same
  std::optional<double> std;  // of a sensor, SI; empty: from the data
  double gain_std = 0.0;      // relative, of the channel's scale
  double jitter = 0.0;        // s: samples are taken up to so long beside their stamps
};

// [test]: a bench test instead of a motion log.
struct StudyTest {
  HysteresisTest hysteresis;
  double ratio = 1.0, ratio_std = 0.0;  // motor turns per output turn; the std is relative
  std::string part, date, tested_by;

  // Which ramps are for what, where a column numbers them: "< 100".
  struct RampRange {
    std::string comparison;  // <, <=, >, >=; empty: all
    double bound = 0.0;
    bool contains(double number) const noexcept;
  };
  RampRange play, stiffness;
};

// [drive] model = "axis": one body, whose friction is what is asked for.
using AxisFriction = std::variant<AnyFriction<double>, Dahl<double>, LuGre<double>, MaxwellSlip<double>>;

struct StudyAxis {
  Axis<double> axis;
  bool slides = false;                        // a linear axis: N for N m, m for rad
  std::optional<AxisFriction> law;            // for `simulate`
  std::optional<double> intensity;            // of the friction's random walk, N m/sqrt(s); empty: by likelihood
  double intensity_scale = 1.0;               // of what is given or found, to see what depends on it
  bool offset_unknown = false;                // a constant force is fitted along
  std::vector<UncertainParameter> uncertain;  // of Axis::visit_parameters: known only so well
  // [start]: where the axis begins, and how well that is known; for a log without its position.
  struct Start {
    double position = 0.0, std = 0.0;
  };
  std::optional<Start> start;

  enum class Method { two_step, regression, constant_speed };
  Method method = Method::two_step;
  RegressionOptions regression;
  ConstantSpeedOptions constant_speed;
};

// Whether a force that the study gives, or asks for, depends on where the axis stands.
bool position_matters(const StudyAxis& axis);

// A unit of the turning axis, "N m s/rad", as that of this one: "N s/m" where it slides.
std::string unit_of(const StudyAxis& axis, std::string_view rotary);

struct Limit {
  std::string name, text;  // "backlash.gap", "<= 3 arcmin"
  bool at_most = true;
  double value = 0.0;  // SI
};

struct Study {
  std::string source;
  Drive drive;
  std::optional<AnyBristles> bristles;    // the motor's friction where it has memory; the drive's own is then none
  std::optional<AnyTransmissionLaw> law;  // for `simulate`, and for reference in reports
  BacklashOptions identification;         // unknowns, uncertain parameters, prior
  bool start_is_given = false;
  double gate = 0.0;                                     // normalised innovation squared; 0: none
  std::optional<std::variant<std::size_t, double>> lag;  // of the fixed-lag smoother: samples, or seconds
  TimeSpec time;
  std::string time_unit = "s";
  std::vector<StudyChannel> channels;
  std::vector<Limit> limits;
  std::optional<SimulationSpec> simulation;
  std::optional<PlanSpec> plan;             // what a record is to tell, and what the drive may do for it
  std::optional<BenchPlanSpec> bench_plan;  // the same of a bench test
  std::optional<StudyTest> test;
  std::optional<StudyAxis> axis;
  std::optional<GapSpec> powertrain;                    // [drive] model = "powertrain": where in its gap the gear is
  std::optional<JointSpec> joint;                       // [drive] model = "elastic-joint": how fast its link moves
  std::optional<AxesSpec> elastic_axes;                 // [drive] model = "elastic-axes": the same of several at once
  std::optional<RobotSpec> robot;                       // [robot]: its parameters, and the force at its tool
  std::optional<RobotSimulation> robot_simulation;      // [simulate] of a robot
  std::vector<std::array<std::string, 2>> assumptions;  // name and value of everything that was taken as given
  double hold_back = 0.0;                               // s: how late a row of a stream may come

  // Two masses, and nothing else: no other model was asked for.
  bool is_drive() const { return !axis && !powertrain && !joint && !elastic_axes && !robot; }
  LogSpec log_spec() const;
  const StudyChannel* find_channel(const std::string& signal) const;
};

// What `identify` may find by a study of two masses, of an axis or of a gap, with units; empty where that depends on
// the log. A parameter of the motor's friction is the result "friction.<name>".
std::vector<OutputInfo> possible_results(const Study& study);
std::string result_name(const std::string& parameter);

// The signal that drives the study's model: motor.torque, or axis.force. Its unit, N m or N.
std::string input_signal(const Study& study);
std::string force_unit(const Study& study);
// The unit of a model's signal in this study: a sliding axis reads N for N m.
std::string unit_in(const Study& study, std::string_view rotary);

Study read_study(const std::string& path);
Study parse_study(const std::string& text, const std::string& source);

// A complete study of the model, with every parameter at its default and a comment, for `describe MODEL --study`.
std::string example_study();
std::string example_axis_study();
std::string example_powertrain_study();
std::string example_joint_study();
std::string example_axes_study();
std::string example_robot_study();

}  // namespace tauhat
