#include "bench/kdl_arm.hpp"

#include <kdl/chain.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

namespace tauhat::bench {
namespace {

KDL::Frame placement(const KdlLink& link) {
  const auto& r = link.rotation;
  return {KDL::Rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]),
          KDL::Vector(link.translation[0], link.translation[1], link.translation[2])};
}

KDL::RigidBodyInertia inertia(const KdlLink& link) {
  const auto& j = link.moment;
  return KDL::RigidBodyInertia(link.mass, KDL::Vector(link.centre[0], link.centre[1], link.centre[2]),
                               KDL::RotationalInertia(j[0], j[3], j[5], j[1], j[2], j[4]));
}

// KDL's quickest form: joints about z, each followed by the next one's placement, and inertias in the frames there.
KDL::Chain chain_of(const std::vector<KdlLink>& links) {
  KDL::Chain chain;
  chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), placement(links.front())));
  for (std::size_t i = 0; i < links.size(); ++i) {
    const KDL::Frame tip = i + 1 < links.size() ? placement(links[i + 1]) : KDL::Frame::Identity();
    chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::RotZ), tip, tip.Inverse() * inertia(links[i])));
  }
  return chain;
}

}  // namespace

struct KdlArm::Solver {
  KDL::Chain chain;
  KDL::ChainIdSolver_RNE inverse;
  KDL::JntArray position, velocity, acceleration, torque;
  KDL::Wrenches external;

  Solver(const std::vector<KdlLink>& links, const KDL::Vector& gravity)
      : chain(chain_of(links)),
        inverse(chain, gravity),
        position(chain.getNrOfJoints()),
        velocity(chain.getNrOfJoints()),
        acceleration(chain.getNrOfJoints()),
        torque(chain.getNrOfJoints()),
        external(chain.getNrOfSegments(), KDL::Wrench::Zero()) {}
};

KdlArm::KdlArm(const std::vector<KdlLink>& links, const std::array<double, 3>& gravity)
    : solver_(std::make_unique<Solver>(links, KDL::Vector(gravity[0], gravity[1], gravity[2]))) {}
KdlArm::~KdlArm() = default;

void KdlArm::inverse_dynamics(const double* position, const double* velocity, const double* acceleration,
                              double* torque) {
  Solver& s = *solver_;
  const auto n = static_cast<long>(s.chain.getNrOfJoints());
  for (long i = 0; i < n; ++i) {
    s.position.data[i] = position[i], s.velocity.data[i] = velocity[i], s.acceleration.data[i] = acceleration[i];
  }
  s.inverse.CartToJnt(s.position, s.velocity, s.acceleration, s.external, s.torque);
  for (long i = 0; i < n; ++i) torque[i] = s.torque.data[i];
}

}  // namespace tauhat::bench
