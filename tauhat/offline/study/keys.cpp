#include "tauhat/offline/study/keys.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", text->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{:g}", number->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return node.is_table() ? "a table" : node.is_array() ? "an array" : "a date";
}

bool is_value_table(const toml::node& node) {
  const auto* table = node.as_table();
  return table && (table->contains("value") || table->contains("std"));
}

// "in kg m^2"; nothing where there is no unit.
std::string in_unit(std::string_view unit) { return unit == "1" ? "" : fmt::format(" in {}", unit); }

// The number of "12 V/krpm" in SI; `refuse` says why it is none, or not of `unit`'s kind.
template <typename Refuse>
double in_si(const std::string& text, std::string_view unit, const Refuse& refuse) {
  const auto quantity = parse_quantity(text);
  if (!quantity) {
    const std::string nearest = nearest_unit(text);
    refuse(fmt::format("is not a number with a unit such as \"1 {}\"{}", unit == "1" ? "%" : unit,
                       nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
    return std::nan("");
  }
  if (!quantity->unit) return quantity->number;
  const auto wanted = parse_unit(unit == "1" ? "" : unit);
  if (wanted && !(quantity->unit->dimension == wanted->dimension))
    refuse(fmt::format("has the wrong unit; give it in {}", unit == "1" ? "plain numbers" : unit));
  return quantity->number * quantity->unit->scale;
}

}  // namespace

std::string allowed_text(const Range& range, std::string_view unit) {
  if (range.lower == 0.0 && std::isinf(range.upper))
    return range.lower_included ? "must not be negative" : "must be positive";
  if (std::isinf(range.lower) && std::isinf(range.upper)) return "must be a finite number";
  const std::string suffix = unit == "1" ? "" : fmt::format(" {}", unit);
  return fmt::format("must be {} {:g} and at most {:g}{}", range.lower_included ? "at least" : "above", range.lower,
                     range.upper, suffix);
}

Keys::Keys(std::string file, std::string path, const toml::table& table, const std::string& except)
    : file_(std::move(file)), path_(std::move(path)) {
  if (table.is_inline()) own_line_ = static_cast<int>(table.source().begin.line);
  flatten(table, "", except);
}

void Keys::flatten(const toml::table& table, const std::string& prefix, const std::string& except) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (name == except) continue;
    const auto* inner = node.as_table();
    if (inner && !is_value_table(node) && !inner->empty()) {
      if (inner->is_inline()) inline_tables_[name] = inner;
      flatten(*inner, name + ".", except);
    } else {
      add(name, node);
    }
  }
}

// "a.b" = 1 and a.b = 1 are different keys to TOML, and one name here.
void Keys::add(const std::string& name, const toml::node& node) {
  const auto [place, is_new] = nodes_.emplace(name, &node);
  if (!is_new)
    fail(name, fmt::format(" is given twice, here and in line {}: keep one of them", node.source().begin.line));
}

// { std = 1 } may be a value with its uncertainty, or several keys of which one is called std: who asks knows.
void Keys::open_value_table(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return;
  const std::string parent = name.substr(0, dot);
  const auto found = nodes_.find(parent);
  if (found == nodes_.end() || asked_.contains(parent) || !is_value_table(*found->second)) return;
  const toml::table& table = *found->second->as_table();
  nodes_.erase(found);
  if (table.is_inline()) inline_tables_[parent] = &table;
  flatten(table, parent + ".", "");
}

bool Keys::has(const std::string& name) {
  if (!nodes_.contains(name)) open_value_table(name);
  asked_.insert(name);
  return nodes_.contains(name);
}

int Keys::line(const std::string& name) const {
  for (const auto* known : {&nodes_, &inline_tables_}) {
    const auto found = known->find(name);
    if (found != known->end()) return static_cast<int>(found->second->source().begin.line);
  }
  const std::size_t parent = name.find_last_of(".[");
  return parent == std::string::npos ? own_line_ : line(name.substr(0, parent));
}

void Keys::fail(const std::string& name, const std::string& what) const {
  const std::string full = path_.empty() ? name : fmt::format("{}.{}", path_, name);
  const int at = line(name);
  const std::string place = at > 0 ? fmt::format("{}:{}", file_, at) : file_;
  throw Error(ExitCode::wrong_use, fmt::format("{}: {}{}", place, full, what));
}

