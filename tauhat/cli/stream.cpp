// tauhat stream: rows on standard input, estimates on standard output, each as soon as its row has come.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/estimate_csv.hpp"
#include "tauhat/cli/estimate_robot.hpp"
#include "tauhat/offline/identify/online_estimator.hpp"
#include "tauhat/offline/log/ordered_rows.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/replay/lag.hpp"

namespace tauhat::cli {
namespace {

const std::string kSource = "standard input";

// Rows that were skipped: the first ones by name, all of them counted.
class SkippedRows {
 public:
  void add_late() { ++late_; }
  void add(const std::string& problem) {
    constexpr std::size_t kShown = 10;
    if (++count_ <= kShown) fmt::print(stderr, "{}; skipped\n", problem);
    if (count_ == kShown) fmt::print(stderr, "{}: further bad rows are only counted\n", kSource);
  }
  void summarise(std::size_t rows) const {
    if (count_ > 0) fmt::print(stderr, "{}: {} of {} rows were skipped\n", kSource, count_, rows);
    if (late_ > 0)
      fmt::print(stderr,
                 "{}: {} of these came after a row with a later stamp: send them in the order of their stamps, or let "
                 "hold_back in [estimator] wait for them (hold_back = \"10 ms\": as long as the latest is late); "
                 "`tauhat estimate` puts a record in order\n",
                 kSource, late_);
  }

 private:
  std::size_t count_ = 0, late_ = 0;
};

// A row as the filter takes it.
struct Instant {
  double time = 0.0;
  FirstRow row;
  bool begins = false;  // the first one, or the first after the clock was set back
};

// In a function of its own: fused with the stamp's scale it would round differently than in a log.
[[gnu::noinline]] double shifted(double stamp, double delay) { return stamp - delay; }

class InstantReader {
 public:
  explicit InstantReader(const Study& study)
      : study_(study),
        model_(online_model(study)),
        stream_(STDIN_FILENO, kSource, wanted(study)),
        rows_(stream_, {study.hold_back, study.channels.size(), study.time.scale}) {
    for (const StudyChannel& channel : study.channels) {
      inputs_.push_back(model_.input(channel.spec.signal));
      if (inputs_.back() < 0)
        now_.row.sensors.push_back({model_.output(channel.spec.signal), 0.0, given_variance(channel)});
      if (channel.spec.pulses) wheels_.push_back(wheel_of(channel));
    }
    now_.row.inputs.assign(model_.inputs.size(), std::nan(""));
  }

  // The next row that can be used; null at the end.
  const Instant* next() {
    for (;;) {
      const auto next = rows_.next();
      if (next == RowStream::Next::end) return nullptr;
      const std::string problem = next == RowStream::Next::bad_row ? stream_.problem() : read();
      if (problem.empty()) return &now_;
      skipped_.add(problem);
    }
  }

  void summarise() const {
    skipped_.summarise(stream_.rows());
    for (const Wheel& wheel : wheels_)
      if (const PulseTally& tally = wheel.counter.tally(); tally.unseen > 0)
        fmt::print(stderr, "{}: {}\n", kSource, unseen_in_words(wheel.signal, tally));
  }
  std::size_t rows() const { return stream_.rows(); }

 private:
  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

  // The channels' columns in their order, the time's, and those that stand beside a wheel's stamps.
  static std::vector<std::string> wanted(const Study& study) {
    std::vector<std::string> columns;
    for (const StudyChannel& channel : study.channels) columns.push_back(channel.spec.column);
    if (!study.time.column.empty()) columns.push_back(study.time.column);
    for (const StudyChannel& channel : study.channels) {
      if (!channel.spec.pulses) continue;
      for (const std::string& name : {channel.spec.pulses->sensor_column, channel.spec.pulses->count_column})
        if (!name.empty()) columns.push_back(name);
    }
    return columns;
  }

  // A wheel's counter, and where in a row its sensor's number and its count stand.
  struct Wheel {
    std::string signal;
    PulseCounter counter;
    std::size_t sensor_column, count_column;
  };
  Wheel wheel_of(const StudyChannel& channel) {
    const PulseSpec& pulses = *channel.spec.pulses;
    if (next_column_ == 0) next_column_ = study_.channels.size() + (study_.time.column.empty() ? 0 : 1);
    Wheel wheel{channel.spec.signal, PulseCounter(pulses), kNoColumn, kNoColumn};
    if (!pulses.sensor_column.empty()) wheel.sensor_column = next_column_++;
    if (pulses.has_count()) wheel.count_column = next_column_++;
    return wheel;
  }

