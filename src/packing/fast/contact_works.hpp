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
// take.
#pragma once

#include "block_share.hpp"
#include "old_pairs.hpp"
#include "packing/contact_accounts.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
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

class ContactWorks {
  public:
    /// `walls`: how many are rubbed. `all`: of all pairs, else of those with walls. `particles`: of
    /// all ranks.
    ContactWorks(bool all, std::size_t walls, std::size_t particles)
        : all_(all), particles_(particles), rubbing_(walls) {}

    bool of_all() const { return all_; }
    /// The number of the second body of an account.
    std::size_t second_of(const PairKey& key) const {
        return key.wall >= 0 ? particles_ + static_cast<std::size_t>(key.wall) : key.second;
    }

    /// Pairs that have left the list. Collective; with ranks the first one has the accounts.
    void close(std::vector<PairWork> pairs, const BlockShare& share);
    /// What all contacts have dissipated: those pairs, and these that are in the list. Collective;
    /// with ranks only the first one gets it.
    std::vector<ContactDissipation> dissipation(std::vector<ListedDissipation> listed,
                                                const BlockShare& share, bool conservative) const;

    /// What walls are rubbed by [J], in a block of this rank.
    double* rubbing_of_block(std::size_t own) {
        return block_rubbing_.data() + own * rubbing_.size();
    }
    /// Of each wall since the start: the blocks' parts are added in the order of the blocks, when
    /// they are asked for or end. Collective.
    std::vector<double> rubbing(const BlockShare& share) const;
    /// Before blocks change.
    void close_blocks(const BlockShare& share) { rubbing_ = rubbing(share); }
    void begin_blocks(std::size_t own) { block_rubbing_.assign(own * rubbing_.size(), 0.0); }

    /// Calls visit(name, numbers) for what of a saved state belongs to no block. Collective: with
    /// ranks `numbers` has on each as many as on the first one.
    template <class Visit>
    void each_number(const BlockShare& share, Visit visit) const {
        std::vector<double> all = accounts_.numbers();
        std::size_t count = all.size();
        if (share.shared()) share.ranks().broadcast(count);
        all.resize(count);
        visit("contact_accounts", all);
        all = rubbing_;
        all.push_back(settled ? 1.0 : 0.0);
        visit("contact_works", all);
    }
    std::span<double> block_rubbing() { return block_rubbing_; }
    std::span<const double> block_rubbing() const { return block_rubbing_; }
    /// Throws std::invalid_argument if these are none of each_number().
    void restore(std::span<const double> accounts, std::span<const double> works,
                 const BlockShare& share);

    /// Between two advances: the velocities at the end of the last step count already.
    bool settled = true;

  private:
    bool all_;
    std::size_t particles_;
    ContactAccounts<ContactAccount> accounts_;
    std::vector<double> rubbing_;        // of each wall, without block_rubbing_ [J]
    std::vector<double> block_rubbing_;  // of each own block and wall
};

}  // namespace beadwave::packing
