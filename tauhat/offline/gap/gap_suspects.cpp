#include "tauhat/offline/gap/gap_suspects.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/gap_mode.hpp"
#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/gap/command_delay.hpp"
#include "tauhat/offline/gap/gap_outputs.hpp"
#include "tauhat/offline/gap/gap_start.hpp"
#include "tauhat/offline/gap/jitter.hpp"
#include "tauhat/offline/report/suspect.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

// The drive's own parameters, in the order of their list; then what the command may lack; then the gap, where it is not
// learned.
enum Suspected { kRatio = 5, kOfDrive = 8, kDelay = kOfDrive, kTorqueOffset, kGap, kOffset, kSuspects };
using BySuspect = Vector<double, kSuspects>;
using Tangent = Eigen::Matrix<double, P::kStates, kSuspects>;  // dx/da, of each

double square(double x) { return x * x; }

// One correction: innovation and its change with each suspect, over the innovation's standard deviation.
struct Scored {
  double time = 0.0, weight = 0.0, innovation = 0.0;  // weight: 1 over that standard deviation
  std::size_t sensor = 0;
  int tooth = -1;
  BySuspect change;
  double freedom = 1.0;  // share of its wheel's pulses that the means of its teeth leave
};

struct Pass {
  std::vector<Scored> scored;
  Tangent tangent = Tangent::Zero();  // at the end
  BySuspect scale;                    // what 1 of a suspect is: its value, or where that is zero, its unit
  double mean_nis = 0.0;
};

class ScoringFilter {
 public:
  ScoringFilter(const GapSpec& spec, const Timeline& timeline, const Replay& replay, const BySuspect& scale)
      : spec_(spec), timeline_(timeline), replay_(replay), scale_(scale), delay_(spec.delay), start_(spec) {
    longest_step_ = std::min(1e-3, 0.1 / spec.drive.fastest_rate());
    for (int i = 0; i < kOfDrive; ++i) {
      for (auto* side : {&less_, &more_}) {
        P& varied = (*side)[static_cast<std::size_t>(i)] = spec.drive;
        int at = 0;
        P::visit_parameters(varied, [&](const ParameterInfo&, double& value) {
          if (at++ == i) value += (side == &more_ ? kStep : -kStep) * scale_[i];
        });
      }
    }
  }

  Pass run() {
    for (std::size_t k = 0; k < timeline_.size(); ++k) {
      for (std::size_t i = 0; i < timeline_.sensors.size(); ++i) correct(k, i);
      if (filter_) follow(replay_.filtered[mode_output].value[k]);
      if (k + 1 < timeline_.size()) predict(timeline_.inputs[0][k], timeline_.interval(k));
    }
    Pass pass{std::move(scored_), tangent_, scale_};
    for (const Scored& s : pass.scored) pass.mean_nis += square(s.innovation);
    pass.mean_nis /= static_cast<double>(std::max<std::size_t>(pass.scored.size(), 1));
    return pass;
  }

 private:
  static constexpr double kStep = 1e-4;    // relative, of the differences: derivatives are nearly linear in each value
  static constexpr double kSettled = 1.0;  // s: until then the filter is still finding its start

  void correct(std::size_t k, std::size_t i) {
    const Timeline::Sensor& sensor = timeline_.sensors[i];
    const auto output = static_cast<std::size_t>(sensor.output);
    Measurement<double> z{sensor.output, sensor.value[k], sensor.variance};
    if (!std::isfinite(z.value)) return;
    if (!filter_) return start_.add(now_, z);
    if (!std::isfinite(replay_.innovations[i].innovation[k])) return;  // refused
    if (const double pitch = spec_.wheels[output].pitch; pitch > 0.0) {
      z.value -=
          pitch * std::round((z.value - replay_.filtered[output].value[k]) / pitch);  // as the count was put right
      resume(sensor.output, pitch);
    } else if (spec_.jitter[output] > 0.0) {
      z.variance += jitter_variance(filter_->model(), filter_->belief().mean, z.output, spec_.jitter[output]);
    }
    const Correction<double> done = filter_->correct(z);
    if (done.status != StepStatus::ok) return;
    const BySuspect change = -tangent_.row(z.output).transpose();
    tangent_ += filter_->gain() * change.transpose();
    if (now_ < began_ + kSettled || !is_told_) return;
    const double weight = 1.0 / std::sqrt(done.variance);
    scored_.push_back(
        {now_, weight, weight * done.innovation, i, sensor.tooth.empty() ? -1 : sensor.tooth[k], weight * change});
  }

