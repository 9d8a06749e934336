// Pulses of a toothed wheel: each one is a sample of the position that its tooth stands for, at its stamp. So a wheel
// is a channel like any other, with a clock of its own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tauhat {

// How a wheel's pulses stand in a file: a column of stamps, which several sensors may share, and perhaps a counter.
struct PulseSpec {
  int teeth = 0;                // of a full turn, the missing ones included
  int missing = 0;              // of the last teeth of a turn
  double phase = 0.0;           // rad, where tooth 0 stands
  std::vector<double> table{};  // rad, learned error of each tooth; empty: none
  std::string sensor_column{};  // which sensor a stamp is of; empty: all are of this one
  double sensor = 0.0;
  std::string count_column{};  // pulses so far, rising or falling with the direction; empty: always forward
  double wraps_at = 0.0;       // the counter begins anew at this number; 0: never

  bool has_count() const noexcept { return !count_column.empty(); }
  // Whether a tooth has the same number in every log, so that a table of one is of use in another: by the missing
  // teeth, or by a counter, which begins anew after whole turns only.
  bool knows_teeth() const noexcept;
  double pitch() const noexcept;
};

// Of a wheel that does not know them: why, and what it needs.
std::string why_teeth_are_unknown(const PulseSpec& wheel);

// What came of a wheel's pulses.
struct PulseTally {
  std::size_t pulses = 0, repeated = 0, late = 0;
  std::size_t lost = 0;    // by the counter
  std::size_t unseen = 0;  // by their order: as many at once as are missing
};

// That pulses of this wheel were unseen.
std::string unseen_in_words(const std::string& wheel, const PulseTally& tally);

// The position of one pulse after the other. Works without looking ahead, so that a stream and a record agree.
class PulseCounter {
 public:
  explicit PulseCounter(const PulseSpec& spec);

  // None where the pulse is a repetition, earlier than the last one, or of a tooth that a table is for and that is not
  // known yet. `count` matters where the wheel has a counter.
  std::optional<double> position(double stamp, double count);

  // The clock of the stamps was set back: as before the first pulse.
  void restart() { *this = PulseCounter(PulseSpec(spec_)); }

  // Which tooth of its turn the last pulse was; less than 0 while a wheel with missing teeth has not shown them yet.
  int tooth() const noexcept { return tooth_; }
  const PulseTally& tally() const noexcept { return tally_; }

 private:
  long edge_by_count(double count);
  long edge_by_order(double stamp);

  PulseSpec spec_;
  PulseTally tally_;
  bool started_ = false;
  double stamp_ = 0.0, count_ = 0.0, interval_ = 0.0;
  long number_ = 0;  // of the edge that was passed last, missing teeth counted
  long pulses_ = 0;  // of the counter, unwrapped
  int tooth_ = -1;
};

}  // namespace tauhat
