#include "tauhat/offline/joint/axes_estimator.hpp"

#include <fmt/format.h>

#include "tauhat/offline/error.hpp"

namespace tauhat {

namespace axes_detail {

// Long to compile: in axes_estimator_2_3.cpp and the others.
template <int Axes>
std::unique_ptr<Estimator> estimator_of(const AxesSpec& spec, const AxesObserver& observer, double period,
                                        const std::vector<double>& sensor_variances);
template <int Axes>
AxesDesign design_of_axes(const AxesSpec& spec, const AxesObserver& observer, double period,
                          const std::vector<double>& sensor_variances);

// Calls use.template operator()<Axes>() with as many axes as there are.
template <class Use>
auto with_count(std::size_t axes, Use&& use) {
  switch (axes) {
    case 2:
      return use.template operator()<2>();
    case 3:
      return use.template operator()<3>();
    case 4:
      return use.template operator()<4>();
    case 5:
      return use.template operator()<5>();
    case 6:
      return use.template operator()<6>();
    case 7:
      return use.template operator()<7>();
    default:
      throw Error(ExitCode::wrong_use,
                  fmt::format("{} axes: {} to {} can be observed together", axes, AxesSpec::kFewest, AxesSpec::kMost));
  }
}

}  // namespace axes_detail

std::unique_ptr<Estimator> make_axes_estimator(const AxesSpec& spec, const AxesObserver& observer, double period,
                                               const std::vector<double>& sensor_variances) {
  return axes_detail::with_count(spec.count(), [&]<int Axes>() {
    return axes_detail::estimator_of<Axes>(spec, observer, period, sensor_variances);
  });
}

AxesDesign design_of(const AxesSpec& spec, const AxesObserver& observer, double period,
                     const std::vector<double>& sensor_variances) {
  return axes_detail::with_count(spec.count(), [&]<int Axes>() {
    return axes_detail::design_of_axes<Axes>(spec, observer, period, sensor_variances);
  });
}

}  // namespace tauhat
