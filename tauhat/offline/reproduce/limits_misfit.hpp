// How the cells of a method are put together: a subject that the model describes, and misfits that spoil it.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/reproduce/limits_grid.hpp"

namespace tauhat::limits {

template <class Subject>
struct Misfit {
  std::string name;
  std::vector<std::pair<std::string, double>> sizes;  // as people say it, and in SI
  std::function<void(Subject&, double size)> spoil;
};

// `identify(subject, seed)` answers to one record of the subject; `truth` is of all of them, unless an answer has its
// own. What is refused counts as flagged.
template <class Subject, class Identify>
void add_cells(const std::string& method, const Subject& friendly, const std::map<std::string, double>& truth,
               const Identify& identify, const std::vector<Misfit<Subject>>& misfits, std::vector<Cell>& cells) {
  const auto run = [identify, truth](const Subject& subject, std::uint64_t seed) {
    Answer answer;
    try {
      answer = identify(subject, seed);
    } catch (const Error& error) {
      answer.diagnostics.push_back({"refused", Severity::error, error.what()});
    }
    if (answer.truth.empty()) answer.truth = truth;
    return answer;
  };
  cells.push_back({method, "none", "", [=](std::uint64_t seed) { return run(friendly, seed); }});
  for (const Misfit<Subject>& misfit : misfits) {
    for (const auto& [label, size] : misfit.sizes) {
      cells.push_back({method, misfit.name, label, [=, spoil = misfit.spoil, value = size](std::uint64_t seed) {
                         Subject hostile = friendly;
                         spoil(hostile, value);
                         return run(hostile, seed);
                       }});
    }
  }
}

}  // namespace tauhat::limits
