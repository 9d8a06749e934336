#include "tauhat/offline/joint/modal_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Joint = ElasticJoint<double>;

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

std::vector<ModalUnknown> unknowns_of(const Joint& start, const ModalFitOptions& options) {
  using Kind = ModalUnknown::Kind;
  const auto by_std = [](double std) { return 1.0 / (std * std); };
  std::vector<ModalUnknown> unknowns;
  for (const std::string& name : options.free)
    unknowns.push_back({Kind::parameter, place_of(name, start), options.prior_weight * options.prior_weight});
  for (const KnownSoWell& known : options.known) {
    const auto free = std::find(options.free.begin(), options.free.end(), known.name);
    if (free != options.free.end()) {
      ModalUnknown& unknown = unknowns[static_cast<std::size_t>(free - options.free.begin())];
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

}  // namespace

ModalModel::ModalModel(const std::vector<TravelResponse>& responses, const Joint& start, const ModalFitOptions& options)
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

ModalModel::Index ModalModel::find(Kind kind) const {
  const auto found =
      std::find_if(unknowns_.begin(), unknowns_.end(), [&](const ModalUnknown& each) { return each.kind == kind; });
  return found == unknowns_.end() ? -1 : found - unknowns_.begin();
}

double ModalModel::shift_of(Kind kind, const VectorXd& shift) const {
  const Index place = find(kind);
  return place < 0 ? 0.0 : shift[place];
}

Joint ModalModel::moved(const VectorXd& shift) const {
  Joint joint = start_;
  for (Index j = 0; j < count(); ++j)
    if (unknowns_[static_cast<std::size_t>(j)].place >= 0)
      with_parameter(joint, unknowns_[static_cast<std::size_t>(j)].place,
                     [&](const ParameterInfo&, double& value) { value *= std::exp(shift[j]); });
  return joint;
}

SampledJoint ModalModel::seen(const VectorXd& shift, double turned) const {
  return {through_teeth(moved(shift), share(shift) * turned), options_.period};
}

// How the sampled matrices change with the unknowns, by central differences.
std::vector<SampledJoint::Matrices> ModalModel::changes_at(const VectorXd& shift, double turned) const {
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

ModalModel::Point ModalModel::point_at(double frequency, const SampledJoint& sampled,
                                       const std::vector<SampledJoint::Matrices>& changes,
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

// ln G(x) = ln G + x g(f) d ln G / d ln M_ll
void ModalModel::add_modes_above(double frequency, const VectorXd& shift, Point& point) const {
  const Index modes = find(Kind::modes_above);
  if (modes < 0) return;
  const double near = std::pow(options_.modes_at, -2), square = std::pow(frequency / highest_, 2),
               grown = square * (1.0 - near) / (1.0 - near * square);
  const Complex by_inertia = grown * point.slope[load_inertia_] / point.gain,
                factor = std::exp(shift[modes] * by_inertia);
  point.gain *= factor;
  for (Complex& slope : point.slope) slope *= factor;
  point.slope[static_cast<std::size_t>(modes)] += by_inertia * point.gain;
}

ModalModel::Point ModalModel::mixed(const FrequencyResponse::Mixture& mixture, const std::vector<Point>& grid) {
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
std::vector<ModalModel::Point> ModalModel::points_of(std::size_t number, const VectorXd& shift) const {
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

ModalModel::Errors ModalModel::errors(const VectorXd& shift) const {
  Errors errors{VectorXd(2 * lines()), MatrixXd(2 * lines(), shift.size())};
  std::vector<std::vector<Point>> points;
  for (std::size_t number = 0; number < responses_.size(); ++number) points.push_back(points_of(number, shift));
  for (Index i = 0; i < lines(); ++i) {
    const Line& line = lines_[static_cast<std::size_t>(i)];
    const Point& model = points[line.response][line.place];
    const Complex error = std::log(of(line).gain[line.place] / model.gain);
    errors.value.segment<2>(2 * i) << error.real(), error.imag();
    for (Index j = 0; j < shift.size(); ++j) {
      const Complex slope = -model.slope[static_cast<std::size_t>(j)] / model.gain;
      errors.slope.block<2, 1>(2 * i, j) << slope.real(), slope.imag();
    }
  }
  return errors;
}

}  // namespace tauhat
