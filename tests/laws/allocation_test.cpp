// Law: after construction the filter and the smoother allocate nothing. malloc itself is replaced, since
// Eigen goes past operator new; each call is counted and passed on to glibc. (AddressSanitizer replaces
// malloc, too: there this file is left out.)
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <span>

#include "support/allocations.hpp"
#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/fixed_lag.hpp"
#include "tauhat/core/filters/smoother.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/pole_placement.hpp"
#include "tauhat/core/linear/robust_placement.hpp"
#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/core/models/two_mass_drive.hpp"
#include "tauhat/core/observers/disturbance_observer.hpp"
#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/momentum.hpp"
#include "tauhat/core/robot/regressor.hpp"
#include "tauhat/core/unknowns/constants.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define TAUHAT_COUNTS_ALLOCATIONS 0
#else
#define TAUHAT_COUNTS_ALLOCATIONS 1
#endif

namespace {
thread_local long allocation_count = 0;
}  // namespace

#if TAUHAT_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) { return ++allocation_count, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++allocation_count, __libc_calloc(count, size); }
void* realloc(void* block, std::size_t size) { return ++allocation_count, __libc_realloc(block, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return ++allocation_count, __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = (++allocation_count, __libc_memalign(alignment, size));
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) {
  if (block != nullptr) ++allocation_count;
  __libc_free(block);
}
}
#endif