  // After an outage the count of a wheel without direction may be that of another tooth. To the replay it is where the
  // count was put right: this filter knows less then, and suspects less.
  void resume(int output, double pitch) {
    auto p = filter_->belief().covariance();
    const bool is_sure = std::sqrt(p(output, output)) <= gap::kSureOfATooth * pitch;
    if (is_sure || spec_.wheels[static_cast<std::size_t>(output)].directed) return;
    const gap::Row offset = gap::offset_within(pitch);
    p += offset * offset.transpose();
    if (output != P::load_position) return;
    for (const int runout : {P::runout_cosine, P::runout_sine}) p(runout, runout) += runout_variance(spec_);
  }

  // Where the replay does not know its mode, this filter goes on by its own, and nothing is tried by its innovations.
  // Were it to stay in the last one, a small gap would come out smaller, and a drive would be suspected after each
  // silence.
  void follow(double mode) {
    P& drive = filter_->model();
    is_told_ = !std::isnan(mode);
    drive.mode = is_told_ ? static_cast<GapMode>(static_cast<int>(mode))
                          : next_mode(drive, filter_->belief().mean, usual_hysteresis(drive, filter_->belief()));
    hold();
  }
  void hold() {
    if (!filter_->model().in_contact()) return;
    tie(filter_->belief(), P::gap_position, filter_->model().limit_state());
    tangent_.row(P::gap_position) = tangent_.row(filter_->model().limit_state());
  }

  void predict(double command, double dt) {
    delay_.command(now_, spec_.gain * command);
    if (!filter_ && start_.is_complete()) begin();
    const double end = now_ + dt;
    while (filter_ && now_ < end) {
      const CommandDelay::Acting acting = delay_.at(now_);
      change_command(acting.value);
      const double until = std::min(end, acting.until), whole = until - now_;
      const int steps = std::max(1, static_cast<int>(std::ceil(whole / longest_step_)));
      for (int i = 0; i < steps; ++i) step(acting.value, whole / steps);
      now_ = until;
    }
    now_ = end;
  }

  // A command that came later by da has not moved the torque by  -(1 + e) du / lag da.
  void change_command(double command) {
    if (command_)
      tangent_(P::motor_torque, kDelay) -=
          scale_[kDelay] * (1.0 + filter_->belief().mean[P::gain_error]) * (command - *command_) / spec_.drive.lag;
    command_ = command;
  }

  // dx/da' = A dx/da + df/da, by the trapezoidal rule. df/da is that of the torque as commanded: the filter's own
  // follows each innovation, and where [noise] lets it follow further than it must, the next innovation makes up for
  // it. Then the two would not be independent, and a record without fault would speak for another inertia.
  void step(double command, double dt) {
    const Vector<double, 1> u(command);
    Vector<double, P::kStates> x = filter_->belief().mean;
    x[P::motor_torque] = commanded_torque_;
    follow_command(command, dt);
    Tangent forced = Tangent::Zero();
    for (std::size_t i = 0; i < kOfDrive; ++i) {
      less_[i].mode = more_[i].mode = filter_->model().mode;
      forced.col(static_cast<int>(i)) = (more_[i].derivative(x, u) - less_[i].derivative(x, u)) / (2.0 * kStep);
    }
    forced(P::motor_torque, kTorqueOffset) = scale_[kTorqueOffset] / spec_.drive.lag;
    forced *= 0.5 * dt;
    PaddedMatrix<double, P::kStates> transition;
    filter_->predict(u, dt, &transition);
    tangent_ += forced;
    tangent_ = (transition.template topRows<P::kStates>() * tangent_).eval() + forced;
    hold();
  }