const toml::node& Keys::need(const std::string& name, const std::string& expected) {
  if (has(name)) return *nodes_[name];
  std::vector<std::string> not_asked;
  for (const auto& [given, node] : nodes_) {
    if (!asked_.contains(given) && !known_.contains(given)) not_asked.push_back(given);
  }
  const std::string nearest = nearest_name(name, not_asked);
  fail(name, fmt::format(" is missing: give {}{}", expected,
                         nearest.empty() ? "" : fmt::format("; is \"{}\" in line {} meant?", nearest, line(nearest))));
}

double Keys::convert(const toml::node& node, const std::string& name, std::string_view unit, const Range& range) const {
  double value = std::nan("");
  if (const auto number = node.value<double>(); number && !node.is_string()) {
    value = *number;
  } else if (const auto* text = node.as_string()) {
    value = in_si(text->get(), unit, [&](const std::string& what) { fail(name, " = " + shown(node) + ": " + what); });
  } else {
    fail(name, fmt::format(" = {}: must be a number{} or a text with its unit", shown(node), in_unit(unit)));
  }
  if (!range.contains(value)) {
    const std::string si = unit == "1" ? fmt::format("{:g}", value) : fmt::format("{:g} {}", value, unit);
    const bool is_said = std::isfinite(value) || !std::isinf(range.upper) || std::isinf(range.lower);
    fail(name, fmt::format(" = {}: {}{}", si, allowed_text(range, unit), is_said ? "" : " and finite"));
  }
  return value;
}

double Keys::number(const std::string& name, std::string_view unit, const Range& range) {
  return convert(need(name, "a number" + in_unit(unit)), name, unit, range);
}

double Keys::number(const std::string& name, std::string_view unit, const Range& range, double otherwise) {
  return has(name) ? number(name, unit, range) : otherwise;
}

long Keys::whole(const std::string& name, const Range& range, std::string_view of) {
  const double value = number(name, "1", range);
  if (value != std::floor(value))
    fail(name, fmt::format(" = {}: must be a whole number{}{}", value, of.empty() ? "" : " ", of));
  return static_cast<long>(value);
}

long Keys::whole(const std::string& name, const Range& range, long otherwise, std::string_view of) {
  return has(name) ? whole(name, range, of) : otherwise;
}

UncertainValue Keys::uncertain(const std::string& name, std::string_view unit, const Range& range) {
  return convert_uncertain(need(name, fmt::format("a number{}, or {{ value = ..., std = ... }}", in_unit(unit))), name,
                           unit, range);
}

UncertainValue Keys::convert_uncertain(const toml::node& node, const std::string& name, std::string_view unit,
                                       const Range& range) const {
  const auto* table = node.as_table();
  if (!table) return {convert(node, name, unit, range), 0.0};
  UncertainValue result;
  for (const auto& [key, inner] : *table) {
    if (key.str() != "value" && key.str() != "std") {
      fail(name, fmt::format(": unknown key \"{}\"; a value with its uncertainty has value and std", key.str()));
    }
  }
  if (!table->contains("value")) fail(name, ": has a std but no value");
  result.value = convert(*table->get("value"), name + ".value", unit, range);
  const toml::node* std = table->get("std");
  if (!std) return result;
  const auto* text = std->as_string();
  const bool relative = text && text->get().find('%') != std::string::npos;
  result.std = convert(*std, name + ".std", relative ? "1" : unit, Range::not_negative()) *
               (relative ? std::abs(result.value) : 1.0);
  return result;
}

std::string Keys::text(const std::string& name) {
  const toml::node& node = need(name, "a text");
  if (const auto* text = node.as_string()) return text->get();
  fail(name, fmt::format(" = {}: must be a text", shown(node)));
}

std::string Keys::text(const std::string& name, const std::string& otherwise) {
  return has(name) ? text(name) : otherwise;
}

std::string Keys::path(const std::string& name) {
  const std::filesystem::path given = text(name);
  return (given.is_absolute() ? given : std::filesystem::path(file_).parent_path() / given).string();
}

bool Keys::says(const std::string& name, std::string_view word) {
  return has(name) && node(name)->is_string() && text(name) == word;
}

