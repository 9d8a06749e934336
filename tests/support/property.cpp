// Compiled once: RapidCheck's templates would take seconds in every property.
#include "support/property.hpp"

#include <rapidcheck/detail/TestListenerAdapter.h>

#include <cmath>
#include <sstream>
#include <string>
#include <unordered_map>

namespace tauhat {

void expect_holds(const std::function<void()>& property, int cases) {
  rc::detail::TestParams params;
  params.seed = kPropertySeed;
  params.maxSuccess = cases;
  // With its own listener and nothing to reproduce, RapidCheck reads no seed from the environment.
  rc::detail::TestListenerAdapter silent;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params, silent,
                                                std::unordered_map<std::string, rc::detail::Reproduce>());
  if (result.is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  ADD_FAILURE() << message.str();
}

rc::Gen<double> between(double lower, double upper) {
  constexpr int kSteps = 1 << 30;
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, kSteps + 1)),
                      [=](int step) { return lower + (upper - lower) * static_cast<double>(step) / kSteps; });
}

rc::Gen<double> decades_between(double lower, double upper) {
  return rc::gen::map(between(std::log(lower), std::log(upper)), [](double exponent) { return std::exp(exponent); });
}

}  // namespace tauhat
