// When is it contact? A threshold on the estimated force from a log without contact, and how sure it is to see one.
//
// The floor is what the estimate shows when nothing pushes: friction and inertia that the model lacks, not white noise,
// so nothing is assumed of its distribution. The threshold is exceeded by a chosen share of the floor's samples.
#pragma once

#include <Eigen/Core>

#include <vector>

namespace tauhat {

using ForceFloor = std::vector<Eigen::Vector3d>;  // N, estimated without contact

struct ContactThreshold {
  double force = 0.0;             // N: above it the estimate's size is called contact
  double false_alarm_rate = 0.0;  // of the samples
  // The log is too short to show the rate (fewer than kTailSamples above): the tail was continued exponentially.
  bool extrapolated = false;

  static constexpr int kTailSamples = 10;
};

// Root mean square of the floor's size over the three axes, N, as the force experiments state errors.
double force_floor(const ForceFloor& floor);

// `false_alarm_rate` between 0 and 1. An empty floor has no threshold: it is infinite.
ContactThreshold contact_threshold(const ForceFloor& floor, double false_alarm_rate);

// The probability that a force of this size, in N, is called contact in one sample: on top of the floor's own error,
// averaged over its samples and over directions spread evenly.
double detection_probability(const ForceFloor& floor, const ContactThreshold& threshold, double force);

// The least force that is seen with this probability, by bisection, N.
double detectable_force(const ForceFloor& floor, const ContactThreshold& threshold, double probability);

}  // namespace tauhat
