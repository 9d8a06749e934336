// The force of the environment on a robot behind the face of any filter: from positions and torques, measured at joints
// or motors, to each joint's external torque, the force at a frame, and whether that is contact.
//
// It begins with the second row whose positions are all there: the first two give the velocities.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Places among the estimator's outputs. Without a frame there are the joints' torques alone, and `observable`.
struct ForceOutputs {
  int joints = 0, axes = 0;  // 0, 3 or 6

  int torque(int joint) const noexcept { return joint; }
  int force(int axis) const noexcept { return joints + axis; }
  // 1 or 0; empty while every joint rests, and where there is no threshold.
  int contact() const noexcept { return joints + axes; }
  // That the force is above the threshold, by its own covariance.
  int probability() const noexcept { return joints + axes + 1; }
  // 0 where friction of a joint that rests hides some of it; the standard deviations say how much.
  int observable() const noexcept { return joints + (axes > 0 ? axes + 2 : 0); }
  int count() const noexcept { return observable() + 1; }
};
ForceOutputs force_outputs(const RobotSpec& robot);

// Names of its remarks on joints that rest: all of the time, some of it.
inline constexpr const char* kUnobservable = "force.unobservable";
inline constexpr const char* kPartlyUnobservable = "force.partly_unobservable";

// `period` is asked for by the observers alone. Throws Error (wrong_use) where the filter has no frame.
std::unique_ptr<Estimator> make_force_estimator(const Study& study, double period);

// The same, which remembers of its last replay which joints rested, and knows where its deviations come from.
class RestingEstimator : public Estimator {
 public:
  virtual bool rested(std::size_t instant, int joint) const = 0;
  // Of a torque or a force at the last instant; empty for other outputs, and before it has begun.
  virtual std::optional<UncertaintyBudget> budget(int output) const = 0;
};
std::unique_ptr<RestingEstimator> make_resting_estimator(const Study& study, double period);

}  // namespace tauhat
