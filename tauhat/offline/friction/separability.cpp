#include "tauhat/offline/friction/separability.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// What a lost direction may contribute to a parameter that is still given.
constexpr double kNegligibleShare = 0.02;

struct RecordFacts {
  bool positive = false, negative = false;  // directions of motion
  bool one_speed = false;
};

constexpr double kOneSpeed = 0.05;  // relative spread of the speed

RecordFacts facts_of(const VectorXd& velocity) {
  const VectorXd speed = velocity.cwiseAbs();
  const double mean = speed.mean();
  const double spread = std::sqrt((speed.array() - mean).square().mean());
  return {(velocity.array() > 0.0).any(), (velocity.array() < 0.0).any(), spread < kOneSpeed * mean};
}

bool has(const std::vector<std::string>& group, std::string_view part) {
  return std::any_of(group.begin(), group.end(), [&](const std::string& name) { return name.starts_with(part); });
}

std::string listed(const std::vector<std::string>& group) {
  std::string text;
  for (std::size_t i = 0; i < group.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == group.size() ? " and " : ", ") + group[i];
  }
  return text;
}

// Why these parameters, which trade against each other, have no value each.
std::string explain(const std::vector<std::string>& group, const RecordFacts& facts) {
  if (group.size() == 1) {
    if (group[0] == "axis.mass") return "no acceleration above the noise: record faster changes of speed";
    for (const std::string direction : {"positive", "negative"}) {
      const bool moved = direction == "positive" ? facts.positive : facts.negative;
      if (group[0].ends_with(direction) && !moved) {
        return "no motion in the " + direction + " direction: record both directions";
      }
    }
    return group[0] + " has no effect on the force of this record that is told from the others";
  }
  std::string reasons;
  const bool coulomb = has(group, "friction.coulomb"), viscous = has(group, "friction.viscous");
  if (coulomb && viscous && facts.one_speed) {
    reasons += "only one speed: viscous and coulomb friction cannot be told apart; record several speeds. ";
  }
  if (has(group, "friction.offset") && (coulomb || viscous) && !(facts.positive && facts.negative)) {
    reasons += "motion in one direction only: friction and offset cannot be told apart; record both directions. ";
  }
  if (has(group, "gravity") && group.size() > 1) {
    reasons += "the stroke is too short: gravity hardly changes along it; record a longer stroke. ";
  }
  if (has(group, "axis.mass") && has(group, "friction.load")) {
    reasons += "the load never changes sign within a direction: record braking as hard as accelerating. ";
  }
  return reasons + listed(group) + " act alike in this record";
}

// The parameters that trade against this one along the lost directions, itself included; none where it is kept.
std::vector<std::string> group_of(Index j, const MatrixXd& lost, const std::vector<std::string>& names) {
  std::vector<std::string> group;
  for (Index k = 0; k < lost.cols(); ++k) {
    if (std::abs(lost(j, k)) > kNegligibleShare) group.push_back(names[static_cast<std::size_t>(k)]);
  }
  return group;
}

}  // namespace

std::vector<std::string> reasons_of_loss(const std::vector<std::string>& names, const MatrixXd& lost,
                                         const VectorXd& velocity) {
  const RecordFacts facts = facts_of(velocity);
  std::vector<std::string> reasons;
  for (Index j = 0; j < lost.cols(); ++j) {
    const std::vector<std::string> group = group_of(j, lost, names);
    reasons.push_back(group.empty() ? "" : explain(group, facts));
  }
  return reasons;
}

}  // namespace tauhat
