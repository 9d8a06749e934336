// The runs of a paper's experiments: each seed by itself, on all cores, and what they gave by name.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/reproduce/figures.hpp"
#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat {

// What one run contributes: figure name -> value.
using RunFigures = std::map<std::string, double>;

class Plan {
 public:
  Plan(std::string paper, const ReproduceOptions& options) : paper_(std::move(paper)), options_(options) {}

  int count(int otherwise) const { return options_.seeds.value_or(otherwise); }

  void add(int seeds, const std::function<RunFigures(std::uint64_t)>& work) {
    for (int i = 0; i < seeds; ++i) runs_.push_back({static_cast<long>(options_.first_seed) + i, work, {}});
  }

  void execute() {
    for_each_in_parallel(
        runs_.size(),
        [&](std::size_t i) { runs_[i].figures = runs_[i].work(static_cast<std::uint64_t>(runs_[i].seed)); },
        [&](double share) {
          if (options_.progress) options_.progress(paper_, share);
        });
  }

  std::vector<SeedValue> values(const std::string& name) const {
    std::vector<SeedValue> all;
    for (const Run& run : runs_) {
      if (const auto found = run.figures.find(name); found != run.figures.end())
        all.push_back({run.seed, found->second});
    }
    return all;
  }

  double sum(const std::string& name) const {
    double total = 0.0;
    for (const SeedValue& v : values(name)) total += v.value;
    return total;
  }

  // Of the values of all runs.
  double median_of(const std::string& name) const {
    std::vector<double> all;
    for (const SeedValue& v : values(name)) all.push_back(v.value);
    return median(std::move(all));
  }

 private:
  struct Run {
    long seed;
    std::function<RunFigures(std::uint64_t)> work;
    RunFigures figures;
  };
  std::string paper_;
  const ReproduceOptions& options_;
  std::vector<Run> runs_;
};

}  // namespace tauhat
