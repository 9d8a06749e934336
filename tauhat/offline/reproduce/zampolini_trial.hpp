// One record of the axis, seen by one observer: what the figures and their variations are made of.
#pragma once

#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/reproduce/zampolini_identification.hpp"
#include "tauhat/offline/reproduce/zampolini_setup.hpp"

namespace tauhat::zampolini {

JointSpec spec_of(const ParameterSet& set);
JointSpec with_friction(JointSpec spec, const MeshLuGre<double>& friction);

// Motor torque and position, as an observer with these parameters takes them.
Timeline timeline_of(const Record& record, const ParameterSet& set, double variance);

Replay seen(const JointSpec& spec, const ObserverSpec& observer, const Record& record, const ParameterSet& set,
            double variance = kMeasurementVariance);
double fit_of(const JointSpec& spec, const ObserverSpec& observer, const Record& record, const ParameterSet& set,
              double variance = kMeasurementVariance);

}  // namespace tauhat::zampolini
