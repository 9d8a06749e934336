// What the numbers of options must be, said in words: CLI11's own checks print the largest double in full.
#pragma once

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <string>

namespace tauhat::cli {

// The whole text as a number of this type; false where it is none.
template <class Number>
bool is_number(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc() && stopped == end;
}

template <class Number, class Allowed>
CLI::Validator number_that(Allowed is_allowed, const std::string& sentence) {
  return {[=](std::string& text) {
            Number value{};
            return is_number(text, value) && is_allowed(value) ? std::string() : text + ": " + sentence;
          },
          ""};
}

inline CLI::Validator whole_from_one() {
  return number_that<int>([](int value) { return value >= 1; }, "must be a whole number from 1");
}

inline CLI::Validator positive_number() {
  return number_that<double>([](double value) { return value > 0.0 && std::isfinite(value); },
                             "must be a positive number");
}

}  // namespace tauhat::cli
