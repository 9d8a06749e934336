#include "tauhat/offline/friction/fitted_inputs.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double value_of(const Axis<double>& axis, int index) {
  double value = 0.0;
  with_parameter(axis, index, [&](const ParameterInfo&, const double& found) { value = found; });
  return value;
}

// What a filter says at one value of the inputs: its standardised innovations, and how far, in deviations, its law went
// from where it started.
struct Said {
  VectorXd innovations, of_law;
  bool is_usable = false;
};

Said said_with(ParametricSpec spec, const Axis<double>& axis, const Timeline& timeline) {
  spec.axis = axis;
  spec.smooth = false;
  const ParametricTracks tracks = run_parametric(spec, timeline);
  Said said;
  said.innovations =
      Eigen::Map<const VectorXd>(tracks.innovations.data(), static_cast<Index>(tracks.innovations.size()));
  said.of_law.resize(static_cast<Index>(tracks.parameters.size()));
  for (Index i = 0; i < said.of_law.size(); ++i) {
    const LawParameter& p = tracks.parameters[at(i)];
    said.of_law[i] = (p.value - p.prior) / p.prior_std;
  }
  said.is_usable = !tracks.diverged && said.innovations.allFinite() && said.of_law.allFinite();
  return said;
}

// e + E d: the innovations, and z + Z d: the law's way, where the inputs move by d.
struct Linear {
  Said here;
  MatrixXd by_input, law_by_input;
  bool is_usable = true;

  // What the law was believed to be at the start of its filter is no knowledge: its part of the likelihood is taken
  // out again. Else a damping would be told by the start of the viscous friction that acts like it.
  MatrixXd told() const {
    const MatrixXd all = by_input.transpose() * by_input - law_by_input.transpose() * law_by_input;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(all);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
  }
  VectorXd slope() const { return by_input.transpose() * here.innovations - law_by_input.transpose() * here.of_law; }
};

Linear linear_about(const ParametricSpec& spec, const GivenInputs& given, const VectorXd& step,
                    const Timeline& timeline) {
  const Index count = step.size();
  std::vector<Said> said(at(count) + 1);
  for_each_in_parallel(said.size(), [&](std::size_t i) {
    VectorXd moved = VectorXd::Zero(count);
    if (i > 0) moved[static_cast<Index>(i) - 1] = step[static_cast<Index>(i) - 1];
    said[i] = said_with(spec, with_moved(spec.axis, given.uncertain, moved), timeline);
  });
  Linear linear{said[0], MatrixXd(said[0].innovations.size(), count), MatrixXd(said[0].of_law.size(), count)};
  for (Index i = 0; i < count; ++i) {
    const Said& moved = said[at(i) + 1];
    linear.is_usable = linear.is_usable && said[0].is_usable && moved.is_usable &&
                       moved.innovations.size() == said[0].innovations.size();
    if (!linear.is_usable) break;
    linear.by_input.col(i) = (moved.innovations - said[0].innovations) / step[i];
    linear.law_by_input.col(i) = (moved.of_law - said[0].of_law) / step[i];
  }
  return linear;
}

}  // namespace

VectorXd GivenInputs::std() const {
  return VectorXd::NullaryExpr(static_cast<Index>(uncertain.size()), [&](Index i) { return uncertain[at(i)].std; });
}

VectorXd GivenInputs::moved(const Axis<double>& to) const {
  return VectorXd::NullaryExpr(static_cast<Index>(uncertain.size()), [&](Index i) {
    return value_of(to, uncertain[at(i)].index) - value_of(axis, uncertain[at(i)].index);
  });
}

double GivenInputs::unlikelihood(const Axis<double>& of) const { return moved(of).cwiseQuotient(std()).squaredNorm(); }

Axis<double> with_moved(Axis<double> axis, const std::vector<UncertainParameter>& uncertain, const VectorXd& moved_by) {
  for (std::size_t i = 0; i < uncertain.size(); ++i) {
    with_parameter(axis, uncertain[i].index,
                   [&](const ParameterInfo&, double& value) { value += moved_by[static_cast<Index>(i)]; });
  }
  return axis;
}

InputColumns input_columns(const GivenInputs& given, const Axis<double>& axis, const Timeline& timeline,
                           const BlindSmoothing& blind, double noise_variance) {
  const auto count = static_cast<Index>(given.uncertain.size()), samples = static_cast<Index>(timeline.size());
  InputColumns columns{MatrixXd::Zero(count, samples), given.std(), -given.moved(axis), noise_variance,
                       given.uncertain};
  if (count == 0) return columns;
  const auto middle = [](const Track& track, std::size_t k) { return 0.5 * (track.value[k] + track.value[k + 1]); };
  for (std::size_t k = 0; k + 1 < timeline.size(); ++k) {
    const double x = middle(blind.position, k), v = middle(blind.velocity, k), friction = middle(blind.friction, k);
    const double acceleration = (axis.net_force(x, timeline.inputs[0][k]) - axis.damping * v - friction) / axis.mass;
    const double against[] = {acceleration, x, v, std::sin(x), std::cos(x), 1.0};  // as Axis::visit_parameters has them
    for (Index i = 0; i < count; ++i) columns.force(i, static_cast<Index>(k)) = against[given.uncertain[at(i)].index];
  }
  return columns;
}

MatrixXd fit_inputs(ParametricSpec& spec, const GivenInputs& given, const Timeline& timeline) {
  constexpr int kSteps = 3;
  constexpr double kFirst = 0.1, kLongest = 3.0;  // of the deviations
  const VectorXd std = given.std();
  const MatrixXd known = std.cwiseAbs2().cwiseInverse().asDiagonal();
  VectorXd step = kFirst * std;
  MatrixXd told = MatrixXd::Zero(std.size(), std.size());
  for (int i = 0; i < kSteps; ++i) {
    const Linear linear = linear_about(spec, given, step, timeline);
    if (!linear.is_usable) break;
    told = linear.told();
    const MatrixXd covariance = (told + known).inverse();
    const VectorXd away = -covariance * (linear.slope() + known * given.moved(spec.axis));
    spec.axis = with_moved(spec.axis, given.uncertain, away.cwiseMax(-kLongest * std).cwiseMin(kLongest * std));
    // Differences over what is left uncertain: less would count the samples in which a law sticks or does not.
    step = covariance.diagonal().cwiseSqrt().cwiseMin(kFirst * std);
  }
  return told;
}

std::vector<FittedInput> fitted_inputs(const GivenInputs& given, const Axis<double>& axis, const MatrixXd& covariance) {
  std::vector<FittedInput> fitted;
  for (std::size_t i = 0; i < given.uncertain.size(); ++i) {
    const auto& [index, std] = given.uncertain[i];
    with_parameter(axis, index, [&](const ParameterInfo& info, const double& value) {
      const auto k = static_cast<Index>(i);
      fitted.push_back({full_name(info), std::string(info.unit), value_of(given.axis, index), std, value,
                        std::sqrt(covariance(k, k))});
    });
  }
  return fitted;
}

MatrixXd covariance_of_inputs(const GivenInputs& given, const MatrixXd& told, double widened) {
  const MatrixXd known = given.std().cwiseAbs2().cwiseInverse().asDiagonal();
  return (told / widened + known).inverse();
}

}  // namespace tauhat
