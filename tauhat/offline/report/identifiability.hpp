// Whether the data told a number, said aloud: identified, only a bound, or not identified; what it is confounded with,
// and which motion would tell the two apart.
#pragma once

#include <string>
#include <string_view>

namespace tauhat {

struct Result;

struct Identifiability {
  enum class Told { identified, only_a_bound, not_identified };
  Told told = Told::identified;
  std::string partner{};       // the number that it is confounded with; empty: none
  double correlation = 0.0;    // of their errors
  std::string separated_by{};  // the motion, or the knowledge, that tells them apart
};

const char* name_of(Identifiability::Told) noexcept;

// By the interval alone: one that reaches down to `lowest`, below which there is nothing, is only a bound; no finite
// interval, or one of several times the value to both sides of zero, identifies nothing.
Identifiability identifiability_of(const Result& result, double lowest);

// What was known before, to within `prior_std`, and is known no better now, was not identified.
void compare_with_prior(Result& result, double prior_std);

// A motion in which the two act differently.
std::string separating_motion(std::string_view first, std::string_view second);

// "only a bound; goes with load.inertia (+0.97): ..."; empty where there is nothing to say.
std::string sentence_of(const Identifiability& said);

}  // namespace tauhat
