// The input of a simulated drive, one value a row.
//   u_k = offset + min(1, t_k / ramp) shape(t_k)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

// What the rows of a simulation or of a log look like in time.
struct Rows {
  std::size_t count;
  double period;  // s
  double time(std::size_t row) const noexcept { return static_cast<double>(row) * period; }
};

// Random phases and bits come from the stream "excitation" of the seed.
std::vector<double> excite(const Excitation& excitation, const Rows& rows, std::uint64_t seed);

// Throws for a key of the excitation: "hold", " = 1e-4 s: must be at least one sample". Who knows where the key was
// written says so.
using RefuseKey = std::function<void(const std::string& key, const std::string& what)>;

// Refuses what cannot be played: beyond half the sampling frequency, shorter than a sample, not a number.
void check_excitation(const Excitation& excitation, const Rows& rows, const RefuseKey& refuse);
void check_excitation(const Excitation& excitation, const Rows& rows);

}  // namespace tauhat
