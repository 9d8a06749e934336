// Powertrains whose gap is seen by the pulses of wheels: pulses that are lost, come twice or say nothing of their
// direction, and drives that are not the study's.
#include <algorithm>

#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/reproduce/limits_powertrain.hpp"
#include "tauhat/offline/reproduce/rates_subject.hpp"

namespace tauhat::rates {
namespace {

constexpr int kRecords = 40;

// The study of the limits, shorter; wheels may know their teeth.
Study shorter_study(bool knows_teeth) {
  std::string text = limits::kPowertrainStudy;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("duration = \"16 s\"", "duration = \"8 s\"");
  if (knows_teeth) replace("teeth = 48,", "teeth = 60, missing = 2,");
  return parse_study(text, "study");
}

struct Wheels {
  limits::HostilePowertrain powertrain;
  std::function<void(Log&)> spoil = [](Log&) {};
};

Wheels drawn(Random& random, bool knows_teeth) {
  const Study study = shorter_study(knows_teeth);
  Wheels wheels{{.study = study, .truth = *study.powertrain}};
  wheels.powertrain.truth.gap = random.uniform(0.05, 0.07);
  return wheels;
}

using Provoke = void (*)(Wheels&, Random&);

Said identified(const Study& study, const Log& log) { return answer_gap(study, log, {}, false).report.diagnostics; }
Said learned(const Study& study, const Log& log) { return answer_gap(study, log, {}, true).report.diagnostics; }
Provocation of_wheels(const char* diagnostic, const char* by, const Answering& answer, Provoke provoke,
                      bool knows_teeth = false) {
  return {diagnostic, by,
          [=](std::uint64_t seed, bool is_provoked) {
            Random random(seed, "drive"), size(seed, "size");
            Wheels wheels = drawn(random, knows_teeth);
            if (is_provoked) provoke(wheels, size);
            Log log = limits::powertrain_log(wheels.powertrain, seed);
            wheels.spoil(log);
            return answer(wheels.powertrain.study, log);
          },
          kRecords};
}

// The pulses of a wheel from one time until another are not there.
void silence(Log& log, const std::string& signal, double from, double to) {
  for (Channel& channel : log.channels) {
    if (channel.signal != signal) continue;
    std::vector<double> time, value;
    std::vector<int> tooth;
    for (std::size_t k = 0; k < channel.value.size(); ++k) {
      const double stamp = channel.time->at(k);
      if (stamp > from && stamp < to) continue;
      time.push_back(stamp), value.push_back(channel.value[k]), tooth.push_back(channel.tooth[k]);
    }
    channel.value = std::move(value), channel.tooth = std::move(tooth);
    channel.time = std::make_shared<const std::vector<double>>(std::move(time));
  }
}

// ---- pulses

void lose_pulses(Wheels& w, Random& random) { w.powertrain.lost = random.uniform(5e-4, 2e-3); }
void add_pulses(Wheels& w, Random& random) { w.powertrain.spurious = random.uniform(5e-4, 2e-3); }
void stop_answering(Wheels& wheels, Random& random) {
  wheels.spoil = [from = random.uniform(3.0, 6.0)](Log& log) { silence(log, "load.position", from, 1e9); };
}
void fall_silent(Wheels& w, Random& random) {
  w.spoil = [from = random.uniform(2.0, 4.0), length = random.uniform(1.5, 3.0)](Log& log) {
    for (const char* wheel : {"motor.position", "load.position"}) silence(log, wheel, from, from + length);
  };
}
void show_one_pulse(Wheels& w, Random&) {
  w.spoil = [](Log& log) { silence(log, "load.position", log.find("load.position")->time->front(), 1e9); };
}
void turn_back(Wheels& w, Random& random) { w.powertrain.study.simulation->load_velocity = random.uniform(0.5, 1.2); }
void forget_the_teeth(Wheels& w, Random&) { w.powertrain.study = shorter_study(false); }

// ---- the drive

void push_one_way(Wheels& w, Random& random) {
  for (double& level : w.powertrain.study.simulation->excitation.levels) level = random.uniform(30.0, 40.0);
}
void stop_early(Wheels& w, Random& random) { w.powertrain.study.simulation->duration = random.uniform(1.02, 1.08); }
void mistake_ratio(Wheels& w, Random& random) { w.powertrain.truth.drive.ratio *= random.uniform(1.005, 1.02); }
void soften(Wheels& w, Random& random) {
  const double gain = random.uniform(0.6, 0.8);
  w.powertrain.truth.drive.stiffness *= gain, w.powertrain.truth.drive.damping *= gain;
}

}  // namespace

std::vector<Provocation> of_powertrains() {
  return {
      of_wheels("teeth.lost", "0.05 to 0.2 % of the pulses left out", estimated, lose_pulses),
      of_wheels("teeth.spurious", "0.05 to 0.2 % of the pulses followed by another", estimated, add_pulses),
      of_wheels("teeth.resumed", "wheels that are silent for 1.5 to 3 s", estimated, fall_silent),
      of_wheels("pulses.silent", "a wheel of the load that stops to answer after 3 to 6 s", identified, stop_answering),
      of_wheels("teeth.not_learned", "a wheel without missing teeth and without a count", learned, forget_the_teeth,
                true),
      of_wheels("pulses.reversal", "a start at 0.5 to 1.2 rad/s instead of 10 rad/s", estimated, turn_back),
      of_wheels("start.missing", "a wheel of the load that gives one pulse", estimated, show_one_pulse),
      of_wheels("excitation.one_sided", "a powertrain whose command never brakes", identified, push_one_way),
      of_wheels("model.untried", "a duration of 1.02 to 1.08 s", identified, stop_early),
      of_wheels("model.misfit", "a powertrain's ratio 0.5 to 2 % off", identified, mistake_ratio),
      of_wheels("model.suspect", "a powertrain's shaft 20 to 40 % softer", identified, soften)};
}

}  // namespace tauhat::rates
