// The fast engine of packings: compact blocks of particles, each with the pairs of its particles. A
// pair of two blocks is in both, computed alike to the bit in both, so that blocks wait for nobody
// within a step and their forces never leave the cache.
#pragma once

#include "dynamics/tiled/tiled_columns.hpp"
#include "packing/neighbour_list.hpp"
#include "packing/normal_contact.hpp"
#include "packing/packing_engine.hpp"
#include "packing/pair_laws.hpp"
#include "packing/pair_motion.hpp"
#include "packing/renewed_pairs.hpp"
#include "packing_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::packing {

using dynamics::Column;

/// Particles of a block.
inline constexpr std::size_t block_size = 1024;
/// Steps that a block and all that touch it must have rested before it is skipped: both buffers and
/// all memory then hold what the step would write.
inline constexpr int resting = 3;

inline Vec3 triple(const double* p) {
    return {p[0], p[1], p[2]};
}
inline void put(double* p, Vec3 v) {
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

/// Whether blocks that rest are skipped. No bit depends on it.
enum class Sleep { no, yes };

/// `= {}` would keep it.
template <class T>
void free_memory(std::vector<T>& list) {
    list = std::vector<T>();
}

class FastPackingEngine final : public PackingEngine {
  public:
    FastPackingEngine(const Packing& packing, double dt, int threads, const PackingKernel& kernel,
                      Sleep sleep);

    using PackingEngine::advance;
    void advance(std::int64_t steps, ParticleTrace& trace) override;

    void sample(ParticleTrace& trace) const override;

    std::int64_t step() const override { return step_; }
    double time_step() const override { return dt_; }
    int threads() const override { return threads_; }
    std::size_t particles() const override { return n_; }
    std::int64_t list_renewals() const override { return renewals_; }
    std::size_t listed_pairs() const override { return home_.size(); }

    std::vector<Vec3> displacement() const override;
    std::vector<Vec3> velocity() const override;
    std::vector<Vec3> spin() const override;

    std::vector<ContactState> contacts() const override;
    std::size_t closed_contacts() const override;
    PackingTotals totals() const override;
    PackingRates rates(double speed) const override;
    std::optional<std::size_t> first_non_finite() const override;
    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step,
                 const std::function<std::span<const double>(const std::string&)>& column) override;

    void renew_list() override;

    /// Of all blocks, the part that the next step will skip.
    double resting_part() const;

  private:
    struct Stored {
        double normal, tangential;
    };

    double time() const { return static_cast<double>(step_) * dt_; }
    /// Between two advances: velocities at the end of the last step, lines as Lines::half has them.
    const double* velocity(std::size_t i) const { return half_[now_].data() + line * i; }
    /// What half a step adds to them.
    const double* gain(std::size_t i) const { return half_[now_ ^ 1].data() + line * i; }
    std::uint32_t dummy() const { return static_cast<std::uint32_t>(n_ + list_.ghosts.size()); }
    PairName name_of_entry(std::size_t e) const {
        return name_of(first_[e], second_[e], list_.ghosts, n_);
    }
    const double* place(std::size_t body) const { return place_[now_].data() + line * body; }
    double* place(std::size_t body) { return place_[now_].data() + line * body; }
    std::size_t blocks() const { return (n_ + block_size - 1) / block_size; }
    std::size_t block_end(std::size_t b) const { return std::min(n_, (b + 1) * block_size); }

    /// Line of the sums that is of no particle.
    std::size_t nobody() const { return std::min(block_size, n_); }

    Vec3 displacement_of(std::size_t i) const;
    Vec3 net_force(std::size_t i) const;
    Vec3 held_force(std::size_t i) const;

    void note_walls();
    double height(std::size_t i, std::size_t w) const;

    void sort_slots();
    void lay_list();
    void lay_entries();
    void lay_arrivals();
    void lay_memory();
    void lay_table();
    void renew();
    void place_ghosts();

    /// Velocities at the end of the last step, and books, from what its pass has told.
    void settle();
    /// The same velocities stand for those that are predicted.
    void predict_none();

    void drift();

    bool moved_too_far() const;

    Lines lines(int side);
    Entries entries(std::size_t b);

    bool rests(std::size_t b) const;

    /// Forces and memory after a step of `step`, and what they do to the particles.
    void pass(bool last, double step, ParticleTrace* trace);

    void step_block(std::size_t b, bool last, double step, Scratch& scratch, const Sums& sums,
                    Extent& extent, ParticleTrace* trace);
    void record(std::size_t b, const Sums& sums, ParticleTrace& trace) const;

    double power_now() const;

    PairStand<double> stand_of(std::size_t entry) const;
    laws::SliderMemory<double> slider_memory(const std::array<Column, 4>& columns,
                                             std::size_t entry) const;
    ContactMemory memory_of(std::size_t entry) const;
    Stored stored() const;
    Vec3 velocity_of(std::uint32_t body) const;
    Vec3 spin_of(std::uint32_t body) const;

    /// Calls visit(name, column) for all columns of entries.
    template <class Self, class Visit>
    static void each_entry_column(Self& self, Visit visit) {
        visit(std::string("gap"), self.gap_);
        for (std::size_t k = 0; k < self.memory_.size(); ++k)
            visit(fmt::format("memory_{}", k), self.memory_[k]);
        for (std::size_t k = 0; k < 4; ++k) {
            if (self.slides_) visit(fmt::format("sliding_{}", k), self.sliding_[k]);
            if (self.rolls_) visit(fmt::format("rolling_{}", k), self.rolling_[k]);
        }
    }
    Packing packing_;  // without velocities and spins, which are here
    double dt_;
    std::size_t n_;
    double skin_;
    int threads_;
    PairLaws laws_;
    const PackingKernel& kernel_;
    LawTraits traits_;
    laws::AnySlider slider_;
    bool slides_ = false, rolls_ = false, half_needed_ = false, predicted_needed_ = false;
    bool walls_move_ = false;
    bool sleeps_;
    std::int64_t step_ = 0, renewals_ = 0;
    std::size_t row_ = 0;  // of the trace

    // By slot: particles in the order of memory, then ghosts, then the body that dummies point at.
    std::vector<std::uint32_t> id_;    // of a slot
    std::vector<std::uint32_t> slot_;  // of an id
    std::array<Column, 2> place_, half_, predicted_;
    int now_ = 0;
    std::vector<double> kick_, spin_kick_;

    NeighbourList list_;                    // once the entries are laid, only its ghosts
    std::vector<std::size_t> entry_begin_;  // of each block
    std::vector<std::uint32_t> home_;       // entry of each pair in its first's block
    std::vector<std::uint32_t> first_, second_, kind_;
    Column gap_;
    std::vector<Column> memory_;
    std::array<Column, 4> sliding_, rolling_;
    std::vector<std::uint16_t> to_first_, to_second_;
    std::vector<std::uint32_t> arrivals_, arrival_begin_;
    std::vector<std::size_t> first_batch_;  // of each block
    std::vector<char> alike_;               // of each block, whether its entries are of one kind
    std::vector<std::vector<std::uint32_t>> touching_blocks_;
    std::vector<int> quiet_, quiet_before_;
    std::vector<char> never_quiet_;
    std::vector<Extent> block_extent_;  // of displacements since the list was made
    Extent extent_;

    std::vector<std::vector<double>> law_numbers_, slider_numbers_, rolling_numbers_;
    std::vector<double> inverse_radii_, turning_;
    KindTable table_{};

    std::vector<Vec3> wall_force_, block_wall_force_, wall_at_list_;
    double wall_work_ = 0.0, initial_power_ = 0.0, initial_stored_ = 0.0;
    mutable std::vector<std::vector<double>> saved_;
};

/// On a chosen instruction set: for tests and benchmarks.
std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads, const PackingKernel& kernel,
                                                   Sleep sleep = Sleep::yes);

}  // namespace beadwave::packing
