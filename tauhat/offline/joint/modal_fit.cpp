#include "tauhat/offline/joint/modal_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/joint/modal_model.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Joint = ElasticJoint<double>;

// Errors of the lines in their deviations, two rows a line.
struct Residuals {
  VectorXd value;
  MatrixXd jacobian;  // by the unknowns

  Eigen::Vector2d line(Index i) const { return value.segment<2>(2 * i); }
  Index lines() const { return value.size() / 2; }
};

// rho and its derivative.
double soft(double s) { return 2.0 * (std::sqrt(1.0 + s) - 1.0); }
double soft_weight(double s) { return 1.0 / std::sqrt(1.0 + s); }

class Fit {
 public:
  Fit(const std::vector<TravelResponse>& responses, const Joint& start, const ModalFitOptions& options)
      : model_(responses, start, options), options_(options), alike_(responses.front().response.alike) {}

  ModalFit run() {
    constexpr int kRounds = 3;
    VectorXd shift = VectorXd::Zero(count());
    bool converged = descend(shift);
    for (int i = 0; options_.deviation_by_residuals && i < kRounds; ++i) {
      by_residuals_ = deviations_by(model_.errors(shift).value);
      converged = descend(shift);
    }
    return result(shift, converged);
  }

 private:
  using Kind = ModalUnknown::Kind;

  Index count() const { return model_.count(); }
  Index parameters() const { return static_cast<Index>(options_.free.size()); }
  const ModalUnknown& unknown(Index j) const { return model_.unknowns()[static_cast<std::size_t>(j)]; }
  double deviation(Index line) const {
    return by_residuals_.size() > 0 ? by_residuals_[line] : std::max(model_.stated(line), options_.least_deviation);
  }

  // What the lines' errors are, beside what is stated of them: by the median over the lines nearby. Coherence takes for
  // noise what a window mixes into a line, and knows nothing of what the model lacks.
  //   sigma_f = stated_f sqrt(median |e|^2 / stated^2 / (2 ln 2)),   as of two normal numbers
  VectorXd deviations_by(const VectorXd& errors) const {
    constexpr Index kNearby = 10;
    constexpr double kRoundOff = 1e-9;  // of a coherence of one
    const Index lines = model_.lines();
    const auto stated = [&](Index line) { return std::max(model_.stated(line), kRoundOff); };
    const double taken_up = 2.0 * static_cast<double>(lines) / static_cast<double>(2 * lines - count());
    VectorXd deviations(lines);
    for (Index i = 0; i < lines; ++i) {
      std::vector<double> squares;
      for (Index j = std::max<Index>(i - kNearby, 0); j <= std::min(i + kNearby, lines - 1); ++j)
        if (model_.response_of(j) == model_.response_of(i))
          squares.push_back(errors.segment<2>(2 * j).squaredNorm() / std::pow(stated(j), 2));
      deviations[i] = stated(i) * std::sqrt(taken_up * median(std::move(squares)) / (2.0 * std::numbers::ln2));
    }
    return deviations;
  }

