// The particles that are pressed, with the forces of their normal contacts on first loading, as
// press.hpp relaxes them: coordinates with forces and masses.
#pragma once

#include "packing/packing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace beadwave::packing {

class PressSprings {
  public:
    explicit PressSprings(Packing& packing) : packing_(packing) {}
    PressSprings(const PressSprings&) = delete;
    PressSprings& operator=(const PressSprings&) = delete;
    virtual ~PressSprings() = default;

    /// Begins with the present places and box: a new neighbour list.
    virtual void list() = 0;
    virtual bool list_is_old() const = 0;
    /// Sets all that is public below.
    virtual void evaluate() = 0;
    /// Moves each coordinate by the time [s] times its velocity [m/s].
    virtual void move(double time, const std::vector<Vec3>& velocity) = 0;
    /// Laws that depend on where bodies touch are made anew, and forces too; false: there are none.
    virtual bool renew_laws() { return false; }
    /// The smallest size of a particle [m].
    virtual double smallest() const = 0;
    /// Of a coordinate [kg].
    virtual double mass(std::size_t coordinate) const = 0;

    double volume() const {
        const Vec3 e = packing_.box.upper - packing_.box.lower;
        return e.x * e.y * (packing_.dimension == 3 ? e.z : 1.0);
    }
    double solid() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < packing_.particles(); ++i)
            sum += packing_.solid(i);
        return sum;
    }
    /// The largest net force over the mean force of a contact.
    double imbalance() const { return mean_force > 0.0 ? net_force / mean_force : 0.0; }

    std::vector<Vec3> force{};  ///< net, of each coordinate [N]
    double mean_force = 0.0;    ///< of a contact [N]
    double net_force = 0.0;     ///< the largest [N]
    double pressure = 0.0;      ///< [Pa]
    double deepest = 0.0;       ///< the largest overlap, over both radii
    double stiffest = 0.0;      ///< upper limit of a contact's stiffness over mass [1/s^2]

  protected:
    /// What evaluate() sums over contacts.
    struct Sums {
        double forces = 0.0, virial = 0.0, contacts = 0.0;
    };
    /// Sets what follows from the sums and `force`.
    void finish(const Sums& sums) {
        double largest = 0.0;
        for (const Vec3& f : force)
            largest = std::max(largest, dot(f, f));
        mean_force = sums.contacts > 0.0 ? sums.forces / sums.contacts : 0.0;
        net_force = std::sqrt(largest);
        pressure = sums.virial / (packing_.dimension * volume());
    }

    Packing& packing_;
};

/// Of ellipsoids, superellipsoids and clumps: each body has a coordinate of its centre, and one of
/// its rotation, as the way of a point at the distance of its radius; the force of this one is the
/// torque over the radius.
std::unique_ptr<PressSprings> springs_of_shapes(Packing& packing);

}  // namespace beadwave::packing
