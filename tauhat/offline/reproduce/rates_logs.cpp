// Records that were written badly: stamps, cells and pulses.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>

#include "tauhat/offline/init/survey.hpp"
#include "tauhat/offline/log/parse_log.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/reproduce/rates.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::rates {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kPeriod = 1e-3;  // s
constexpr std::size_t kRows = 2000;

struct Row {
  double time, torque, velocity;
};
using Rows = std::vector<Row>;

// A drive under random bits of torque.
Rows record_of(std::uint64_t seed) {
  Random bits(seed, "bits"), noise(seed, "noise");
  Rows rows;
  double torque = 2.0, velocity = 0.0;
  for (std::size_t k = 0; k < kRows; ++k) {
    if (k % 5 == 0) torque = bits.bit() ? 2.0 : -2.0;
    rows.push_back({static_cast<double>(k) * kPeriod, torque, velocity + 0.05 * noise.normal()});
    velocity += kPeriod * (100.0 * torque - 5.0 * velocity);
  }
  return rows;
}

std::string text_of(const Rows& rows) {
  std::string text = "t,torque,velocity\n";
  const auto cell = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); };
  for (const Row& row : rows) text += fmt::format("{},{},{}\n", row.time, cell(row.torque), cell(row.velocity));
  return text;
}

LogSpec spec_of(const std::string& clock, std::vector<ChannelSpec> channels) {
  LogSpec spec;
  spec.time.column = clock;
  spec.channels = std::move(channels);
  return spec;
}

Log read(const Rows& rows) {
  return parse_log(text_of(rows), "log",
                   spec_of("t", {{.signal = "motor.torque", .column = "torque"},
                                 {.signal = "motor.velocity", .column = "velocity"}}));
}

using Spoil = void (*)(Rows&, Random&);

Provocation of_rows(const char* diagnostic, const char* by, Spoil spoil) {
  return {diagnostic, by, [spoil](std::uint64_t seed, bool is_provoked) {
            Rows rows = record_of(seed);
            Random random(seed, "spoiled");
            if (is_provoked) spoil(rows, random);
            return without_holes(read(rows), "motor.torque").diagnostics;
          }};
}

// A place well inside of the record.
std::size_t place(const Rows& rows, Random& random) {
  return static_cast<std::size_t>(static_cast<double>(rows.size()) * random.uniform(0.1, 0.8));
}
std::size_t number(Random& random, double least, double most) {
  return static_cast<std::size_t>(random.uniform(least, most + 1.0));
}

void clip(Rows& rows, Random& random) {
  double largest = 0.0;
  for (const Row& row : rows) largest = std::max(largest, std::abs(row.velocity));
  const double limit = largest * random.uniform(0.5, 0.8);
  for (Row& row : rows) row.velocity = std::clamp(row.velocity, -limit, limit);
}

void freeze(Rows& rows, Random& random) {
  const double value = random.uniform(-5.0, 5.0);
  for (Row& row : rows) row.velocity = value;
}

void repeat(Rows& rows, Random& random) {
  for (std::size_t i = number(random, 1, 20); i > 0; --i) {
    const auto at = rows.begin() + static_cast<std::ptrdiff_t>(place(rows, random));
    rows.insert(at, *at);
  }
}

void cut_out(Rows& rows, Random& random) {
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(place(rows, random));
  rows.erase(first, first + static_cast<std::ptrdiff_t>(number(random, 4, 50)));
}

void lose_torque(Rows& rows, Random& random) {
  const std::size_t first = place(rows, random), last = first + number(random, 12, 50);
  for (std::size_t k = first; k < last; ++k) rows[k].torque = kNothing;
}

void shake(Rows& rows, Random& random) {
  const double size = random.uniform(0.2, 0.45) * kPeriod;
  for (Row& row : rows) row.time += size * random.uniform(-1.0, 1.0);
}

void lose_cells(Rows& rows, Random& random) {
  for (std::size_t i = number(random, 1, 20); i > 0; --i) rows[place(rows, random)].velocity = kNothing;
}

void round_stamps(Rows& rows, Random& random) {
  const auto together = number(random, 2, 5);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].time = static_cast<double>(k - k % together) * kPeriod;
}

