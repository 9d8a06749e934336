#include "tauhat/offline/joint/modal_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Complex = std::complex<double>;
using Joint = ElasticJoint<double>;

std::string full_name(const ParameterInfo& info) { return fmt::format("{}.{}", info.group, info.name); }

// The parameters that move, by their place in the joint's list.
std::vector<int> places_of(const std::vector<std::string>& names, const Joint& start) {
  std::vector<std::string> known;
  std::vector<double> values;
  Joint::visit_parameters(start, [&](const ParameterInfo& info, double value) {
    known.push_back(full_name(info));
    values.push_back(value);
  });
  std::vector<int> places;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string nearest = nearest_name(name, known);
      throw Error(ExitCode::wrong_use, fmt::format("modal fit: an elastic joint has no parameter \"{}\"{}", name,
                                                   nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    }
    const auto place = found - known.begin();
    if (!(values[static_cast<std::size_t>(place)] > 0.0)) {
      throw Error(ExitCode::wrong_use, fmt::format("modal fit: {} starts at {:g}: must be positive to be free", name,
                                                   values[static_cast<std::size_t>(place)]));
    }
    places.push_back(static_cast<int>(place));
  }
  return places;
}

// Residuals of the response, two a line: of the magnitude and of the phase, in deviations.
struct Residuals {
  VectorXd value;
  MatrixXd jacobian;  // by the logarithms

  Eigen::Vector2d line(Index i) const { return value.segment<2>(2 * i); }
  Index lines() const { return value.size() / 2; }
};

// rho and its derivative.
double soft(double s) { return 2.0 * (std::sqrt(1.0 + s) - 1.0); }
double soft_weight(double s) { return 1.0 / std::sqrt(1.0 + s); }

class Fit {
 public:
  Fit(const FrequencyResponse& response, const Joint& start, const ModalFitOptions& options)
      : response_(response), start_(start), options_(options), places_(places_of(options.free, start)) {
    for (std::size_t i = 0; i < response.size(); ++i) {
      if (response.frequency[i] <= options.highest) lines_.push_back(i);
    }
    if (2 * lines_.size() <= places_.size()) {
      throw Error(ExitCode::unusable_data,
                  fmt::format("modal fit: {} lines cannot determine {} parameters", lines_.size(), places_.size()));
    }
  }

  ModalFit run() {
    VectorXd shift = VectorXd::Zero(parameters() + (options_.delay_free ? 1 : 0));
    const bool converged = descend(shift);
    return result(shift, converged);
  }

 private:
  // The logarithms of the parameters, then the delay where it is free, in units that make it of their size.
  static constexpr double kDelayUnit = 1e-3;  // s
  Index parameters() const { return static_cast<Index>(places_.size()); }
  double delay(const VectorXd& shift) const { return options_.delay_free ? kDelayUnit * shift[parameters()] : 0.0; }

  // The start with its free parameters multiplied by exp(shift).
  Joint moved(const VectorXd& shift) const {
    Joint joint = start_;
    for (std::size_t j = 0; j < places_.size(); ++j) {
      with_parameter(joint, places_[j],
                     [&](const ParameterInfo&, double& value) { value *= std::exp(shift[static_cast<Index>(j)]); });
    }
    return joint;
  }

  // How the sampled matrices change with the logarithms, by central differences.
  std::vector<SampledJoint::Matrices> changes_at(const VectorXd& shift) const {
    constexpr double kStep = 1e-5;
    std::vector<SampledJoint::Matrices> changes;
    for (Index j = 0; j < parameters(); ++j) {
      const VectorXd step = kStep * VectorXd::Unit(shift.size(), j);
      const auto above = SampledJoint(moved(shift + step), options_.period).matrices();
      const auto below = SampledJoint(moved(shift - step), options_.period).matrices();
      changes.push_back(
          {(above.transition - below.transition) / (2.0 * kStep), (above.by_torque - below.by_torque) / (2.0 * kStep)});
    }
    return changes;
  }

  double deviation(std::size_t line) const { return std::max(response_.relative_std[line], options_.least_deviation); }

  // The model at a frequency, and how it changes with the unknowns; no slopes where no changes are given.
  struct Point {
    Complex gain;
    std::vector<Complex> slope;
  };
  Point point_at(double frequency, const SampledJoint& sampled, const std::vector<SampledJoint::Matrices>& changes,
                 const VectorXd& shift) const {
    Point point;
    const double rate = 2.0 * std::numbers::pi * frequency;
    const Complex factor = options_.torque_constant * std::polar(1.0, rate * delay(shift));
    point.gain = factor * sampled.gain(frequency, changes, point.slope);
    for (Complex& slope : point.slope) slope *= factor;
    if (!changes.empty() && options_.delay_free) point.slope.push_back(Complex(0.0, rate * kDelayUnit) * point.gain);
    return point;
  }
  static Point mixed(const FrequencyResponse::Mixture& mixture, const std::vector<Point>& grid) {
    Point sum;
    for (std::size_t i = 0; i < mixture.place.size(); ++i) {
      const Point& each = grid[mixture.place[i]];
      sum.slope.resize(each.slope.size());
      sum.gain += mixture.weight[i] * each.gain;
      for (std::size_t j = 0; j < each.slope.size(); ++j) sum.slope[j] += mixture.weight[i] * each.slope[j];
    }
    return sum;
  }

