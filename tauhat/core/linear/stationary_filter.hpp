// The Kalman filter that a constant model ends in, and whether it is one.
//   P = A P(k|k) A^T + Q                       of x(k|k-1): the discrete Riccati equation
//   K = P C^T (C P C^T + R)^-1,   P(k|k) = (I - K C) P (I - K C)^T + K R K^T
//   x(k|k) = x(k|k-1) + K e                    filter form
//   x(k+1|k) = A x(k|k-1) + B u + A K e        predictor form: its gain is A K, not K
// The doubling can settle on a finite P where no stationary filter exists (a random walk too many): nothing is returned
// as designed before detectability, the equation's residual and the observer's poles have been looked at.
#pragma once

#include "tauhat/core/linear/discretise_any.hpp"
#include "tauhat/core/linear/lyapunov.hpp"
#include "tauhat/core/linear/observability.hpp"
#include "tauhat/core/linear/positive.hpp"
#include "tauhat/core/linear/riccati.hpp"

namespace tauhat {

// Covariances of what one step adds, and of one sample of each sensor.
template <class T, int N, int Outputs>
struct StepNoise {
  Matrix<T, N> process;
  Vector<T, Outputs> sensors;
};

// Spectral density of what acts on x' = A x + w; of the sensors, as they are sampled, still the variances.
template <class T, int N, int Outputs>
struct DensityNoise {
  Matrix<T, N> process;
  Vector<T, Outputs> sensors;
};

template <class T, int N, int Outputs>
StepNoise<T, N, Outputs> step_noise(const Matrix<T, N>& continuous, const DensityNoise<T, N, Outputs>& noise,
                                    T period) noexcept {
  if constexpr (N == Eigen::Dynamic) {
    return {discretise_any<T>(continuous, &noise.process, period).noise, noise.sensors};
  } else {
    return {discretise_correlated<T, N>(continuous, noise.process, period).noise.template topRows<N>(), noise.sensors};
  }
}

enum class FilterStatus {
  designed,
  not_finite,
  process_noise_not_positive,
  sensor_noise_not_positive,
  not_detectable,  // see `detectability`
  not_settled,     // the doubling does not end
  not_solved,      // it ends elsewhere: see `residual`
  not_stable       // see `radius`; most often a state without noise that does not decay
};

template <class T, int N, int Outputs>
struct StationaryFilter {
  Matrix<T, N, Outputs> gain = cleared<Matrix<T, N, Outputs>>();            // K
  Matrix<T, N, Outputs> predictor_gain = cleared<Matrix<T, N, Outputs>>();  // A K
  Matrix<T, N> predicted = cleared<Matrix<T, N>>();                         // covariance of x(k|k-1)
  Matrix<T, N> corrected = cleared<Matrix<T, N>>();                         // of x(k|k)
  T residual = std::numeric_limits<T>::infinity();                          // of the Riccati equation, over P
  T radius = std::numeric_limits<T>::infinity();                            // of A - A K C
  ModeTest<T, N> detectability;
  FilterStatus status = FilterStatus::designed;