  Residuals residuals(const VectorXd& shift) const {
    auto [value, slope] = model_.errors(shift);
    for (Index i = 0; i < model_.lines(); ++i)
      value.segment<2>(2 * i) /= deviation(i), slope.middleRows<2>(2 * i) /= deviation(i);
    return {std::move(value), std::move(slope)};
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
  // It grows with the residuals where these exceed their deviations. Below one it is taken as one, unless the
  // deviations are those of the residuals.
  double inflation(const Residuals& r) const {
    double force = 0.0, slope = 0.0;
    for (Index i = 0; i < r.lines(); ++i) {
      const double s = r.line(i).squaredNorm(), weight = soft_weight(s);
      force += weight * weight * s / 2.0;
      slope += weight - s * weight * weight * weight / 2.0;
    }
    const auto lines = static_cast<double>(r.lines());
    const double known = 2.0 * lines / (2.0 * lines - static_cast<double>(count()));
    return std::max(by_residuals_.size() > 0 ? 0.0 : 1.0, known * force * lines / (slope * slope));
  }

  // How many lines side by side share one error, by what their residuals have in common (Bartlett's weights): what a
  // window makes alike, and what a model that is not exact does.
  //   1 + 2 sum_k (1 - k / reach) sum r_i r_{i+k} / sum r_i^2
  double alike_by(const Residuals& r) const {
    constexpr Index kReach = 7;
    double common = 0.0;
    for (Index by = 1; by < kReach; ++by) {
      double sum = 0.0;
      for (Index i = 0; i + by < r.lines(); ++i)
        if (model_.response_of(i) == model_.response_of(i + by)) sum += r.line(i).dot(r.line(i + by));
      common += (1.0 - static_cast<double>(by) / kReach) * sum;
    }
    return std::max(1.0, 1.0 + 2.0 * common / r.value.squaredNorm());
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

  // Whether modes above the band act in it: to the motor they are a softer joint, so that what is believed of them
  // decides where the lines do not. With m and s of x where it is free, and its deviation beforehand (Savage, Dickey):
  //   chance of none : chance of some = deviation exp(-m^2 / (2 s^2)) : s
  struct Above {
    double chance = 1.0;
    VectorXd moves;  // the unknowns, by so much
  };
  Above modes_above(const VectorXd& shift, const MatrixXd& covariance) const {
    const Index modes = model_.find(Kind::modes_above);
    if (modes < 0 || !options_.deviation_by_residuals) return {1.0, VectorXd::Zero(count())};
    const double variance = covariance(modes, modes), found = shift[modes];
    const double none = options_.modes_above / std::sqrt(variance) * std::exp(-0.5 * found * found / variance);
    return {1.0 / (1.0 + none), covariance.col(modes) * (found / variance)};
  }
  // The covariance where there are none.
  MatrixXd without_modes(const MatrixXd& covariance) const {
    const Index modes = model_.find(Kind::modes_above);
    if (modes < 0) return covariance;
    return covariance - covariance.col(modes) * covariance.row(modes) / covariance(modes, modes);
  }

  // Where the variances come from: what the responses' own errors alone would leave; what the rest of the lines'
  // deviations adds, for which the model is not exact; what is taken as given and known only so well; and teeth of
  // which nobody said anything.
  std::vector<UncertaintyBudget> budgets_of(const Residuals& r, const MatrixXd& information, double spread,
                                            const Above& above) const {
    const MatrixXd least = covariance_of(information,
                                         {Kind::known_parameter, Kind::torque_gain, Kind::modes_above, Kind::teeth}),
                   with_inputs = covariance_of(information, {Kind::modes_above, Kind::teeth}),
                   with_modes = covariance_of(information, {Kind::teeth}), whole = covariance_of(information, {});
    VectorXd by_noise(r.value.size());
    for (Index i = 0; i < model_.lines(); ++i) by_noise.segment<2>(2 * i).setConstant(model_.stated(i) / deviation(i));
    const MatrixXd scores = by_noise.asDiagonal() * r.jacobian;
    const MatrixXd noise = least * (scores.transpose() * scores) * least * (alike_ / (spread * spread));
    std::vector<UncertaintyBudget> budgets;
    for (Index j = 0; j < count(); ++j) {
      const double by_lines = std::min(noise(j, j), least(j, j)), by_inputs = with_inputs(j, j) - least(j, j),
                   by_modes = above.chance * (with_modes(j, j) - with_inputs(j, j)) +
                              above.chance * (1.0 - above.chance) * std::pow(above.moves[j], 2),
                   by_teeth = whole(j, j) - with_modes(j, j);
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

  ModalFit result(const VectorXd& at, bool converged) const {
    const Residuals r = residuals(at);
    ModalFit fit;
    fit.chi_square = r.value.squaredNorm();
    fit.freedom = static_cast<double>(r.value.size()) - static_cast<double>(at.size());
    fit.converged = converged;
    const double spread = inflation(r) * (by_residuals_.size() > 0 ? std::max(alike_, alike_by(r)) : alike_);
    const MatrixXd seen_by = r.jacobian / std::sqrt(spread);
    MatrixXd information = seen_by.transpose() * seen_by;
    information.diagonal() += prior_information();
    const MatrixXd with_modes = covariance_of(information, {}), without = without_modes(with_modes);
    const Above above = modes_above(at, with_modes);
    const auto budgets = budgets_of(r, information, spread, above);
    const double none = 1.0 - above.chance;
    const VectorXd alone = at - above.moves, shift = at - none * above.moves;
    const MatrixXd covariance =
        above.chance * with_modes + none * without + above.chance * none * above.moves * above.moves.transpose();
    fit.joint = model_.moved(shift);
    std::vector<Index> named;  // the parameters, then the teeth
    for (Index j = 0; j < parameters(); ++j) named.push_back(j);
    // Where it swings the lines show, whatever makes it swing there.
    const MatrixXd of_parameters = without(named, named);
    fit.poles = poles_of(model_.moved(alone)), fit.zeros = zeros_of(model_.moved(alone));
    fit.pole_std = deviations_of(fit.poles, poles_of, alone, of_parameters);
    fit.zero_std = deviations_of(fit.zeros, zeros_of, alone, of_parameters);
    if (const Index teeth = model_.find(Kind::teeth); teeth >= 0) {
      named.push_back(teeth);
      const UncertaintyBudget& budget = budgets[static_cast<std::size_t>(teeth)];
      fit.teeth = ModalParameter{"motor.friction.load_share", "1", model_.share(shift), budget.total(), true, budget};
    }
    fit.covariance = covariance(named, named);
    fit.delay = model_.delay(shift);
    if (options_.delay_free)
      fit.delay_budget = times(ModalModel::kDelayUnit, budgets[static_cast<std::size_t>(model_.find(Kind::delay))]);
    const std::vector<bool> untold = untold_by(with_knowledge(seen_by));
    for (std::size_t j = 0; j < options_.free.size(); ++j) {
      with_parameter(fit.joint, unknown(static_cast<Index>(j)).place, [&](const ParameterInfo& info, double value) {
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
      const auto above = modes_of(model_.moved(shift + step)), below = modes_of(model_.moved(shift - step));
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

  ModalModel model_;
  ModalFitOptions options_;
  double alike_;
  VectorXd by_residuals_{};  // deviations of the lines; empty: as stated
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