  Residuals residuals(const VectorXd& shift, bool with_jacobian) const {
    const SampledJoint sampled(moved(shift), options_.period);
    const auto changes = with_jacobian ? changes_at(shift) : std::vector<SampledJoint::Matrices>{};
    Residuals r;
    r.value.resize(2 * static_cast<Index>(lines_.size()));
    r.jacobian.setZero(r.value.size(), with_jacobian ? shift.size() : 0);
    // Each place of the grid is in several lines.
    std::vector<Point> grid;
    for (const double frequency : response_.grid)
      grid.push_back(frequency > 0.0 ? point_at(frequency, sampled, changes, shift) : Point{});
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::size_t line = lines_[i];
      const auto row = 2 * static_cast<Index>(i);
      const Point model = response_.mixture.empty() ? point_at(response_.frequency[line], sampled, changes, shift)
                                                    : mixed(response_.mixture[line], grid);
      const Complex error = std::log(response_.gain[line] / model.gain) / deviation(line);
      r.value.segment<2>(row) << error.real(), error.imag();
      for (Index j = 0; j < r.jacobian.cols(); ++j) {
        const Complex slope = -model.slope[static_cast<std::size_t>(j)] / model.gain / deviation(line);
        r.jacobian.block<2, 1>(row, j) << slope.real(), slope.imag();
      }
    }
    return r;
  }

  // Nothing is known of the delay.
  VectorXd prior_information(Index unknowns) const {
    VectorXd information = VectorXd::Constant(unknowns, options_.prior_weight * options_.prior_weight);
    information.tail(unknowns - parameters()).setZero();
    return information;
  }

  double cost(const Residuals& r, const VectorXd& shift) const {
    double sum = prior_information(shift.size()).dot(shift.cwiseAbs2());
    for (Index i = 0; i < r.lines(); ++i) sum += soft(r.line(i).squaredNorm());
    return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
  }

  // Levenberg and Marquardt, each line weighted by rho'.
  bool descend(VectorXd& shift) const {
    constexpr int kIterations = 200;
    constexpr double kLongest = 1.0, kSettled = 1e-8;
    Residuals here = residuals(shift, true);
    double lowest = cost(here, shift), damping = 1e-3;
    for (int i = 0; i < kIterations; ++i) {
      VectorXd weights(here.value.size());
      for (Index l = 0; l < here.lines(); ++l) {
        weights.segment<2>(2 * l).setConstant(soft_weight(here.line(l).squaredNorm()));
      }
      MatrixXd normal = here.jacobian.transpose() * weights.asDiagonal() * here.jacobian;
      const VectorXd known = prior_information(shift.size());
      normal.diagonal() += known;
      const VectorXd slope = here.jacobian.transpose() * weights.cwiseProduct(here.value) + known.cwiseProduct(shift);
      normal.diagonal() *= 1.0 + damping;
      const VectorXd step = (-normal.ldlt().solve(slope)).cwiseMax(-kLongest).cwiseMin(kLongest);
      if (!step.allFinite()) return false;
      const VectorXd next = shift + step;
      const Residuals there = residuals(next, true);
      const double reached = cost(there, next);
      if (reached <= lowest) {
        const bool settled = step.cwiseAbs().maxCoeff() < kSettled;
        shift = next, here = there, lowest = reached;
        damping = std::max(damping / 10.0, 1e-12);
        if (settled) return true;
      } else {
        damping *= 10.0;
        if (damping > 1e10) return true;  // no step helps: the minimum, to rounding
      }
    }
    return false;
  }

  // Variance of the fit over that of least squares with the deviations as stated (Huber 1964), psi = rho' r:
  //   mean |psi|^2 / 2 over (mean trace(dpsi / dr) / 2)^2
  // It grows with the residuals where these exceed their deviations; below one it is taken as one.
  double inflation(const Residuals& r) const {
    double force = 0.0, slope = 0.0;
    for (Index i = 0; i < r.lines(); ++i) {
      const double s = r.line(i).squaredNorm(), weight = soft_weight(s);
      force += weight * weight * s / 2.0;
      slope += weight - s * weight * weight * weight / 2.0;
    }
    const auto lines = static_cast<double>(r.lines());
    const double known = 2.0 * lines / (2.0 * lines - static_cast<double>(places_.size()));
    return std::max(1.0, known * force * lines / (slope * slope));
  }

  ModalFit result(const VectorXd& shift, bool converged) const {
    const Residuals r = residuals(shift, true);
    ModalFit fit;
    fit.joint = moved(shift);
    fit.poles = poles_of(fit.joint);
    fit.zeros = zeros_of(fit.joint);
    fit.chi_square = r.value.squaredNorm();
    fit.freedom = static_cast<double>(r.value.size()) - static_cast<double>(shift.size());
    fit.converged = converged;
    const MatrixXd seen = r.jacobian / std::sqrt(inflation(r) * response_.alike);
    MatrixXd information = seen.transpose() * seen;
    information.diagonal() += prior_information(shift.size());
    const MatrixXd covariance = information.completeOrthogonalDecomposition().pseudoInverse();
    fit.covariance = covariance.topLeftCorner(parameters(), parameters());
    fit.pole_std = deviations_of(fit.poles, poles_of, shift, fit.covariance);
    fit.zero_std = deviations_of(fit.zeros, zeros_of, shift, fit.covariance);
    fit.delay = delay(shift);
    if (options_.delay_free) fit.delay_std = kDelayUnit * std::sqrt(covariance(parameters(), parameters()));
    const std::vector<bool> untold = untold_by(seen);
    for (std::size_t j = 0; j < places_.size(); ++j) {
      with_parameter(fit.joint, places_[j], [&](const ParameterInfo& info, double value) {
        const double relative = std::sqrt(fit.covariance(static_cast<Index>(j), static_cast<Index>(j)));
        fit.parameters.push_back({full_name(info), std::string(info.unit), value, value * relative, !untold[j]});
      });
    }
    return fit;
  }

  // Of resonances, by the covariance of the logarithms and central differences.
  template <class ModesOf>
  std::vector<Mode<double>> deviations_of(const std::vector<Mode<double>>& modes, ModesOf&& modes_of,
                                          const VectorXd& shift, const MatrixXd& covariance) const {
    constexpr double kStep = 1e-5, kUnknown = std::numeric_limits<double>::quiet_NaN();
    const auto count = static_cast<Index>(modes.size());
    MatrixXd slopes = MatrixXd::Constant(2 * count, parameters(), kUnknown);
    for (Index j = 0; j < parameters(); ++j) {
      const VectorXd step = kStep * VectorXd::Unit(shift.size(), j);
      const auto above = modes_of(moved(shift + step)), below = modes_of(moved(shift - step));
      if (above.size() != modes.size() || below.size() != modes.size()) continue;  // one is about to stop swinging
      for (Index i = 0; i < count; ++i) {
        const auto &up = above[static_cast<std::size_t>(i)], &down = below[static_cast<std::size_t>(i)];
        slopes(2 * i, j) = (up.frequency - down.frequency) / (2.0 * kStep);
        slopes(2 * i + 1, j) = (up.damping - down.damping) / (2.0 * kStep);
      }
    }
    const VectorXd std = (slopes * covariance * slopes.transpose()).diagonal().cwiseSqrt();
    std::vector<Mode<double>> deviations;
    for (Index i = 0; i < count; ++i) deviations.push_back({std[2 * i], std[2 * i + 1]});
    return deviations;
  }

  // A direction of the logarithms is not told where the response leaves it a deviation of kUnknown or more: half or
  // double. The parameters that make it up are told neither alone nor from each other.
  static std::vector<bool> untold_by(const MatrixXd& seen) {
    constexpr double kUnknown = 0.7, kTakesPart = 0.1;
    const Eigen::JacobiSVD<MatrixXd> directions(seen, Eigen::ComputeThinV);
    std::vector<bool> untold(static_cast<std::size_t>(seen.cols()), false);
    for (Index i = 0; i < seen.cols(); ++i) {
      if (directions.singularValues()[i] > 1.0 / kUnknown) continue;
      for (Index j = 0; j < seen.cols(); ++j) {
        if (std::abs(directions.matrixV()(j, i)) > kTakesPart) untold[static_cast<std::size_t>(j)] = true;
      }
    }
    return untold;
  }

  const FrequencyResponse& response_;
  Joint start_;
  ModalFitOptions options_;
  std::vector<int> places_;
  std::vector<std::size_t> lines_;
};

}  // namespace

