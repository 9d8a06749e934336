// A suite's parameter by its name: GoogleTest says it where it would show the parameter's bytes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>

namespace tauhat {

// What a parameter of several numbers begins with. PrintTo would lose to GoogleTest's own, which fits what begins with
// a name exactly; an operator does not.
struct Named {
  const char* name;

  friend std::ostream& operator<<(std::ostream& out, const Named& named) { return out << named.name; }
};

// The last argument of INSTANTIATE_TEST_SUITE_P: each test by what is printed of its parameter, in letters that a
// test's name may have.
inline constexpr auto by_name = [](const auto& tested) {
  std::string name = testing::PrintToString(tested.param);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char each) { return std::isalnum(each) == 0; }, '_');
  return name;
};

}  // namespace tauhat
