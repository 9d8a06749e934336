// One segment integrated with derivatives: residuals and normal equations by its start and by the common parameters.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/offline/identify/segment_spread.hpp"
#include "tauhat/offline/identify/shooting.hpp"

namespace tauhat {

// Directions that a scalar carries derivatives in: none of a plain number.
template <class D>
constexpr int directions_of() {
  if constexpr (std::is_floating_point_v<D>) {
    return 0;
  } else {
    return D::DerType::RowsAtCompileTime;
  }
}

// A number whose derivative is one in this direction, or constant where that is negative. A plain one has no other.
template <class D>
D seeded_value(double value, int direction = -1) {
  if constexpr (directions_of<D>() == 0) {
    return value;
  } else {
    D dual(value);
    dual.derivatives().setZero();
    if (direction >= 0) dual.derivatives()[direction] = 1.0;
    return dual;
  }
}

template <int Width>
struct SegmentSum {
  Matrix<double, Width> normal = Matrix<double, Width>::Zero();    // J^T J, local unknowns first
  Vector<double, Width> gradient = Vector<double, Width>::Zero();  // J^T r
  double chi_square = 0.0;
  int residuals = 0;
};

// Information and score of the common parameters, the segment's own start eliminated by its part of the normal matrix.
template <int Width>
SegmentPull without_start(const SegmentSum<Width>& sum, const Eigen::MatrixXd& local, int common) {
  const auto locals = local.rows();
  const Eigen::MatrixXd border = sum.normal.block(0, locals, locals, common);
  const Eigen::LDLT<Eigen::MatrixXd> start(local);
  return {sum.normal.block(locals, locals, common, common) - border.transpose() * start.solve(border),
          sum.gradient.segment(locals, common) - border.transpose() * start.solve(sum.gradient.head(locals))};
}

// RK4 over one sample, split where the law has a corner or the motor turns: a step across either would cost more
// accuracy than all the rest. Torque is continuous there, so the instant of the split carries no derivative.
template <class M>
class SampleIntegrator {
 public:
  using T = typename M::Scalar;
  using TwoMass = typename M::Drive;

  explicit SampleIntegrator(const M& model) : model_(model), width_(friction_width(model)) {
    const double inverse_inertia = 1.0 / (square(plain(model.drive.ratio)) * plain(model.drive.motor_inertia)) +
                                   1.0 / plain(model.drive.load_inertia);
    resonance_ = std::sqrt(plain(model.law.steepest_stiffness()) * inverse_inertia);
    const auto& friction = model.drive.motor_friction;
    has_coulomb_ = plain(friction.steepest_slope()) * width_ > 1e-9 || plain(friction.steepest_by_load()) > 0.0;
  }

  StateOf<M> advance(StateOf<M> x, const InputOf<M>& u, double dt) const {
    constexpr int kMostSplits = 6;  // more corners in one sample than a sane log has
    for (int splits = 0; splits < kMostSplits; ++splits) {
      StateOf<M> end = integrate(x, u, dt);
      const double share = first_crossing(x, end, u, dt);
      if (share >= 1.0) return end;
      x = integrate(x, u, share * dt);
      dt *= 1.0 - share;
    }
    return integrate(x, u, dt);
  }

 private:
  static double square(double v) { return v * v; }
  static double friction_width(const M& model) { return plain(T(model.drive.motor_friction.smoothing_width())); }

  // Zero of the cubic through two values and slopes, as a share of the interval; 1 where the sign stays.
  static double crossing(double from, double to, double slope_from, double slope_to) {
    constexpr double kAtCorner = 1e-10;  // a piece that begins on a corner has just been split there
    if (std::abs(from) < kAtCorner || (from > 0) == (to > 0)) return 1.0;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 30; ++i) {
      const double s = 0.5 * (low + high), t = 1.0 - s;
      const double value =
          from * t * t * (1.0 + 2.0 * s) + to * s * s * (1.0 + 2.0 * t) + slope_from * s * t * t - slope_to * s * s * t;
      ((value > 0) == (from > 0) ? low : high) = s;
    }
    return high < 1e-6 ? 1.0 : high;
  }

