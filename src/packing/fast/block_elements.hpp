// What particles carry, in the blocks of the fast engine. The kernel moves all particles by their
// contacts; the lines of particles that carry something are then written again. Ranks that share
// the packing have all carriers, and know those of their own particles (carrier_share.hpp).
#pragma once

#include "block_sleep.hpp"
#include "bodies.hpp"
#include "carrier_share.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/step/surroundings.hpp"
#include "term_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::packing {

class ContactWorks;
class MixedPairs;

class BlockElements {
  public:
    /// All must outlive it.
    BlockElements(Surroundings& around, Bodies& bodies, BlockShare& share);

    bool any() const { return stepper.any(); }
    /// With ranks up to date for the own particles, of all only after all().
    ElementStepper& stepper;
    /// Gets drives' changes of velocities; null: nobody asks.
    ContactWorks* works = nullptr;

    /// A new list: which carriers each block has. Those blocks do not sleep.
    void list(BlockSleep& sleep);
    /// Sets the velocities now, or with the change in half a step, which moves them to the end of
    /// the step.
    void take_velocities();
    void predict();
    /// Moves driven particles to the end of the step that has begun; extent_of(body): that of its
    /// block, which gets the place.
    template <class ExtentOf>
    void place_all(ExtentOf extent_of) {
        const Lines lines = bodies_.lines();
        for (std::size_t c = 0; c < stepper.carriers(); ++c) {
            const std::size_t i = body(c);
            if (!share_.has(i)) continue;
            place(c, ElementStepper::Step::present, lines, i, extent_of(i));
        }
    }
    /// The forces of the bonds after a step of `step` [s].
    void begin_forces(double step);
    /// What the carriers of a block do, when the forces of its contacts are known.
    void step(std::size_t block, double step, const Sums& sums);
    /// After the kernel has moved the block. `mixed`: null in double precision.
    void move(std::size_t block, bool last, bool power, Extent& extent, MixedPairs* mixed);

    /// The velocity of a carrier at the end of the step [m/s].
    const Vec3& velocity(std::size_t carrier) const { return motion_[carrier].velocity; }
    std::uint32_t body(std::size_t carrier) const {
        return share_.shared() ? body_[carrier] : bodies_.body_of(stepper.particle(carrier));
    }

    // Of all ranks; collective.
    const ElementStepper& all();
    ElementTotals totals(const TermSums& sums) const;
    std::vector<Vec3> drive_forces() const { return of_drives(stepper.drive_forces()); }
    std::vector<Vec3> drive_torques() const { return of_drives(stepper.drive_torques()); }
    std::vector<BrokenBond> broken_bonds(double after) const;

    // A new list on ranks.

    /// Asks the ranks for the slots of all that carry something: after a new order. Collective.
    void find_slots();
    /// Empty: nothing is carried, or there is one rank.
    ElementOwners owners() const;
    /// Sends what is carried where its particles are now.
    void follow(const ElementOwners& before);
    /// The partners of bonds belong to the halo, also where they have no pair.
    void add_bonds_to_halo();
    /// Adds own bodies to those that each rank wants, for their bonds with its particles.
    void add_wanted(std::vector<std::vector<std::uint32_t>>& wanted) const;

  private:
    /// The numbers in the lines of a particle before it moves.
    struct Before {
        Vec3 displacement, half, half_rim;
        double power;
    };
    /// Puts a driven particle where it is at the end of a step: its lines, and their extent.
    void place(std::size_t carrier, ElementStepper::Step step, const Lines& lines, std::size_t i,
               Extent& extent);
    std::vector<Vec3> of_drives(std::vector<Vec3> all) const;
    std::uint32_t slot_of_carrier(std::size_t carrier) const {
        return share_.shared() ? slot_[carrier] : bodies_.body_of(stepper.particle(carrier));
    }
    /// On ranks: the slots of the two particles of a bond.
    std::array<std::uint32_t, 2> slots_of_bond(std::size_t bond) const {
        const std::size_t at = stepper.carriers() + 2 * bond;
        return {slot_[at], slot_[at + 1]};
    }

    const Packing& packing_;
    double time_step_;
    Bodies& bodies_;
    BlockShare& share_;
    bool complete_ = false;
    std::vector<std::uint32_t> slot_;    // on ranks: of all carriers, then of the ends of all bonds
    std::vector<std::uint32_t> body_;    // on ranks: of each carrier, in the present list
    std::vector<CarrierMotion> motion_;  // of each carrier at this step
    std::vector<Before> before_;         // of each carrier
    std::vector<std::vector<std::uint32_t>> of_block_;  // empty without carriers
};

}  // namespace beadwave::packing
