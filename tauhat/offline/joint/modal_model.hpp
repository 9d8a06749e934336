// What the modal fit compares: the logarithm of each line of the responses over that of the model, and how it changes
// with what the fit moves. The equations are those of modal_fit.hpp.
#pragma once

#include <Eigen/Dense>

#include <complex>
#include <cstddef>
#include <vector>

#include "tauhat/offline/joint/modal_fit.hpp"

namespace tauhat {

// What the fit moves: a parameter of the joint by its logarithm, or one of the others.
struct ModalUnknown {
  enum class Kind { parameter, known_parameter, torque_gain, teeth, modes_above, delay };
  Kind kind;
  int place = -1;            // of a parameter in the joint's list
  double information = 0.0;  // beforehand
  bool is_known = false;     // by the study; else the information is the usual prior's
};

class ModalModel {
 public:
  using Index = Eigen::Index;
  using Kind = ModalUnknown::Kind;
  using Joint = ElasticJoint<double>;
  static constexpr double kDelayUnit = 1e-3;  // s: what makes a delay of the size of the logarithms

  // Referred to. Throws Error as fit_modes does.
  ModalModel(const std::vector<TravelResponse>& responses, const Joint& start, const ModalFitOptions& options);

  // The free parameters first. A shift has one number each.
  const std::vector<ModalUnknown>& unknowns() const noexcept { return unknowns_; }
  Index count() const noexcept { return static_cast<Index>(unknowns_.size()); }
  Index find(Kind kind) const;  // -1 where it is not among them

  Joint moved(const Eigen::VectorXd& shift) const;  // the start with its parameters multiplied by exp(shift)
  double delay(const Eigen::VectorXd& shift) const { return kDelayUnit * shift_of(Kind::delay, shift); }
  double share(const Eigen::VectorXd& shift) const { return options_.teeth.share + shift_of(Kind::teeth, shift); }

  Index lines() const noexcept { return static_cast<Index>(lines_.size()); }
  std::size_t response_of(Index line) const { return lines_[static_cast<std::size_t>(line)].response; }
  double stated(Index line) const {  // the deviation of its gain
    const Line& each = lines_[static_cast<std::size_t>(line)];
    return of(each).relative_std[each.place];
  }

  // Two rows a line: of the magnitude and of the phase.
  struct Errors {
    Eigen::VectorXd value;
    Eigen::MatrixXd slope;
  };
  Errors errors(const Eigen::VectorXd& shift) const;

 private:
  using Complex = std::complex<double>;
  struct Line {
    std::size_t response, place;
  };
  // The model at a frequency, and how it changes with the unknowns.
  struct Point {
    Complex gain;
    std::vector<Complex> slope;
  };
  const FrequencyResponse& of(const Line& line) const { return responses_[line.response].response; }
  double shift_of(Kind kind, const Eigen::VectorXd& shift) const;
  SampledJoint seen(const Eigen::VectorXd& shift, double turned) const;
  std::vector<SampledJoint::Matrices> changes_at(const Eigen::VectorXd& shift, double turned) const;
  Point point_at(double frequency, const SampledJoint& sampled, const std::vector<SampledJoint::Matrices>& changes,
                 const Eigen::VectorXd& shift) const;
  void add_modes_above(double frequency, const Eigen::VectorXd& shift, Point& point) const;
  static Point mixed(const FrequencyResponse::Mixture& mixture, const std::vector<Point>& grid);
  std::vector<Point> points_of(std::size_t number, const Eigen::VectorXd& shift) const;

  const std::vector<TravelResponse>& responses_;
  Joint start_;
  ModalFitOptions options_;
  std::vector<ModalUnknown> unknowns_;
  std::vector<Line> lines_;
  std::size_t load_inertia_ = 0;  // among the unknowns
  double highest_ = 0.0;          // Hz, of the lines
};

}  // namespace tauhat
