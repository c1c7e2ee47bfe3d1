// What the contacts of the fast engine have done. A pair has its part in the columns Work of the
// contacts' memory, which follow it through new lists and to other ranks; what is here is left of
// pairs that are no longer in the list, and what walls are rubbed by.
//
// What the ledger has, the power of a contact on its particles in the trapezoidal sum over steps,
// is the mean of the forces before and after each step on the way in it, which is the velocity in
// the middle of the step; only at the ends of an advance the velocities of the ends count:
//
//     sum_n F_n v_n dt = sum_n (F_n + F_n+1) / 2 h_n+1/2 dt,  v_n = (h_n-1/2 + h_n+1/2) / 2
//
// So a pair needs its own force of the step before and no velocities but those that the forces
// take. Where the tangential memory is a force and places change by the velocities alone, the force
// of the step before follows from one number and the way back (work_push); walls keep it.
#pragma once

#include "listed_contacts.hpp"
#include "old_pairs.hpp"
#include "packing/contacts/contact_accounts.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/packing.hpp"
#include "packing/walls/wall_loads.hpp"
#include "term_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// What a pair has done [J]; `given` without the work of the contact on particles.
struct PairWork {
    PairKey key;  ///< of the particles' numbers
    ContactSums sums;
};

/// What a pair of the list has dissipated; `number`: in the order of all ranks.
struct ListedDissipation {
    double number;
    ContactDissipation contact;
};

/// A change of the velocities in a line.
struct LineChange {
    Vec3 velocity{}, rim{};  ///< [m/s]
};

/// The force on a line of a body, as Work has it.
struct LineForce {
    Vec3 force{}, lever{};  ///< [N]
};

/// The contacts whose works are summed, and what they depend on. All must outlive the works.
struct WorkingContacts {
    const Packing& packing;
    double time_step;  ///< [s]
    int threads;
    const BlockShare& share;
    const Bodies& bodies;
    ListedContacts& contacts;
    const TermSums& sums;
    const ElementStepper& elements;
    std::size_t discard;  ///< SumLines::discard()
};

class ContactWorks {
  public:
    /// `all`: of all pairs, else of those with walls.
    ContactWorks(bool all, const WorkingContacts& of);

    bool of_all() const { return all_; }
    /// The number of the second body of an account.
    std::size_t second_of(const PairKey& key) const {
        return key.wall >= 0 ? of_.bodies.particles() + static_cast<std::size_t>(key.wall)
                             : key.second;
    }

    // Steps. Before the first one begin_blocks(), and what contacts have stored already.
    void start();
    /// The entries of a batch that have walls, without padding.
    struct EntriesOfWalls {
        std::size_t begin, end;
    };
    /// Between the places of a batch and its tangential forces: Scratch::way of walls, and what
    /// drives take.
    EntriesOfWalls prepare(const Entries& e, std::size_t from, std::size_t count, double step,
                           const WallLoads& loads, Scratch& s);
    /// Adds the works of walls, after the forces of a batch of an own block's entries.
    void work_on_walls(std::size_t own, const Entries& e, std::size_t from,
                       const EntriesOfWalls& of_walls, double step, const WallLoads& loads,
                       std::span<const WallStep> walls, const Scratch& s);
    /// By how much a drive makes the velocities of its particle less than they would be, on a side
    /// of Bodies.
    void bend(int side, std::size_t carrier, const LineChange& less) {
        bend_[side][carrier] = less;
    }
    /// Gives all ranks what bend() has been told on a side. Collective, unless nothing is driven.
    void share_bends(int side);
    /// Between two advances, before velocities or forces change; false: before the first half step
    /// of an advance. Collective.
    void settle(bool settled = true);
    /// External forces have changed velocities by these; of each body [m/s].
    void add_kicks(const std::vector<Vec3>& change);

    // Lists.

    /// Closes the pairs in `memory` that the new list does not have.
    void close(std::span<const OldPair> old, const EntriesBefore& before,
               const ContactMemory& memory);
    /// What is stored in a pair leaves it, and was not dissipated.
    void release(std::size_t entry, const ContactEnergy& energy);
    /// What is stored in one pair passes on to another.
    void pass_energy(std::uint32_t from, std::uint32_t to);

    /// What all contacts have dissipated; empty unless of_all(). Collective; with ranks only the
    /// first one gets it.
    std::vector<ContactDissipation> dissipation(bool conservative) const;

    /// What walls are rubbed by [J], in a block of this rank.
    double* rubbing_of_block(std::size_t own) {
        return block_rubbing_.data() + own * rubbing_.size();
    }
    /// The rubbing of each wall since the start: the blocks' parts are added in the order of the
    /// blocks, when they are asked for or end. Collective.
    std::vector<double> rubbing() const;
    /// Adds the blocks' rubbing to the sums, before blocks change.
    void close_blocks() { rubbing_ = rubbing(); }
    void begin_blocks() { block_rubbing_.assign(of_.share.own_blocks() * rubbing_.size(), 0.0); }

    /// Calls visit(name, numbers) for what of a saved state belongs to no block. Collective: with
    /// ranks `numbers` has on each as many as on the first one.
    template <class Visit>
    void each_number(Visit visit) const {
        std::vector<double> all = accounts_.numbers();
        std::size_t count = all.size();
        if (of_.share.shared()) of_.share.ranks().broadcast(count);
        all.resize(count);
        visit("contact_accounts", all);
        all = rubbing_;
        all.push_back(settled_ ? 1.0 : 0.0);
        visit("contact_works", all);
    }
    std::span<double> block_rubbing() { return block_rubbing_; }
    std::span<const double> block_rubbing() const { return block_rubbing_; }
    /// Throws std::invalid_argument if these are none of each_number().
    void restore(std::span<const double> accounts, std::span<const double> works);

  private:
    EntriesOfWalls walls_among(const Entries& e, std::size_t from, std::size_t count) const;
    /// The way of a wall at its contact [m/s], relative to the particle, in a step [s].
    Vec3 way_of_wall(std::uint32_t first, std::uint32_t second, double step,
                     const WallLoads& loads) const;
    /// Adds the work in a step of a wall's contact, without its torque; `row`: of Scratch::rows;
    /// `moved`: the way of the wall over the step [m/s].
    void add_work_on_wall(const Entries& e, std::size_t at, const double* row, const Vec3& moved,
                          double step);
    /// Force and lever of the last step [N].
    LineForce last_force(std::size_t entry) const;
    /// How far the particle slides along a wall in a step [m].
    double slip_on_wall(const Entries& e, std::size_t at, std::size_t k, double step,
                        const Scratch& s) const;
    /// The work in half a step of the forces of the last one on what change(body) says [J].
    template <class ChangeOf>
    double work_of_change(std::size_t entry, ChangeOf change) const;
    double half_work(std::size_t entry) const;  ///< with the change of velocities in half a step
    void add_given(std::size_t entry, double more);
    void close(std::vector<PairWork> pairs);
    /// The dissipation of pairs that have left the list, and of `listed`, which are in it.
    std::vector<ContactDissipation> with_closed(std::vector<ListedDissipation> listed,
                                                bool conservative) const;

    bool all_;
    bool settled_ = true;  // between two advances: the velocities at the end of the last step count
    WorkingContacts of_;
    std::array<std::vector<LineChange>, 2> bend_;
    ContactAccounts<ContactAccount> accounts_;
    std::vector<double> rubbing_;        // of each wall, without block_rubbing_ [J]
    std::vector<double> block_rubbing_;  // of each own block and wall
};

}  // namespace beadwave::packing