  // T' = ((1 + e) u - T) / lag, with u held.
  void follow_command(double command, double dt) {
    const double ends_at = (1.0 + filter_->belief().mean[P::gain_error]) * command;
    commanded_torque_ += (1.0 - std::exp(-dt / spec_.drive.lag)) * (ends_at - commanded_torque_);
  }

  void begin() {
    const GapStart::Belief start = start_.belief(now_, delay_.at(now_).value);
    P drive = spec_.drive;
    drive.mode = start.mode;
    filter_.emplace(drive, start.state);
    began_ = now_;
    commanded_torque_ = start.state.mean[P::motor_torque];
    // What is learned starts from the displacement, th_m / i - th_l.
    if (!spec_.offset_is_known)
      for (const int state : {P::gap_position, P::upper_limit, P::lower_limit})
        tangent_(state, kRatio) = -start.state.mean[P::motor_position] / drive.ratio;
    suspect_limits(start.mode);
    hold();
  }

  // U = g/2 - o, L = -g/2 - o. Where the offset is learned, the limit that is touched is where the gear is.
  void suspect_limits(GapMode touched) {
    if (spec_.offset_is_known && spec_.offset_std == 0.0)
      tangent_(P::upper_limit, kOffset) = tangent_(P::lower_limit, kOffset) = -scale_[kOffset];
    if (spec_.gap_std > 0.0) return;
    const double upper = spec_.offset_is_known ? 0.5 : touched == GapMode::upper ? 0.0 : 1.0;
    tangent_(P::upper_limit, kGap) = upper * scale_[kGap];
    tangent_(P::lower_limit, kGap) = (upper - 1.0) * scale_[kGap];
  }

  const GapSpec& spec_;
  const Timeline& timeline_;
  const Replay& replay_;
  BySuspect scale_;
  CommandDelay delay_;
  GapStart start_;
  std::array<P, kOfDrive> less_, more_;
  std::optional<Ekf<P>> filter_{};
  std::optional<double> command_{};
  double now_ = 0.0, began_ = 0.0, longest_step_ = 1e-3, commanded_torque_ = 0.0;
  bool is_told_ = true;  // the mode, by the replay
  Tangent tangent_ = Tangent::Zero();
  std::vector<Scored> scored_{};
};

// A column of each tooth is fitted with everything: its mean innovation goes.
void remove_teeth(std::vector<Scored>& scored) {
  struct Tooth {
    BySuspect change = BySuspect::Zero();
    double innovation = 0.0, weight = 0.0;
  };
  std::vector<std::vector<Tooth>> wheels;
  const auto tooth_of = [&](const Scored& s) -> Tooth& {
    const auto tooth = static_cast<std::size_t>(s.tooth);
    if (wheels.size() <= s.sensor) wheels.resize(s.sensor + 1);
    if (wheels[s.sensor].size() <= tooth) wheels[s.sensor].resize(tooth + 1);
    return wheels[s.sensor][tooth];
  };
  for (const Scored& s : scored) {
    if (s.tooth < 0) continue;
    Tooth& tooth = tooth_of(s);
    tooth.change += s.weight * s.change, tooth.innovation += s.weight * s.innovation, tooth.weight += square(s.weight);
  }
  std::vector<double> pulses(wheels.size(), 0.0);
  for (const Scored& s : scored)
    if (s.tooth >= 0) pulses[s.sensor] += 1.0;
  for (Scored& s : scored) {
    if (s.tooth < 0) continue;
    const Tooth& tooth = tooth_of(s);
    s.change -= s.weight / tooth.weight * tooth.change, s.innovation -= s.weight / tooth.weight * tooth.innovation;
    s.freedom = std::max(0.5, 1.0 - static_cast<double>(wheels[s.sensor].size()) / pulses[s.sensor]);
  }
}

