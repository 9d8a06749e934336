// Reading a five-column log of about 50 MB from a file, beside what one writes in an afternoon: getline and
// strtod.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tauhat/offline/log/csv.hpp"

namespace {

constexpr std::size_t kBytes = 50'000'000;
constexpr int kColumns = 5;

// Six to nine digits a number, as drives write them; "%.17g" shows the exact fallback's cost.
std::string log_text(bool all_digits) {
  std::string text = "time,motor_position,motor_velocity,motor_current,load_position\n";
  text.reserve(kBytes + 1000);
  for (long k = 0; text.size() < kBytes; ++k) {
    const double t = 5e-4 * static_cast<double>(k);
    const double position = 3.0 * std::sin(1.7 * t), velocity = 5.1 * std::cos(1.7 * t);
    const double current = 0.8 * std::sin(11.0 * t) + 0.05 * std::sin(1234.5 * t), load = position / 31.0;
    if (all_digits)
      fmt::format_to(std::back_inserter(text), "{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", t, position, velocity,
                     current, load);
    else
      fmt::format_to(std::back_inserter(text), "{:.4f},{:.7f},{:.6f},{:.5f},{:.8e}\n", t, position, velocity, current,
                     load);
  }
  return text;
}

class LogFile {
 public:
  explicit LogFile(bool all_digits)
      : path_(std::filesystem::temp_directory_path() / (all_digits ? "tauhat_bench_17.csv" : "tauhat_bench.csv")) {
    std::ofstream(path_, std::ios::binary) << log_text(all_digits);
  }
  ~LogFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }
  std::int64_t bytes() const { return static_cast<std::int64_t>(std::filesystem::file_size(path_)); }

 private:
  std::filesystem::path path_;
};

const LogFile& log_file(bool all_digits) {
  static const LogFile short_numbers(false), long_numbers(true);
  return all_digits ? long_numbers : short_numbers;
}

void ReadCsv(benchmark::State& state) {
  const LogFile& file = log_file(state.range(0) != 0);
  for (auto _ : state) benchmark::DoNotOptimize(tauhat::read_csv(file.path()));
  state.SetBytesProcessed(state.iterations() * file.bytes());
}

void GetlineStrtod(benchmark::State& state) {
  const LogFile& file = log_file(state.range(0) != 0);
  for (auto _ : state) {
    std::vector<std::vector<double>> columns(kColumns);
    std::ifstream stream(file.path());
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line)) {
      const char* cell = line.c_str();
      for (std::vector<double>& column : columns) {
        char* end = nullptr;
        column.push_back(std::strtod(cell, &end));
        cell = end + 1;
      }
    }
    benchmark::DoNotOptimize(columns);
  }
  state.SetBytesProcessed(state.iterations() * file.bytes());
}

BENCHMARK(ReadCsv)->ArgName("all_digits")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(GetlineStrtod)->ArgName("all_digits")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
