// RapidCheck with a fixed seed: two runs try the same cases. A failure prints the shrunk counterexample.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <functional>

namespace tauhat {

inline constexpr std::uint64_t kPropertySeed = 7;

void expect_holds(const std::function<void()>& property, int cases = 1000);

// Evenly between two numbers, whatever RapidCheck's size; shrinks towards the lower one.
rc::Gen<double> between(double lower, double upper);

// Evenly in the logarithm: for quantities that range over decades.
rc::Gen<double> decades_between(double lower, double upper);

}  // namespace tauhat
