// Polynomials of a sampled model with one output, in g = (z - 1) / r rather than in z: at a short period all roots
// crowd at z = 1, and the coefficients in z are large numbers that cancel (in 32 bits a gain of 117 comes out as -734).
// r is the size of A - I; z = 1 is g = 0, so that a value at rest is a coefficient.
#pragma once

#include "tauhat/core/linear/hessenberg_form.hpp"
#include "tauhat/core/linear/spectrum.hpp"

namespace tauhat {

// Coefficients, the constant first.
template <class T, int Degree>
using Polynomial = Vector<T, Degree + 1>;

// g p
template <class T, int Size>
Vector<T, Size> shifted(const Vector<T, Size>& p) noexcept {
  Vector<T, Size> result = Vector<T, Size>::Zero();
  result.template tail<Size - 1>() = p.template head<Size - 1>();
  return result;
}

// The monic polynomial of roots that come in conjugate pairs.
template <class T, int N>
Polynomial<T, N> with_roots(const Poles<T, N>& roots) noexcept {
  Polynomial<T, N> p = Polynomial<T, N>::Unit(0);
  for (const std::complex<T>& root : roots) {
    if (root.imag() < T(0)) continue;
    const Polynomial<T, N> once = shifted<T, N + 1>(p);
    if (root.imag() == T(0)) {
      p = once - root.real() * p;
    } else {
      p = shifted<T, N + 1>(once) - T(2) * root.real() * once + std::norm(root) * p;
    }
  }
  return p;
}

// The roots' inverses, from the companion matrix of the reversed coefficients: p(0) must not vanish. A root at
// infinity, where the last coefficients are zero, is an inverse like others.
template <class T, int Degree>
Poles<T, Degree> inverse_roots(const Polynomial<T, Degree>& p) noexcept {
  Matrix<T, Degree> companion = Matrix<T, Degree>::Zero();
  companion.template bottomLeftCorner<Degree - 1, Degree - 1>().setIdentity();
  companion.row(0) = -p.template tail<Degree>().transpose() / p[0];
  return eigenvalues<T, Degree>(companion);
}

// The coefficients in z, of p((z - 1) / r).
template <class T, int Degree>
Polynomial<T, Degree> in_z(const Polynomial<T, Degree>& p, T rate) noexcept {
  using P = Polynomial<T, Degree>;
  P result = P::Zero();
  for (int i = Degree; i >= 0; --i) {  // Horner's rule
    const P times_z = shifted<T, Degree + 1>(result);
    result = (times_z - result) / rate + p[i] * P::Unit(0);
  }
  return result;
}

// What an observer's innovation makes of a disturbance at the model's input: B(g) / A(g), with
//   A = det(z I - A + L C),   B = C adj(z I - A) b
// B does not depend on L, although the poles do.
template <class T, int N>
struct InnovationResponse {
  T rate;                 // r
  Polynomial<T, N> a, b;  // b is of one degree less
};

// Both are read off the first column w of adj(g I - H / r), in Hessenberg form: every row but the first of
//   (g I - H / r) w = det e_1
// gives the next of its polynomials, from the last (a constant) up; the first row, in which alone L stands, gives A.
template <class T, int N>
InnovationResponse<T, N> innovation_response(const Matrix<T, N>& a, const Vector<T, N>& b, const Matrix<T, 1, N>& c,
                                             const Vector<T, N>& predictor_gain) noexcept {
  const HessenbergForm<T, N> form = hessenberg_form<T, N>(a, c);
  const T rate = form.dynamics.norm();
  const Matrix<T, N> h = form.dynamics / rate;
  const auto turned = [&](const Vector<T, N>& x) {
    return Vector<T, N>(form.rotation.transpose() * form.scales.cwiseInverse().cwiseProduct(x) / rate);
  };
  Matrix<T, N + 1, N> w = Matrix<T, N + 1, N>::Zero();
  w(0, N - 1) = T(1);
  for (int i = 1; i < N; ++i) w(0, N - 1) *= h(i, i - 1);
  for (int i = N - 1; i > 0; --i) {
    Polynomial<T, N> next = shifted<T, N + 1>(w.col(i));
    for (int j = i; j < N; ++j) next -= h(i, j) * w.col(j);
    w.col(i - 1) = next / h(i, i - 1);
  }
  InnovationResponse<T, N> response;
  response.rate = rate;
  const Vector<T, N> closed = form.output * turned(predictor_gain) - h.row(0).transpose();
  response.a = shifted<T, N + 1>(w.col(0)) + w * closed;
  response.b = w * (form.output * turned(b));
  return response;
}

}  // namespace tauhat
