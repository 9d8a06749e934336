#include "tauhat/offline/log/pulses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

long floored(long a, long b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

double PulseSpec::pitch() const noexcept { return 2.0 * std::numbers::pi / teeth; }

bool PulseSpec::knows_teeth() const noexcept {
  return has_count() ? std::fmod(wraps_at, teeth - missing) == 0.0 : missing > 0;
}

std::string why_teeth_are_unknown(const PulseSpec& wheel) {
  constexpr const char* kUseless = "a table of teeth would be of other ones in the next log";
  if (wheel.has_count())
    return fmt::format(
        "the count begins anew at {:g}, within a turn of {} pulses, so that {}; it must wrap at a "
        "multiple of {}, or never",
        wheel.wraps_at, wheel.teeth - wheel.missing, kUseless, wheel.teeth - wheel.missing);
  return fmt::format(
      "nothing says which tooth a log begins with, so that {}; the wheel needs missing teeth (missing), "
      "or a counter that is the same at the same tooth in every log (count)",
      kUseless);
}

std::string unseen_in_words(const std::string& wheel, const PulseTally& tally) {
  return fmt::format(
      "{}: {} did not come, at once as many as the wheel has missing teeth, but elsewhere in the turn; they were "
      "counted.",
      wheel, counted(tally.unseen, "pulse", "pulses"));
}

PulseCounter::PulseCounter(const PulseSpec& spec) : spec_(spec) {
  // Without missing teeth nothing says which tooth is which, unless a counter does: the first one is tooth 0.
  if (spec_.missing == 0) tooth_ = 0;
}

// A counter rises by one at each forward pulse and falls by one at each backward pulse: then the edge that was passed
// is the one above. It counts the pulses that come, so not the missing teeth.
long PulseCounter::edge_by_count(double count) {
  double step = started_ ? count - count_ : 0.0;
  if (spec_.wraps_at > 0.0) step -= spec_.wraps_at * std::round(step / spec_.wraps_at);
  pulses_ = started_ ? pulses_ + std::lround(step) : std::lround(count);
  if (std::abs(step) > 1.0) tally_.lost += static_cast<std::size_t>(std::abs(step)) - 1;
  count_ = count;
  const long edge = step < 0.0 ? pulses_ + 1 : pulses_, seen = spec_.teeth - spec_.missing, turn = floored(edge, seen);
  const long of_turn = edge - turn * seen;
  tooth_ = static_cast<int>(of_turn);
  return turn * spec_.teeth + of_turn;
}

// The missing teeth are known by their long interval. Where they are expected, half of it will do; anywhere else a long
// interval is a tooth that was lost, or as many as are missing, or says that the count of teeth is, and is right again
// from here on.
long PulseCounter::edge_by_order(double stamp) {
  if (!started_) return 0;
  long step = 1;
  const double interval = stamp - stamp_;
  if (spec_.missing > 0) {
    const int last = spec_.teeth - spec_.missing - 1;
    const bool is_last = tooth_ == last;
    // Three quarters of what a steady speed would give: it may change within a tooth.
    const double share = is_last ? 0.5 : 0.75;
    const bool is_long = interval_ > 0.0 && interval > share * (spec_.missing + 1) * interval_;
    if (is_long) {
      step += spec_.missing;
      // Where the gap is yet to come, as many pulses did not come as are missing there. Should the numbers be wrong
      // instead, no gap shows where they say.
      const bool were_lost = tooth_ >= 0 && tooth_ + step <= last;
      if (were_lost) tally_.unseen += static_cast<std::size_t>(spec_.missing);
      tooth_ = were_lost ? tooth_ + spec_.missing : spec_.teeth - 1;
    } else if (is_last) {
      tooth_ = -1;  // a pulse too many came before: which tooth is which shows at the next gap
    }
    // From tooth to tooth the speed changes by less than that; neither the gap nor a pulse too many is taken for it.
    constexpr double kChange = 1.3;
    interval_ = interval_ > 0.0 ? std::clamp(interval, interval_ / kChange, kChange * interval_) : interval;
  }
  if (tooth_ >= 0) tooth_ = (tooth_ + 1) % spec_.teeth;
  return number_ + step;
}

std::optional<double> PulseCounter::position(double stamp, double count) {
  if (started_ && stamp < stamp_) {
    ++tally_.late;
    return std::nullopt;
  }
  if (started_ && (stamp == stamp_ || (spec_.has_count() && count == count_))) {
    ++tally_.repeated;
    return std::nullopt;
  }
  number_ = spec_.has_count() ? edge_by_count(count) : edge_by_order(stamp);
  stamp_ = stamp;
  started_ = true;
  ++tally_.pulses;
  // The std is that of teeth whose error is known.
  if (!spec_.table.empty() && tooth_ < 0) return std::nullopt;
  const double learned = spec_.table.empty() ? 0.0 : spec_.table[static_cast<std::size_t>(tooth_)];
  return spec_.phase + static_cast<double>(number_) * spec_.pitch() + learned;
}

}  // namespace tauhat