  // NaN where this row is none of the wheel's.
  double tooth_position(const ChannelSpec& spec, Wheel& wheel, std::size_t column) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const double stamp = spec.scale * rows_.value(column);
    if (!std::isfinite(stamp)) return kNone;
    if (wheel.sensor_column != kNoColumn && rows_.value(wheel.sensor_column) != spec.pulses->sensor) return kNone;
    const double count = wheel.count_column != kNoColumn ? rows_.value(wheel.count_column) : 0.0;
    if (!std::isfinite(count)) return kNone;
    return wheel.counter.position(stamp, count).value_or(kNone - spec.offset) + spec.offset;
  }

  std::string refused(const std::string& why) const { return fmt::format("{}:{}: {}", kSource, rows_.line(), why); }

  // Returns what is wrong with the row.
  std::string read() {
    double time = 0.0;
    if (std::string problem = read_time(time); !problem.empty()) return problem;
    for (std::size_t i = 0; i < study_.channels.size(); ++i) {
      if (rows_.is_date(i) && !study_.channels[i].spec.pulses)
        return refused(fmt::format("column \"{}\": a date is not a number", study_.channels[i].spec.column));
    }
    if (started_ && set_back(time))
      for (Wheel& each : wheels_) each.counter.restart();
    std::size_t sensor = 0, wheel = 0;
    for (std::size_t i = 0; i < study_.channels.size(); ++i) {
      const ChannelSpec& spec = study_.channels[i].spec;
      const double value = spec.pulses ? tooth_position(spec, wheels_[wheel++], i) : value_in_si(spec, rows_.value(i));
      if (inputs_[i] < 0) {
        now_.row.sensors[sensor++].value = value;
      } else if (std::isfinite(value)) {
        now_.row.inputs[static_cast<std::size_t>(inputs_[i])] = value;  // else the last one is held
      }
    }
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      if (!std::isfinite(now_.row.inputs[i]))
        return refused(fmt::format("{} has had no value yet; the filter starts with its first", model_.inputs[i]));
    }
    now_.begins = !started_ || set_back(time);
    if (started_ && now_.begins)
      fmt::print(stderr, "{}\n",
                 refused(fmt::format("the clock was set back, from {:.9g} s to {:.9g} s; the filter starts "
                                     "anew",
                                     now_.time, time)));
    now_.time = time;
    started_ = true;
    behind_ = 0;
    return {};
  }

  // Two wheels' teeth may pass at once, in rows of one stamp.
  bool set_back(double time) const { return wheels_.empty() ? !(time > now_.time) : !(time >= now_.time); }

  std::string read_time(double& time) {
    const TimeSpec& spec = study_.time;
    double stamp = static_cast<double>(stream_.rows() - 1) / spec.rate;
    if (!spec.column.empty()) {
      const std::size_t column = study_.channels.size();
      const bool is_date = rows_.is_date(column);
      if (!std::isfinite(rows_.value(column)))
        return refused(fmt::format("column \"{}\": the time of this row is missing", spec.column));
      if (started_ && is_date != dates_)
        return refused(fmt::format("column \"{}\": dates and plain numbers are mixed", spec.column));
      dates_ = is_date;
      stamp = (is_date ? 1.0 : spec.scale) * rows_.value(column);
    }
    time = shifted(stamp, study_.channels.front().spec.delay);
    // Rows of one instant, whose stamps were rounded apart; a log's are one as well.
    constexpr double kOneInstant = 1e-10;  // s
    if (!wheels_.empty() && started_ && std::abs(time - now_.time) < kOneInstant) time = now_.time;
    if (!started_ || !set_back(time)) return {};
    // One such row is a mistake; several that advance among themselves are right, and the one before them was not.
    constexpr int kMistakes = 10;
    behind_ = behind_ > 0 && time > last_behind_ ? behind_ + 1 : 1;
    last_behind_ = time;
    if (behind_ > kMistakes) return {};
    skipped_.add_late();
    return refused(fmt::format("time does not advance, from {:.9g} s to {:.9g} s", now_.time, time));
  }

  const Study& study_;
  OnlineModel model_;
  std::vector<int> inputs_;  // of each channel its place among the model's inputs, or -1
  RowStream stream_;
  OrderedRows rows_;
  SkippedRows skipped_;
  std::vector<Wheel> wheels_;
  std::size_t next_column_ = 0;
  Instant now_;
  bool started_ = false, dates_ = false;
  int behind_ = 0;  // rows in succession that came after a later one
  double last_behind_ = 0.0;
};

