// SLICOT's routines for the same two designs (Benner et al. 1999), of the dual system: SB02OD solves the discrete
// Riccati equation by a generalised Schur form, SB01BD places poles by a Schur form (Varga 1981).
#pragma once

#include <algorithm>
#include <array>

#include "tauhat/core/linear/poles.hpp"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): as Fortran names them
void sb02od_(const char* dico, const char* jobb, const char* fact, const char* uplo, const char* jobl, const char* sort,
             const int* n, const int* m, const int* p, const double* a, const int* lda, const double* b, const int* ldb,
             const double* q, const int* ldq, const double* r, const int* ldr, const double* l, const int* ldl,
             double* rcond, double* x, const int* ldx, double* alfar, double* alfai, double* beta, double* s,
             const int* lds, double* t, const int* ldt, double* u, const int* ldu, const double* tol, int* iwork,
             double* dwork, const int* ldwork, int* bwork, int* info);
void sb01bd_(const char* dico, const int* n, const int* m, const int* np, const double* alpha, double* a,
             const int* lda, const double* b, const int* ldb, double* wr, double* wi, int* nfp, int* nap, int* nup,
             double* f, const int* ldf, double* z, const int* ldz, const double* tol, double* dwork, const int* ldwork,
             int* iwarn, int* info);
// NOLINTEND(readability-identifier-naming)
}

namespace tauhat::bench {

template <int N, int M>
Matrix<double, N> slicot_riccati(const Matrix<double, N>& a, const Matrix<double, M, N>& c, const Matrix<double, N>& q,
                                 const Vector<double, M>& r) {
  constexpr int kAll = 2 * N + M, kWork = std::max(7 * (2 * N + 1) + 16, 16 * N) + 200;
  const Matrix<double, N> dual = a.transpose();
  const Matrix<double, N, M> input = c.transpose();
  const Matrix<double, M> weight = r.asDiagonal();
  Matrix<double, N> x;
  Matrix<double, kAll> s;
  Matrix<double, kAll, 2 * N> t;
  Matrix<double, 2 * N> u;
  std::array<double, 2 * N> real, imaginary, beta;
  std::array<double, kWork> work;
  std::array<int, 2 * N> integers, flags;
  const int n = N, m = M, p = 0, doubled = 2 * N, all = kAll, length = kWork, one = 1;
  const double tolerance = 0.0, unused = 0.0;
  double condition;
  int info;
  sb02od_("D", "B", "N", "U", "Z", "S", &n, &m, &p, dual.data(), &n, input.data(), &n, q.data(), &n, weight.data(), &m,
          &unused, &one, &condition, x.data(), &n, real.data(), imaginary.data(), beta.data(), s.data(), &all, t.data(),
          &all, u.data(), &doubled, &tolerance, integers.data(), work.data(), &length, flags.data(), &info);
  if (info != 0) x.setConstant(std::numeric_limits<double>::quiet_NaN());
  return x;
}

template <int N>
Vector<double, N> slicot_placement(const Matrix<double, N>& a, const Matrix<double, 1, N>& c,
                                   const Poles<double, N>& poles) {
  constexpr int kWork = 5 * N + 100;
  Matrix<double, N> dual = a.transpose(), z;
  const Vector<double, N> input = c.transpose();
  Vector<double, N> real = poles.real(), imaginary = poles.imag();
  Matrix<double, 1, N> f;
  std::array<double, kWork> work;
  const int n = N, m = 1, length = kWork;
  const double all = 0.0, tolerance = 0.0;
  int kept, placed, left, warning, info;
  sb01bd_("D", &n, &m, &n, &all, dual.data(), &n, input.data(), &n, real.data(), imaginary.data(), &kept, &placed,
          &left, f.data(), &m, z.data(), &n, &tolerance, work.data(), &length, &warning, &info);
  if (info != 0) f.setConstant(std::numeric_limits<double>::quiet_NaN());
  return -f.transpose();
}

}  // namespace tauhat::bench
