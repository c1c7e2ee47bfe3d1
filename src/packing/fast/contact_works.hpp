// The work that the pairs of the fast engine's list have done, for those that have touched.
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

#include "packing/contact_accounts.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The sums are those since the list was built; `given` without the work of the contact on
/// particles.
struct ContactWork : ContactSums {
    std::uint32_t entry = 0;    ///< of the pair, in the block of its first particle
    std::uint32_t account = 0;  ///< its number + 1; 0: it has none yet
    // At the last step. A particle feels a force, radius times lever, and a torque by rolling
    // resistance: the second +, +, +, the first -, +, -.
    Vec3 force{}, lever{}, torque{};  ///< [N], [N], [N m]
    double wall_torque = 0.0;         ///< on a wall that turns, about its direction [N m]
    double normal_force = 0.0;        ///< [N]
    double overlap = 0.0;             ///< [m]

    bool acts() const {
        return normal_force != 0.0 || dot(force, force) + dot(torque, torque) > 0.0;
    }

    /// Calls visit(number) for each number of it but the first two.
    template <class Self, class Visit>
    static void each_number(Self& self, Visit visit) {
        for (auto* v : {&self.force, &self.lever, &self.torque})
            visit(v->x), visit(v->y), visit(v->z);
        for (auto* number : {&self.wall_torque, &self.normal_force, &self.overlap, &self.given,
                             &self.sliding, &self.rolling, &self.twisting})
            visit(*number);
    }
    static constexpr std::size_t numbers = 18;
};

class ContactWorks {
  public:
    /// `walls`: how many are rubbed. `all`: of all pairs, else of those with walls.
    ContactWorks(bool all, std::size_t walls) : rubbing(walls), all_(all) {}

    bool of_all() const { return all_; }

    /// No pair has touched.
    void reset(std::size_t blocks, std::size_t entries);
    std::size_t blocks() const { return of_block_.size(); }
    std::vector<ContactWork>& of_block(std::size_t block) { return of_block_[block]; }
    const std::vector<ContactWork>& of_block(std::size_t block) const { return of_block_[block]; }

    /// Whether an entry acted at the last step.
    bool acts(std::size_t entry) const { return number_[entry] >= acting; }
    /// Of an entry of a block; null: it never touched.
    ContactWork* find(std::size_t block, std::size_t entry) {
        const std::uint32_t number = number_[entry] & ~acting;
        return number == 0 ? nullptr : &of_block_[block][number - 1];
    }
    /// The same; opens it at the first call. Threads may do so for different blocks.
    ContactWork& of(std::size_t block, std::size_t entry) {
        ContactWork* const known = find(block, entry);
        return known != nullptr ? *known : open(block, entry);
    }
    /// Loads it into the cache.
    void fetch(std::size_t block, std::size_t entry) {
        const auto* const at = reinterpret_cast<const char*>(find(block, entry));
        for (std::size_t part = 0; part < sizeof(ContactWork); part += 64)
            __builtin_prefetch(at + part, 1);
    }
    /// After its forces have changed.
    void mark(const ContactWork& work) {
        std::uint32_t& number = number_[work.entry];
        number = work.acts() ? number | acting : number & ~acting;
    }

    /// All of them, one block after another; for a list that ends. `first_of`[entry] becomes its
    /// place among them + 1, 0 of one that never touched.
    std::vector<ContactWork> take(std::vector<std::uint32_t>& first_of);

    /// Calls visit(work) for each of them, on `threads` at a time.
    template <class Visit>
    void each(int threads, Visit visit) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
        for (std::size_t b = 0; b < of_block_.size(); ++b)
            for (ContactWork& work : of_block_[b])
                visit(work);
    }

    /// What walls are rubbed by in a step: the blocks' parts, added in the order of the blocks [J].
    double* rubbing_of_block(std::size_t block) {
        return block_rubbing_.data() + block * rubbing.size();
    }
    void end_step();

    std::vector<double> numbers() const;
    /// After reset(), and with the accounts. `block_of_entry`: of those in the block of their first
    /// particle; of others any larger number than blocks. Throws std::invalid_argument if these are
    /// no numbers().
    void restore(std::span<const double> numbers, std::span<const std::uint32_t> block_of_entry);

    ContactAccounts<ContactAccount> accounts;
    std::vector<double> rubbing;  ///< of each wall, since the start [J]
    /// Between two advances: the velocities at the end of the last step count already.
    bool settled = true;

  private:
    ContactWork& open(std::size_t block, std::size_t entry);

    static constexpr std::uint32_t acting = 1U << 31U;

    bool all_;
    std::vector<std::vector<ContactWork>> of_block_;
    std::vector<std::uint32_t> number_;  // of each entry: in its block, + 1; + acting
    std::vector<double> block_rubbing_;
};

}  // namespace beadwave::packing
