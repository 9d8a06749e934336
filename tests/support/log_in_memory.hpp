// A binary log for tests that no disk has seen, and what tauhat says of it when it is damaged.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/binary_file.hpp"

namespace tauhat {

inline BinaryFile in_memory(const std::string& bytes, const std::string& source) {
  return {source, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}};
}

// What `action` is refused with.
template <class Action>
std::string refusal_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    return error.what();
  }
  return "accepted";
}

// A few bytes changed: to any value, by one bit, or to the extremes that sizes and counters break at.
inline std::string damaged(std::string bytes, std::mt19937_64& random) {
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes; ++i) {
    char& byte = bytes[below(bytes.size())];
    const std::size_t kind = below(4);
    const std::size_t flipped = static_cast<unsigned char>(byte) ^ std::size_t{1} << below(8);
    byte = static_cast<char>(kind == 0 ? random() : kind == 1 ? flipped : kind == 2 ? 0xFF : 0);
  }
  return bytes;
}

}  // namespace tauhat
