// Estimates in CSV, as `estimate` and `stream` both write them: time, then <output> and <output>.std.
#pragma once

#include <string_view>
#include <vector>

#include "tauhat/cli/csv_text.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/rounded_number.hpp"

namespace tauhat::cli {

// `suffix` ".lagged": those that use the samples of a lag, too.
inline void append_names(std::string& text, const std::vector<OutputInfo>& outputs, std::string_view suffix = "") {
  for (const OutputInfo& output : outputs)
    fmt::format_to(std::back_inserter(text), ",{0}{1},{0}{1}.std", output.name, suffix);
}

// Digits that no sensor has. A standard deviation is known to a per cent at best.
inline constexpr int kValueDigits = 12, kDeviationDigits = 6;

// `estimate(i, value, std)` gives that of output i. What is unknown is an empty cell.
template <class Estimate>
void append_estimates(std::string& text, std::size_t outputs, Estimate&& estimate) {
  const std::size_t begin = text.size();
  text.resize(begin + 2 * outputs * (1 + kLongestRounded));
  char* to = text.data() + begin;
  double value = 0.0, std = 0.0;
  for (std::size_t i = 0; i < outputs; ++i) {
    estimate(i, value, std);
    *to++ = ',';
    to = write_rounded(to, value, kValueDigits);
    *to++ = ',';
    to = write_rounded(to, std, kDeviationDigits);
  }
  text.resize(static_cast<std::size_t>(to - text.data()));
}

// In pieces: the text of a long log is larger than all else that is in memory.
inline void write_estimates(const std::string& path, const std::vector<double>& time,
                            const std::vector<OutputInfo>& outputs, const std::vector<Track>& tracks,
                            const std::vector<Track>& lagged) {
  constexpr std::size_t kPiece = 1 << 18;
  WholeFile file(path);
  std::string text = "time";
  append_names(text, outputs);
  if (!lagged.empty()) append_names(text, outputs, ".lagged");
  text += '\n';
  for (std::size_t k = 0; k < time.size(); ++k) {
    append_number(text, time[k]);
    for (const auto* all : {&tracks, &lagged}) {
      append_estimates(text, all->size(), [&](std::size_t i, double& value, double& std) {
        value = (*all)[i].value[k], std = (*all)[i].std[k];
      });
    }
    text += '\n';
    if (text.size() < kPiece) continue;
    file.append(text);
    text.clear();
  }
  file.append(text);
  file.finish();
}

}  // namespace tauhat::cli
