// What a study's reader says of a text that it refuses.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

inline std::string problem_of(const std::string& text, const std::string& source = "axis.toml") {
  try {
    parse_study(text, source);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    return error.what();
  }
  return "no problem";
}

}  // namespace tauhat
