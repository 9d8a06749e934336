// A progress bar on a terminal, and nothing where standard error is not one.
#pragma once

#include <chrono>
#include <string>

namespace tauhat::cli {

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& stage, double share);

 private:
  bool on_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace tauhat::cli
