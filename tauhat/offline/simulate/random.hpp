// Random numbers whose bytes are the same on every machine: xoshiro256++ (Blackman and Vigna 2021), seeded by
// splitmix64. The distributions of the standard library differ between implementations, so they are written
// out here. A stream is named: a sensor's noise depends on (seed, "sensor", its number) alone, whatever else
// is drawn.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tauhat {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::string_view stream = "", std::uint64_t number = 0) noexcept {
    std::uint64_t mixed = splitmix(seed) ^ hash(stream);
    mixed = splitmix(mixed) ^ number;
    for (std::uint64_t& word : state_) {
      mixed += kGoldenRatio;
      word = splitmix(mixed);
    }
  }

  std::uint64_t next() noexcept {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // In [0, 1), all 53 bits of the fraction.
  double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double lower, double upper) noexcept { return lower + (upper - lower) * uniform(); }

  bool bit() noexcept { return (next() >> 63) != 0; }

  // Zero mean, unit variance: Marsaglia's polar method, which yields two at a time.
  double normal() noexcept {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x = 0.0, y = 0.0, square = 0.0;
    do {
      x = uniform(-1.0, 1.0);
      y = uniform(-1.0, 1.0);
      square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    const double scale = std::sqrt(-2.0 * std::log(square) / square);
    spare_ = y * scale;
    has_spare_ = true;
    return x * scale;
  }

 private:
  static constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;

  static constexpr std::uint64_t splitmix(std::uint64_t z) noexcept {
    z += kGoldenRatio;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // FNV-1a
  static constexpr std::uint64_t hash(std::string_view text) noexcept {
    std::uint64_t h = 0xcbf29ce484222325;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return h;
  }

  std::array<std::uint64_t, 4> state_{};
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace tauhat
