#include "tauhat/offline/robot/consistent_parameters.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "tauhat/core/robot/link_inertia.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pseudo = Matrix<double, 4>;
using LinkParameters = Vector<double, kInertialParameters>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A link's pseudo-inertia is linear in its parameters: P = sum_k p_k B_k.
Pseudo pseudo_of(const LinkParameters& p) { return LinkInertia<double>::from_parameters(p).pseudo_inertia(); }

struct Expansion {
  double value = kInfinite;  // where a body cannot exist
  VectorXd gradient;
  MatrixXd hessian;
};

class Objective {
 public:
  Objective(const TorqueColumns& columns, const BaseParameters& base, const WeightedSums& sums, const VectorXd& prior,
            double penalty)
      : links_(columns.joints()),
        penalty_(penalty),
        prior_(prior),
        quadratic_(base.grouping.transpose() * sums.gram * base.grouping),
        linear_(base.grouping.transpose() * sums.product) {
    for (int k = 0; k < kInertialParameters; ++k)
      directions_[static_cast<std::size_t>(k)] = pseudo_of(LinkParameters::Unit(k));
    for (int link = 0; link < links_; ++link) {
      const Eigen::LLT<Pseudo> factor(pseudo_of(own(prior, link)));
      if (factor.info() != Eigen::Success) {
        throw Error(ExitCode::wrong_use,
                    fmt::format("link {}: the inertia that the fit starts from is that of no body: its pseudo-inertia "
                                "is not positive definite",
                                link + 1));
      }
      prior_inverse_.emplace_back(factor.solve(Pseudo::Identity()));
    }
    for (int k = first_scalar(); k < columns.count(); ++k) {
      if (prior[k] <= 0.0) {
        throw Error(ExitCode::wrong_use,
                    fmt::format("{} = {:g} {}: the value that the fit starts from must be positive (or not given)",
                                columns.name(k), prior[k], columns.unit(k)));
      }
    }
  }

  VectorXd start() const { return prior_.array().isNaN().select(0.0, prior_); }

  double value(const VectorXd& at) const {
    double sum = 0.0;
    for (int link = 0; link < links_; ++link) {
      const Pseudo pseudo = pseudo_of(own(at, link));
      const Eigen::LLT<Pseudo> factor(pseudo);
      if (factor.info() != Eigen::Success) return kInfinite;
      const double log_determinant = 2.0 * factor.matrixLLT().diagonal().array().log().sum();
      sum += (prior_inverse(link) * pseudo).trace() - log_determinant;
    }
    for (int k = first_scalar(); k < static_cast<int>(at.size()); ++k) {
      if (std::isnan(prior_[k])) continue;
      if (at[k] <= 0.0) return kInfinite;
      sum += at[k] / prior_[k] - std::log(at[k]);
    }
    return at.dot(0.5 * (quadratic_ * at) - linear_) + penalty_ * sum;
  }

  //   d tr(P0^-1 P) / dp_k = tr(P0^-1 B_k),  d ln det P / dp_k = tr(P^-1 B_k),  d2 -> -tr(P^-1 B_k P^-1 B_l)
  Expansion expand(const VectorXd& at) const {
    Expansion all{value(at), quadratic_ * at - linear_, quadratic_};
    for (int link = 0; link < links_; ++link) {
      const Pseudo inverse = pseudo_of(own(at, link)).inverse();
      const int first = kInertialParameters * link;
      std::array<Pseudo, kInertialParameters> turned;
      for (int k = 0; k < kInertialParameters; ++k) {
        const auto index = static_cast<std::size_t>(k);
        turned[index] = inverse * directions_[index];
        all.gradient[first + k] +=
            penalty_ * ((prior_inverse(link) * directions_[index]).trace() - turned[index].trace());
        for (int l = 0; l <= k; ++l) {
          const double curvature = penalty_ * (turned[index] * turned[static_cast<std::size_t>(l)]).trace();
          all.hessian(first + k, first + l) += curvature;
          if (l != k) all.hessian(first + l, first + k) += curvature;
        }
      }
    }
    for (int k = first_scalar(); k < static_cast<int>(at.size()); ++k) {
      if (std::isnan(prior_[k])) continue;
      all.gradient[k] += penalty_ * (1.0 / prior_[k] - 1.0 / at[k]);
      all.hessian(k, k) += penalty_ / (at[k] * at[k]);
    }
    return all;
  }

  VectorXd smallest_eigenvalues(const VectorXd& at) const {
    VectorXd smallest(links_);
    for (int link = 0; link < links_; ++link) {
      smallest[link] = Eigen::SelfAdjointEigenSolver<Pseudo>(pseudo_of(own(at, link))).eigenvalues()[0];
    }
    return smallest;
  }

 private:
  static LinkParameters own(const VectorXd& all, int link) {
    return all.segment<kInertialParameters>(kInertialParameters * link);
  }
  int first_scalar() const noexcept { return kInertialParameters * links_; }
  const Pseudo& prior_inverse(int link) const noexcept { return prior_inverse_[static_cast<std::size_t>(link)]; }

  int links_;
  double penalty_;
  VectorXd prior_;
  MatrixXd quadratic_;
  VectorXd linear_;
  std::array<Pseudo, kInertialParameters> directions_;
  std::vector<Pseudo> prior_inverse_;
};

// Parameters differ by powers of ten: solved with a diagonal of ones.
VectorXd newton_step(const Expansion& at) {
  const VectorXd scale = at.hessian.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * at.hessian * scale.asDiagonal();
  return -(scale.asDiagonal() * Eigen::LDLT<MatrixXd>(scaled).solve(scale.cwiseProduct(at.gradient)));
}

}  // namespace

ConsistentFit consistent_parameters(const TorqueColumns& columns, const BaseParameters& base, const WeightedSums& sums,
                                    const VectorXd& prior, const ConsistentOptions& options) {
  constexpr double kSufficient = 1e-4;  // of the decrease that the slope promises (Armijo 1966)
  constexpr double kShortestStep = 1e-12;
  const Objective objective(columns, base, sums, prior, options.penalty);
  ConsistentFit fit;
  fit.parameters = objective.start();
  while (fit.iterations < options.most_iterations) {
    const Expansion here = objective.expand(fit.parameters);
    const VectorXd step = newton_step(here);
    const double decrement = -here.gradient.dot(step);  // squared: twice what is left to gain
    fit.converged = decrement <= options.decrement;
    if (fit.converged) break;
    double length = 1.0;
    // Near the minimum the decrease drowns in the round-off of the value: then any step inside will do.
    const double round_off = 1e-13 * std::abs(here.value);
    while (length > kShortestStep && !(objective.value(fit.parameters + length * step) <=
                                       here.value - kSufficient * length * decrement + round_off)) {
      length *= 0.5;
    }
    fit.parameters += length * step;
    ++fit.iterations;
  }
  fit.base = base.grouping * fit.parameters;
  fit.smallest_eigenvalue = objective.smallest_eigenvalues(fit.parameters);
  return fit;
}

}  // namespace tauhat