const ModalParameter* ModalFit::find(std::string_view name) const noexcept {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

std::vector<std::string> ModalFit::undetermined() const {
  std::vector<std::string> names;
  for (const ModalParameter& parameter : parameters) {
    if (!parameter.determined) names.push_back(parameter.name);
  }
  return names;
}

void widen_by_teeth(double share, ModalFit& fit) {
  VectorXd change(static_cast<Index>(fit.parameters.size()));
  for (std::size_t j = 0; j < fit.parameters.size(); ++j) {
    const std::string& name = fit.parameters[j].name;
    const bool is_joint = name.starts_with("transmission.") || name == "load.inertia";
    change[static_cast<Index>(j)] = is_joint ? 1.0 : name == "neighbour.coupling_inertia" ? 0.5 : 0.0;
  }
  fit.covariance += std::pow(share / 2.0, 2) * change * change.transpose();
  for (std::size_t j = 0; j < fit.parameters.size(); ++j) {
    ModalParameter& parameter = fit.parameters[j];
    const auto place = static_cast<Index>(j);
    parameter.std = parameter.value * std::sqrt(fit.covariance(place, place));
  }
}

ModalFit fit_modes(const FrequencyResponse& response, const Joint& start, const ModalFitOptions& options) {
  return Fit(response, start, options).run();
}

}  // namespace tauhat