std::vector<GapSuspect> suspects_of(const GapSpec& spec) {
  std::vector<GapSuspect> all;
  P::visit_parameters(spec.drive, [&](const ParameterInfo& info, const double& value) {
    all.push_back({.name = full_name(info), .unit = std::string(info.unit), .value = value});
  });
  all.push_back({.name = full_name(GapSpec::kDelay), .unit = std::string(GapSpec::kDelay.unit), .value = spec.delay});
  all.push_back({.name = "motor.command.offset", .unit = "N m"});
  all.push_back({.name = full_name(GapSpec::kGap), .unit = std::string(GapSpec::kGap.unit), .value = spec.gap});
  // What it would differ by is no share of it: the counters begin anywhere.
  all.push_back({.name = full_name(GapSpec::kOffset), .unit = std::string(GapSpec::kOffset.unit)});
  for (std::size_t i = 0; i < all.size(); ++i) all[i].index = static_cast<int>(i);
  return all;
}

// The fitted values' step, its covariance, and what the suspects beside them say.
class Scores {
 public:
  Scores(const Pass& pass, const std::vector<UncertainGapValue>& fitted, const std::vector<GapSuspect>& suspects)
      : pass_(pass), fitted_(fitted), suspects_(suspects), count_(static_cast<int>(fitted.size())) {
    for (const Scored& s : pass.scored) information_ += s.change * s.change.transpose();
    for (const Scored& s : pass.scored) score_ -= s.change * s.innovation;
    prior_ = Eigen::VectorXd::Zero(count_);
    Eigen::VectorXd score(count_);
    cross_.resize(count_, kSuspects);
    Eigen::MatrixXd own(count_, count_);
    for (int i = 0; i < count_; ++i) {
      cross_.row(i) = information_.row(index(i));
      for (int j = 0; j < count_; ++j) own(i, j) = information_(index(i), index(j));
      const auto& value = fitted[static_cast<std::size_t>(i)];
      prior_[i] = square(pass.scale[index(i)] / value.std);
      const double away = (value.value - suspects[static_cast<std::size_t>(index(i))].value) / pass.scale[index(i)];
      score[i] = score_[index(i)] + prior_[i] * away;
    }
    own.diagonal() += prior_;
    inverse_ = own.inverse();
    step_ = inverse_ * score;
  }

  double step(int i) const { return step_[i] * pass_.scale[index(i)]; }

  // `row` of the state, as the answer is read.
  GapScores::Shift shift(const Vector<double, P::kStates>& row) const {
    const Eigen::VectorXd by = fitted_part(row);
    return {by.dot(step_), std_of(inverse_ * by)};
  }

  std::vector<GapSuspect> tested(const Vector<double, P::kStates>& gap,
                                 const Vector<double, P::kStates>& offset) const {
    std::vector<GapSuspect> all = suspects_;
    // Where teeth are worse than the study says, noise is.
    const double noise = std::max(1.0, pass_.mean_nis);
    const Eigen::VectorXd by_gap = fitted_part(gap), by_offset = fitted_part(offset);
    for (int a = 0; a < kSuspects; ++a) {
      GapSuspect& s = all[static_cast<std::size_t>(a)];
      const auto* own = find_fitted(a);
      s.is_fitted = own != nullptr;
      const Eigen::VectorXd follows = own ? Eigen::VectorXd::Zero(count_) : Eigen::VectorXd(inverse_ * cross_.col(a));
      const double left = information_(a, a) - cross_.col(a).dot(follows);
      if (!(left > 1e-6 * information_(a, a))) continue;  // or it moves nothing
      const double change = (score_[a] - (own ? 0.0 : cross_.col(a).dot(step_))) / left;
      const double known = own && !own->is_assumed ? square(own->std / pass_.scale[a]) : 0.0;
      s.change = change * pass_.scale[a];
      s.z = change / std::sqrt(noise / left + known);
      s.gap_shift = change * (gap.dot(pass_.tangent.col(a)) - by_gap.dot(follows));
      s.offset_shift = change * (offset.dot(pass_.tangent.col(a)) - by_offset.dot(follows));
    }
    sort_by_suspicion(all);
    return all;
  }

