// From a record of a robot's motion to the rows of its regression, stretch by stretch: a long record is never expanded
// as a whole.
//   position -> zero-phase Butterworth (order 4) -> central differences, twice -> regressor;   the ends are dropped;
//   regressor and torque -> the same zero-phase decimation, so that the equation still holds between them
// (Gautier 1997). A stretch is computed with as much of its surroundings as the filters remember: it is what the whole
// record would give, but for round-off.
#pragma once

#include <Eigen/Dense>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/torque_columns.hpp"

namespace tauhat {

// One series for each joint, sampled together at a constant period; SI, at the joints.
struct RobotRecord {
  std::string source;
  double period = 0.001;                                          // s
  std::vector<std::vector<double>> position, velocity{}, torque;  // velocity: empty where it is not measured

  std::size_t samples() const noexcept { return position.empty() ? 0 : position.front().size(); }
};

struct MotionRowOptions {
  double cut_off = 10.0;  // Hz, of position (and velocity, where measured); 0: none
  int decimation = 10;
  bool anti_alias = true;      // else every n-th sample as it is: for torques that were filtered like the motion
  bool filter_torque = false;  // as the motion is
  double trimmed = -1.0;       // s dropped at each end; negative: 3 / cut_off, when the filter has forgotten the end

  // s, standard deviation: by how much a smoothed motion turns before its torque does, where friction jumps and a
  // controller makes up for it. Of noise-free records of the TX40, 10 Hz: 0.10 to 0.16 ms at each of its joints.
  double turn_std() const noexcept { return cut_off > 0.0 ? 0.0015 / cut_off : 0.0; }
  double trim() const noexcept { return trimmed >= 0.0 ? trimmed : cut_off > 0.0 ? 3.0 / cut_off : 0.0; }
};

// The rows of a stretch.
struct MotionRows {
  std::size_t first = 0;                   // number of its first row among those of the record
  std::vector<Eigen::MatrixXd> regressor;  // of each joint: a row each time, a column for each of of_joint
  Eigen::MatrixXd torque;                  // a row each time, a column each joint

  Eigen::Index size() const noexcept { return torque.rows(); }
};

// Its torques, a row each time, a column each joint.
struct PredictedRows {
  Eigen::MatrixXd measured, predicted;
};

class MotionRowSource {
 public:
  // Refers to its arguments. Throws Error (unusable_data) where the record cannot be used.
  MotionRowSource(const RobotRecord& record, const TorqueColumns& columns, const BaseParameters& base,
                  const MotionRowOptions& options);

  // Rows of each joint.
  std::size_t size() const noexcept { return rows_; }
  // Of a row, in s from the first sample.
  double time(std::size_t row) const noexcept;

  const BaseParameters& base() const noexcept { return *base_; }
  int joints() const noexcept { return columns_->joints(); }

  // `count` rows from `first` on. May be called from several threads.
  MotionRows rows(std::size_t first, std::size_t count) const;
  // The torques of the same rows, and what base parameters make of them: as the filters are linear, without a filter
  // for each column.
  PredictedRows predicted(std::size_t first, std::size_t count, const Eigen::VectorXd& values) const;

 private:
  struct Motion;
  // Rows of some columns, `step` numbers apart, from the `offset`th on.
  struct Decimated {
    std::vector<double> all;
    std::size_t offset, step;
  };
  Decimated decimated(std::size_t first, std::size_t count, std::size_t width, const Eigen::VectorXd* values) const;
  Motion motion(std::size_t begin, std::size_t end) const;
  std::vector<double> smoothed(const std::vector<double>& series, std::size_t begin, std::size_t end) const;
  std::vector<double> expanded(std::size_t begin, std::size_t end, std::size_t width,
                               const Eigen::VectorXd* values) const;
  void require_usable() const;
  std::shared_ptr<const FrictionHistory> history() const;

  const RobotRecord* record_;
  const TorqueColumns* columns_;
  const BaseParameters* base_;
  MotionRowOptions options_;
  std::size_t trimmed_ = 0, kept_ = 0, first_ = 0, rows_ = 0, width_ = 0;
  std::shared_ptr<const FrictionHistory> history_;  // of the whole record; null where friction has no memory
};

}  // namespace tauhat
