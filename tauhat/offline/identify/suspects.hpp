// What else could explain the log? A suspect is one thing that the model may lack or have wrong: the torque's scale, an
// inertia, hysteresis. Each is tried by one Gauss-Newton step of the shooting fit with that freedom added (a score
// test):
//   I = [I_pp I_pa; I_ap I_aa],  s = [s_p; s_a]  information and score of the parameters p and of the suspect a
//   I_a = I_aa - I_ap I_pp^-1 I_pa,  a = (s_a - I_ap I_pp^-1 s_p) / I_a,  z = a sqrt(I_a),  shift of p = -I_pp^-1 I_pa
//   a
// A suspect that noise does not explain is named, and its shift tells how far the answer may be off.
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/identify/shooting.hpp"
#include "tauhat/offline/identify/suspected_model.hpp"

namespace tauhat {

struct Suspect {
  std::string name, unit;   // "motor.torque.gain", "1"
  double value = 0.0;       // what the fit takes it for
  double change = 0.0;      // by how much another value would explain the log better
  double z = 0.0;           // that, in standard deviations of noise
  double told_apart = 0.0;  // what is left of its information beside the fitted parameters, 0 to 1
  Eigen::VectorXd shift;    // of each fitted parameter, were it so
};

// In standard deviations. Noise alone brings one of the two dozen suspects above the first in one record of twenty,
// which widens the intervals of those, and above the second in one of some hundreds, which is worth a warning.
inline constexpr double kWidens = 3.0, kSuspicious = 4.0;

// How far those that widen move a sum of fitted parameters, at the most.
double largest_shift(const std::vector<Suspect>& suspects, const Eigen::VectorXd& sum);

// Most suspicious first.
std::vector<Suspect> find_suspects(const ShootingProblem& problem, const ShootingFit& fit,
                                   const SuspectedShapes& shapes);

// Information and score of one segment by fitted parameters and suspects, its own start eliminated.
struct SegmentScore {
  double time = 0.0;  // s, of its start
  Eigen::MatrixXd information;
  Eigen::VectorXd score;
  Eigen::VectorXd with_start_known;  // the information of each, had nothing been eliminated
};

// `suspects` follow the problem's parameters; together with a segment's start they may be as many as this.
inline constexpr int kSuspectDirections = 32;
std::vector<SegmentScore> score_segments(const ShootingProblem& problem, const ShootingFit& fit,
                                         const std::vector<ShootingParameter>& suspects, const SuspectedShapes& shapes);

}  // namespace tauhat
