// Messages in JSON: every number in them. {"a": {"b": [7, 8]}} has "a.b[1]" and "a.b[2]".
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tauhat/offline/log/formats/mcap_message.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat::mcap {
namespace {

constexpr std::size_t kDeepest = 64, kLongestPath = 1024;  // a message beyond them is damaged, not deep

// Follows the parser, which calls it for every element, and keeps the path to where it is.
class Numbers : public nlohmann::json_sax<nlohmann::json> {
 public:
  Numbers(const Message& message, const UseNumber& use) : message_(message), use_(use) {}

  bool null() override { return enter_element(); }
  bool boolean(bool) override { return enter_element(); }
  bool string(string_t&) override { return enter_element(); }
  bool binary(binary_t&) override { return enter_element(); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }

  bool start_object(std::size_t) override { return enter(false); }
  bool start_array(std::size_t) override { return enter(true); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    path_.resize(levels_.back().path);
    if (!path_.empty()) path_ += '.';
    return extend(name);
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    // The parser counts from one, and one byte beyond the end.
    const std::size_t byte = std::min(position == 0 ? 0 : position - 1, message_.data.size());
    message_.place.after(byte).refuse("the message is not JSON");
  }

  std::optional<Stamp> stamp() const {
    const Stamp stamp{seconds_.value_or(0.0), nanoseconds_.value_or(0.0)};
    return seconds_ && nanoseconds_ && stamp.is_set() ? std::optional(stamp) : std::nullopt;
  }

 private:
  struct Level {
    bool is_array;
    std::size_t elements;  // of an array, so far
    std::size_t path;      // the length of the path to it
  };

  bool extend(std::string_view part) {
    path_ += part;
    if (path_.size() > kLongestPath)
      message_.place.refuse(fmt::format("the path \"{}\" is too long for a column's name", shown(path_)));
    return true;
  }

  // Within an array, the path of its next element.
  bool enter_element() {
    if (levels_.empty() || !levels_.back().is_array) return true;
    path_.resize(levels_.back().path);
    const fmt::format_int number(++levels_.back().elements);
    path_ += '[';
    path_.append(number.data(), number.size());
    return extend("]");
  }

  bool enter(bool is_array) {
    enter_element();
    if (levels_.size() == kDeepest)
      message_.place.refuse(fmt::format("the message is nested deeper than {} levels", kDeepest));
    levels_.push_back({is_array, 0, path_.size()});
    return true;
  }

  bool leave() {
    levels_.pop_back();
    return true;
  }

  bool number(double value) {
    enter_element();
    if (path_ == "header.stamp.sec") seconds_ = value;
    if (path_ == "header.stamp.nanosec" || path_ == "header.stamp.nsec") nanoseconds_ = value;
    use_(path_.empty() ? "value" : std::string_view(path_), value);
    return true;
  }

  const Message& message_;
  const UseNumber& use_;
  std::string path_;
  std::vector<Level> levels_;
  std::optional<double> seconds_, nanoseconds_;
};

}  // namespace

std::optional<Stamp> decode_json(const Message& message, const UseNumber& use) {
  if (message.data.empty()) return std::nullopt;  // some recorders mark an event so
  Numbers numbers(message, use);
  nlohmann::json::sax_parse(message.data.begin(), message.data.end(), &numbers);
  return numbers.stamp();
}

}  // namespace tauhat::mcap