 private:
  int index(int i) const { return fitted_[static_cast<std::size_t>(i)].index; }
  const UncertainGapValue* find_fitted(int suspect) const {
    for (const auto& value : fitted_)
      if (value.index == suspect) return &value;
    return nullptr;
  }
  Eigen::VectorXd fitted_part(const Vector<double, P::kStates>& row) const {
    Eigen::VectorXd part(count_);
    for (int i = 0; i < count_; ++i) part[i] = row.dot(pass_.tangent.col(index(i)));
    return part;
  }

  // Of a sum of scores, c^T s: what is left of the innovations follows the load's torque, and is no white noise.
  //   c^T (sum of s s^T, neighbours in time included, and the prior) c
  // It was estimated from few pieces that are independent: as Student's t is wider than the normal distribution.
  double std_of(const Eigen::VectorXd& c) const {
    constexpr double kPiece = 0.1;  // s: short beside the time in which a filter forgets
    const double begin = pass_.scored.front().time, end = pass_.scored.back().time;
    const auto pieces = static_cast<Eigen::Index>((end - begin) / kPiece) + 1;
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(pieces, 1);
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(pieces);
    for (const Scored& s : pass_.scored) {
      double left = s.innovation, change = 0.0;
      for (int i = 0; i < count_; ++i) left += s.change[index(i)] * step_[i], change += c[i] * s.change[index(i)];
      const auto piece = static_cast<Eigen::Index>((s.time - begin) / kPiece);
      sums(piece, 0) -= change * left / std::sqrt(s.freedom);
      expected[piece] += square(change);
    }
    const LongRun scatter = long_run(sums);
    const double wider = coverage_factor(long_run_freedom(expected, scatter.bandwidth)) / k95;
    return std::sqrt(square(wider) * scatter.covariance(0, 0) + c.dot(prior_.asDiagonal() * c));
  }

  const Pass& pass_;
  const std::vector<UncertainGapValue>& fitted_;
  const std::vector<GapSuspect>& suspects_;
  int count_;
  Matrix<double, kSuspects> information_ = Matrix<double, kSuspects>::Zero();
  BySuspect score_ = BySuspect::Zero();
  Eigen::MatrixXd cross_, inverse_;  // fitted with all; of the fitted, with what was known before
  Eigen::VectorXd prior_, step_;
};

// What the fitted values make of `row` with the std that they have before the record.
double std_before(const Pass& pass, const std::vector<UncertainGapValue>& fitted,
                  const Vector<double, P::kStates>& row) {
  double variance = 0.0;
  for (const UncertainGapValue& value : fitted)
    variance += square(row.dot(pass.tangent.col(value.index)) * value.std / pass.scale[value.index]);
  return std::sqrt(variance);
}

}  // namespace

GapScores score_gap(const GapSpec& spec, const Timeline& timeline, const Replay& replay,
                    const std::vector<UncertainGapValue>& fitted) {
  const std::vector<GapSuspect> suspects = suspects_of(spec);
  BySuspect scale;
  for (int i = 0; i < kSuspects; ++i) {
    const double value = suspects[static_cast<std::size_t>(i)].value;
    scale[i] = value != 0.0 ? value : 1.0;
  }
  Pass pass = ScoringFilter(spec, timeline, replay, scale).run();
  GapScores result{.pulses = pass.scored.size()};
  result.is_followed = pass.tangent.allFinite() && std::isfinite(pass.mean_nis);
  if (!result.is_followed) return result;
  Vector<double, P::kStates> gap = Vector<double, P::kStates>::Zero(), offset = gap;
  gap[P::upper_limit] = 1.0, gap[P::lower_limit] = -1.0;
  offset[P::upper_limit] = offset[P::lower_limit] = -0.5;
  constexpr std::size_t kFew = 100;
  if (pass.scored.size() < kFew) {
    result.gap.std = std_before(pass, fitted, gap), result.offset.std = std_before(pass, fitted, offset);
    return result;
  }
  remove_teeth(pass.scored);
  const Scores scores(pass, fitted, suspects);
  result.gap = scores.shift(gap), result.offset = scores.shift(offset);
  for (std::size_t i = 0; i < fitted.size(); ++i) result.step.push_back(scores.step(static_cast<int>(i)));
  result.suspects = scores.tested(gap, offset);
  return result;
}

}  // namespace tauhat
