#include "tauhat/offline/init/guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "tauhat/offline/init/clock_unit.hpp"
#include "tauhat/offline/init/role.hpp"
#include "tauhat/offline/log/text.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

using Kind = ColumnKind;

Kind kind_of_unit(const std::string& unit) {
  const auto parsed = parse_unit(unit);
  if (unit.empty() || !parsed) return Kind::none;
  const auto is = [&](const char* si) { return parsed->dimension == parse_unit(si)->dimension; };
  if (is("s")) return Kind::time;
  if (is("rad")) return Kind::position;
  if (is("rad/s")) return Kind::velocity;
  if (is("N m")) return Kind::torque;
  return is("A") ? Kind::current : Kind::none;
}

// Suffixes such as w_rpm, phi_deg, tau_Nm, iq_A stand for units where the header gives none.
std::string unit_by_name(const std::string& name) {
  static constexpr std::array<std::array<const char*, 2>, 18> kSuffixes{{{"rpm", "rpm"},
                                                                         {"degps", "deg/s"},
                                                                         {"dps", "deg/s"},
                                                                         {"deg", "deg"},
                                                                         {"rad", "rad"},
                                                                         {"rads", "rad/s"},
                                                                         {"radps", "rad/s"},
                                                                         {"nm", "N m"},
                                                                         {"mnm", "mN m"},
                                                                         {"amp", "A"},
                                                                         {"a", "A"},
                                                                         {"ma", "mA"},
                                                                         {"ms", "ms"},
                                                                         {"us", "us"},
                                                                         {"ns", "ns"},
                                                                         {"turns", "rev"},
                                                                         {"rev", "rev"},
                                                                         {"s", "s"}}};
  const std::vector<std::string> words = words_of(name);
  if (words.size() < 2) return {};
  for (const auto& [suffix, unit] : kSuffixes) {
    if (words.back() == suffix) return unit;
  }
  return {};
}

// The file's unit as a study says it; empty where it is none that a study knows.
std::string known_unit(const std::string& unit) {
  for (const char* turns : {"1/min", "U/min", "min-1", "min^-1", "r/min"}) {
    if (unit == turns) return "rpm";
  }
  return parse_unit(unit) ? unit : std::string();
}

bool has_word(const Survey& survey, std::string_view wanted) {
  return std::any_of(survey.columns.begin(), survey.columns.end(), [&](const SurveyedColumn& c) {
    const auto words = words_of(c.info.name);
    return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return plain_word(w) == wanted; });
  });
}

// Programs that always write the same units: joint states (position, velocity, effort) in SI, ODrive's estimates in
// turns.
std::string unit_by_convention(Kind kind, const Survey& survey) {
  if (has_word(survey, "effort"))
    return kind == Kind::position ? "rad" : kind == Kind::velocity ? "rad/s" : kind == Kind::torque ? "N m" : "";
  if (has_word(survey, "estimate")) return kind == Kind::position ? "rev" : kind == Kind::velocity ? "rev/s" : "";
  return {};
}

struct Candidate {
  const SurveyedColumn* column;
  ColumnRole role;
  std::string unit;
};

// A side that the name does not tell is taken for the motor's.
std::string signal_of(const ColumnRole& role) {
  const std::string side = role.side == GearSide::load ? "load" : "motor";
  if (role.kind == Kind::position) return side + ".position";
  if (role.kind == Kind::velocity) return side + ".velocity";
  return side + ".torque";  // a torque or a current
}

std::string range_text(const SurveyedColumn& c) {
  return c.is_constant ? fmt::format("always {:.4g}", c.first) : fmt::format("{:.4g} to {:.4g}", c.smallest, c.largest);
}

// What the file calls it, where its name does not tell.
std::string title_text(const SurveyedColumn& c) {
  return c.info.title.empty() ? "" : fmt::format(" (\"{}\")", shown(c.info.title));
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::position:
      return "a position";
    case Kind::velocity:
      return "a velocity";
    case Kind::current:
      return "a current";
    default:
      return "a torque";
  }
}