// `plot` of a file, in which a column of words may stand.
std::vector<Diagnostic> plotted(std::uint64_t seed, bool has_words) {
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("tauhat-rates-{}-{}-{}.csv", ::getpid(), seed, has_words ? "words" : "numbers");
  std::ofstream file(path);
  file << "t,torque,state\n";
  Random random(seed, "words");
  for (const Row& row : record_of(seed)) {
    const bool runs = random.bit();
    file << row.time << ',' << row.torque << ',' << (has_words ? (runs ? "run" : "idle") : (runs ? "1" : "0")) << '\n';
  }
  file.close();
  const Survey survey = survey_log(path.string());
  std::filesystem::remove(path);
  return diagnose_skipped(survey);
}

// ---- pulses

struct StampedTooth {
  double stamp;
  int count;
};
using Teeth = std::vector<StampedTooth>;

Teeth turning_wheel(std::uint64_t seed) {
  Random random(seed, "wheel");
  const double phase = random.uniform(0.0, 2.0 * std::numbers::pi);
  Teeth teeth;
  double stamp = 0.0;
  for (int k = 0; k < 500; ++k) {
    teeth.push_back({stamp, k});
    stamp += 2e-3 * (1.0 + 0.3 * std::sin(0.02 * k + phase));
  }
  return teeth;
}

Provocation of_teeth(const char* diagnostic, const char* by, void (*spoil)(Teeth&, Random&)) {
  return {diagnostic, by, [spoil](std::uint64_t seed, bool is_provoked) {
            Teeth teeth = turning_wheel(seed);
            Random random(seed, "spoiled");
            if (is_provoked) spoil(teeth, random);
            std::string text = "stamp,count\n";
            for (const StampedTooth& tooth : teeth) text += fmt::format("{},{}\n", tooth.stamp, tooth.count);
            PulseSpec wheel{.teeth = 48};
            wheel.count_column = "count";
            ChannelSpec position{.signal = "load.position", .column = "stamp"};
            position.pulses = wheel;
            return parse_log(text, "log", spec_of("stamp", {position})).diagnostics;
          }};
}

std::ptrdiff_t tooth_of(const Teeth& teeth, Random& random) {
  return static_cast<std::ptrdiff_t>(static_cast<double>(teeth.size()) * random.uniform(0.1, 0.9));
}

void swap_teeth(Teeth& teeth, Random& random) {
  for (std::size_t i = number(random, 1, 5); i > 0; --i) {
    const auto at = teeth.begin() + tooth_of(teeth, random);
    std::iter_swap(at, at + 1);
  }
}
void lose_teeth(Teeth& teeth, Random& random) {
  for (std::size_t i = number(random, 1, 5); i > 0; --i) teeth.erase(teeth.begin() + tooth_of(teeth, random));
}
void repeat_teeth(Teeth& teeth, Random& random) {
  for (std::size_t i = number(random, 1, 5); i > 0; --i) {
    const auto at = teeth.begin() + tooth_of(teeth, random);
    teeth.insert(at, *at);
  }
}

}  // namespace

std::vector<Provocation> of_logs() {
  return {of_rows("log.clipped", "a velocity cut at 50 to 80 % of its largest", clip),
          of_rows("log.constant", "a velocity of one value", freeze),
          of_rows("log.duplicate", "1 to 20 of 2000 rows written twice", repeat),
          of_rows("log.gap", "4 to 50 of 2000 rows cut out", cut_out),
          of_rows("log.hole", "12 to 50 ms of the torque's cells empty", lose_torque),
          of_rows("log.jitter", "stamps off by up to 0.2 to 0.45 of a period", shake),
          of_rows("log.missing", "1 to 20 of 2000 cells empty", lose_cells),
          of_rows("log.repeated_stamps", "a clock of 2 to 5 ms for rows of 1 ms", round_stamps),
          {"log.skipped", "a column of words in what `plot` draws", plotted},
          of_teeth("pulses.late", "1 to 5 of 500 pulses after the next one", swap_teeth),
          of_teeth("pulses.lost", "1 to 5 of 500 pulses of a counted wheel left out", lose_teeth),
          of_teeth("pulses.repeated", "1 to 5 of 500 pulses written twice", repeat_teeth)};
}

}  // namespace tauhat::rates
