// How good an estimated velocity is: against a reference where there is one, and as a controller would feel it.
#pragma once

#include <optional>
#include <vector>

namespace tauhat {

struct QualityOptions {
  double settling = 0.5;           // s that are left out at the start
  double resonance = 0.0;          // Hz, where the phase is wanted; 0: none
  double standstill_speed = 0.0;   // rad/s of the reference; 0: a five-hundredth of its largest
  double standstill_window = 0.1;  // s, all of which must be slow
  double noise_from = 150.0;       // Hz: above it a link does not move, so what is there is noise
};

// Beside a reference.
struct VelocityError {
  double fit = 0.0;                  // % : 100 (1 - |v - v^| / |v - mean v|)
  double rms = 0.0;                  // rad/s
  std::optional<double> standstill;  // rad/s rms, where the axis rests at all
  double delay = 0.0;                // s, by which the estimate follows
  std::optional<double> phase_lag;   // rad at the resonance, where the reference moves there
};

struct VelocityQuality {
  std::optional<double> noise;  // rad/s rms above noise_from, where the samples reach so far
  std::optional<VelocityError> error;
};

// FIT of an estimate, from `first` on.
double fit_percent(const std::vector<double>& truth, const std::vector<double>& estimate, std::size_t first);

// By how much the estimate follows the reference, s: the shift at which both are nearest.
double delay_between(const std::vector<double>& reference, const std::vector<double>& estimate, std::size_t first,
                     double period);
// As it was so many seconds before, between samples by a line.
std::vector<double> shifted(const std::vector<double>& values, double later, double period);

// The naive velocity: that of the motor over the ratio, by central differences.
std::vector<double> central_velocity(const std::vector<double>& motor_position, double ratio, double period);
// The same as a controller has it, which does not see the next sample: by the last two.
std::vector<double> backward_velocity(const std::vector<double>& motor_position, double ratio, double period);

// What a filter can go over: where a sample is missing, the one before; at the start, the first.
std::vector<double> without_holes(std::vector<double> values);
// The velocity of a load's encoder, below what it still resolves. No sample may be missing.
std::vector<double> encoder_velocity(const std::vector<double>& load_position, double period);

// Both sampled with `period`; samples that are not finite are left out.
VelocityQuality judge_velocity(const std::vector<double>& estimate, const std::vector<double>* reference, double period,
                               const QualityOptions& options);

}  // namespace tauhat
