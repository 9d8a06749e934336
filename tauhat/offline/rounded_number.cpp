#include "tauhat/offline/rounded_number.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tauhat {
namespace {

// Beyond them the general way is fast enough.
constexpr double kSmallest = 1e-30, kLargest = 1e15;
constexpr int kMostPower = 45;

constexpr std::array<double, kMostPower + 1> kPowers = [] {
  std::array<double, kMostPower + 1> powers{};
  long double power = 1.0L;
  for (double& each : powers) each = static_cast<double>(power), power *= 10.0L;
  return powers;
}();

constexpr std::array<double, kMostPower + 1> kParts = [] {
  std::array<double, kMostPower + 1> parts{};
  long double part = 1.0L;
  for (double& each : parts) each = static_cast<double>(part), part /= 10.0L;
  return parts;
}();

double power_of_ten(int power) noexcept {
  return power < 0 ? kParts[static_cast<std::size_t>(-power)] : kPowers[static_cast<std::size_t>(power)];
}
double times_power_of_ten(double value, int power) noexcept {
  return power < 0 ? value / kPowers[static_cast<std::size_t>(-power)]
                   : value * kPowers[static_cast<std::size_t>(power)];
}

// floor(log10 size), from the binary exponent: 1233 / 4096 is log10 2.
int decimal_exponent(double size) noexcept {
  const int binary = static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52) - 1023;
  const int guess = (binary * 1233) >> 12;
  return power_of_ten(guess + 1) <= size ? guess + 1 : guess;
}

// "00" to "99", one after the other.
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i)
    pairs[2 * i] = static_cast<char>('0' + i / 10), pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  return pairs;
}();

// Eight digits, with zeros before; short numbers divide faster.
void write_eight(char* to, std::uint32_t number) noexcept {
  for (int i = 3; i >= 0; --i) {
    std::memcpy(to + 2 * i, &kPairs[2 * (number % 100)], 2);
    number /= 100;
  }
}

// Sixteen characters at once, whatever the count: there is room for them, and a length that is known needs no loop.
constexpr std::size_t kBlock = 16;
char* copied(char* to, const char* from, std::size_t count) noexcept {
  std::memcpy(to, from, kBlock);
  return to + count;
}
char* zeros(char* to, std::size_t count) noexcept {
  std::memset(to, '0', kBlock);
  return to + count;
}

char* write_fixed(char* to, const char* digits, std::size_t count, int exponent) noexcept {
  if (exponent < 0) {
    *to++ = '0', *to++ = '.';
    return copied(zeros(to, static_cast<std::size_t>(-exponent) - 1), digits, count);
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (count <= whole) return zeros(copied(to, digits, count), whole - count);
  to = copied(to, digits, whole);
  *to++ = '.';
  return copied(to, digits + whole, count - whole);
}

char* write_scientific(char* to, const char* digits, std::size_t count, int exponent) noexcept {
  *to++ = digits[0];
  if (count > 1) *to++ = '.', to = copied(to, digits + 1, count - 1);
  *to++ = 'e', *to++ = exponent < 0 ? '-' : '+';
  std::memcpy(to, &kPairs[2 * static_cast<std::size_t>(std::abs(exponent))], 2);
  return to + 2;
}

}  // namespace

char* write_rounded(char* to, double value, int digits) noexcept {
  if (!std::isfinite(value)) return to;
  const double size = std::abs(value);
  if (size == 0.0) {
    *to = '0';
    return to + 1;
  }
  if (size < kSmallest || size >= kLargest) return to + std::snprintf(to, kLongestRounded, "%.*g", digits, value);
  if (value < 0.0) *to++ = '-';
  int exponent = decimal_exponent(size);
  const auto number = static_cast<std::uint64_t>(std::llrint(times_power_of_ten(size, digits - 1 - exponent)));
  constexpr std::uint64_t kEight = 100'000'000;
  std::array<char, 2 * kBlock> buffer{};
  write_eight(buffer.data(), static_cast<std::uint32_t>(number / kEight));
  write_eight(buffer.data() + 8, static_cast<std::uint32_t>(number % kEight));
  const char* end = buffer.data() + kBlock;
  const char* begin = end - digits;
  if (begin[-1] != '0') --begin, ++exponent;  // 9.99... rounds to 10
  while (end > begin + 1 && end[-1] == '0') --end;
  const auto count = static_cast<std::size_t>(end - begin);
  return exponent >= -4 && exponent < 15 ? write_fixed(to, begin, count, exponent)
                                         : write_scientific(to, begin, count, exponent);
}

}  // namespace tauhat