// CiA 402 has torque and current in per mille of the rated; a file that gives a unit has converted them.
bool is_per_mille(const Candidate& c) {
  const auto unit = parse_unit(c.unit);
  if (!c.unit.empty() && !(unit && unit->dimension == parse_unit("1")->dimension)) return false;
  for (const std::string& word : words_of(c.column->info.name)) {
    if (plain_word(word) == "6077" || plain_word(word) == "6078") return true;
  }
  return false;
}

// Increments, per mille and currents need a number that the log does not hold.
void describe_unit(const Candidate& c, const Survey& survey, GuessedChannel& channel) {
  channel.unit = c.unit;
  if (is_per_mille(c)) {
    channel.unit = "permille";
    if (c.unit == "%") channel.extra = ", gain = 10";
    for (const SurveyedColumn& other : survey.columns) {
      if (other.info.name.find("6076") != std::string::npos && other.is_constant) {
        channel.extra += fmt::format(", rated_torque = \"{:g} mN m\"", other.first);  // 0x6076 is in mN m
        return;
      }
    }
    channel.extra += ", rated_torque = \"TODO: rated torque of the motor (object 0x6076), such as \\\"1.27 N m\\\"\"";
  } else if (c.role.kind == Kind::current) {
    if (channel.unit.empty()) channel.unit = "A";
    channel.extra = ", torque_constant = \"TODO: torque constant of the motor, such as \\\"0.12 N m/A\\\"\"";
  } else if (channel.unit.empty() && c.role.kind == Kind::position && c.column->is_whole) {
    channel.unit = "count";
    channel.extra = ", counts_per_rev = \"TODO: increments of one turn of the encoder, such as 65536\"";
  } else if (channel.unit.empty()) {
    channel.unit = fmt::format("TODO: unit of this column, such as \\\"{}\\\"; its values are {}",
                               c.role.kind == Kind::position   ? "rad"
                               : c.role.kind == Kind::velocity ? "rpm"
                                                               : "N m",
                               range_text(*c.column));
  }
}

// The better of two columns for one signal: moving before constant, measured before commanded (a torque may be either),
// of a side that is told before one that is not, the surer name, the earlier column.
bool is_better(const Candidate& a, const Candidate& b) {
  if (a.column->is_constant != b.column->is_constant) return !a.column->is_constant;
  const bool torque = a.role.kind == Kind::torque || a.role.kind == Kind::current;
  if (a.role.is_command != b.role.is_command) return !a.role.is_command;
  if (torque && a.role.kind != b.role.kind) return a.role.kind == Kind::torque;
  const bool a_told = a.role.side != GearSide::untold, b_told = b.role.side != GearSide::untold;
  if (a_told != b_told) return a_told;
  return a.role.weight > b.role.weight;
}

const std::string& telling_name(const SurveyedColumn& column) {
  return column.info.title.empty() ? column.info.name : column.info.title;
}

// A current is the motor's; numbers count where words say nothing.
void tell_sides(std::vector<Candidate>& all) {
  std::vector<std::string> names;
  for (const Candidate& c : all) names.push_back(telling_name(*c.column));
  const std::vector<GearSide> by_number = sides_by_number(names);
  for (std::size_t i = 0; i < all.size(); ++i) {
    GearSide& side = all[i].role.side;
    if (all[i].role.kind == Kind::current)
      side = GearSide::motor;
    else if (side == GearSide::untold)
      side = by_number[i];
  }
}

std::vector<Candidate> candidates_of(const Survey& survey) {
  std::unordered_set<std::string_view> clocks;  // columns that stamp others
  for (const SurveyedColumn& column : survey.columns)
    if (!column.info.clock.empty()) clocks.insert(column.info.clock);
  std::vector<Candidate> all;
  for (const SurveyedColumn& column : survey.columns) {
    if (column.info.name.starts_with("truth.")) continue;  // what `simulate` knows and no drive does
    const std::string& name = telling_name(column);
    Candidate c{&column, role_by_name(name), known_unit(column.info.unit)};
    if (c.unit.empty()) c.unit = unit_by_name(name);
    if (c.unit.empty()) c.unit = unit_by_convention(c.role.kind, survey);
    const Kind by_unit = kind_of_unit(c.unit);
    // A unit is surer than a name, except that "current [A]" and a torque in per mille agree with both.
    if (by_unit != Kind::none) c.role.kind = by_unit, c.role.weight = std::max(c.role.weight, 3);
    if (clocks.contains(column.info.name)) c.role.kind = Kind::time;  // "speed.Time"
    all.push_back(c);
  }
  tell_sides(all);
  return all;
}

