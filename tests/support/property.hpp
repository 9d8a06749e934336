// RapidCheck with a fixed seed: two runs try the same cases. A failure prints the shrunk counterexample.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <unordered_map>

namespace tauhat {

inline constexpr std::uint64_t kPropertySeed = 7;

template <class Property>
void expect_holds(const Property& property, int cases = 1000) {
  rc::detail::TestParams params;
  params.seed = kPropertySeed;
  params.maxSuccess = cases;
  // With its own listener and nothing to reproduce, RapidCheck reads no seed from the environment.
  rc::detail::TestListenerAdapter silent;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params, silent,
                                                std::unordered_map<std::string, rc::detail::Reproduce>());
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  ADD_FAILURE() << message.str();
}

// Evenly between two numbers, whatever RapidCheck's size; shrinks towards the lower one.
inline rc::Gen<double> between(double lower, double upper) {
  constexpr int kSteps = 1 << 30;
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, kSteps + 1)),
                      [=](int step) { return lower + (upper - lower) * static_cast<double>(step) / kSteps; });
}

// Evenly in the logarithm: for quantities that range over decades.
inline rc::Gen<double> decades_between(double lower, double upper) {
  return rc::gen::map(between(std::log(lower), std::log(upper)), [](double exponent) { return std::exp(exponent); });
}

}  // namespace tauhat
