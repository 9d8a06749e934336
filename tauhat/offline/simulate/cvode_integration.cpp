// CVODE (Hindmarsh et al. 2005), variable order and step. Between two changes of the input it runs freely,
// and samples are interpolated from its own polynomial. Adams' formulas: at a tolerance of 1e-10 they took
// about half of BDF's time on Hovland's two plants, with a sixth of its error. Newton's iteration, because
// friction at standstill is stiff: with a fixed-point iteration a motor that sticks took seconds instead of
// milliseconds.
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "tauhat/offline/simulate/integration.hpp"

namespace tauhat {
namespace {

constexpr long kMostSteps = 1'000'000;  // between two samples

// Owners of the objects of a C library.
template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_cvode(void* memory) { CVodeFree(&memory); }
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeWith<free_context>>;
using SerialVector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeWith<N_VDestroy>>;
using DenseMatrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeWith<SUNMatDestroy>>;
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeWith<SUNLinSolFree>>;
using Cvode = std::unique_ptr<void, FreeWith<free_cvode>>;

Context make_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return Context(context);
}

class CvodeIntegration final : public Integration {
 public:
  CvodeIntegration(const Truth& truth, std::vector<double> start, double tolerance);
  void hold(double input, double until) override;
  void advance(double until) override;

 private:
  static int derivative(realtype, N_Vector x, N_Vector dx, void* self);
  static int distances(realtype, N_Vector x, realtype* distance, void* self);
  static void remember(int code, const char*, const char*, char* message, void* self);
  void restart();
  void require(int code);

  std::string message_;
  Context context_;
  SerialVector vector_;  // a view of state_
  DenseMatrix jacobian_;
  LinearSolver solver_;
  Cvode cvode_;
};

CvodeIntegration::CvodeIntegration(const Truth& truth, std::vector<double> start, double tolerance)
    : Integration(truth, std::move(start)), context_(make_context()) {
  const sunindextype states = truth.states;
  vector_.reset(N_VMake_Serial(states, state_.data(), context_.get()));
  jacobian_.reset(SUNDenseMatrix(states, states, context_.get()));
  solver_.reset(SUNLinSol_Dense(vector_.get(), jacobian_.get(), context_.get()));
  cvode_.reset(CVodeCreate(CV_ADAMS, context_.get()));
  if (!vector_ || !jacobian_ || !solver_ || !cvode_) throw std::bad_alloc();
  void* cvode = cvode_.get();
  require(CVodeSetErrHandlerFn(cvode, remember, this));
  require(CVodeInit(cvode, derivative, 0.0, vector_.get()));
  require(CVodeSetUserData(cvode, this));
  require(CVodeSStolerances(cvode, tolerance, tolerance));
  require(CVodeSetLinearSolver(cvode, solver_.get(), jacobian_.get()));
  require(CVodeSetMaxNumSteps(cvode, kMostSteps));
  if (truth.kinks > 0) {
    require(CVodeRootInit(cvode, truth.kinks, distances));
    require(CVodeSetNoInactiveRootWarn(cvode));  // resting on a corner is no mistake
  }
}

void CvodeIntegration::hold(double input, double until) {
  inputs_.front() = input;
  restart();
  require(CVodeSetStopTime(cvode_.get(), until));
}

void CvodeIntegration::restart() { require(CVodeReInit(cvode_.get(), time_, vector_.get())); }

void CvodeIntegration::advance(double until) {
  begin_interval();
  // A corner may lie so close before the sample that CVODE cannot start in between: the state is the same.
  const double indistinguishable = 10 * std::numeric_limits<double>::epsilon() * std::abs(until);
  while (until - time_ > indistinguishable) {
    const int code = CVode(cvode_.get(), until, vector_.get(), &time_, CV_NORMAL);
    require(code);
    if (code != CV_ROOT_RETURN) continue;
    note_contact();
    restart();
  }
  time_ = until;
}

int CvodeIntegration::derivative(realtype, N_Vector x, N_Vector dx, void* self) {
  const auto& drive = *static_cast<const CvodeIntegration*>(self);
  double* const slope = N_VGetArrayPointer(dx);
  drive.truth_.derivative(N_VGetArrayPointer(x), drive.inputs_.data(), slope);
  constexpr int kTryShorterStep = 1;
  return std::all_of(slope, slope + drive.truth_.states, [](double s) { return std::isfinite(s); }) ? 0
                                                                                                    : kTryShorterStep;
}

int CvodeIntegration::distances(realtype, N_Vector x, realtype* distance, void* self) {
  static_cast<const CvodeIntegration*>(self)->truth_.distance_to_kinks(N_VGetArrayPointer(x), distance);
  return 0;
}

void CvodeIntegration::remember(int, const char*, const char*, char* message, void* self) {
  static_cast<CvodeIntegration*>(self)->message_ = message;
}

void CvodeIntegration::require(int code) {
  if (code < 0) fail(fmt::format("CVODE: {}", message_));
}

}  // namespace

std::unique_ptr<Integration> integrate_by_cvode(const Truth& truth, std::vector<double> start, double tolerance) {
  return std::make_unique<CvodeIntegration>(truth, std::move(start), tolerance);
}

}  // namespace tauhat
