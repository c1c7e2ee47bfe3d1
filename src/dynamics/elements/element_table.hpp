// The springs to the ground, the resonators and the bonds of a chain as columns: one number per
// bead or contact, zero where there is none. Resonators are in slots: slot k of a bead is its k-th
// resonator.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/pair_table.hpp"
#include "simd/column.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace beadwave::dynamics {

/// Where an engine stores the state of the elements; one number per bead.
struct ResonatorPointers {
    double *displacement, *velocity;
    double* velocity_change;  ///< (dt/2) acceleration [m/s]
};
struct ElementPointers {
    double* force = nullptr;  ///< of springs, resonators and pair forces on the bead [N]
    /// Sum over steps of the forces of springs and resonators on the bead and on its resonators,
    /// each times the velocity [W]; null: nothing dissipates.
    double* power = nullptr;
    double* half_rounding = nullptr;  ///< of the tiled engine (ElementRow)
    // The bond at the contact to the left of the bead; null: there are no bonds.
    double* broken_at = nullptr;      ///< step at which it broke; 0: it is intact
    double* broken_energy = nullptr;  ///< stored when it broke [J]
    std::vector<ResonatorPointers> slots{};
};

/// Sums over some beads and their resonators.
struct ElementSums {
    double kinetic = 0.0, momentum = 0.0;  ///< of the masses of resonators
    double stored = 0.0;                   ///< in springs and pairs
    double power_sum = 0.0, power = 0.0;   ///< over all steps, and now [W]
    double broken = 0.0;                   ///< stored in bonds when they broke

    static constexpr std::array<double ElementSums::*, 6> all() {
        return {&ElementSums::kinetic,   &ElementSums::momentum, &ElementSums::stored,
                &ElementSums::power_sum, &ElementSums::power,    &ElementSums::broken};
    }
};

/// The fastest vibration and damping that elements add to a bead, and those of the masses inside.
struct ElementSlopes {
    double stiffness = 0.0;  ///< over the mass [1/s^2]
    double damping = 0.0;    ///< over the mass [1/s]
};

struct SpringColumns {
    simd::Column stiffness, cubic, damping;
    double force(std::size_t i, double x, double speed) const {
        return stiffness[i] * x + cubic[i] * x * x * x + damping[i] * speed;
    }
    double energy(std::size_t i, double x) const {
        return (0.5 * stiffness[i] + 0.25 * cubic[i] * x * x) * x * x;
    }
};

/// Bonds, by contact: contact c is between beads c - 1 and c. Zero, with an infinite strength,
/// where there is none.
struct BondColumns {
    simd::Column stiffness, damping, stretch, strength;
    simd::Column pushes;  ///< 1: also pushes; 0: for tension only

    /// The elongation that has a force [m]; `apart`: how much further apart the beads are than at
    /// the start.
    double elongation(std::size_t c, double apart) const {
        const double x = apart + stretch[c];
        return x < 0.0 ? x * pushes[c] : x;
    }
    /// The force of a bond that is intact [N].
    double tension(std::size_t c, double elongation, double speed) const {
        const double pull = stiffness[c] * elongation;
        return elongation > 0.0 || pushes[c] > 0.0 ? pull + damping[c] * speed : pull;
    }
    /// What the bond had stored when it broke [J], on the way from one elongation to the next one:
    /// with this, the trapezoidal work of the bond is what it loses.
    double broken_energy(std::size_t c, double before, double now) const {
        return 0.5 * stiffness[c] * now * before;
    }
};

class ElementTable {
  public:
    struct Slot {
        SpringColumns spring;
        simd::Column mass;  ///< [kg]; 0: the bead has no resonator in this slot
        simd::Column kick;  ///< dt / (2 m) [s/kg]; 0 for such a bead
    };

    /// Columns of `count` numbers, at least as many as beads: entries behind the last bead are like
    /// it. time_step [s]. All ranks that share the chain call this together.
    ElementTable(const chain::Chain& chain, double time_step, std::size_t count);

    bool cubic() const { return cubic_; }
    /// Whether anything dissipates.
    bool damped() const { return damped_; }
    bool grounded() const { return grounded_; }  ///< whether there are springs to the ground
    bool bonded() const { return bonded_; }      ///< whether there are bonds
    /// Whether each bead has at most one resonator and nothing else that is damped, and one has.
    bool single() const { return slots_.size() == 1 && !bonded_ && !ground_damped_; }
    const SpringColumns& ground() const { return ground_; }
    const BondColumns& bonds() const { return bonds_; }
    const chain::PairTable& pairs() const { return pairs_; }
    const std::vector<Slot>& slots() const { return slots_; }
    /// The slot of each resonator, in the order of chain::Elements.
    const std::vector<std::size_t>& slot_of() const { return slot_of_; }