  bool designed() const noexcept { return status == FilterStatus::designed; }
};

namespace stationary_filter_detail {

template <class T, int N, int Outputs>
struct System {
  Matrix<T, N> a;
  Matrix<T, Outputs, N> c;
  StepNoise<T, N, Outputs> noise;
};

// States divided by their scales: P of each is then near one, and so is what rounding leaves of the equation.
template <class T, int N, int Outputs>
System<T, N, Outputs> in_scales(const System<T, N, Outputs>& system, const Vector<T, N>& scales) noexcept {
  const Vector<T, N> inverse = scales.cwiseInverse();
  return {scaled<T, N>(system.a, scales),
          system.c * scales.asDiagonal(),
          {inverse.asDiagonal() * system.noise.process * inverse.asDiagonal(), system.noise.sensors}};
}

template <class T, int N, int Outputs>
Matrix<T, N, Outputs> filter_gain(const System<T, N, Outputs>& system, const Matrix<T, N>& p) noexcept {
  const Matrix<T, Outputs, N> seen = system.c * p;
  Matrix<T, Outputs> innovation = seen * system.c.transpose();
  innovation.diagonal() += system.noise.sensors;
  return solve<T, Outputs, N>(innovation, seen).transpose();
}

template <class T, int N, int Outputs>
Matrix<T, N> corrected(const System<T, N, Outputs>& system, const Matrix<T, N, Outputs>& gain,
                       const Matrix<T, N>& p) noexcept {
  const Matrix<T, N> left = identity_like<T, N>(p) - gain * system.c;
  return left * p * left.transpose() + gain * system.noise.sensors.asDiagonal() * gain.transpose();
}

template <class T, int N, int Outputs>
T residual_of(const System<T, N, Outputs>& system, const Matrix<T, N, Outputs>& gain, const Matrix<T, N>& p) noexcept {
  const Matrix<T, N> next = system.a * corrected(system, gain, p) * system.a.transpose() + system.noise.process;
  return (next - p).norm() / p.norm();
}

// The doubling, then one step of Newton's method (Hewer 1971), the Lyapunov equation of its gain: what the doubling has
// lost to rounding, 1e-10 of P for six states, is regained to the last digits.
template <class T, int N, int Outputs>
Riccati<T, N> solved(const System<T, N, Outputs>& system) noexcept {
  Riccati<T, N> riccati =
      solve_discrete_riccati<T, N, Outputs>(system.a, system.c, system.noise.process, system.noise.sensors);
  if (!riccati.converged) return riccati;
  Matrix<T, N, Outputs> gain = filter_gain(system, riccati.covariance);
  const Matrix<T, N, Outputs> predictor = system.a * gain;
  const Lyapunov<T, N> refined = solve_discrete_lyapunov<T, N>(
      system.a - predictor * system.c,
      system.noise.process + predictor * system.noise.sensors.asDiagonal() * predictor.transpose());
  if (refined.converged) {
    riccati.covariance = refined.covariance;
    gain = filter_gain(system, riccati.covariance);
  }
  riccati.residual = residual_of(system, gain, riccati.covariance);
  return riccati;
}

template <class T, int N, int Outputs>
FilterStatus noise_status(const System<T, N, Outputs>& system) noexcept {
  if (!system.a.allFinite() || !system.c.allFinite()) return FilterStatus::not_finite;
  if (!is_positive_semidefinite<T, N>(system.noise.process)) return FilterStatus::process_noise_not_positive;
  const bool positive = system.noise.sensors.allFinite() && system.noise.sensors.minCoeff() > T(0);
  return positive ? FilterStatus::designed : FilterStatus::sensor_noise_not_positive;
}

}  // namespace stationary_filter_detail

// The period gives the undetected mode its frequency, no more.
template <class T, int N, int Outputs>
StationaryFilter<T, N, Outputs> stationary_filter(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c,
                                                  const StepNoise<T, N, Outputs>& noise, T period) noexcept {
  using namespace stationary_filter_detail;
  const T allowed = std::sqrt(std::numeric_limits<T>::epsilon()) * T(10);
  const System<T, N, Outputs> given{a, c, noise};
  StationaryFilter<T, N, Outputs> filter;
  const auto refused = [&](FilterStatus reason) { return filter.status = reason, filter; };
  if (const FilterStatus status = noise_status(given); status != FilterStatus::designed) return refused(status);
  filter.detectability = test_detectability<T, N, Outputs>(a, c, period);
  if (!filter.detectability.passed) return refused(FilterStatus::not_detectable);

  const Vector<T, N> scales = balancing_scales<T, N>(a - identity_like<T, N>(a));
  const System<T, N, Outputs> system = in_scales(given, scales);
  const Riccati<T, N> riccati = solved(system);
  if (!riccati.converged) return refused(FilterStatus::not_settled);
  const Matrix<T, N, Outputs> gain = filter_gain(system, riccati.covariance);
  filter.gain = scales.asDiagonal() * gain;
  filter.predictor_gain = a * filter.gain;
  filter.predicted = scales.asDiagonal() * riccati.covariance * scales.asDiagonal();
  filter.corrected = scales.asDiagonal() * corrected(system, gain, riccati.covariance) * scales.asDiagonal();
  filter.residual = riccati.residual;
  filter.radius = spectral_radius<T, N>(a - filter.predictor_gain * c);
  if (!(filter.residual <= allowed)) return refused(FilterStatus::not_solved);
  if (!(filter.radius < T(1))) return refused(FilterStatus::not_stable);
  return filter;
}

// The covariance of x(k|k-1) that any predictor gain L leads to, its poles placed or its noise another one:
//   P = (A - L C) P (A - L C)^T + Q + L R L^T
template <class T, int N, int Outputs>
Lyapunov<T, N> observer_covariance(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c,
                                   const Matrix<T, N, Outputs>& predictor_gain,
                                   const StepNoise<T, N, Outputs>& noise) noexcept {
  const Vector<T, N> scales = balancing_scales<T, N>(a - identity_like<T, N>(a));
  const auto system = stationary_filter_detail::in_scales<T, N, Outputs>({a, c, noise}, scales);
  const Matrix<T, N, Outputs> gain = scales.cwiseInverse().asDiagonal() * predictor_gain;
  Lyapunov<T, N> result = solve_discrete_lyapunov<T, N>(
      system.a - gain * system.c, system.noise.process + gain * system.noise.sensors.asDiagonal() * gain.transpose());
  const Matrix<T, N> covariance = scales.asDiagonal() * result.covariance * scales.asDiagonal();
  result.covariance = covariance;
  return result;
}

}  // namespace tauhat
