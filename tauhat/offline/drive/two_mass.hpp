// The two-mass drive as the offline code uses it: any friction law, its free transmission torque as a random walk, and
// parameters that are estimated along.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tauhat/core/models/drive_with_law.hpp"
#include "tauhat/offline/drive/any_bristles.hpp"
#include "tauhat/offline/drive/any_friction.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

template <class T>
using OfflineDrive = TwoMassDrive<T, AnyFriction>;

using Drive = OfflineDrive<double>;

// A parameter of the drive that is not known well: by its place in the drive's list.
struct UncertainParameter {
  int index = 0;
  double std = 0.0;  // of its value, before the data
};

struct TwoMassPrior {
  // Variances of motor and load position, motor and load velocity, transmission torque. The start is known (the axis
  // rests in the middle of its gap) unless the study says otherwise.
  double variances[5] = {1e-8, 1e-8, 1e-4, 1e-4, 1e-2};
  double mean[5] = {0, 0, 0, 0, 0};
};

// `estimated` parameters become states; at most four.
std::unique_ptr<Estimator> make_torque_estimator(const Drive& drive, double intensity, const TwoMassPrior& prior,
                                                 const std::vector<UncertainParameter>& estimated);

// With friction that has memory, beside the drive's own.
std::unique_ptr<Estimator> make_torque_estimator(const Drive& drive, const AnyBristles& bristles, double intensity,
                                                 const TwoMassPrior& prior);

std::string full_name(const ParameterInfo& info);
int find_parameter(const Drive& drive, const std::string& name);  // -1 where there is none
double parameter_value(const Drive& drive, int index);
std::string parameter_name(const Drive& drive, int index);
std::string parameter_unit(const Drive& drive, int index);

}  // namespace tauhat