    /// Puts the masses of resonators where they start; `slots`: those of a state, at rest.
    template <class Slots>
    void place_masses(const chain::Chain& chain, Slots& slots) const {
        for (std::size_t k = 0; k < slot_of_.size(); ++k) {
            const chain::Resonator& each = chain.elements.resonators[k];
            const double with_bead =
                chain.displacement.empty() ? 0.0 : chain.displacement[each.bead];
            auto& slot = slots[slot_of_[k]];
            slot.displacement[each.bead] = each.displacement.value_or(with_bead);
            slot.velocity[each.bead] = each.velocity.value_or(chain.velocity[each.bead]);
        }
    }

    /// Whether the entries [begin, end) are known to have equal springs and masses.
    bool alike(std::size_t begin, std::size_t end) const;

    /// The sums over the beads [begin, end), whose displacements and velocities are given.
    ElementSums sums(const ElementPointers& state, const double* displacement,
                     const double* velocity, std::size_t begin, std::size_t end) const;

    /// The largest slopes of the beads first + [begin, end); `state` and displacement begin at bead
    /// `first`. `kick` [s/kg]: dt / (2 m) of a bead.
    template <class Kick>
    ElementSlopes slopes(const ElementPointers& state, const double* displacement,
                         std::size_t first, std::size_t begin, std::size_t end,
                         const Kick& kick) const;

  private:
    /// Takes from other ranks which columns there are.
    void share(const chain::Chain& chain, std::size_t count);

    double time_step_;
    /// Adds those of the beads [begin, end).
    void add_bonds(ElementSums& sums, const ElementPointers& state, const double* displacement,
                   std::size_t begin, std::size_t end) const;

    bool cubic_ = false, damped_ = false, grounded_ = false, bonded_ = false,
         ground_damped_ = false;
    SpringColumns ground_;
    BondColumns bonds_;
    chain::PairTable pairs_;
    std::vector<Slot> slots_;
    std::vector<std::size_t> slot_of_;
    std::vector<std::size_t> changes_;  ///< entries that differ from the one before
};

template <class Kick>
ElementSlopes ElementTable::slopes(const ElementPointers& state, const double* displacement,
                                   std::size_t first, std::size_t begin, std::size_t end,
                                   const Kick& kick) const {
    const double by_mass = 2.0 / time_step_;
    ElementSlopes largest;
    // Linear springs that are all alike are looked at once: only the mass of the bead may differ.
    const bool constant =
        !cubic_ && !bonded_ && pairs_.empty() && alike(first + begin, first + end);
    double stiffness = 0.0, damping = 0.0, inner = 0.0, inner_damping = 0.0;
    for (std::size_t at = begin; at < end; ++at) {
        const std::size_t i = first + at;
        if (!constant || at == begin) {
            const double u = displacement[at];
            stiffness = ground_.stiffness[i] + 3.0 * ground_.cubic[i] * u * u;
            damping = ground_.damping[i];
            inner = inner_damping = 0.0;
            for (std::size_t k = 0; k < slots_.size(); ++k) {
                const Slot& slot = slots_[k];
                const double x = u - state.slots[k].displacement[at];
                const double slope = slot.spring.stiffness[i] + 3.0 * slot.spring.cubic[i] * x * x;
                stiffness += slope;
                damping += slot.spring.damping[i];
                inner = inner > slope * slot.kick[i] ? inner : slope * slot.kick[i];
                const double own = slot.spring.damping[i] * slot.kick[i];
                inner_damping = inner_damping > own ? inner_damping : own;
            }
            for (std::size_t c = 0; bonded_ && c < 2; ++c) {
                if (state.broken_at[at + c] > 0.0) continue;
                stiffness += bonds_.stiffness[i + c];
                damping += bonds_.damping[i + c];
            }
            if (!pairs_.empty()) stiffness += pairs_.stiffness(displacement - first, i);
        }
        const double by = kick(i);
        const double both = (stiffness * by + inner) * by_mass;
        const double both_damping = (damping * by + inner_damping) * by_mass;
        if (both > largest.stiffness) largest.stiffness = both;
        if (both_damping > largest.damping) largest.damping = both_damping;
    }
    return largest;
}

}  // namespace beadwave::dynamics
