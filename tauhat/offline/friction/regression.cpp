#include "tauhat/offline/friction/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/friction/moving_samples.hpp"
#include "tauhat/offline/friction/regression_suspects.hpp"
#include "tauhat/offline/friction/separability.hpp"
#include "tauhat/offline/friction/separable_least_squares.hpp"
#include "tauhat/offline/friction/steady_sections.hpp"
#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/signal/decimate.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// What a single speed does not tell apart. Its ramps would, of an axis that has nothing but mass, viscous and Coulomb
// friction in it: which nothing of the record can show.
void lose_to_one_speed(const std::vector<std::string>& names, std::vector<std::string>& reasons) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j].starts_with("friction.viscous") || names[j].starts_with("friction.coulomb"))
      reasons[j] = "only one speed: viscous and coulomb friction cannot be told apart; record several speeds";
  }
}

std::vector<RegressionParameter> named(const std::vector<std::string>& names, const LeastSquares& solution,
                                       MatrixXd& covariance, const VectorXd& velocity, bool one_speed) {
  std::vector<std::string> reasons = reasons_of_loss(names, solution.lost, velocity);
  if (one_speed) lose_to_one_speed(names, reasons);
  std::vector<RegressionParameter> parameters;
  for (Index j = 0; j < solution.parameters.size(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    RegressionParameter& parameter = parameters.emplace_back();
    parameter.name = names[at];
    parameter.why = reasons[at];
    parameter.separable = parameter.why.empty();
    if (!parameter.separable) {
      covariance.row(j).setConstant(kNaN);
      covariance.col(j).setConstant(kNaN);
      continue;
    }
    parameter.value = solution.parameters[j];
    parameter.std = std::sqrt(covariance(j, j));
    if (std::abs(parameter.value) < k95 * parameter.std) {
      parameter.why = "within the noise: not told from zero; record longer, or with less noise";
    }
  }
  return parameters;
}

void require_an_answer(const std::vector<RegressionParameter>& parameters, const std::string& source) {
  std::string reasons;
  for (const RegressionParameter& parameter : parameters) {
    if (parameter.separable) return;
    if (reasons.find(parameter.why) == std::string::npos) reasons += "; " + parameter.why;
  }
  throw Error(ExitCode::unusable_data, source + ": no parameter of the axis can be told" + reasons);
}

std::vector<double> series_of(const VectorXd& values) { return {values.data(), values.data() + values.size()}; }

// What the model lacks is what a suspect says; or anything up to the largest mean that it leaves in a band, with any
// sign: a rectangular distribution about zero (JCGM 100, 4.3.7).
void add_misfit(const std::vector<ModelTest>& tests, const std::vector<Suspect>& suspects,
                std::vector<RegressionParameter>& parameters) {
  const auto count = static_cast<Index>(parameters.size());
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    parameters[j].misfit_std = largest_shift(suspects, VectorXd::Unit(count, static_cast<Index>(j)));
    for (const ModelTest& test : tests) {
      if (!test.fails()) continue;
      const double deviation = test.largest_shift[static_cast<Index>(j)] / std::sqrt(3.0);
      parameters[j].misfit_std = std::max(parameters[j].misfit_std, deviation);
    }
  }
}

constexpr double kRoundOff = 1e-6;         // of the force: less is not worth a test
constexpr std::size_t kFewestSamples = 5;  // for each parameter
constexpr int kMostPasses = 30;
constexpr double kConverged = 1e-12;

// The regression on the moving samples, and all that its repetitions share.
class Regression {
 public:
  Regression(const AxisRecord& record, const RegressionOptions& options)
      : source_(record.source),
        options_(options),
        motion_(differentiate_axis(record, options.cut_off, options.trimmed)),
        standstill_(options.standstill > 0.0 ? options.standstill : standstill_threshold(motion_)),
        window_(moving_window(motion_, standstill_, options.cut_off)),
        columns_(regression_columns(motion_, options.friction, options.gravity)),
        velocity_(decimated(motion_.velocity, options.decimation)),
        moving_(moving_samples(velocity_, decimated(window_, options.decimation), standstill_)),
        weights_(VectorXd::Ones(static_cast<Index>(moving_.size()))),
        names_(regression_names(options.friction, options.gravity, options.torque_dependent)) {
    for (RegressionColumn& column : columns_) cut_out(column.values, window_);
    if (options.held_force) motion_.force = centred(motion_.force);
    cut_out(motion_.force, window_);
    force_ = decimated(motion_.force, options.decimation);
    noise_ = column_noise(names_, noise_of_motion(record, options.cut_off, options.decimation));
    require_motion();
  }

  RegressionFit fit() {
    run();
    if (options_.weighted) {
      weights_ = weights_by_speed(rows_of(velocity_, moving_), residual(),
                                  rows_of(force_, moving_).norm() / std::sqrt(count()));
      run();
    }
    return result();
  }

 private:
  double count() const { return static_cast<double>(moving_.size()); }
  VectorXd residual() const {
    return rows_of(force_, moving_) - rows_of(model_.regressor, moving_) * solution_.parameters -
           rows_of(model_.rest, moving_);
  }

  void require_motion() const {
    if (moving_.size() >= kFewestSamples * names_.size()) return;
    throw Error(
        ExitCode::unusable_data,
        fmt::format("{}: the axis hardly moves: {} of {} samples are faster than {:.3g}, and {} parameters need "
                    "{}. Record motion in both directions at several speeds",
                    source_, moving_.size(), velocity_.size(), standstill_, names_.size(),
                    kFewestSamples * names_.size()));
  }