std::string Keys::choice(const std::string& name, const std::vector<std::string>& allowed) {
  std::string chosen = text(name);
  for (const auto& one : allowed) {
    if (one == chosen) return chosen;
  }
  const std::string nearest = nearest_name(chosen, allowed);
  fail(name, fmt::format(" = \"{}\": must be one of {}{}", chosen, fmt::join(allowed, ", "),
                         nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
}

bool Keys::flag(const std::string& name, bool otherwise) {
  if (!has(name)) return otherwise;
  const auto* value = nodes_[name]->as_boolean();
  if (!value) fail(name, fmt::format(" = {}: must be true or false", shown(*nodes_[name])));
  return value->get();
}

const toml::array* Keys::array(const std::string& name) {
  if (!has(name)) return nullptr;
  const auto* array = nodes_[name]->as_array();
  if (!array) fail(name, fmt::format(" = {}: must be an array", shown(*nodes_[name])));
  return array;
}

const toml::array& Keys::list_of(const std::string& name, std::string_view unit, std::size_t count) {
  need(name, fmt::format("{} numbers{}", count, in_unit(unit)));
  const toml::array* list = array(name);
  if (list->size() != count) fail(name, fmt::format(": has {} numbers, and {} are needed", list->size(), count));
  return *list;
}

std::vector<double> Keys::numbers(const std::string& name, std::string_view unit, std::size_t count) {
  std::vector<double> values;
  for (const auto& each : list_of(name, unit, count)) values.push_back(convert(each, name, unit, Range::any()));
  return values;
}

std::vector<UncertainValue> Keys::uncertain_numbers(const std::string& name, std::string_view unit, const Range& range,
                                                    std::size_t count) {
  std::vector<UncertainValue> values;
  for (const auto& each : list_of(name, unit, count)) values.push_back(convert_uncertain(each, name, unit, range));
  return values;
}

std::vector<std::vector<double>> Keys::matrix(const std::string& name) {
  need(name, "a square matrix");
  std::vector<std::vector<double>> rows;
  const toml::array* list = array(name);
  for (const auto& entry : *list) {
    const auto* row = entry.as_array();
    if (!row || row->size() != list->size())
      fail(name, fmt::format(": must be a square matrix: {} rows of {} numbers", list->size(), list->size()));
    rows.emplace_back();
    for (const auto& number : *row) {
      const auto value = number.value<double>();
      if (!value || !std::isfinite(*value)) fail(name, ": must hold numbers only");
      rows.back().push_back(*value);
    }
  }
  return rows;
}

const toml::node* Keys::node(const std::string& name) { return has(name) ? nodes_[name] : nullptr; }

std::vector<std::string> Keys::names() const {
  std::vector<std::string> all;
  for (const auto& [name, node] : nodes_) all.push_back(name);
  return all;
}

void Keys::finish() const { refuse_others_than(asked_); }

void Keys::refuse_all_but(const std::vector<std::string>& known) {
  known_ = asked_;
  known_.insert(known.begin(), known.end());
  refuse_others_than(known_);
}

void Keys::refuse_others_than(const std::set<std::string>& all) const {
  const std::vector<std::string> known(all.begin(), all.end());
  for (const auto& [given, value] : nodes_) {
    if (all.contains(given)) continue;
    std::string name = given, nearest = nearest_name(name, known);
    const toml::node* node = value;
    if (is_value_table(*value)) {
      // Keys that are meant to be asked for one by one: the first says where.
      const auto& [key, first] = *value->as_table()->begin();
      const std::string leaf = fmt::format(".{}", key.str()), of_leaf = nearest_name(given + leaf, known);
      if (of_leaf.ends_with(leaf)) name = given + leaf, nearest = of_leaf, node = &first;
    }
    const std::string hint = nearest.empty() ? fmt::format("; it takes {}", fmt::join(known, ", "))
                                             : fmt::format("; did you mean \"{}\"?", nearest);
    const std::string where = path_.empty() ? "at the top level" : fmt::format("in [{}]", path_);
    throw Error(ExitCode::wrong_use,
                fmt::format("{}:{}: unknown key \"{}\" {}{}", file_, node->source().begin.line, name, where, hint));
  }
}

}  // namespace tauhat
