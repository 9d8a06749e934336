// Friction of a positioning axis by regression, where the axis has more in it than mass, viscous and Coulomb friction.
#include <cmath>

#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/reproduce/limits_axis.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"

namespace tauhat::limits {
namespace {

constexpr double kTravel = 0.15;  // m, of the longest move

Answer answer_to(const HostileAxis& axis, std::uint64_t seed) {
  Study study = axis_study();
  for (StudyChannel& channel : study.channels) {
    if (channel.spec.signal == "axis.force") channel.gain_std = axis.force_gain_std;
  }
  const Report report = answer_friction(study, axis_log(axis, seed));
  return {report.results, report.diagnostics, {}};
}

using Misfits = std::vector<Misfit<HostileAxis>>;

Misfits misfits_of_the_force() {
  return {{"force gain", {{"+2 %", 1.02}}, [](HostileAxis& a, double gain) { a.force_gain = gain; }},
          {"force gain, with its std in the study",
           {{"+2 %, std 2 %", 0.02}},
           [](HostileAxis& a, double share) { a.force_gain = 1.0 + share, a.force_gain_std = share; }},
          {"force late",
           {{"1 ms", 1e-3}, {"5 ms", 5e-3}},
           [](HostileAxis& a, double delay) { a.force_late = static_cast<int>(std::lround(delay / kAxisPeriod)); }},
          {"coloured noise", {{"10 ms", 10e-3}, {"60 ms", 60e-3}}, [](HostileAxis& a, double memory) {
             a.noise_memory = memory;
           }}};
}

Misfits misfits_of_friction() {
  return {
      {"Stribeck bump",
       {{"10 % of Coulomb", 0.1}, {"50 % of Coulomb", 0.5}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const AxisInstant& at) {
           return share * kAxisCoulomb * direction_of(at) * std::exp(-std::abs(at.velocity) / 0.02);
         };
       }},
      {"friction that bends",
       {{"10 % of viscous", 0.1}, {"30 % of viscous", 0.3}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const AxisInstant& at) {
           return -share * kAxisViscous * at.velocity * std::abs(at.velocity) / 0.25;
         };
       }},
      {"more friction in one direction",
       {{"5 % of viscous", 0.05}, {"20 % of viscous", 0.2}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const AxisInstant& at) {
           return at.velocity > 0.0 ? share * kAxisViscous * at.velocity : 0.0;
         };
       }},
      {"friction under load",
       {{"2 %", 0.02}, {"10 %", 0.1}},
       [](HostileAxis& a, double share) {
         a.beside = [share](const AxisInstant& at) {
           return share * std::abs(kAxisMass * at.acceleration) * direction_of(at);
         };
       }},
      {"friction that warms up",
       {{"-10 %", -0.1}, {"-30 %", -0.3}},
       [](HostileAxis& a, double change) {
         a.beside = [change, duration = duration_of(a)](const AxisInstant& at) {
           return change * at.time / duration * (kAxisViscous * at.velocity + kAxisCoulomb * direction_of(at));
         };
       }},
      {"force of the position", {{"5 % of Coulomb", 0.05}, {"20 % of Coulomb", 0.2}}, [](HostileAxis& a, double share) {
         a.beside = [share](const AxisInstant& at) {
           return share * kAxisCoulomb * std::sin(20.0 * at.position / kTravel);
         };
       }}};
}

Misfits misfits_of_the_sensors() {
  return {
      {"quantisation", {{"10 um", 1e-5}, {"100 um", 1e-4}}, [](HostileAxis& a, double step) { a.resolution = step; }},
      {"jitter", {{"50 % of a period", 0.5}}, [](HostileAxis& a, double share) { a.jitter = share; }},
      {"dropouts", {{"2 %", 0.02}}, [](HostileAxis& a, double share) { a.dropout = share; }}};
}

}  // namespace

std::vector<Cell> friction_cells() {
  Misfits misfits;
  for (const Misfits& group : {misfits_of_the_force(), misfits_of_friction(), misfits_of_the_sensors()})
    misfits.insert(misfits.end(), group.begin(), group.end());
  std::vector<Cell> cells;
  add_cells("friction, by regression", HostileAxis{},
            {{"axis.mass", kAxisMass}, {"friction.viscous", kAxisViscous}, {"friction.coulomb", kAxisCoulomb}},
            answer_to, misfits, cells);
  return cells;
}

}  // namespace tauhat::limits
