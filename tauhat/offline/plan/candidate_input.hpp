// Test signals to choose from: a kind and a frequency, at the full range of the input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tauhat/offline/simulate/excitation.hpp"

namespace tauhat {

struct CandidateInput {
  enum class Kind { prbs, multisine, sines, given, own };
  Kind kind = Kind::given;
  double frequency = 0.0;  // Hz: of the sines' middle; bits of a PRBS last half a period
  double spacing = 0.0;    // Hz, between the tones of a multisine; 0: it has twelve
  std::size_t number = 0;  // of a method's own inputs

  std::string name() const;
};

// Every kind over the frequencies that a record of these rows can hold: some periods at least, some samples a period.
std::vector<CandidateInput> candidate_inputs(const Rows& rows, double spacing = 0.0);
// The same kind, around its frequency, each time nearer.
std::vector<CandidateInput> nearby(const CandidateInput& candidate, const Rows& rows, double factor);

// With a peak of one. `given` is the study's own signal.
std::vector<double> input_of(const CandidateInput& candidate, const Excitation& given, const Rows& rows,
                             std::uint64_t seed);

}  // namespace tauhat