// CSV on standard output, a line at a time.
class EstimateWriter {
 public:
  bool reader_is_gone() const { return gone_; }

  void begin(const OnlineEstimator& estimator, bool with_lag) {
    outputs_ = estimator.outputs().size();
    text_ = "time";
    append_names(text_, estimator.outputs());
    if (with_lag) {
      text_ += ",lagged.time";
      append_names(text_, estimator.outputs(), ".lagged");
    }
    flush();
  }
  void filtered(const OnlineEstimator& estimator, double time) {
    append_number(text_, time);
    append_estimates(text_, outputs_, [&](std::size_t i, double& value, double& std) {
      estimator.estimate(static_cast<int>(i), value, std);
    });
  }
  void no_filtered() { text_.append(2 * outputs_, ','); }
  void lagged(const OnlineEstimator& estimator, double time) {
    text_ += ',';
    append_number(text_, time);
    append_estimates(text_, outputs_, [&](std::size_t i, double& value, double& std) {
      estimator.lagged(static_cast<int>(i), value, std);
    });
  }
  void no_lagged() { text_.append(2 * outputs_ + 1, ','); }

  void flush() {
    text_ += '\n';
    const bool written = std::fwrite(text_.data(), 1, text_.size(), stdout) == text_.size() && std::fflush(stdout) == 0;
    gone_ = gone_ || (!written && errno == EPIPE);
    if (!written && !gone_)
      throw Error(ExitCode::wrong_use, fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
    text_.clear();
  }

 private:
  std::string text_;
  std::size_t outputs_ = 0;
  bool gone_ = false;
};

class Stream {
 public:
  explicit Stream(const Study& study) : study_(study), reader_(study) {}

  ExitCode run() {
    while (const Instant* instant = reader_.next()) {
      if (instant->begins) start(*instant);
      if (instants_ == 1 && lag_needs_period(study_)) learn_period(instant->time - before_.time);
      step(*instant);
      write(*instant);
      if (writer_.reader_is_gone()) return ExitCode::done;
    }
    if (!estimator_)
      throw Error(ExitCode::unusable_data, fmt::format("{}: none of its {} rows can be used", kSource, reader_.rows()));
    finish();
    return ExitCode::done;
  }

 private:
  void start(const Instant& first) {
    const bool again = estimator_ != nullptr;
    if (again) empty_lag();
    estimator_ = std::make_unique<OnlineEstimator>(study_, *online_model(study_).intensity, first.row);
    instants_ = 0;
    const bool period_known = study_.time.rate > 0.0;
    if (study_.lag && (period_known || !lag_needs_period(study_)))
      set_lag(lag_in_samples(study_, 1.0 / study_.time.rate));
    if (!again) writer_.begin(*estimator_, study_.lag.has_value());
  }

  void set_lag(std::size_t samples) {
    estimator_->set_lag(samples);
    times_.resize(samples + 1);
  }

  // A lag in seconds is known in samples from the second row on: the first is filtered again.
  void learn_period(double period) {
    if (estimator_->lag() > 0) return;
    set_lag(lag_in_samples(study_, period));
    instants_ = 0;
    counts_ = {};
    step(before_);
  }

  void step(const Instant& now) {
    if (instants_ > 0 && now.time > before_.time) {
      check_period(now.time - before_.time);
      const auto status = estimator_->predict(before_.row.inputs, now.time - before_.time);
      failed_ += status != StepStatus::ok;
      ++steps_;
    }
    for (const auto& z : now.row.sensors) counts_.count(estimator_->correct(z));
    lagged_there_ = estimator_->settle();
    if (!times_.empty()) times_[instants_ % times_.size()] = now.time;
    ++instants_;
    before_ = now;
  }

  // By the first intervals, of which one or the other may be a gap; no gap between the first two rows lasts a minute.
  void check_period(double interval) {
    constexpr std::size_t kEnough = 9;
    constexpr double kNoGap = 60.0;  // s
    if (first_intervals_.size() == kEnough) return;
    if (first_intervals_.empty() && interval > kNoGap) require_samples_of_swings(study_, interval, kSource);
    first_intervals_.push_back(interval);
    if (first_intervals_.size() < kEnough) return;
    require_studys_period(study_, median(first_intervals_), kSource);
    require_samples_of_swings(study_, median(first_intervals_), kSource);
  }

