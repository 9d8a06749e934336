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

// Its place in the joint's list, of a parameter that moves.
int place_of(const std::string& name, const Joint& start) {
  std::vector<std::string> known;
  std::vector<double> values;
  Joint::visit_parameters(start, [&](const ParameterInfo& info, double value) {
    known.push_back(full_name(info));
    values.push_back(value);
  });
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
  return static_cast<int>(place);
}

// What the fit moves: a parameter of the joint by its logarithm, or one of the others.
struct Unknown {
  enum class Kind { parameter, known_parameter, torque_gain, teeth, modes_above, delay };
  Kind kind;
  int place = -1;            // of a parameter in the joint's list
  double information = 0.0;  // beforehand
  bool is_known = false;     // by the study; else the information is the usual prior's
};

std::vector<Unknown> unknowns_of(const Joint& start, const ModalFitOptions& options) {
  using Kind = Unknown::Kind;
  const auto by_std = [](double std) { return 1.0 / (std * std); };
  std::vector<Unknown> unknowns;
  for (const std::string& name : options.free)
    unknowns.push_back({Kind::parameter, place_of(name, start), options.prior_weight * options.prior_weight});
  for (const KnownSoWell& known : options.known) {
    const auto free = std::find(options.free.begin(), options.free.end(), known.name);
    if (free != options.free.end()) {
      Unknown& unknown = unknowns[static_cast<std::size_t>(free - options.free.begin())];
      unknown.information = by_std(known.relative_std), unknown.is_known = true;
    } else if (known.name == kTorqueGain) {
      unknowns.push_back({Kind::torque_gain, -1, by_std(known.relative_std), true});
    } else {
      unknowns.push_back({Kind::known_parameter, place_of(known.name, start), by_std(known.relative_std), true});
    }
  }
  if (options.teeth.std > 0.0) unknowns.push_back({Kind::teeth, -1, by_std(options.teeth.std), true});
  if (options.modes_above > 0.0) unknowns.push_back({Kind::modes_above, -1, by_std(options.modes_above), true});
  if (options.delay_free) unknowns.push_back({Kind::delay, -1, 0.0});
  return unknowns;
}

