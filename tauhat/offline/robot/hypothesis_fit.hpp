// All joints of a robot's log fitted together, under hypotheses about signs, gear ratios and units.
#pragma once

#include "tauhat/offline/robot/checked_samples.hpp"
#include "tauhat/offline/robot/hypothesis.hpp"

namespace tauhat {

// Base parameters, fitted to the torques as they were measured, each with a noise of its own: what a wrong ratio or
// sign mixes of coupled motors is no noise that their joints have. Beside the record what is known of the inertias, as
// well as it may be known: groups of bodies and rotors that the study has all of. No rotor's inertia, no mass and
// no friction is negative.
class HypothesisFit {
 public:
  // Refers to its arguments, but for the robot. `measured`: torques as they were measured, by the joints'. `counts`: of
  // each actuator, one where its rows count: where friction changes its sign, its width would say more than all else.
  HypothesisFit(const RobotSpec& robot, const TorqueColumns& columns, const BaseParameters& base,
                const CheckedSamples& samples, const Eigen::MatrixXd& measured, const Eigen::ArrayXXd& counts);

  // -2 ln of the likelihood of the record, and how far the inertias are from what is known of them.
  struct Misfit {
    double record, prior;
    double sum() const noexcept { return record + prior; }
  };
  // Groups of bodies and rotors of which something is known: what the prior is of, where that is as good as it may be.
  int known() const noexcept { return static_cast<int>((precision_.array() > 0.0).count()); }
  Misfit misfit(const Hypothesis& hypothesis) const {
    return misfit(regressors(hypothesis.position), hypothesis.torque);
  }

  // What depends on the positions alone, of each measured torque: hypotheses about torques share it.
  struct Regressors {
    std::vector<Eigen::MatrixXd> rows, gram;
  };
  Regressors regressors(const Eigen::MatrixXd& position) const;
  Misfit misfit(const Regressors& regressors, const Eigen::MatrixXd& torque) const;

 private:
  void expect_inertias(const RobotSpec& robot);
  bool is_sum_of_masses(int parameter) const;
  // That count: none of a torque that they do not tell more of than its parameters, as of a joint that stands still.
  double rows(int torque) const;
  double log_volume(const Eigen::MatrixXd& of_torque) const;
  Eigen::VectorXd solve(const std::vector<Eigen::MatrixXd>& gram, const std::vector<Eigen::VectorXd>& product,
                        const Eigen::VectorXd& weight, bool with_prior) const;

  const TorqueColumns& columns_;
  const BaseParameters& base_;
  const CheckedSamples& samples_;
  Eigen::MatrixXd measured_;                   // torques as they were measured, by the joints'
  Eigen::MatrixXd counted_;                    // one where a row of a measured torque counts: where its actuators' do
  std::vector<std::vector<int>> of_measured_;  // base parameters that each depends on
  Eigen::VectorXd expected_, precision_;
  std::vector<int> never_negative_;  // base parameters that are sums of masses, a rotor's inertia or friction
};

}  // namespace tauhat