Candidate* find_time(std::vector<Candidate>& all) {
  Candidate* best = nullptr;
  for (Candidate& c : all) {
    if (!c.column->only_advances || c.role.kind != Kind::time) continue;
    if (!best || c.role.weight > best->role.weight) best = &c;
  }
  if (best) return best;
  for (Candidate& c : all) {
    // Nothing else advances by the same step all the time.
    const double expected = c.column->first + c.column->step * static_cast<double>(c.column->values.size() - 1);
    if (c.role.kind == Kind::none && c.column->only_advances && c.column->step > 0.0 && !c.column->values.empty() &&
        std::abs(expected - c.column->values.back()) < 0.02 * std::abs(c.column->values.back() - c.column->first))
      return &c;
  }
  return nullptr;
}

// Columns without a telling name: which is the slope of which?
void guess_by_behaviour(std::vector<Candidate>& all, const Candidate& time) {
  for (Candidate& position : all) {
    for (Candidate& rate : all) {
      if (&position == &rate || position.role.kind != Kind::none || rate.role.kind != Kind::none) continue;
      if (position.column->is_constant || rate.column->is_constant) continue;
      if (!is_slope_of(*rate.column, *position.column, *time.column)) continue;
      position.role = {.kind = Kind::position, .weight = 1};
      rate.role = {.kind = Kind::velocity, .weight = 1};
    }
  }
}

// In a scope's export each channel follows its own clock.
std::string own_clock(const std::vector<Candidate>& all, std::size_t at) {
  if (at == 0) return {};
  const Candidate& before = all[at - 1];
  const bool repeated = !before.column->info.title.empty();  // the same heading for each of them
  return before.role.kind == Kind::time && repeated ? before.column->info.name : std::string();
}

GuessedTime describe_time(const Candidate* time, const std::vector<Candidate>& all, const Survey& survey) {
  GuessedTime guessed;
  guessed.file_has_clocks =
      std::any_of(all.begin(), all.end(), [](const Candidate& c) { return !c.column->info.clock.empty(); });
  if (guessed.file_has_clocks || !time) return guessed;
  guessed.column = time->column->info.name;
  guessed.unit = !time->unit.empty() ? time->unit : unit_of_clock(*time->column, survey.preamble);
  const double period = clock_tick(guessed.unit).value_or(0.0) * time->column->step;
  guessed.why = fmt::format("{}{}", time->unit.empty() ? "unit guessed from its step" : "unit from the file",
                            period > 0.0 ? fmt::format("; {:.4g} Hz", 1.0 / period) : "");
  return guessed;
}

}  // namespace

Guess guess_channels(const Survey& survey) {
  std::vector<Candidate> all = candidates_of(survey);
  Candidate* time = find_time(all);
  if (time) time->role.kind = Kind::time, guess_by_behaviour(all, *time);
  Guess guess;
  guess.time = describe_time(time, all, survey);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].role.kind == Kind::none || all[i].role.kind == Kind::time) continue;
    const auto rival = std::find_if(chosen.begin(), chosen.end(),
                                    [&](std::size_t j) { return signal_of(all[j].role) == signal_of(all[i].role); });
    if (rival == chosen.end())
      chosen.push_back(i);
    else if (is_better(all[i], all[*rival]))
      *rival = i;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SurveyedColumn& column = *all[i].column;
    const bool is_clock = &all[i] == time || all[i].role.kind == Kind::time;
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) {
      if (!is_clock)
        guess.unused.push_back(fmt::format("\"{}\"{}{}: {}", column.info.name,
                                           column.info.unit.empty() ? "" : " [" + column.info.unit + "]",
                                           title_text(column), range_text(column)));
      continue;
    }
    GuessedChannel channel{signal_of(all[i].role), column.info.name, {}, own_clock(all, i), {}, {}};
    channel.why = fmt::format("looks like {}{}: {}", name_of(all[i].role.kind), title_text(column), range_text(column));
    channel.side_is_told = all[i].role.side != GearSide::untold;
    describe_unit(all[i], survey, channel);
    guess.channels.push_back(channel);
  }
  return guess;
}

}  // namespace tauhat