  // Once where the model is linear; else Gauss and Newton, from the fit without load friction as the thesis has it.
  void run() {
    if (solution_.parameters.size() == 0) model_ = linear_force(columns_, options_.decimation);
    if (!options_.torque_dependent || solution_.parameters.size() == 0) {
      solve_about(noise_.head(static_cast<Index>(columns_.size())));
    }
    if (!options_.torque_dependent) return;
    VectorXd parameters = VectorXd::Zero(static_cast<Index>(names_.size()));
    parameters.head(solution_.parameters.size()) = solution_.parameters;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      model_ = with_load_friction(columns_, motion_, parameters, options_.decimation);
      solve_about(noise_);
      const double change = (solution_.parameters - parameters).norm() / solution_.parameters.norm();
      parameters = solution_.parameters;
      if (change < kConverged) break;
    }
  }

  void solve_about(const VectorXd& noise) {
    const MatrixXd regressor = weights_.asDiagonal() * rows_of(model_.regressor, moving_);
    const VectorXd force = weights_.cwiseProduct(rows_of(force_, moving_) - rows_of(model_.rest, moving_));
    solution_ = solve_separable(regressor, force, noise * (weights_.norm() / std::sqrt(count())));
  }

  RegressionFit result() const {
    const VectorXd errors = residual();
    const VectorXd velocity = rows_of(velocity_, moving_), force = rows_of(force_, moving_);
    const MatrixXd regressor = weights_.asDiagonal() * rows_of(model_.regressor, moving_);
    RegressionFit fit;
    fit.covariance = sandwich(solution_.inverse, regressor, weights_.cwiseProduct(errors), moving_, velocity_.size());
    fit.only_speed = only_speed(motion_, standstill_);
    fit.parameters = named(names_, solution_, fit.covariance, velocity, fit.only_speed.has_value());
    require_an_answer(fit.parameters, source_);
    fit.relative_error = errors.norm() / force.norm();
    fit.condition = solution_.condition;
    fit.effective_samples = count() * errors.squaredNorm() / long_run_covariance(errors)(0, 0);
    fit.standstill = standstill_;
    fit.samples = moving_.size();
    fit.standstill_samples = static_cast<std::size_t>(velocity_.size()) - moving_.size();
    const std::size_t first = first_decimated(motion_.size(), options_.decimation);
    for (const Index i : moving_) {
      const std::size_t at = first + static_cast<std::size_t>(i * options_.decimation);
      fit.time.push_back(motion_.start + static_cast<double>(at) * motion_.period);
    }
    fit.position = series_of(rows_of(decimated(motion_.position, options_.decimation), moving_));
    fit.acceleration = series_of(rows_of(decimated(motion_.acceleration, options_.decimation), moving_));
    fit.velocity = series_of(velocity);
    fit.force = series_of(force);
    fit.model_force = series_of(force - errors);
    fit.residual = series_of(errors);
    if (fit.relative_error > kRoundOff) test(errors, regressor, fit);
    return fit;
  }

  void test(const VectorXd& errors, const MatrixXd& regressor, RegressionFit& fit) const {
    const auto moving = [&](const std::vector<double>& values) {
      return rows_of(decimated(values, options_.decimation), moving_);
    };
    const FitRemains remains{regressor,
                             solution_.inverse,
                             weights_,
                             errors,
                             rows_of(velocity_, moving_),
                             moving(motion_.position),
                             moving(motion_.acceleration),
                             moving_,
                             velocity_.size()};
    for (const BandsOf each : {BandsOf::speed, BandsOf::position, BandsOf::acceleration}) {
      fit.model_tests.push_back(test_model(remains, each));
    }
    for (SuspectColumn& suspect : suspect_columns(motion_, options_.friction, options_.gravity,
                                                  options_.torque_dependent, solution_.parameters)) {
      cut_out(suspect.values, window_);
      fit.suspects.push_back(
          try_suspect(remains, suspect, rows_of(decimated(suspect.values, options_.decimation), moving_)));
    }
    sort_by_suspicion(fit.suspects);
    add_misfit(fit.model_tests, fit.suspects, fit.parameters);
    add_attenuation(fit.parameters);
  }

  // Noise of the columns themselves, of an acceleration by coarse steps above all, makes their parameters smaller:
  //   shift = -(A^T A)^-1 (n noise^2) parameters
  void add_attenuation(std::vector<RegressionParameter>& parameters) const {
    const VectorXd noise = count() * noise_.cwiseAbs2();
    const VectorXd shift = solution_.inverse * noise.cwiseProduct(solution_.parameters);
    for (std::size_t j = 0; j < parameters.size(); ++j)
      parameters[j].misfit_std = std::hypot(parameters[j].misfit_std, shift[static_cast<Index>(j)]);
  }

  std::string source_;
  RegressionOptions options_;
  AxisMotion motion_;
  double standstill_;
  std::vector<double> window_;             // one where the axis moves
  std::vector<RegressionColumn> columns_;  // of the linear model, at the record's rate, cut out by the window
  VectorXd force_, velocity_;              // decimated
  std::vector<Index> moving_;
  VectorXd weights_;
  std::vector<std::string> names_;
  VectorXd noise_;
  LinearForce model_;
  LeastSquares solution_;
};

}  // namespace

const RegressionParameter* RegressionFit::find(std::string_view name) const noexcept {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

const ModelTest* RegressionFit::worst_misfit() const noexcept {
  const ModelTest* worst = nullptr;
  for (const ModelTest& test : model_tests) {
    if (test.fails() && (!worst || test.p_value < worst->p_value)) worst = &test;
  }
  return worst;
}

RegressionFit fit_axis(const AxisRecord& record, const RegressionOptions& options) {
  return Regression(record, options).fit();
}

}  // namespace tauhat
