#include "tauhat/offline/joint/axes_estimator_of.hpp"

TAUHAT_COMPILE_AXES(4);
TAUHAT_COMPILE_AXES(5);
