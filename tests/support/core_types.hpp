// Every friction law, transmission law and model of the core: a law suite runs on each. A new type is one
// line here.
#pragma once

#include <gtest/gtest.h>

#include "tauhat/core/friction/coulomb_atan.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/load_dependent.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/models/drive_with_law.hpp"
#include "tauhat/core/models/two_mass_drive.hpp"
#include "tauhat/core/transmission/dead_zone.hpp"
#include "tauhat/core/transmission/hysteretic_dead_zone.hpp"
#include "tauhat/core/transmission/linear_spring.hpp"
#include "tauhat/core/transmission/soft_dead_zone.hpp"
#include "tauhat/core/transmission/stiffening_spring.hpp"
#include "tauhat/core/unknowns/constants.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

namespace tauhat {

using TransmissionLawTypes = testing::Types<DeadZone<double>, SoftDeadZone<double>, LinearSpring<double>,
                                            StiffeningSpring<double>, HystereticDeadZone<double>>;

template <class T, template <class> class Friction = CoulombAtan>
using FreeTorqueDrive = Augmented<TwoMassDrive<T, Friction>, RandomWalk<1>>;

template <class T, template <class> class Friction = CoulombAtan>
using SelfTuningDrive = Augmented<FreeTorqueDrive<T, Friction>, Constants<3>>;

using DoubleModelTypes =
    testing::Types<TwoMassDrive<double, CoulombAtan>, TwoMassDrive<double, CoulombTanh>, TwoMassDrive<double, Stribeck>,
                   DriveWithLaw<double, CoulombAtan, DeadZone>, DriveWithLaw<double, CoulombTanh, SoftDeadZone>,
                   DriveWithLaw<double, Stribeck, LinearSpring>, DriveWithLaw<double, CoulombAtan, StiffeningSpring>,
                   DriveWithLaw<double, CoulombAtan, HystereticDeadZone>, FreeTorqueDrive<double>,
                   FreeTorqueDrive<double, Stribeck>, TwoMassDrive<double, LoadDependentCoulomb>,
                   DriveWithLaw<double, LoadDependentCoulomb, DeadZone>, FreeTorqueDrive<double, LoadDependentCoulomb>,
                   SelfTuningDrive<double>, SelfTuningDrive<double, LoadDependentCoulomb>,
                   Augmented<DriveWithLaw<double, CoulombTanh, HystereticDeadZone>, Constants<3>>>;

}  // namespace tauhat
