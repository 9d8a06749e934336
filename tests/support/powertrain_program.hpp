// The program on a powertrain: its study, records of its wheels' events, and how near an estimate is to the truth.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {

class PowertrainProgram : public Program {
 protected:
  std::string study() const { return (source_dir() / "studies/powertrain/powertrain.toml").string(); }

  // One row an event: stamp, sensor, count, command.
  void write_events(int seed) const {
    ASSERT_EQ(run("describe powertrain --study > " + path("p.toml")).code, 0);
    ASSERT_EQ(run("simulate " + path("p.toml") + " -o " + path("p.csv") + " --seed " + std::to_string(seed)).code, 0);
  }

  // The study with one text replaced.
  void write_study(const std::string& name, const std::string& from, const std::string& to) const {
    write_changed(name, study(), from, to);
  }

  // The study of events with a cascade, for which gap and offset are known.
  void write_cascade(const std::string& name, const std::string& from, const std::string& kind = kCascade) const {
    write_changed(name, from, "{ value = \"60 mrad\", std = \"20 mrad\" }", "\"60 mrad\"\nbacklash.offset = 0");
    write_changed(name, path(name), "kind = \"ekf\"", kind);
  }
  static constexpr const char* kCascade = "kind = \"cascade\"\nspeed = \"12 rad/s\"";

  Cells cells(const std::string& name) const { return parse_cells(read(name)); }
  void write_cells(const std::string& name, const Cells& all) const { write(name, to_text(all)); }

  struct Row {
    double time, position, mode;
  };
  // The truth's rows, or the estimate's.
  std::vector<Row> rows(const std::string& name, const std::string& prefix) const {
    const Cells all = cells(name);
    const std::size_t position = all.place(prefix + "backlash.position"), mode = all.place(prefix + "backlash.mode");
    std::vector<Row> found;
    for (const auto& row : all.rows)
      if (row.size() > std::max(position, mode) && !row[mode].empty())
        found.push_back({std::stod(row[0]), std::stod(row[position]), std::stod(row[mode])});
    return found;
  }

  // What an estimate says of a signal, with its deviation, beside the truth of each of the log's rows between two
  // instants.
  template <class Look>
  void compare(const std::string& estimate, const std::string& log, const std::string& signal, double from, double to,
               const Look& look) const {
    const Cells said = cells(estimate), truth = cells(log);
    const auto time = said.column("time"), value = said.column(signal), std = said.column(signal + ".std");
    const auto true_time = truth.column("time"), true_value = truth.column("truth." + signal);
    std::size_t k = 0;
    for (std::size_t i = 0; i < true_time.size(); ++i) {
      if (!(true_time[i] >= from && true_time[i] <= to) || std::isnan(true_value[i])) continue;
      while (k + 1 < time.size() && time[k + 1] <= true_time[i]) ++k;
      if (!std::isnan(value[k])) look(value[k] - true_value[i], std[k]);
    }
  }

  // Share of it that lies within two deviations of the truth.
  double share_held(const std::string& estimate, const std::string& log, const std::string& signal, double from,
                    double to) const {
    double held = 0.0, all = 0.0;
    compare(estimate, log, signal, from, to,
            [&](double error, double std) { all += 1.0, held += std::abs(error) <= 2.0 * std; });
    return all > 0.0 ? held / all : 1.0;
  }
  double rms_error(const std::string& estimate, const std::string& log, const std::string& signal, double from) const {
    double square = 0.0, all = 0.0;
    compare(estimate, log, signal, from, 1e9, [&](double error, double) { all += 1.0, square += error * error; });
    return std::sqrt(square / all);
  }

  // Share of the truth's rows after `from` whose mode is right, and the rms error of the position.
  struct Score {
    double accuracy, rms;
  };
  Score score(const std::string& estimate, const std::string& log, double from, double to = 1e9) const {
    const auto said = rows(estimate, "");
    std::size_t k = 0;
    double right = 0.0, all = 0.0, square = 0.0;
    for (const Row& truth : rows(log, "truth.")) {
      if (truth.time < from || truth.time > to) continue;
      while (k + 1 < said.size() && said[k + 1].time <= truth.time) ++k;
      all += 1.0, right += said[k].mode == truth.mode;
      square += (said[k].position - truth.position) * (said[k].position - truth.position);
    }
    return {right / all, std::sqrt(square / all)};
  }
};

}  // namespace tauhat
