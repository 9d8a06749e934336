#include "tauhat/offline/joint/axes_simulation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/random.hpp"
#include "tauhat/offline/simulate/sensors.hpp"

namespace tauhat {
namespace {

using Values = Eigen::VectorXd;

Values list(const std::vector<double>& values) {
  return Eigen::Map<const Values>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Motors' positions, links' positions, motors' velocities, links' velocities.
class Plant {
 public:
  explicit Plant(const AxesSpec& spec)
      : spec_(spec),
        n_(static_cast<Eigen::Index>(spec.count())),
        inertia_(list(spec.motor_inertia)),
        viscous_(list(spec.motor_viscous)),
        ratio_(list(spec.ratio)),
        stiffness_(list(spec.stiffness)),
        damping_(list(spec.damping)),
        load_viscous_(list(spec.load_viscous)),
        fastest_rate_(fastest_rate()) {}

  Values joint_torque(const Values& x) const {
    return stiffness_.cwiseProduct(x.head(n_).cwiseQuotient(ratio_) - x.segment(n_, n_)) +
           damping_.cwiseProduct(x.segment(2 * n_, n_).cwiseQuotient(ratio_) - x.tail(n_));
  }

  //   J w_m' = u - b w_m - tau / N,   M(q) w' = tau - b_l w - h(q, w)
  Values derivative(const Values& x, const Values& u) const {
    const Values tau = joint_torque(x), q = x.segment(n_, n_), w = x.tail(n_);
    Values dx(4 * n_);
    dx.head(2 * n_) = x.tail(2 * n_);
    dx.segment(2 * n_, n_) =
        (u - viscous_.cwiseProduct(x.segment(2 * n_, n_)) - tau.cwiseQuotient(ratio_)).cwiseQuotient(inertia_);
    dx.tail(n_) = mass_at(spec_, q).llt().solve(tau - load_viscous_.cwiseProduct(w) - bias_at(spec_, q, w));
    return dx;
  }

  // Runge-Kutta of fourth order, in steps that the fastest joint allows.
  void advance(const Values& u, double period, Values& x) const {
    constexpr double kAngle = 0.2;  // rad of the fastest joint's swing in a step: an error of 1e-5 of it
    const auto steps = static_cast<int>(std::ceil(std::max(fastest_rate_ * period / kAngle, 1.0)));
    const double h = period / steps;
    for (int step = 0; step < steps; ++step) {
      const Values a = derivative(x, u), b = derivative(x + h / 2 * a, u), c = derivative(x + h / 2 * b, u),
                   d = derivative(x + h * c, u);
      x += h / 6 * (a + 2 * b + 2 * c + d);
    }
  }

  // At rest where the links stand, the gears wound up by what gravity asks.
  Values at_rest(const Values& position) const {
    Values x = Values::Zero(4 * n_);
    x.segment(n_, n_) = position;
    x.head(n_) = ratio_.cwiseProduct(position + weight(position).cwiseQuotient(stiffness_));
    return x;
  }

  Values weight(const Values& position) const { return bias_at(spec_, position, Values::Zero(n_)); }
  const Values& ratio() const { return ratio_; }
  // What each motor turns, the others at rest.
  Values felt_inertia(const Values& position) const {
    return inertia_ + mass_at(spec_, position).diagonal().cwiseQuotient(ratio_.cwiseAbs2());
  }

 private:
  // Of any joint, motor and link against each other: a link is never lighter than by what couples it to the others.
  double fastest_rate() const {
    const Values inverse_mass = spec_.mass.inverse().diagonal();
    const Values both = inverse_mass + (inertia_.cwiseProduct(ratio_.cwiseAbs2())).cwiseInverse();
    return std::max(stiffness_.cwiseProduct(both).cwiseSqrt().maxCoeff(), damping_.cwiseProduct(both).maxCoeff());
  }

  const AxesSpec& spec_;
  Eigen::Index n_;
  Values inertia_, viscous_, ratio_, stiffness_, damping_, load_viscous_;
  double fastest_rate_;
};

// u = weight / N + J (rate^2 (N q_ref - q_m) + 2 rate (N q_ref' - w_m))
class Controller {
 public:
  Controller(const AxesSpec& spec, const Plant& plant) : spec_(spec), plant_(plant), pose_(list(spec.pose)) {}

  Values reference(double time) const {
    return pose_ + list(spec_.motion.amplitude) * (1.0 - std::cos(kTurn * spec_.motion.frequency * time)) / 2.0;
  }
  Values torque(double time, const Values& x) const {
    constexpr double kRate = kTurn * 1.5;  // rad/s: below what makes the joints swing
    const Eigen::Index n = pose_.size();
    const Values at = reference(time), rate = (reference(time + kShort) - at) / kShort, ratio = plant_.ratio();
    return plant_.weight(at).cwiseQuotient(ratio) +
           plant_.felt_inertia(at).cwiseProduct(kRate * kRate * (ratio.cwiseProduct(at) - x.head(n)) +
                                                2.0 * kRate * (ratio.cwiseProduct(rate) - x.segment(2 * n, n)));
  }

 private:
  static constexpr double kTurn = 2.0 * std::numbers::pi, kShort = 1e-6;  // s
  const AxesSpec& spec_;
  const Plant& plant_;
  Values pose_;
};

// Each motor by phases of its own.
std::vector<std::vector<double>> excitations(const AxesSpec& spec, const SimulationSpec& simulation, const Rows& rows,
                                             std::uint64_t seed) {
  std::vector<std::vector<double>> all;
  for (std::size_t axis = 0; axis < spec.count(); ++axis) {
    all.push_back(excite(simulation.excitation, rows, Random(seed, "axis", axis).next()));
    for (double& torque : all.back()) torque *= spec.motion.torque_share[axis];
  }
  return all;
}

}  // namespace

SimulatedAxes simulate_axes(const AxesSpec& spec, const SimulationSpec& simulation, std::uint64_t seed,
                            const std::function<void(double)>& progress) {
  const auto n = static_cast<Eigen::Index>(spec.count());
  const Rows rows{static_cast<std::size_t>(std::lround(simulation.duration / simulation.period)) + 1,
                  simulation.period};
  SimulatedAxes result;
  for (std::size_t axis = 0; axis < spec.count(); ++axis)
    for (std::size_t k = 0; k < kAxisSignals; ++k)
      result.outputs.push_back({spec.signal(axis, static_cast<AxisSignal>(k)), std::string(kSignalsOfAxis[k].unit)});
  result.data.truth.assign(result.outputs.size(), std::vector<double>(rows.count, 0.0));
  const Plant plant(spec);
  const Controller controller(spec, plant);
  const auto excitation = excitations(spec, simulation, rows, seed);
  Values x = plant.at_rest(controller.reference(0.0));
  for (std::size_t row = 0; row < rows.count; ++row) {
    Values u = controller.torque(rows.time(row), x);
    for (Eigen::Index i = 0; i < n; ++i) u[i] += excitation[static_cast<std::size_t>(i)][row];
    const Values tau = plant.joint_torque(x), load = bias_at(spec, x.segment(n, n), x.tail(n));
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto truth = [&](AxisSignal signal) -> double& {
        return result.data.truth[static_cast<std::size_t>(i) * kAxisSignals + signal][row];
      };
      truth(axis_motor_position) = x[i], truth(axis_load_position) = x[n + i];
      truth(axis_motor_velocity) = x[2 * n + i], truth(axis_load_velocity) = x[3 * n + i];
      truth(axis_transmission_torque) = tau[i], truth(axis_load_torque) = load[i], truth(axis_motor_torque) = u[i];
    }
    result.data.time.push_back(rows.time(row));
    plant.advance(u, rows.period, x);
    if (progress && row % 1000 == 0) progress(static_cast<double>(row) / static_cast<double>(rows.count));
  }
  for (std::size_t i = 0; i < simulation.sensors.size(); ++i) {
    const Sensor& sensor = simulation.sensors[i];
    const auto& truth = result.data.truth[static_cast<std::size_t>(axes_signal(spec, sensor.output))];
    result.data.sensors.push_back(late_readings(sensor, i, rows.period, seed, truth));
  }
  return result;
}

}  // namespace tauhat
