// How the provocations of a part are put together: a study and its simulated record, and what spoils them.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "tauhat/offline/identify/estimation.hpp"
#include "tauhat/offline/reproduce/rates.hpp"
#include "tauhat/offline/simulate/random.hpp"
#include "tauhat/offline/simulate/simulated_log.hpp"
#include "tauhat/offline/simulate/simulated_study.hpp"

namespace tauhat::rates {

// What is simulated, what the study makes of it, and what happens to the log in between.
struct Subject {
  Study truth, believed;
  std::function<void(Log&)> spoil = [](Log&) {};

  explicit Subject(const char* text) : truth(parse_study(text, "study")), believed(truth) {}
};

using Said = std::vector<Diagnostic>;

// Drawn for both kinds of records, then what provokes.
using Draw = std::function<void(Subject&, Random&)>;
using Answering = std::function<Said(const Study&, const Log&)>;

inline Log log_of(const Subject& subject, std::uint64_t seed) {
  Log log = simulated_log(subject.truth, simulate_study(subject.truth, seed).data);
  subject.spoil(log);
  return log;
}

// The study's channel of a signal, and its sensor in the simulation.
inline StudyChannel& channel_in(Study& study, const std::string& signal) {
  return *std::find_if(study.channels.begin(), study.channels.end(),
                       [&](const StudyChannel& channel) { return channel.spec.signal == signal; });
}
inline Sensor& sensor_in(Study& study, const std::string& signal) {
  auto& sensors = study.simulation->sensors;
  return *std::find_if(sensors.begin(), sensors.end(), [&](const Sensor& sensor) { return sensor.output == signal; });
}

// What `estimate` says, refusals and all.
inline Said estimated(const Study& study, const Log& log) {
  Estimation estimation = estimate(study, log, false);
  Said said = std::move(estimation.diagnostics);
  said.insert(said.end(), estimation.refusals.begin(), estimation.refusals.end());
  return said;
}

// The values of a channel, changed and looked at anew.
inline void change_values(Log& log, const std::string& signal,
                          const std::function<void(std::vector<double>&)>& change) {
  for (Channel& channel : log.channels) {
    if (channel.signal != signal) continue;
    std::vector<double> values = std::move(channel.value);
    change(values);
    channel = channel_of(signal, channel.time, std::move(values));
  }
}

// A part's own: what is drawn for all of its records, and who answers.
struct Part {
  const char* study;
  Draw vary;
  Answering answer;

  Provocation operator()(const char* diagnostic, const char* by, const Draw& provoke, int records = 100) const {
    return {diagnostic, by,
            [part = *this, provoke](std::uint64_t seed, bool is_provoked) {
              Subject subject(part.study);
              Random place(seed, "place"), size(seed, "size");
              part.vary(subject, place);
              if (is_provoked) provoke(subject, size);
              return part.answer(subject.believed, log_of(subject, seed));
            },
            records};
  }
};

}  // namespace tauhat::rates