  double first_crossing(const StateOf<M>& from, const StateOf<M>& to, const InputOf<M>& u, double dt) const {
    const double d0 = plain(model_.displacement(from)), d1 = plain(model_.displacement(to));
    const double r0 = plain(model_.displacement_rate(from)) * dt, r1 = plain(model_.displacement_rate(to)) * dt;
    double first = 1.0;
    for (const auto& kink : model_.law.kinks()) {
      first = std::min(first, crossing(d0 - plain(kink), d1 - plain(kink), r0, r1));
    }
    const double v0 = plain(from[TwoMass::motor_velocity]), v1 = plain(to[TwoMass::motor_velocity]);
    if (has_coulomb_ && (v0 > 0) != (v1 > 0)) {
      const double a0 = plain(model_.derivative(from, u)[TwoMass::motor_velocity]) * dt;
      const double a1 = plain(model_.derivative(to, u)[TwoMass::motor_velocity]) * dt;
      first = std::min(first, crossing(v0, v1, a0, a1));
    }
    return first;
  }

  // Steps for one piece: the resonance always, the friction's steep slope only where the motor is slow enough to feel
  // it. `rate` is that of x.
  int steps_for(const StateOf<M>& x, const StateOf<M>& rate, const InputOf<M>& u, double dt) const {
    const int coarse = static_cast<int>(std::ceil(resonance_ * dt / 0.25));
    if (!has_coulomb_) return std::clamp(coarse, 1, 16);
    const double v0 = plain(x[TwoMass::motor_velocity]);
    const double v1 = v0 + dt * plain(rate[TwoMass::motor_velocity]);
    const bool slow = std::min(std::abs(v0), std::abs(v1)) < 10.0 * width_ || (v0 > 0) != (v1 > 0);
    if (!slow) return std::clamp(coarse, 1, 24);
    const double fastest = plain(fastest_rate_at(model_, x, u));
    return std::clamp(std::max(coarse, static_cast<int>(std::ceil(fastest * dt))), 1, 24);
  }

  StateOf<M> integrate(StateOf<M> x, const InputOf<M>& u, double dt) const {
    StateOf<M> k1 = model_.derivative(x, u);
    const int steps = steps_for(x, k1, u, dt);
    const double h = dt / steps;
    for (int i = 0; i < steps; ++i) {
      if (i > 0) k1 = model_.derivative(x, u);
      const StateOf<M> k2 = model_.derivative(ahead(x, k1, 0.5 * h), u);
      const StateOf<M> k3 = model_.derivative(ahead(x, k2, 0.5 * h), u);
      const StateOf<M> k4 = model_.derivative(ahead(x, k3, h), u);
      for (int s = 0; s < M::kStates; ++s) x[s] += (k1[s] + 2.0 * (k2[s] + k3[s]) + k4[s]) * (h / 6.0);
    }
    return x;
  }

  // x + by * rate: the time carries no derivatives, and is not made one that does.
  static StateOf<M> ahead(const StateOf<M>& x, const StateOf<M>& rate, double by) {
    StateOf<M> there;
    for (int s = 0; s < M::kStates; ++s) there[s] = x[s] + rate[s] * by;
    return there;
  }

  const M& model_;
  double width_, resonance_ = 0.0;
  bool has_coulomb_ = false;
};

// What the log's torque channel does to the torque that acts.
template <class D>
struct TorqueChannel {
  D gain = seeded_value<D>(1.0), delay = seeded_value<D>(0.0), offset = seeded_value<D>(0.0);
};

// Parameter g of the list gets direction `first + g`, wherever it acts. Entries that this does not know are left to the
// caller.
template <class M>
void seed_parameters(const std::vector<ShootingParameter>& parameters, const std::vector<double>& value, int first,
                     M& model, TorqueChannel<typename M::Scalar>& torque) {
  using D = typename M::Scalar;
  M::visit_parameters(model, [](const ParameterInfo&, D& p) { p = seeded_value<D>(plain(p)); });
  for (std::size_t g = 0; g < parameters.size(); ++g) {
    const D dual = seeded_value<D>(value[g], first + static_cast<int>(g));
    for (const int entry : parameters[g].entries) {
      if (entry == ShootingParameter::kTorqueGain) {
        torque.gain = dual;
      } else if (entry == ShootingParameter::kTorqueDelay) {
        torque.delay = dual;
      } else if (entry == ShootingParameter::kTorqueOffset) {
        torque.offset = dual;
      } else {
        with_parameter(model, entry, [&](const ParameterInfo&, D& p) { p = dual; });
      }
    }
  }
}

// The held torque u(t), a delay later: its mean over each interval, one after the other.
//   u_k = 1 / dt * integral of u from t_k - delay to t_k+1 - delay
//   du_k / d delay = (u(t_k - delay) - u(t_k+1 - delay)) / dt
// By time stamps, because intervals differ where clocks are merged. Before its first and after its last sample u stays.
template <class D>
class DelayedInput {
 public:
  // `first`: the interval that next() begins with.
  DelayedInput(const Timeline& timeline, const TorqueChannel<D>& channel, std::size_t first)
      : time_(timeline.time), input_(timeline.inputs[0]), channel_(channel), delay_(plain(channel.delay)), k_(first) {
    const auto reached = std::lower_bound(time_.begin(), time_.end(), time_[k_] - delay_);
    if (reached != time_.begin()) at_ = static_cast<std::size_t>(reached - time_.begin()) - 1;
  }

