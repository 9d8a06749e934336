#include "tauhat/offline/init/role.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace tauhat {
namespace {

using Kind = ColumnKind;

struct Word {
  std::string_view text;
  Kind kind;
  int weight;
};

// A word counts when it stands alone ("w") or, from four letters on, inside another ("actualvelocity"). CiA 402 objects
// by their index.
constexpr std::array kWords{Word{"time", Kind::time, 3},         Word{"t", Kind::time, 2},
                            Word{"zeit", Kind::time, 3},         Word{"timestamp", Kind::time, 3},
                            Word{"stamp", Kind::time, 3},        Word{"sec", Kind::time, 2},
                            Word{"secs", Kind::time, 2},         Word{"position", Kind::position, 3},
                            Word{"pos", Kind::position, 3},      Word{"angle", Kind::position, 3},
                            Word{"winkel", Kind::position, 3},   Word{"lage", Kind::position, 2},
                            Word{"theta", Kind::position, 3},    Word{"phi", Kind::position, 3},
                            Word{"q", Kind::position, 2},        Word{"enc", Kind::position, 2},
                            Word{"encoder", Kind::position, 2},  Word{"6064", Kind::position, 4},
                            Word{"velocity", Kind::velocity, 3}, Word{"vel", Kind::velocity, 3},
                            Word{"velo", Kind::velocity, 3},     Word{"speed", Kind::velocity, 3},
                            Word{"drehzahl", Kind::velocity, 3}, Word{"omega", Kind::velocity, 3},
                            Word{"w", Kind::velocity, 2},        Word{"dq", Kind::velocity, 2},
                            Word{"qd", Kind::velocity, 2},       Word{"rpm", Kind::velocity, 2},
                            Word{"606c", Kind::velocity, 4},     Word{"geschwindigkeit", Kind::velocity, 3},
                            Word{"torque", Kind::torque, 3},     Word{"tau", Kind::torque, 3},
                            Word{"trq", Kind::torque, 3},        Word{"drehmoment", Kind::torque, 3},
                            Word{"moment", Kind::torque, 2},     Word{"effort", Kind::torque, 3},
                            Word{"6077", Kind::torque, 4},       Word{"current", Kind::current, 3},
                            Word{"iq", Kind::current, 3},        Word{"strom", Kind::current, 3},
                            Word{"amps", Kind::current, 3},      Word{"6078", Kind::current, 4}};

constexpr std::array<std::string_view, 5> kMotorWords{"motor", "mot", "rotor", "input", "antrieb"};
constexpr std::array<std::string_view, 11> kLoadWords{"load",   "arm", "link",      "output", "abtrieb", "last",
                                                      "second", "ext", "secondary", "out",    "se"};
constexpr std::array<std::string_view, 14> kCommandWords{"cmd",      "command", "ref",  "reference", "set",
                                                         "setpoint", "soll",    "des",  "desired",   "target",
                                                         "demand",   "goal",    "607a", "60ff"};

// What may be grown together with a quantity: "wm", "posload", "motorpos". A lone letter stands behind it.
struct Affix {
  std::string_view text;
  GearSide side;
};
constexpr std::array kAffixes{Affix{"motor", GearSide::motor}, Affix{"mot", GearSide::motor},
                              Affix{"m", GearSide::motor},     Affix{"load", GearSide::load},
                              Affix{"link", GearSide::load},   Affix{"out", GearSide::load},
                              Affix{"l", GearSide::load}};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_number(const std::string& word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_digit); }

std::string without_digits(std::string word) {
  while (!word.empty() && is_digit(word.back())) word.pop_back();
  return word;
}

const Word* find_word(std::string_view text) {
  const auto* const found = std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.text == text; });
  return found == kWords.end() ? nullptr : found;
}

// A quantity of the drive, and no clock: "tm" and "t1" may be anything.
bool is_quantity(std::string_view text) {
  const Word* const word = find_word(text);
  return word && word->kind != Kind::time;
}

struct Stem {
  std::string text;
  GearSide side = GearSide::untold;
};

