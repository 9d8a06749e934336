// One pass over all segments with derivatives by everything that is suspected. Compiled apart, as the solvers are.
#include "tauhat/offline/identify/shooting_segment.hpp"
#include "tauhat/offline/identify/suspects.hpp"

namespace tauhat {
namespace {

using D = Dual<double, kSuspectDirections>;
using M = SuspectedDrive<D>;

SuspectedDrive<double> suspected(const ShootingProblem& problem, const SuspectedShapes& shapes) {
  const Drive& d = problem.drive;
  SuspectedDrive<double> model;
  model.drive = {d.motor_inertia, d.load_inertia,  d.ratio,
                 d.damping,       d.position_gain, {d.motor_friction, 0.0, shapes.bump_speed},
                 d.load_friction, d.noise};
  model.law.spring = problem.law;
  return model;
}

void seed_missing_terms(const std::vector<ShootingParameter>& parameters, int first, M& model) {
  for (D* term : {&model.drive.motor_friction.bump, &model.law.hysteresis, &model.law.corner, &model.law.hardening})
    *term = seeded_value<D>(0.0);
  for (std::size_t g = 0; g < parameters.size(); ++g) {
    const auto seed = [&](D& term) { term.derivatives()[first + static_cast<int>(g)] = 1.0; };
    for (const int entry : parameters[g].entries) {
      if (entry == kBump) seed(model.drive.motor_friction.bump);
      if (entry == kHysteresis) seed(model.law.hysteresis);
      if (entry == kCorner) seed(model.law.corner);
      if (entry == kHardening) seed(model.law.hardening);
    }
  }
}

SegmentScore score_of(const SegmentSum<kSuspectDirections>& sum, int locals, int common) {
  const SegmentPull pull = without_start(sum, sum.normal.topLeftCorner(locals, locals), common);
  return {.information = pull.information,
          .score = pull.score,
          .with_start_known = sum.normal.diagonal().segment(locals, common)};
}

}  // namespace

std::vector<SegmentScore> score_segments(const ShootingProblem& problem, const ShootingFit& fit,
                                         const std::vector<ShootingParameter>& suspects,
                                         const SuspectedShapes& shapes) {
  const int locals = problem.position_is_local ? 4 : 3;
  std::vector<ShootingParameter> all = problem.parameters;
  all.insert(all.end(), suspects.begin(), suspects.end());
  std::vector<double> value = fit.value;
  for (const ShootingParameter& suspect : suspects) value.push_back(suspect.start);
  M model = suspected(problem, shapes).cast<D>();
  model.law.corner_width = shapes.corner_width;
  model.law.largest_torque = shapes.largest_torque;
  TorqueChannel<D> torque;
  seed_parameters(all, value, locals, model, torque);
  seed_missing_terms(all, locals, model);
  const SegmentShooter<M> shooter(*problem.timeline, model, torque, problem.position_is_local);
  std::vector<SegmentScore> scores;
  for (std::size_t s = 0; s < fit.segments.size(); ++s) {
    if (!std::isfinite(fit.segment_chi_square[s])) continue;
    scores.push_back(score_of(shooter.run(fit.segments[s], nullptr), locals, static_cast<int>(all.size())));
    scores.back().time = problem.timeline->time[fit.segments[s].first];
  }
  return scores;
}

}  // namespace tauhat
