// The shape of a law, its fall and its width, by search: all that is not linear in it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tauhat/offline/friction/candidate.hpp"

namespace tauhat {

inline double largest_speed(const std::vector<double>& velocity) {
  double largest = 0.0;
  for (const double v : velocity) largest = std::max(largest, std::abs(v));
  return largest;
}

// Three points about a smallest value, and the function there.
struct Bracket {
  double left, middle, right;
  double at_left, least, at_right;

  // Where a parabola through the three has its smallest value; where that is not between them, a golden section.
  double next() const {
    constexpr double kGolden = 0.381966;
    const double a = (middle - left) * (least - at_right), b = (middle - right) * (least - at_left);
    const double lowest = middle - 0.5 * ((middle - left) * a - (middle - right) * b) / (a - b);
    const bool is_between = lowest > left && lowest < right;
    if (is_between) return lowest;
    return right - middle > middle - left ? middle + kGolden * (right - middle) : middle - kGolden * (middle - left);
  }

  void take(double x, double value) {
    const bool above = x > middle;
    if (value < least) {
      (above ? left : right) = middle, (above ? at_left : at_right) = least;
      middle = x, least = value;
    } else {
      (above ? right : left) = x, (above ? at_right : at_left) = value;
    }
  }
};

inline constexpr int kMostSearchSteps = 12;

// The best of `grid` points from low on, and its neighbours. At an end of the grid the smallest may lie beyond it.
template <class F>
Bracket bracketed(const F& at, double low, double step, int grid) {
  double middle = low, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < grid; ++i) {
    const double x = low + step * i;
    if (const double value = at(x); value < least) least = value, middle = x;
  }
  double left = middle - step, right = middle + step, at_left = at(left), at_right = at(right);
  for (int i = 0; i < kMostSearchSteps && at_left < least; ++i)
    right = middle, at_right = least, middle = left, least = at_left, left -= step, at_left = at(left);
  for (int i = 0; i < kMostSearchSteps && at_right < least; ++i)
    left = middle, at_left = least, middle = right, least = at_right, right += step, at_right = at(right);
  return {left, middle, right, at_left, least, at_right};
}

// Finds the smallest f on a grid of factors from low to high, then between its neighbours, in the logarithm.
template <class F>
double minimise(F f, double low, double high, int grid) {
  constexpr double kClose = 1e-5;
  const auto at = [&](double x) { return f(std::exp(x)); };
  Bracket bracket = bracketed(at, std::log(low), std::log(high / low) / (grid - 1), grid);
  for (int i = 0; i < kMostSearchSteps; ++i) {
    const double next = bracket.next();
    if (std::abs(next - bracket.middle) < kClose) break;
    bracket.take(next, at(next));
  }
  return std::exp(bracket.middle);
}

// The best of a grid that reaches from a hundredth of the fastest speed to all of it for the fall, and from ten
// thousandths of it to a tenth for the width.
template <class Square>
LawShape coarse_shape(const Square& square, double fastest) {
  constexpr int kFalls = 10, kWidths = 7;
  LawShape best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kFalls; ++i) {
    for (int j = 0; j < kWidths; ++j) {
      const LawShape shape{std::pow(100.0, i / (kFalls - 1.0)) / fastest,
                           fastest * std::pow(10.0, -1.0 - 3.0 * j / (kWidths - 1.0))};
      if (const double now = square(shape); now < least) least = now, best = shape;
    }
  }
  return best;
}

// The shape of a law with the least square(shape): where it has two parameters, one after the other from the best of a
// coarse grid.
template <class Square>
LawShape best_shape(LawKind kind, const Square& square, double fastest, LawShape before) {
  const auto find_fall = [&](LawShape shape) {
    const auto at = [&](double fall) { return square({fall, shape.width}); };
    if (shape.fall > 0.0) return minimise(at, shape.fall / 1.2, shape.fall * 1.2, 3);
    return minimise(at, 1.0 / fastest, 60.0 / fastest, 25);
  };
  const auto find_width = [&](LawShape shape) {
    const auto at = [&](double width) { return square({shape.fall, width}); };
    if (shape.width > 0.0) return minimise(at, shape.width / 1.5, shape.width * 1.5, 3);
    return minimise(at, fastest / 60.0, fastest, 25);
  };
  if (has_fall(kind) && has_width(kind)) {
    LawShape shape = before.fall > 0.0 ? before : coarse_shape(square, fastest);
    for (int round = 0; round < 2; ++round) shape = {find_fall(shape), shape.width}, shape.width = find_width(shape);
    return shape;
  }
  if (has_fall(kind)) return {find_fall(before), 0.0};
  if (has_width(kind)) return {0.0, find_width(before)};
  return {};
}

}  // namespace tauhat
