#include "tauhat/offline/log/time_stamp.hpp"

#include <chrono>

namespace tauhat {
namespace {

// Takes fields of fixed width off the front.
class StampReader {
 public:
  explicit StampReader(std::string_view text) : rest_(text) {}

  bool number(std::size_t width, int& value) {
    if (rest_.size() < width) return false;
    value = 0;
    for (const char c : rest_.substr(0, width)) {
      if (c < '0' || c > '9') return false;
      value = 10 * value + (c - '0');
    }
    rest_.remove_prefix(width);
    return true;
  }

  bool one_of(std::string_view characters, char& found) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    found = rest_.front();
    rest_.remove_prefix(1);
    return true;
  }
  bool one_of(std::string_view characters) {
    char ignored = 0;
    return one_of(characters, ignored);
  }

  double fraction() {
    constexpr double kFinestPlace = 1e15;  // further digits do not change a double
    double value = 0.0, place = 1.0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1)) {
      if (place >= kFinestPlace) continue;
      value = 10.0 * value + (rest_.front() - '0');
      place *= 10.0;
    }
    return value / place;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// Seconds to add to a zone's clock for UTC; false when what is left is not a zone.
bool read_zone(StampReader& reader, double& correction) {
  correction = 0.0;
  if (reader.at_end()) return true;
  if (reader.one_of("Zz")) return reader.at_end();
  char sign = 0;
  int hours = 0, minutes = 0;
  if (!reader.one_of("+-", sign) || !reader.number(2, hours)) return false;
  reader.one_of(":");
  if (!reader.at_end() && !reader.number(2, minutes)) return false;
  const double ahead = 3600.0 * hours + 60.0 * minutes;
  correction = sign == '+' ? -ahead : ahead;
  return reader.at_end() && hours <= 23 && minutes <= 59;
}

}  // namespace

std::optional<TimeStamp> parse_time_stamp(std::string_view text) noexcept {
  StampReader reader(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const bool has_date = reader.number(4, year) && reader.one_of("-") && reader.number(2, month) && reader.one_of("-") &&
                        reader.number(2, day);
  const bool has_time = has_date && reader.one_of("Tt ") && reader.number(2, hour) && reader.one_of(":") &&
                        reader.number(2, minute) && reader.one_of(":") && reader.number(2, second);
  if (!has_time || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const double fraction = reader.one_of(".,") ? reader.fraction() : 0.0;
  double correction = 0.0;
  if (!read_zone(reader, correction)) return std::nullopt;
  const long days = static_cast<long>(std::chrono::sys_days(date).time_since_epoch().count());
  return TimeStamp{days, 3600.0 * hour + 60.0 * minute + second + fraction + correction};
}

}  // namespace tauhat
