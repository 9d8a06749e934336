#include "tauhat/offline/joint/observer_gain_of.hpp"

TAUHAT_COMPILE_OBSERVER_GAIN(8);
TAUHAT_COMPILE_OBSERVER_GAIN(9);
