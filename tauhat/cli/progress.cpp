#include "tauhat/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tauhat::cli {

Progress::Progress() : on_terminal_(::isatty(STDERR_FILENO) == 1), last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(const std::string& stage, double share) {
  if (!on_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && now - last_ < std::chrono::milliseconds(100) && share < 1.0) return;
  last_ = now;
  drawn_ = true;
  constexpr int kWidth = 40;
  const int filled = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
  fmt::print(stderr, "\r\033[K{:<12} [{:<40}] {:3.0f} %", stage, std::string(static_cast<std::size_t>(filled), '='),
             100.0 * share);
  std::fflush(stderr);
}

}  // namespace tauhat::cli
