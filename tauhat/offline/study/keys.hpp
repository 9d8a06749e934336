// One section of a study as dotted names: every value is asked for by name, unit and range; what nobody asked for is an
// error with the nearest name that exists.
#pragma once

#include <toml++/toml.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/parameter.hpp"

namespace tauhat {

struct UncertainValue {
  double value = 0.0;
  double std = 0.0;  // 0: exact
};

class Keys {
 public:
  // `file` and `path` ("drive") are for messages. What is below `except` is read by others: a copy of the table without
  // it would have lost its lines.
  Keys(std::string file, std::string path, const toml::table& table, const std::string& except = "");

  bool has(const std::string& name);
  // Of the name, or of the value it stands in: { value = ..., std = ... }, [1, 2, 3], and that of a whole section in
  // braces. 0 where there is none.
  int line(const std::string& name) const;

  // Numbers in SI: a plain number, or "8 kg cm^2".
  double number(const std::string& name, std::string_view unit, const Range& range);
  double number(const std::string& name, std::string_view unit, const Range& range, double otherwise);
  // A count: "of samples", or of nothing that needs a word.
  long whole(const std::string& name, const Range& range, std::string_view of = "");
  long whole(const std::string& name, const Range& range, long otherwise, std::string_view of = "");
  // A number, or { value = ..., std = ... }; a std in % is relative to the value.
  UncertainValue uncertain(const std::string& name, std::string_view unit, const Range& range);
  std::string text(const std::string& name);
  std::string text(const std::string& name, const std::string& otherwise);
  std::string path(const std::string& name);  // of a file, which lies beside the study wherever the program runs
  // Whether the name is there and is this word, where a number may stand, too: "auto", "fit".
  bool says(const std::string& name, std::string_view word);
  std::string choice(const std::string& name, const std::vector<std::string>& allowed);
  bool flag(const std::string& name, bool otherwise);
  const toml::array* array(const std::string& name);
  // [1, "2 mm", 3]: so many numbers, each as number() reads it.
  std::vector<double> numbers(const std::string& name, std::string_view unit, std::size_t count);
  // The same, each as uncertain() reads it.
  std::vector<UncertainValue> uncertain_numbers(const std::string& name, std::string_view unit, const Range& range,
                                                std::size_t count);
  // A square matrix of plain numbers.
  std::vector<std::vector<double>> matrix(const std::string& name);
  const toml::node* node(const std::string& name);

  // All names of this section, whether asked for or not.
  std::vector<std::string> names() const;
  // Throws for the first name that nobody asked for.
  void finish() const;
  // The same before all are asked for: those in `known` will be. So what is misspelt is said before what is missing.
  void refuse_all_but(const std::vector<std::string>& known);
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;
  const std::string& file() const { return file_; }

 private:
  void flatten(const toml::table& table, const std::string& prefix, const std::string& except);
  void add(const std::string& name, const toml::node& node);
  void open_value_table(const std::string& name);
  double convert(const toml::node& node, const std::string& name, std::string_view unit, const Range& range) const;
  const toml::array& list_of(const std::string& name, std::string_view unit, std::size_t count);
  UncertainValue convert_uncertain(const toml::node& node, const std::string& name, std::string_view unit,
                                   const Range& range) const;
  const toml::node& need(const std::string& name, const std::string& expected);
  void refuse_others_than(const std::set<std::string>& all) const;

  std::string file_, path_;
  int own_line_ = 0;
  std::map<std::string, const toml::node*> nodes_, inline_tables_;
  std::set<std::string> asked_, known_;
};

// Range as a sentence: "must be positive".
std::string allowed_text(const Range& range, std::string_view unit);

}  // namespace tauhat