  D next() {
    double from = time_[k_] - delay_;
    const double dt = time_[k_ + 1] - time_[k_], end = time_[k_ + 1] - delay_;
    const double held_before = input_[at_];
    double mean = 0.0;
    while (at_ + 1 < time_.size() && time_[at_ + 1] < end) {
      mean += input_[at_] * ((time_[at_ + 1] - from) / dt);
      from = time_[++at_];
    }
    mean += input_[at_] * ((end - from) / dt);
    ++k_;
    const double slope = (held_before - input_[at_]) / dt;
    return D(channel_.gain * (D(mean) + (channel_.delay - D(delay_)) * slope) + channel_.offset);
  }

 private:
  const std::vector<double>&time_, &input_;
  const TorqueChannel<D>& channel_;
  double delay_;
  std::size_t k_;       // the next interval
  std::size_t at_ = 0;  // the sample that is held just before it begins
};

template <class M>
class SegmentShooter {
 public:
  using D = typename M::Scalar;
  static constexpr int kWidth = directions_of<D>();

  // `model` carries the common parameters with their directions; of plain numbers the sums have no derivatives.
  SegmentShooter(const Timeline& timeline, const M& model, const TorqueChannel<D>& torque, bool position_is_local)
      : timeline_(timeline), model_(model), torque_(torque), position_is_local_(position_is_local) {}

  // `rows` collects standardised residuals per sensor, where it is given.
  SegmentSum<kWidth> run(const ShootingSegment& segment, std::vector<std::vector<double>>* rows) const {
    SegmentSum<kWidth> sum;
    const SampleIntegrator<M> integrator(model_);
    StateOf<M> x = start(segment);
    DelayedInput<D> torque(timeline_, torque_, segment.first);
    for (std::size_t i = 0; i < segment.intervals; ++i) {
      const std::size_t k = segment.first + i;
      const double dt = timeline_.interval(k);
      InputOf<M> u;
      u[0] = torque.next();
      x = integrator.advance(x, u, dt);
      compare(x, u, k + 1, sum, rows);
      constexpr double kRanAway = 1e12;
      if (!(sum.chi_square < kRanAway)) {
        // Counted in full, so that it costs more than any segment that ran to its end.
        sum.chi_square = kRanAway;
        sum.residuals = static_cast<int>(segment.intervals * timeline_.sensors.size());
        break;
      }
    }
    return sum;
  }

 private:
  StateOf<M> start(const ShootingSegment& s) const {
    using TwoMass = typename M::Drive;
    StateOf<M> x;
    const D displacement = seeded_value<D>(s.displacement, 0);
    x[TwoMass::motor_velocity] = seeded_value<D>(s.motor_velocity, 1);
    x[TwoMass::load_velocity] = seeded_value<D>(s.load_velocity, 2);
    x[TwoMass::motor_position] = seeded_value<D>(s.motor_position, position_is_local_ ? 3 : -1);
    x[TwoMass::load_position] = x[TwoMass::motor_position] / model_.drive.ratio - displacement;
    return x;
  }

  void compare(const StateOf<M>& x, const InputOf<M>& u, std::size_t k, SegmentSum<kWidth>& sum,
               std::vector<std::vector<double>>* rows) const {
    for (std::size_t s = 0; s < timeline_.sensors.size(); ++s) {
      const auto& sensor = timeline_.sensors[s];
      if (!std::isfinite(sensor.value[k])) continue;
      const D predicted = model_.output(sensor.output, x, u);
      const double per_std = 1.0 / std::sqrt(sensor.variance);
      const double residual = (sensor.value[k] - plain(predicted)) * per_std;
      if constexpr (kWidth > 0) {
        const Vector<double, kWidth> direction = predicted.derivatives() * per_std;
        sum.normal.noalias() += direction * direction.transpose();
        sum.gradient.noalias() += direction * residual;
      }
      sum.chi_square += residual * residual;
      ++sum.residuals;
      if (rows) (*rows)[s][k] = residual;
    }
  }

  const Timeline& timeline_;
  M model_;
  TorqueChannel<D> torque_;
  bool position_is_local_;
};

}  // namespace tauhat