namespace tauhat {

long allocations_so_far() noexcept { return allocation_count; }

namespace {

template <class T>
using Walk = Augmented<TwoMassDrive<T>, RandomWalk<TwoMassDrive<T>::transmission_torque>>;

template <class M>
class Allocation : public testing::Test {
 protected:
  void SetUp() override {
    if (!TAUHAT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "malloc belongs to the sanitizer here";
  }
};
using Models = testing::Types<TwoMassDrive<double>, Walk<float>, Augmented<Walk<double>, Constants<3>>>;
TYPED_TEST_SUITE(Allocation, Models);

// Constants<3> makes states of both inertias and the damping, relative to their start values.
template <class M, int K>
void choose_parameters(Augmented<M, Constants<K>>& model) {
  model.parameter = {0, 1, 3};
}
template <class M>
void choose_parameters(M&) {}

template <class M>
Gaussian<typename M::Scalar, M::kStates> prior() {
  using T = typename M::Scalar;
  return Gaussian<T, M::kStates>::from_variances(StateOf<M>::Constant(T(1)), StateOf<M>::Constant(T(1e-2)));
}

TYPED_TEST(Allocation, TheFilterAllocatesNothing) {
  using T = typename TypeParam::Scalar;
  TypeParam model;
  choose_parameters(model);
  Ekf<TypeParam> filter(model, prior<TypeParam>());
  const std::array<Measurement<T>, 2> sensors{{{2, T(0.1), T(0.1)}, {3, T(-0.1), T(0.1)}}};
  const InputOf<TypeParam> u = InputOf<TypeParam>::Constant(T(0.1));
  EXPECT_EQ(allocations_of([&] {
              filter.start(prior<TypeParam>(), sensors);
              for (int k = 0; k < 100; ++k) {
                filter.predict(u, T(1e-3));
                for (const auto& z : sensors) filter.correct(z);
                filter.correct({2, std::numeric_limits<T>::quiet_NaN(), T(0.1)});
              }
              filter.reset(prior<TypeParam>());
            }),
            0);
}

TYPED_TEST(Allocation, TheSmootherAllocatesNothing) {
  using T = typename TypeParam::Scalar;
  constexpr int kStates = TypeParam::kStates;
  TypeParam model;
  choose_parameters(model);
  Ekf<TypeParam> filter(model, prior<TypeParam>());
  std::array<StepRecord<T, kStates>, 50> steps;
  std::array<CorrectionRecord<T, kStates>, 50> corrections;
  EXPECT_EQ(allocations_of([&] {
              for (std::uint32_t k = 0; k < steps.size(); ++k) {
                filter.predict(InputOf<TypeParam>::Constant(T(0.1)), T(1e-3), &steps[k].transition);
                corrections[k] = filter.record_of(filter.correct({2, T(0.1), T(0.1)}));
                steps[k].posterior = filter.belief();
                steps[k].first_correction = k;
                steps[k].corrections = 1;
              }
              BackwardSweep<T, kStates> sweep;
              smooth<T, kStates>(steps, corrections, sweep);
            }),
            0);
}

TYPED_TEST(Allocation, TheFixedLagSmootherAllocatesInItsConstructorOnly) {
  using T = typename TypeParam::Scalar;
  constexpr int kStates = TypeParam::kStates;
  TypeParam model;
  choose_parameters(model);
  Ekf<TypeParam> filter(model, prior<TypeParam>());
  FixedLag<T, kStates> lagged(10);
  EXPECT_EQ(allocations_of([&] {
              for (int k = 0; k < 50; ++k) {
                PaddedMatrix<T, kStates> transition;
                filter.predict(InputOf<TypeParam>::Constant(T(0.1)), T(1e-3), &transition);
                const CorrectionRecord<T, kStates> seen = filter.record_of(filter.correct({2, T(0.1), T(0.1)}));
                if (lagged.push(transition, {&seen, 1}, filter.belief())) lagged.smoothed();
              }
              lagged.finish();
              lagged.reset();
            }),
            0);
}

// Neither an observer's steps nor its design, whichever way: all of it is done, and says so.
bool designs_and_observes(const ElasticJoint<double>& joint) {
  using Joint = ElasticJoint<double>;
  constexpr double kPeriod = 4e-4;
  const auto at = linearise(joint, StateOf<Joint>::Zero(), InputOf<Joint>::Zero());
  const Vector<double, 6> torque = at.by_input.col(Joint::motor_torque);
  const auto [a, b] = held<double, 6, 1>(at.by_state, torque, kPeriod);
  const Matrix<double, 1, 6> c = Matrix<double, 1, 6>::Unit(Joint::motor_position);
  Matrix<double, 2, 6> both = Matrix<double, 2, 6>::Zero();
  both(0, Joint::motor_position) = both(1, Joint::load_velocity) = 1.0;
  const auto poles = ContinuousPoles<double, 6>().pair(40.0, 0.9).pair(80.0, 0.9).pair(100.0, 0.9).sampled(kPeriod);
  const StepNoise<double, 6, 1> noise{Matrix<double, 6>::Identity() * 1e-6, Vector<double, 1>(1e-10)};
  const auto placed = place_poles<double, 6>(a, c, poles);
  const auto robust = place_poles_robustly<double, 6, 2>(a, both, poles);
  const auto filter = stationary_filter<double, 6, 1>(a, c, noise, kPeriod);
  const auto design = design_disturbance_observer<6>(a, b, c, placed.gain, kPeriod);
  DisturbanceObserver<6, 1> observer({a, b, c, ObserverForm::predictor, placed.gain}, design);
  for (int k = 0; k < 100; ++k) observer.step(Vector<double, 1>(0.1), Vector<double, 1>(0.0));
  return placed.placed() && robust.placed() && filter.designed() && design.designed();
}
TEST(ObserverAllocation, FixedGainsAllocateNothing) {
  if (!TAUHAT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "malloc belongs to the sanitizer here";
  ElasticJoint<double> joint;
  joint.damping = 50.0, joint.coupling_inertia = 2.0, joint.neighbour_damping = 5.0;
  bool done = false;
  EXPECT_EQ(allocations_of([&] { done = designs_and_observes(joint); }), 0);
  EXPECT_TRUE(done);
}

// Joints that are counted at run time are stored in place, too.
template <class T, int Joints>
long allocations_of_a_robot() {
  Robot<T, Joints> robot(6);
  for (int i = 0; i < 6; ++i) {
    robot.set_joint(i, Joint<T>(i - 1, JointType::revolute, ModifiedDh<T>{T(i % 2), T(0.2), T(0.1), T(0)}.placement()));
    robot.set_link(i, {T(1), Vector<T, 3>::Zero(), Matrix<T, 3>::Identity()});
  }
  robot.add_frame("tool", 5, {});
  const ExternalWrench<T> push{*robot.find_frame("tool"), {Vector<T, 3>::Ones(), Vector<T, 3>::Ones()}};
  const JointVector<T, Joints> q = JointVector<T, Joints>::Constant(6, T(0.3));
  return allocations_of([&] {
    const JointVector<T, Joints> torque = inverse_dynamics(robot, q, q, q, push);
    const auto forward = forward_dynamics(robot, q, q, torque, push);
    forward_derivatives(robot, q, q, torque, push);
    inverse_derivatives(robot, q, q, q);
    generalised_momentum(robot, q, q);
    forward_by_parameters(robot, q, q, forward);
    const JointVector<T, Joints> again = torque_regressor(robot, q, q, q) * robot.parameters();
    EXPECT_LT((again - inverse_dynamics(robot, q, q, q)).norm(), T(1e-3));
  });
}

TEST(RobotAllocation, DynamicsAllocateNothing) {
  if (!TAUHAT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "malloc belongs to the sanitizer here";
  EXPECT_EQ((allocations_of_a_robot<double, 6>()), 0);
  EXPECT_EQ((allocations_of_a_robot<float, 6>()), 0);
  EXPECT_EQ((allocations_of_a_robot<double, Eigen::Dynamic>()), 0);
}

// The hook itself: what is allocated is counted, whichever way.
TEST(AllocationHook, CountsWhatIsAllocated) {
  if (!TAUHAT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "malloc belongs to the sanitizer here";
  EXPECT_GT(allocations_of([] { delete new volatile double(1.0); }), 0);
  EXPECT_GT(allocations_of([] { Eigen::MatrixXd::Ones(4, 4).eval(); }), 0);
  EXPECT_GT(allocations_of([] { std::free(std::aligned_alloc(64, 128)); }), 0);
  EXPECT_EQ(allocations_of([] {}), 0);
}

}  // namespace
}  // namespace tauhat
