#include <cstdio>
#include <tauhat/core/friction/coulomb_atan.hpp>
int main() { std::printf("%.2f N m\n", tauhat::CoulombAtan<double>{0.5, 0.0, 1.0}.torque(1.0)); }
