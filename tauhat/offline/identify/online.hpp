// Estimation that does not look ahead: what `estimate` and `stream` share, so that both give the same numbers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/identify/prepare.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

// What the study's model takes and gives.
struct OnlineModel {
  std::vector<std::string> inputs;   // the signals that drive it
  std::string unknown;               // the signal whose random walk has the intensity
  std::vector<std::string> outputs;  // that sensors may measure
  std::optional<double> intensity;   // where the study gives it

  // The place among the inputs or the outputs, or -1.
  int input(const std::string& signal) const noexcept;
  int output(const std::string& signal) const noexcept;
};
OnlineModel online_model(const Study& study);

// The first row: the inputs and one sample of each sensor, NaN where it is missing.
struct FirstRow {
  std::vector<double> inputs;
  std::vector<Measurement<double>> sensors;
  double period = 0.0;  // s, of the rows to come; 0: a stream does not know it
};

// The study's filter. Without [start] it begins at the first row: measured states at their sample, the rest at what the
// motor says; the unknown is anything up to half of the input or what it wanders in 10 ms. A state that its sensor
// has not shown yet may be anything.
std::unique_ptr<Estimator> make_online_estimator(const Study& study, double intensity, const FirstRow& first);

// Of the observers of a joint, or of several axes: the study's, else that of the log's rate.
double observer_period(const Study& study, double otherwise);

// Its outputs with the units of the study's drive: of an axis that slides, N for N m and m for rad.
std::vector<OutputInfo> online_outputs(const Study& study, const Estimator& estimator);

// A sensor's variance as the study gives it.
double given_variance(const StudyChannel& channel);

// The log for that filter, from the first instant at which the inputs are known. A std that the study gives is taken as
// it is, since a stream cannot see how coarse its sensors are; a log that can says so.
Timeline online_timeline(const Study& study, const Log& log, std::vector<Diagnostic>& diagnostics);
FirstRow first_row(const Timeline& timeline);

// Throws where the samples are not as far apart as an observer's study says: a gain of another period would be run all
// the same, and be wrong.
void require_studys_period(const Study& study, double found, const std::string& source);

// Throws where the samples lie so far apart that nothing of a powertrain's swings is seen between them.
void require_samples_of_swings(const Study& study, double interval, const std::string& source);

// All channels share the log's clock and one delay, so that a row is an instant.
bool has_one_clock(const Study& study);

// The study's fixed lag in samples, 0 where there is none; `period` is asked for only where the lag is a time. Throws
// where it is too long, or less than half a sample.
std::size_t lag_in_samples(const Study& study, double period);
bool lag_needs_period(const Study& study);

// The period that turns a time into samples: of the rate, else the first interval, which a stream knows in time; the
// median where the channels' clocks differ.
double lag_period(const Study& study, const Timeline& timeline);

// Throws Error (wrong_use) in a sentence that lists what a stream would have to know before its first row.
void refuse_what_needs_a_record(const Study& study);

}  // namespace tauhat
