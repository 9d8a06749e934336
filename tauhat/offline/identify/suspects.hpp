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
#include "tauhat/offline/report/suspect.hpp"

namespace tauhat {

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
