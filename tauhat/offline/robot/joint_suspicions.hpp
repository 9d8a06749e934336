// What may be wrong with one joint of a robot's record, and by how much the fit of all joints gains when it is put
// right.
#pragma once

#include <optional>

#include "tauhat/offline/robot/hypothesis_fit.hpp"

namespace tauhat {

// A gain of less than this in -2 ln of the likelihood is chance, or a model that is not perfect. Of what is known of
// the inertias less is enough: they are a few numbers, and the record is long.
inline constexpr double kDecisive = 40.0, kDecisiveByInertia = 20.0;

// What may be wrong with a joint: a sign, where its own rows alone did not show it, or both, the ratio of its motor, or
// the scale of what was recorded at the joint itself: of one channel, or of both where a drive has converted them by a
// wrong ratio.
enum class Fault { torque_sign, position_sign, both_signs, ratio, position_scale, torque_scale, conversion };

// One of them, and what the fit gains when it is put right.
struct Suspicion {
  int joint = -1;
  Fault fault = Fault::both_signs;
  Hypothesis put_right;
  double factor = 1.0;
  double gain = 0.0, gain_of_record = 0.0;

  bool is_decisive() const noexcept {
    return gain_of_record > kDecisive || (fault == Fault::ratio && gain > kDecisiveByInertia);
  }
};

class Suspicions {
 public:
  // Refers to its arguments.
  Suspicions(const HypothesisFit& fit, const RobotSpec& robot, const MotorSides& sides)
      : fit_(fit), robot_(robot), sides_(sides) {}

  // The one that gains most; one without a joint where nothing does.
  Suspicion worst(const Hypothesis& now) const;

  // Of a factor on a joint's position, its inverse on its torque.
  struct Factors {
    double lower, upper;
  };
  // Those that the fit would hardly lose by. Empty where already the next gear would be too much.
  std::optional<Factors> factors_that_fit(const Hypothesis& now, const HypothesisFit::Misfit& settled, int joint) const;

  bool is_of_motor(int joint) const;

 private:
  std::vector<Fault> scales_of(int joint) const;
  Hypothesis with_scale(Hypothesis now, int joint, Fault fault, double factor) const;
  double last_that_fits(const Hypothesis& now, const HypothesisFit::Misfit& settled, int joint, Fault fault,
                        double side) const;
  double best_factor(const Hypothesis& now, const HypothesisFit::Regressors& regressors, int joint, Fault fault) const;

  const HypothesisFit& fit_;
  const RobotSpec& robot_;
  const MotorSides& sides_;
};

}  // namespace tauhat
