// Steps the bonds of a packing: the parallel bonds of Potyondy and Cundall (2004). Cement between
// two particles is a disc of radius R_b = factor x the smaller radius and of the length between
// their centres l. It is an elastic beam in parallel to the contact, and pulls, shears, bends and
// twists:
//
//     F_n = k_n A x                       x: elongation since the start; exact, no increments
//     dF_s = -k_s A du_s                  u_s: slip at the point that divides l as the radii do
//     dM_t = -k_s J dtheta_n,   dM_b = -k_n I dtheta_s
//     k_n = E/l,   k_s = k_n / ratio,   A = pi R_b^2,   I = pi R_b^4/4,   J = 2 I
//
// Shear and moments turn with the line between the centres, and about it with the mean rotation of
// the two particles. The cement breaks for good when its tensile or shear stress,
//
//     F_n/A + |M_b| R_b/I   or   |F_s|/A + |M_t| R_b/J,
//
// exceeds the strength; what it had stored is then dissipated.
//
// Between bodies of other shapes the cement is the same beam between two places, one fixed in each
// body (Bond::ends), which stand for the centres: l is their distance, and the depths of the places
// below the surfaces stand for the radii that divide it. The forces act there.
#pragma once

#include "packing/packing.hpp"
#include "shapes/quaternion.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

struct BrokenBond {
    std::size_t bond;
    double step;    ///< in which it broke
    double energy;  ///< stored then [J]
};

class BondStepper {
  public:
    /// `packing` must outlive it.
    explicit BondStepper(const Packing& packing);

    bool any() const { return !states_.empty(); }

    /// One end of a bond at the end of a step.
    struct End {
        Vec3 displacement;           ///< from the start [m]
        Vec3 half;                   ///< velocity in the middle of the step [m/s]
        Vec3 half_angular_velocity;  ///< [rad/s]
        shapes::Quaternion orientation{};
    };
    /// The force and torque of bonds on one particle.
    struct Load {
        Vec3 force;   ///< [N]
        Vec3 torque;  ///< [N m]
    };
    struct State {
        Vec3 branch{};            ///< from the first centre to the second [m]
        double elongation = 0.0;  ///< [m]
        Vec3 shear{};             ///< on the second particle [N]
        Vec3 bending{};           ///< on the second particle [N m]
        double twisting = 0.0;    ///< along the branch, on the second particle [N m]
        /// Step in which it broke; 0: it is intact; below 0: it left the packing with a particle.
        double broken_at = 0.0;
        double broken_energy = 0.0;  ///< stored then [J]
        /// From the centres of the particles to the ends of the cement; of spheres zero [m].
        std::array<Vec3, 2> arm{};
        bool intact() const { return broken_at == 0.0; }
    };

    /// Steps these bonds, which ascend, after step number `number` of `step` [s]: 0 at the start.
    /// end(particle) -> End, load(particle) -> Load&, to which the loads of the bonds are added in
    /// their order.
    template <class EndOf, class LoadOf>
    void step(std::span<const std::uint32_t> bonds, const EndOf& end, const LoadOf& load,
              double step, std::int64_t number) {
        for (const std::size_t k : bonds) {
            const Bond& bond = packing_.elements.bonds[k];
            if (!states_[k].intact()) continue;
            End first = end(bond.first), second = end(bond.second);
            if (bond.ends) {
                move_to_cement(k, 0, first, step);
                move_to_cement(k, 1, second, step);
            }
            const Load on_second = respond(k, first, second, step, number);
            const Vec3 lever = cross(states_[k].branch, on_second.force);
            load(bond.first).force -= on_second.force;
            load(bond.first).torque -= parts_[k].first_part * lever + on_second.torque;
            load(bond.second).force += on_second.force;
            load(bond.second).torque += on_second.torque - (1.0 - parts_[k].first_part) * lever;
            if (!bond.ends) continue;
            load(bond.first).torque -= cross(states_[k].arm[0], on_second.force);
            load(bond.second).torque += cross(states_[k].arm[1], on_second.force);
        }
    }

    double stored(std::size_t bond) const;  ///< 0 where it broke [J]
    const std::vector<State>& states() const { return states_; }
    /// Ends a bond whose particle leaves: it takes along what is stored.
    void release(std::size_t bond) { states_[bond].broken_at = -1.0; }
    /// The bonds that broke after a step.
    std::vector<BrokenBond> broken(double after) const;
    /// Force of the bond along the branch, positive: tension [N]; 0 where it broke.
    double tension(std::size_t bond) const;
    /// Force of the bond on its second particle [N]; 0 where it broke. The moments of bending and
    /// twisting are not in it.
    Vec3 force(std::size_t bond) const;
    /// Where the forces act, relative to the centre of the first particle [m].
    Vec3 point(std::size_t bond) const {
        return states_[bond].arm[0] + parts_[bond].first_part * states_[bond].branch;
    }
    /// From the centre of the first particle to that of the second [m].
    Vec3 between_centres(std::size_t bond) const {
        const State& state = states_[bond];
        return state.branch + (state.arm[0] - state.arm[1]);
    }

    /// Calls visit(number) for all of a bond's state.
    template <class Visit>
    void each_number(std::size_t bond, Visit visit) {
        each_number_of(states_[bond], packing_.elements.bonds[bond], visit);
    }
    std::vector<double> numbers() const;
    void restore(std::span<const double> numbers);

  private:
    /// The constants that follow from a bond and its particles.
    struct Part {
        std::array<Vec3, 2> place{};                     ///< of the ends, in the bodies [m]
        Vec3 start{};                                    ///< branch at the start [m]
        double length = 0.0;                             ///< of it [m]
        double first_part = 0.5;                         ///< of the branch, from the first centre
        double normal = 0.0, shear = 0.0;                ///< stiffness [N/m]
        double bending = 0.0, twisting = 0.0;            ///< [N m]
        double area = 0.0, radius = 0.0, inertia = 0.0;  ///< A, R_b, I
    };
    /// From the centre of a particle to the end of the cement in it.
    void move_to_cement(std::size_t bond, std::size_t end, End& at, double step);
    /// The force on the second particle, and the moment of bending and twisting; from the ends of
    /// the cement.
    Load respond(std::size_t bond, const End& first, const End& second, double step,
                 std::int64_t number);
    template <class OneState, class Visit>
    static void each_number_of(OneState& s, const Bond& bond, Visit visit) {
        for (auto* v : {&s.branch, &s.shear, &s.bending})
            visit(v->x), visit(v->y), visit(v->z);
        visit(s.elongation), visit(s.twisting), visit(s.broken_at), visit(s.broken_energy);
        for (auto* v : {&s.arm[0], &s.arm[1]})
            if (bond.ends) visit(v->x), visit(v->y), visit(v->z);
    }

    const Packing& packing_;
    std::vector<Part> parts_;
    std::vector<State> states_;
};

/// Stiffnesses that a bond adds to its particles, over mass and moment of inertia at most: for the
/// time step [1/s^2].
double bond_limit(const Packing& packing, const Bond& bond, std::size_t particle);

}  // namespace beadwave::packing
