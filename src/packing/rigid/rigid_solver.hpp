// The impulses of rigid contacts in a step: unilateral contact with Coulomb's friction.
//
// Of each contact, with the relative velocity u of its two bodies (second minus first, along the
// normal n from the first to the second and across it) at the end of the step:
//
//     0 <= u_n + bias  perpendicular to  p_n >= 0          (Signorini, on velocities)
//     |p_t| <= mu p_n,   p_t = -mu p_n u_t / |u_t|  where u_t is not 0      (Coulomb)
//
// Nonlinear Gauss-Seidel (J.J. Moreau, M. Jean: "Unilaterality and dry friction in the dynamics of
// rigid body collections", 1999): contact after contact takes the impulse that fulfils its own
// conditions. Of spheres this is a closed form: a normal impulse moves them along the normal only,
// and a tangential one alike in all directions. Between two sweeps all impulses go on as they went,
// by Nesterov's sequence with the restarts of O'Donoghue and Candes (Found. Comput. Math. 15 (2015)
// 715); what that breaks the next sweep mends, and the result is that of a sweep. 100 discs need
// a fifth to a third of the sweeps. One thread; contacts in the given order: the same bits each
// time.
#pragma once

#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::packing {

/// A body that takes impulses: its velocities change as these are found.
struct RigidBody {
    Vec3 velocity{};          ///< [m/s]
    Vec3 angular_velocity{};  ///< [rad/s]
    double mobility = 0.0;    ///< 1/m [1/kg]; 0: it does not yield
    double turning = 0.0;     ///< 1/I [1/(kg m^2)]; 0: it does not yield
};

struct RigidContact {
    std::uint32_t first = 0, second = 0;  ///< bodies
    Vec3 normal{};                        ///< of unit length, from the first to the second
    double arm_1 = 0.0, arm_2 = 0.0;      ///< from the centres to the contact, along it [m]
    double bias = 0.0;                    ///< [m/s]
    double friction = 0.0;                ///< mu [-]
    Vec3 impulse{};                       ///< on the second: p_n n + p_t [N s]

    double normal_impulse() const { return dot(impulse, normal); }
    /// Velocity of the second body against the first at the contact [m/s].
    Vec3 apart(const RigidBody& a, const RigidBody& b) const {
        return b.velocity - a.velocity -
               cross(arm_1 * a.angular_velocity + arm_2 * b.angular_velocity, normal);
    }
};

struct SolverLimits {
    double tolerance = 1e-6;           ///< see RigidSolution::change
    std::int64_t iterations = 10'000;  ///< at most
};

struct RigidSolution {
    std::int64_t iterations = 0;
    /// The largest change of an impulse in the last sweep over the largest impulse [-].
    double change = 0.0;
    bool converged = true;  ///< `change` is the tolerance or less
};

/// Finds the impulses of all contacts, starting with those that they have. `body` have the
/// velocities without any impulse, and get those with them.
RigidSolution solve_contacts(std::vector<RigidBody>& body, std::vector<RigidContact>& contact,
                             const SolverLimits& limits);

}  // namespace beadwave::packing
