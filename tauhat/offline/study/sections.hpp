// The sections of a study, each read by its own file.
#pragma once

#include "tauhat/offline/study/keys.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

void read_drive_section(Keys& keys, Study& study);
void read_axis_section(Keys& keys, Study& study);        // [drive] with model = "axis"
void read_powertrain_section(Keys& keys, Study& study);  // [drive] with model = "powertrain"
void read_powertrain_noise(Keys& keys, Study& study);
void read_gap_filter(Keys& keys, GapSpec& spec);    // [estimator] of a powertrain
void require_offset_of_wheels(const Study& study);  // a given one is of wheels that know their teeth
void require_wheels(const Study& study);            // of a filter whose gains come from the wheels' teeth
void read_joint_section(Keys& keys, Study& study);  // [drive] with model = "elastic-joint"
void read_observer(Keys& keys, Study& study);       // one [[observer]]
void read_pose_section(Keys& keys, Study& study);   // [pose] of an elastic joint
void read_joint_estimator(Keys& keys, Study& study);
std::vector<PoleSpec> read_poles(Keys& keys);       // `poles` of an [[observer]]
void read_axes_section(Keys& keys, Study& study);   // [drive] with model = "elastic-axes"
void read_axes_observer(Keys& keys, Study& study);  // one [[observer]] of it
void read_axes_motion(Keys& keys, Study& study);    // [simulate] of it
void read_robot_section(Keys& keys, Study& study);  // [robot], with [[robot.joint]] and [[robot.frame]]
void read_robot_identify(Keys& keys, Study& study);
void read_excite_section(Keys& keys, Study& study);
void read_robot_estimator(Keys& keys, Study& study);
void read_robot_simulate(const std::string& file, const toml::table& section, Study& study);
void read_axis_unknown(Keys& keys, Study& study);
void read_axis_start(Keys& keys, Study& study);
void read_identify_section(Keys& keys, Study& study);
void read_unknown(Keys& keys, Study& study);  // one [[unknown]]
// Throws where another [[unknown]] was of the same signal or parameter; notes the line of this one.
void refuse_second_unknown(Keys& keys, std::map<std::string, int>& lines);
void read_noise_section(Keys& keys, Study& study);
void read_start_section(Keys& keys, Study& study);
void read_plan_section(Keys& keys, Study& study);
void read_test_section(Keys& keys, Study& study);
void read_log_section(const std::string& file, const toml::table& log, Study& study);
void read_accept_section(const std::string& file, const toml::table& accept, Study& study);
void read_simulate_section(const std::string& file, const toml::table& section, Study& study);

// What a sensor of [simulate] does to the signal of a channel; what is not said there, the channel says.
Sensor read_simulated_sensor(Keys& keys, const Study& study, const StudyChannel& channel);

// What `identify` may find of an axis by its method, with units. Which of the laws' parameters depends on the log.
std::vector<OutputInfo> axis_results(const StudyAxis& axis);

// A test needs one torque and one displacement. Throws.
void check_test_channels(const Study& study);

// The topic or prefix of joint states: each joint's position, velocity and effort are columns below it.
void add_joint_states(const std::string& prefix, Study& study);
// The frame that a key of the study names; throws where there is none, or where it does not move.
const NamedFrame* require_moving_frame(Keys& keys, const RobotSpec& spec, const char* key, const std::string& name);
// Every axis needs its motor's torque and position. Throws.
void check_axes_channels(const Study& study);
// Every joint needs a position and a torque. Throws.
void check_robot_channels(const Study& study);
std::vector<OutputInfo> robot_signals(const RobotSpec& robot);

// "rad/s" of "motor.velocity"; throws with the signals that the model has.
std::string unit_of_signal(Keys& keys, const Study& study, const std::string& signal);

}  // namespace tauhat
