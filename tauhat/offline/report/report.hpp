// What a command found: numbers with their uncertainty, verdicts, diagnostics, and the plots that show them.
// One value with three forms: text for the terminal, JSON for programs, one HTML file for people.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"
#include "tauhat/offline/report/identifiability.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {

// One number in SI units.
struct Result {
  std::string name{};
  double value = 0.0;
  std::optional<double> std{};
  std::optional<std::array<double, 2>> ci95{};
  std::string unit{};
  std::string note{};                         // shown beside it: "at the load side", "lower bound only"
  std::optional<UncertaintyBudget> budget{};  // where the std comes from
  std::optional<Identifiability> identifiability{};
  // The same with the random walk of the unknown 0.3 and 3 times as fast, where the answer may depend on it.
  std::optional<std::array<double, 2>> at_other_intensities{};

  // A reproduced figure also carries these.
  struct Reproduction {
    std::optional<double> limit{};
    bool at_most = true;  // the sense of the limit
    std::optional<double> published{};
    int seeds = 0;
    std::optional<long> worst_seed{};
    bool passed = true;
  };
  std::optional<Reproduction> reproduction{};
};

enum class Conformity { conforming, nonconforming, inconclusive };

struct Verdict {
  std::string name{};
  Conformity verdict = Conformity::inconclusive;
  std::string limit{};  // as the study says it: "<= 3 arcmin"
  std::string reason{};
};

struct Series {
  enum class Kind { line, markers, band, bars };
  Kind kind = Kind::line;
  std::string name{};
  std::vector<double> x{}, y{};
  std::vector<double> upper{};        // band: y is its lower edge; bars: what reaches so far above and below
  std::vector<std::string> labels{};  // bars only: what each stands for, instead of x
  bool dashed = false;
  bool hidden = false;         // drawn only after a click on its legend entry
  bool is_time_series = true;  // x only advances; else the curve may turn back
};

struct Plot {
  std::string title{}, x_label{}, y_label{};
  std::string caption{};  // what to look for, one sentence
  std::vector<Series> series{};
  bool logarithmic_x = false;  // frequencies
};

struct Table {
  std::string title{};
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> rows{};
};

struct Section {
  std::string title{}, text{};
  std::vector<Plot> plots{};
  std::vector<Table> tables{};
};

// A page to sign: what was tested, with what, and what came out.
struct Certificate {
  std::string part{}, date{}, tested_by{};  // empty: a line to fill in by hand
  struct File {
    std::string name, sha256;
  };
  std::vector<File> files{};  // the logs, so that nobody can exchange them
};

struct Report {
  std::string command{};   // "identify"
  std::string title{};     // "Backlash of axis2.toml from run3.csv"
  std::string headline{};  // the answer in one sentence
  std::vector<Result> results{};
  std::vector<Verdict> verdicts{};
  std::vector<Diagnostic> diagnostics{};
  std::vector<Section> sections{};
  std::optional<Certificate> certificate{};
  std::vector<std::array<std::string, 2>> assumptions{};  // "load.inertia", "0.0235 kg m^2 +- 5e-5"
};

const char* name_of(Conformity) noexcept;

// How people say a value in SI: 0.00087 rad -> "2.99 arcmin". Empty where SI is what they say.
std::string spoken(double value, const std::string& unit);

std::string to_text(const Report&, bool colour = false);  // aligned table, verdicts, diagnostics
std::string to_json(const Report&);                       // the fixed form, see docs
std::string to_html(const Report&);                       // one file, works offline, prints well

}  // namespace tauhat