// "wm" -> w of the motor; "w1" -> w.
Stem stem_of(const std::string& word) {
  if (find_word(word)) return {word};
  if (const std::string stem = without_digits(word); is_quantity(stem)) return {stem};
  for (const auto& [affix, side] : kAffixes) {
    if (word.size() <= affix.size()) continue;
    if (word.ends_with(affix) && is_quantity(word.substr(0, word.size() - affix.size())))
      return {word.substr(0, word.size() - affix.size()), side};
    if (affix.size() > 1 && word.starts_with(affix) && is_quantity(word.substr(affix.size())))
      return {word.substr(affix.size()), side};
  }
  return {plain_word(word)};
}

template <class List>
bool contains_any(const std::vector<std::string>& words, const List& list) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(list.begin(), list.end(), plain_word(word)) != list.end();
  });
}

// A letter alone; the m of "N m" is a unit.
bool has_letter(const std::vector<std::string>& words, const char* letter) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == letter && (i == 0 || words[i - 1] != "n")) return true;
  }
  return false;
}

// Whole words are surer than what is grown together, and that than a letter: "load_pos_m" is the load's, in metres.
GearSide side_of(const std::vector<std::string>& words) {
  if (contains_any(words, kMotorWords)) return GearSide::motor;
  if (contains_any(words, kLoadWords)) return GearSide::load;
  for (const std::string& word : words) {
    if (const GearSide side = stem_of(word).side; side != GearSide::untold) return side;
  }
  const bool motor = has_letter(words, "m"), load = has_letter(words, "l");
  if (motor == load) return GearSide::untold;
  return motor ? GearSide::motor : GearSide::load;
}

// The number behind the quantity, and the name without it.
struct Numbered {
  std::string rest, number;
};

std::optional<Numbered> numbered(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  Numbered found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string stem = without_digits(words[i]);
    const bool here = found.number.empty() && is_quantity(stem) && stem != words[i];
    const bool before = found.number.empty() && i > 0 && is_quantity(words[i - 1]) && is_number(words[i]);
    if (here) found.number = words[i].substr(stem.size());
    if (before) found.number = words[i];
    found.rest += before ? "" : (here ? stem : words[i]) + " ";
  }
  return found.number.empty() ? std::nullopt : std::optional(found);
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (const char c : name) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    const bool boundary =
        letter && std::isupper(static_cast<unsigned char>(c)) && std::islower(static_cast<unsigned char>(before));
    if ((!letter || boundary) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    before = c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string plain_word(std::string word) {
  if (word.starts_with("0x")) return word.substr(2);
  if (word.size() == 5 && word.back() == 'h' && is_digit(word.front())) return word.substr(0, 4);
  while (word.size() > 2 && is_digit(word.back()) && !is_digit(word.front())) word.pop_back();
  return word;
}

ColumnRole role_by_name(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  ColumnRole role;
  for (const std::string& raw : words) {
    const std::string word = stem_of(raw).text;
    for (const Word& known : kWords) {
      const bool same = word == known.text,
                 inside = known.text.size() >= 4 && word.find(known.text) != std::string::npos;
      if ((same || inside) && known.weight > role.weight) role.kind = known.kind, role.weight = known.weight;
    }
  }
  // "i_q" is the current along q, and no position q.
  const std::array<std::string_view, 2> torque_current{"i", "q"};
  if (std::search(words.begin(), words.end(), torque_current.begin(), torque_current.end()) != words.end())
    role.kind = Kind::current, role.weight = std::max(role.weight, 3);
  role.side = side_of(words);
  role.is_command = contains_any(words, kCommandWords);
  return role;
}

std::vector<GearSide> sides_by_number(const std::vector<std::string>& names) {
  std::map<std::string, std::set<std::string>> numbers;  // by the rest of the name
  for (const std::string& name : names) {
    if (const auto found = numbered(name)) numbers[found->rest].insert(found->number);
  }
  const std::set<std::string> pair{"1", "2"};
  std::vector<GearSide> sides;
  for (const std::string& name : names) {
    const auto found = numbered(name);
    const bool paired = found && numbers[found->rest] == pair;
    sides.push_back(!paired ? GearSide::untold : found->number == "1" ? GearSide::motor : GearSide::load);
  }
  return sides;
}

}  // namespace tauhat