  double lagged_time(std::size_t instant) const { return times_[instant % times_.size()]; }

  void write(const Instant& now) {
    writer_.filtered(*estimator_, now.time);
    if (lagged_there_) {
      writer_.lagged(*estimator_, lagged_time(instants_ - 1 - estimator_->lag()));
    } else if (study_.lag) {
      writer_.no_lagged();
    }
    writer_.flush();
  }

  // No more instants come: the rows that the lag still holds.
  void empty_lag() {
    if (study_.lag && estimator_->lag() == 0) {  // there was one row, and no period
      set_lag(1);
      instants_ = 0;
      step(before_);
    }
    std::size_t instant = instants_ - std::min(instants_, estimator_->lag());
    estimator_->finish([&] {
      if (writer_.reader_is_gone()) return;
      writer_.no_filtered();
      writer_.lagged(*estimator_, lagged_time(instant++));
      writer_.flush();
    });
  }

  // The input has ended: what went wrong.
  void finish() {
    const std::size_t lag = estimator_->lag(), instants = instants_;
    empty_lag();
    if (writer_.reader_is_gone()) return;
    reader_.summarise();
    if (lag > 0 && instants <= lag)
      fmt::print(stderr, "{}: {} Send more rows, or shorten lag in [estimator].\n", kSource,
                 lag_longer_than_record(instants, lag));
    say(estimator_->remarks());
    if (failed_ > 0) fmt::print(stderr, "{}: the filter could not follow {} steps\n", kSource, failed_);
    say(diagnose_steps(failed_, steps_));
    say(judged_innovations());
  }

  // What `estimate` says of the same rows. An observer of a joint has tests of its own there, which take a record.
  std::vector<Diagnostic> judged_innovations() const {
    std::vector<Diagnostic> found = diagnose_lag(counts_.mean_nis(), study_.robot ? kWhyForceLags : kWhyLags);
    if (study_.joint) std::erase_if(found, [](const Diagnostic& d) { return d.severity != Severity::error; });
    if (study_.gate > 0.0 || study_.robot)
      for (Diagnostic& gated : diagnose_gated(counts_)) found.push_back(std::move(gated));
    return found;
  }

  static void say(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& each : diagnostics) {
      if (each.severity == Severity::error)
        throw Error(ExitCode::untrusted, fmt::format("{}: {}", kSource, each.message));
      fmt::print(stderr, "{}: {}\n", kSource, each.message);
    }
  }

  const Study& study_;
  InstantReader reader_;
  EstimateWriter writer_;
  std::unique_ptr<OnlineEstimator> estimator_;
  Instant before_;
  std::vector<double> times_;  // of the instants that the lag holds
  std::vector<double> first_intervals_;
  std::size_t instants_ = 0, failed_ = 0, steps_ = 0;
  InnovationCounts counts_;
  bool lagged_there_ = false;
};

ExitCode run(const std::string& path, const std::string& floor) {
  Study study = read_study(path);
  if (study.test)
    throw Error(ExitCode::wrong_use, fmt::format("{}: a bench test ([test]) has nothing to estimate over time", path));
  if (study.channels.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: [log] is missing: it says what the columns mean", path));
  if (!study.robot && !floor.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: --floor is for robots: the study has no [robot]", path));
  if (study.robot) study = streamed_robot(study, floor);
  refuse_what_needs_a_record(study);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is seen where it is written to
  return Stream(study).run();
}

}  // namespace

void add_stream(CommandLine& line) {
  struct Arguments {
    std::string study, floor;
  };
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command(
      "stream", "estimates as the rows come, on standard input and output",
      "Rows of CSV on standard input, names first, give rows of CSV on standard output, each at once: time, <output>, "
      "<output>.std, the numbers of `estimate`. The study must give intensity and every std. With [estimator] lag, the "
      "row of instant k ends with those of the instant that the lag lies back: lagged.time, <output>.lagged, "
      "<output>.lagged.std; they are empty in the first rows, and after the last one the remaining ones follow, with "
      "empty time and <output>. Bad rows are reported on standard error and skipped; an empty cell is a missing "
      "sample.\n\n"
      "Example: tauhat stream studies/demo/online.toml < run.csv | head -n 5");
  command.add_option("STUDY", arguments->study, "study file (TOML)").required();
  command.add_option("--floor", arguments->floor, "log of a robot's motion without contact, read before the first row");
  command.runs([arguments] { return run(arguments->study, arguments->floor); });
}

}  // namespace tauhat::cli
