// External forces: on bodies, beside those of contacts, gravity and walls, as functions of time and
// state. For chains Vector is a double (along the chain), for packings a vector in space.
//
// In the velocity Verlet step from n to n + 1 an external force F acts as every other force does:
//
//     v_half = v + (dt/2) (a + F_n / m)
//     u'     = u + dt v_half
//     v'     = v_half + (dt/2) (a' + F_{n+1} / m)
//
// F_{n+1} is computed from the time, displacements and velocities at the end of the step. There the
// velocity is v_half + (dt/2) (a' + F_n / m), so forces that depend on the velocity stay second
// order, as damped contact laws do. The work is the sum over steps of (F_n + F_{n+1})/2 . (u' - u).
// Together with the work of all other forces it is the change of kinetic energy, except for
// (dt^2/8) sum m a^2 at the two ends of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::stepping {

template <class Vector>
struct BodyForce {
    std::size_t body;  ///< number of the bead or particle
    Vector force;      ///< [N]
};

/// The two halves of a step in which a force changes velocities.
enum class HalfStep { first, second };

template <class Vector>
struct ExternalForce {
    std::vector<std::size_t> bodies;  ///< none twice
    /// Fills `force` [N], one per body, from the time [s] and, in the order of `bodies`,
    /// displacement from the start [m] and velocity [m/s].
    std::function<void(double time, std::span<const Vector> displacement,
                       std::span<const Vector> velocity, std::span<Vector> force)>
        evaluate;
};

}  // namespace beadwave::stepping