// As the motor feels it through teeth that take this share of what they pass on, or give it back.
Joint through_teeth(Joint joint, double share) {
  const double c = 1.0 + share;
  joint.stiffness *= c, joint.damping *= c, joint.load_inertia *= c, joint.load_viscous *= c;
  joint.coupling_inertia *= std::sqrt(c);
  return joint;
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
  Fit(const std::vector<TravelResponse>& responses, const Joint& start, const ModalFitOptions& options)
      : responses_(responses), start_(start), options_(options), unknowns_(unknowns_of(start, options)) {
    for (std::size_t r = 0; r < responses.size(); ++r)
      for (std::size_t i = 0; i < responses[r].response.size(); ++i)
        if (responses[r].response.frequency[i] <= options.highest) lines_.push_back({r, i});
    const auto inertia = std::find(options.free.begin(), options.free.end(), "load.inertia");
    load_inertia_ = static_cast<std::size_t>(inertia - options.free.begin());
    if (options.modes_above > 0.0 && inertia == options.free.end())
      throw Error(ExitCode::wrong_use, "modal fit: modes above the band need load.inertia to be free");
    for (const Line& line : lines_) highest_ = std::max(highest_, of(line).frequency[line.place]);
    if (2 * lines_.size() <= unknowns_.size()) {
      throw Error(ExitCode::unusable_data,
                  fmt::format("modal fit: {} lines cannot determine {} parameters", lines_.size(), unknowns_.size()));
    }
  }

  ModalFit run() {
    VectorXd shift = VectorXd::Zero(count());
    const bool converged = descend(shift);
    return result(shift, converged);
  }

 private:
  using Kind = Unknown::Kind;
  static constexpr double kDelayUnit = 1e-3;  // s: what makes a delay of the size of the logarithms

  Index count() const { return static_cast<Index>(unknowns_.size()); }
  Index parameters() const { return static_cast<Index>(options_.free.size()); }
  const Unknown& unknown(Index j) const { return unknowns_[static_cast<std::size_t>(j)]; }
  // -1 where it is not free.
  Index find(Kind kind) const {
    const auto found =
        std::find_if(unknowns_.begin(), unknowns_.end(), [&](const Unknown& each) { return each.kind == kind; });
    return found == unknowns_.end() ? -1 : found - unknowns_.begin();
  }
  double shift_of(Kind kind, const VectorXd& shift) const {
    const Index place = find(kind);
    return place < 0 ? 0.0 : shift[place];
  }
  double delay(const VectorXd& shift) const { return kDelayUnit * shift_of(Kind::delay, shift); }
  double share(const VectorXd& shift) const { return options_.teeth.share + shift_of(Kind::teeth, shift); }

  // The start with its parameters multiplied by exp(shift).
  Joint moved(const VectorXd& shift) const {
    Joint joint = start_;
    for (Index j = 0; j < count(); ++j)
      if (unknown(j).place >= 0)
        with_parameter(joint, unknown(j).place,
                       [&](const ParameterInfo&, double& value) { value *= std::exp(shift[j]); });
    return joint;
  }
  SampledJoint seen(const VectorXd& shift, double turned) const {
    return {through_teeth(moved(shift), share(shift) * turned), options_.period};
  }

  // How the sampled matrices change with the unknowns, by central differences.
  std::vector<SampledJoint::Matrices> changes_at(const VectorXd& shift, double turned) const {
    constexpr double kStep = 1e-5;
    std::vector<SampledJoint::Matrices> changes;
    for (Index j = 0; j < count(); ++j) {
      const VectorXd step = kStep * VectorXd::Unit(shift.size(), j);
      const auto above = seen(shift + step, turned).matrices(), below = seen(shift - step, turned).matrices();
      changes.push_back(
          {(above.transition - below.transition) / (2.0 * kStep), (above.by_torque - below.by_torque) / (2.0 * kStep)});
    }
    return changes;
  }

  struct Line {
    std::size_t response, place;
  };
  const FrequencyResponse& of(const Line& line) const { return responses_[line.response].response; }
  double stated(const Line& line) const { return of(line).relative_std[line.place]; }
  double deviation(const Line& line) const { return std::max(stated(line), options_.least_deviation); }

  // The model at a frequency, and how it changes with the unknowns.
  struct Point {
    Complex gain;
    std::vector<Complex> slope;
  };
  Point point_at(double frequency, const SampledJoint& sampled, const std::vector<SampledJoint::Matrices>& changes,
                 const VectorXd& shift) const {
    Point point;
    const double rate = 2.0 * std::numbers::pi * frequency;
    const Complex factor =
        options_.torque_constant * std::exp(shift_of(Kind::torque_gain, shift)) * std::polar(1.0, rate * delay(shift));
    point.gain = factor * sampled.gain(frequency, changes, point.slope);
    for (Complex& slope : point.slope) slope *= factor;
    add_modes_above(frequency, shift, point);
    for (std::size_t j = 0; j < point.slope.size(); ++j) {
      if (unknowns_[j].kind == Kind::torque_gain) point.slope[j] += point.gain;
      if (unknowns_[j].kind == Kind::delay) point.slope[j] += Complex(0.0, rate * kDelayUnit) * point.gain;
    }
    return point;
  }
  // ln G(x) = ln G + x (f / f_h)^2 d ln G / d ln M_ll
  void add_modes_above(double frequency, const VectorXd& shift, Point& point) const {
    const Index modes = find(Kind::modes_above);
    if (modes < 0) return;
    const double square = std::pow(frequency / highest_, 2);
    const Complex by_inertia = square * point.slope[load_inertia_] / point.gain,
                  factor = std::exp(shift[modes] * by_inertia);
    point.gain *= factor;
    for (Complex& slope : point.slope) slope *= factor;
    point.slope[static_cast<std::size_t>(modes)] += by_inertia * point.gain;
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
  // The model of each line of one response.
  std::vector<Point> points_of(std::size_t number, const VectorXd& shift) const {
    const auto& [response, turned] = responses_[number];
    const SampledJoint sampled = seen(shift, turned);
    const auto changes = changes_at(shift, turned);
    // Each place of the grid is in several lines.
    std::vector<Point> grid, points;
    for (const double frequency : response.grid)
      grid.push_back(frequency > 0.0 ? point_at(frequency, sampled, changes, shift) : Point{});
    for (std::size_t i = 0; i < response.size(); ++i)
      points.push_back(response.mixture.empty() ? point_at(response.frequency[i], sampled, changes, shift)
                                                : mixed(response.mixture[i], grid));
    return points;
  }

  Residuals residuals(const VectorXd& shift) const {
    Residuals r;
    r.value.resize(2 * static_cast<Index>(lines_.size()));
    r.jacobian.setZero(r.value.size(), shift.size());
    std::vector<std::vector<Point>> points;
    for (std::size_t number = 0; number < responses_.size(); ++number) points.push_back(points_of(number, shift));
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      const auto row = 2 * static_cast<Index>(i);
      const Point& model = points[line.response][line.place];
      const Complex error = std::log(of(line).gain[line.place] / model.gain) / deviation(line);
      r.value.segment<2>(row) << error.real(), error.imag();
      for (Index j = 0; j < r.jacobian.cols(); ++j) {
        const Complex slope = -model.slope[static_cast<std::size_t>(j)] / model.gain / deviation(line);
        r.jacobian.block<2, 1>(row, j) << slope.real(), slope.imag();
      }
    }
    return r;
  }

  VectorXd prior_information() const {
    VectorXd information(count());
    for (Index j = 0; j < count(); ++j) information[j] = unknown(j).information;
    return information;
  }

  double cost(const Residuals& r, const VectorXd& shift) const {
    double sum = prior_information().dot(shift.cwiseAbs2());
    for (Index i = 0; i < r.lines(); ++i) sum += soft(r.line(i).squaredNorm());
    return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
  }

  // Levenberg and Marquardt, each line weighted by rho'.
  bool descend(VectorXd& shift) const {
    constexpr int kIterations = 200;
    constexpr double kLongest = 1.0, kSettled = 1e-8;
    Residuals here = residuals(shift);
    double lowest = cost(here, shift), damping = 1e-3;
    for (int i = 0; i < kIterations; ++i) {
      VectorXd weights(here.value.size());
      for (Index l = 0; l < here.lines(); ++l) {
        weights.segment<2>(2 * l).setConstant(soft_weight(here.line(l).squaredNorm()));
      }
      MatrixXd normal = here.jacobian.transpose() * weights.asDiagonal() * here.jacobian;
      const VectorXd known = prior_information();
      normal.diagonal() += known;
      const VectorXd slope = here.jacobian.transpose() * weights.cwiseProduct(here.value) + known.cwiseProduct(shift);
      normal.diagonal() *= 1.0 + damping;
      const VectorXd step = (-normal.ldlt().solve(slope)).cwiseMax(-kLongest).cwiseMin(kLongest);
      if (!step.allFinite()) return false;
      const VectorXd next = shift + step;
      const Residuals there = residuals(next);
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
    const double known = 2.0 * lines / (2.0 * lines - static_cast<double>(unknowns_.size()));
    return std::max(1.0, known * force * lines / (slope * slope));
  }

  // Of all unknowns; what is not to be counted is taken for known.
  MatrixXd covariance_of(const MatrixXd& information, const std::vector<Kind>& taken_as_known) const {
    MatrixXd all = information;
    for (Index j = 0; j < count(); ++j) {
      if (std::find(taken_as_known.begin(), taken_as_known.end(), unknown(j).kind) == taken_as_known.end()) continue;
      all.row(j).setZero(), all.col(j).setZero();
    }
    return all.completeOrthogonalDecomposition().pseudoInverse();
  }

  // Where the variances come from: what the responses' own errors alone would leave; what the rest of the lines'
  // deviations adds, for which the model is not exact; what is taken as given and known only so well; and teeth of
  // which nobody said anything.
  std::vector<UncertaintyBudget> budgets_of(const Residuals& r, const MatrixXd& information, double spread) const {
    const MatrixXd least = covariance_of(information,
                                         {Kind::known_parameter, Kind::torque_gain, Kind::modes_above, Kind::teeth}),
                   with_inputs = covariance_of(information, {Kind::modes_above, Kind::teeth}),
                   with_modes = covariance_of(information, {Kind::teeth}), whole = covariance_of(information, {});
    VectorXd by_noise(r.value.size());
    for (std::size_t i = 0; i < lines_.size(); ++i)
      by_noise.segment<2>(2 * static_cast<Index>(i)).setConstant(stated(lines_[i]) / deviation(lines_[i]));
    const MatrixXd scores = by_noise.asDiagonal() * r.jacobian;
    const double alike = responses_.front().response.alike;
    const MatrixXd noise = least * (scores.transpose() * scores) * least * (alike / (spread * spread));
    std::vector<UncertaintyBudget> budgets;
    for (Index j = 0; j < count(); ++j) {
      const double by_lines = std::min(noise(j, j), least(j, j)), by_inputs = with_inputs(j, j) - least(j, j),
                   by_modes = with_modes(j, j) - with_inputs(j, j), by_teeth = whole(j, j) - with_modes(j, j);
      const bool is_input = options_.teeth.is_given;
      const auto root = [](double variance) { return std::sqrt(std::max(variance, 0.0)); };
      budgets.push_back({.noise = root(by_lines),
                         .inputs = root(by_inputs + (is_input ? by_teeth : 0.0)),
                         .model = root(least(j, j) - by_lines + by_modes + (is_input ? 0.0 : by_teeth))});
    }
    return budgets;
  }

  static UncertaintyBudget times(double factor, const UncertaintyBudget& budget) {
    return {.noise = factor * budget.noise, .inputs = factor * budget.inputs, .model = factor * budget.model};
  }

  ModalFit result(const VectorXd& shift, bool converged) const {
    const Residuals r = residuals(shift);
    ModalFit fit;
    fit.joint = moved(shift);
    fit.poles = poles_of(fit.joint);
    fit.zeros = zeros_of(fit.joint);
    fit.chi_square = r.value.squaredNorm();
    fit.freedom = static_cast<double>(r.value.size()) - static_cast<double>(shift.size());
    fit.converged = converged;
    const double spread = inflation(r) * responses_.front().response.alike;
    const MatrixXd seen_by = r.jacobian / std::sqrt(spread);
    MatrixXd information = seen_by.transpose() * seen_by;
    information.diagonal() += prior_information();
    const MatrixXd covariance = covariance_of(information, {});
    const auto budgets = budgets_of(r, information, spread);
    std::vector<Index> named;  // the parameters, then the teeth
    for (Index j = 0; j < parameters(); ++j) named.push_back(j);
    const MatrixXd of_parameters = covariance(named, named);
    fit.pole_std = deviations_of(fit.poles, poles_of, shift, of_parameters);
    fit.zero_std = deviations_of(fit.zeros, zeros_of, shift, of_parameters);
    if (const Index teeth = find(Kind::teeth); teeth >= 0) {
      named.push_back(teeth);
      const UncertaintyBudget& budget = budgets[static_cast<std::size_t>(teeth)];
      fit.teeth = ModalParameter{"motor.friction.load_share", "1", share(shift), budget.total(), true, budget};
    }
    fit.covariance = covariance(named, named);
    fit.delay = delay(shift);
    if (options_.delay_free) fit.delay_budget = times(kDelayUnit, budgets[static_cast<std::size_t>(find(Kind::delay))]);
    const std::vector<bool> untold = untold_by(with_knowledge(seen_by));
    for (std::size_t j = 0; j < options_.free.size(); ++j) {
      with_parameter(fit.joint, unknowns_[j].place, [&](const ParameterInfo& info, double value) {
        const UncertaintyBudget budget = times(value, budgets[j]);
        fit.parameters.push_back({full_name(info), std::string(info.unit), value, budget.total(), !untold[j], budget});
      });
    }
    return fit;
  }

  // What the study says of numbers counts as seen; the prior's usual weight does not.
  MatrixXd with_knowledge(const MatrixXd& seen_by) const {
    MatrixXd all = MatrixXd::Zero(seen_by.rows() + count(), count());
    all.topRows(seen_by.rows()) = seen_by;
    for (Index j = 0; j < count(); ++j)
      if (unknown(j).is_known) all(seen_by.rows() + j, j) = std::sqrt(unknown(j).information);
    return all;
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

  const std::vector<TravelResponse>& responses_;
  Joint start_;
  ModalFitOptions options_;
  std::vector<Unknown> unknowns_;  // the free parameters first
  std::vector<Line> lines_;
  std::size_t load_inertia_ = 0;  // among the unknowns
  double highest_ = 0.0;          // Hz, of the lines
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

ModalFit fit_modes(const std::vector<TravelResponse>& responses, const Joint& start, const ModalFitOptions& options) {
  return Fit(responses, start, options).run();
}

ModalFit fit_modes(const FrequencyResponse& response, const Joint& start, const ModalFitOptions& options) {
  return fit_modes(std::vector<TravelResponse>{{response}}, start, options);
}

}  // namespace tauhat
