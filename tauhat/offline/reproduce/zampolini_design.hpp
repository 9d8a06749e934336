// What the design of the observers must reach, whatever the record: poles where they were asked for, the gains of the
// set-up, Riccati equations that hold, and a disturbance observer that does not know which observer it sits on.
#pragma once

#include "tauhat/offline/reproduce/plan.hpp"

namespace tauhat::zampolini {

RunFigures design_figures();

}  // namespace tauhat::zampolini
