#include "tauhat/offline/report/partners.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/find_result.hpp"

namespace tauhat {

void name_partners(const std::vector<std::string>& names, const Eigen::MatrixXd& covariance,
                   std::vector<Result>& results) {
  const auto count = std::min(static_cast<Eigen::Index>(names.size()), covariance.rows());
  for (Eigen::Index i = 0; i < count; ++i) {
    Result* const result = find_result(results, names[static_cast<std::size_t>(i)]);
    if (!result) continue;
    for (Eigen::Index k = 0; k < count; ++k) {
      const double correlation = covariance(i, k) / std::sqrt(covariance(i, i) * covariance(k, k));
      if (k == i || !(std::abs(correlation) > kConfounded)) continue;
      Identifiability& said = result->identifiability.emplace(result->identifiability.value_or(Identifiability{}));
      if (std::abs(correlation) <= std::abs(said.correlation)) continue;
      said.partner = names[static_cast<std::size_t>(k)];
      said.correlation = correlation;
      said.separated_by = separating_motion(result->name, said.partner);
    }
  }
}

}  // namespace tauhat
