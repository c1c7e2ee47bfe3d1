// The fast engine of packings: blocks of particles along a space-filling curve, each with the pairs
// of its particles. A pair of two blocks is in both, computed alike to the bit in both, so that
// blocks wait for nobody within a step and their forces never leave the cache.

#include "fast_packing_engine.hpp"

#include "dynamics/flush_subnormals.hpp"
#include "dynamics/ordered_sum.hpp"
#include "beadwave/laws/slopes.hpp"
#include "dynamics/tiled/tiled_columns.hpp"
#include "packing/neighbour_list.hpp"
#include "packing/packing_engine.hpp"
#include "packing/pair_laws.hpp"
#include "packing/pair_motion.hpp"
#include "packing/renewed_pairs.hpp"
#include "packing/wall_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace beadwave::packing {
namespace {

using dynamics::Column;

constexpr std::size_t block_size = 1024;
/// Steps that a block and all that touch it must have rested before it is skipped: both buffers and
/// all memory then hold what the step would write.
constexpr int resting = 3;

/// What the engine must know of a law type.
struct LawTraits {
    std::size_t memory_fields, law_fields;
    bool conservative, asks_speed;
};

LawTraits traits_of(const laws::AnyLaw& any) {
    return std::visit(
        []<class Law>(const Law&) -> LawTraits {
            using Memory = typename Law::Memory;
            constexpr bool remembers_largest = requires(const Law& law, double x, Memory m) {
                law.unloading_force(x, m);
            };
            return {laws::field_count<Memory>, laws::field_count<Law>, Law::conservative,
                    !Law::conservative && !remembers_largest};
        },
        any);
}

Vec3 triple(const double* p) {
    return {p[0], p[1], p[2]};
}
void put(double* p, Vec3 v) {
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

/// Bits of 21-bit numbers with two places between them.
std::uint64_t spread(std::uint64_t x) {
    x &= 0x1FFFFF;
    x = (x | x << 32) & 0x1F00000000FFFFULL;
    x = (x | x << 16) & 0x1F0000FF0000FFULL;
    x = (x | x << 8) & 0x100F00F00F00F00FULL;
    x = (x | x << 4) & 0x10C30C30C30C30C3ULL;
    return (x | x << 2) & 0x1249249249249249ULL;
}

class FastPackingEngine final : public PackingEngine {
  public:
    FastPackingEngine(const Packing& packing, double dt, int threads, const PackingKernel& kernel)
        : packing_(packing),
          dt_(dt),
          n_(packing.particles()),
          skin_(skin_of(packing)),
          threads_(threads),
          laws_(packing_),
          kernel_(kernel),
          traits_(traits_of(laws_.normal())),
          slider_(laws_.slider()),
          id_(n_),
          slot_(n_),
          kick_(2 * n_),
          spin_kick_(n_),
          wall_force_(packing.walls.size()),
          wall_at_list_(packing.walls.size()) {
        const dynamics::FlushSubnormals flush;
        const bool linear = std::holds_alternative<laws::LinearSlider<double>>(slider_);
        slides_ = !std::holds_alternative<laws::NoSlider<double>>(slider_);
        rolls_ = packing_.rolling.acts();
        half_needed_ = slides_ || rolls_;
        predicted_needed_ = traits_.asks_speed || linear || rolls_;
        for (const Wall& wall : packing_.walls)
            walls_move_ = walls_move_ || wall.drive || wall.velocity != Vec3{};
        std::iota(id_.begin(), id_.end(), 0U);
        std::iota(slot_.begin(), slot_.end(), 0U);
        for (int side = 0; side < 2; ++side) {
            place_[side] = Column(line * n_);
            half_[side] = Column(line * n_);
            if (predicted_needed_) predicted_[side] = Column(line * n_);
        }
        velocity_ = Column(line * n_);
        gain_ = Column(line * n_);
        for (std::size_t i = 0; i < n_; ++i) {
            place_[0][line * i + 3] = packing_.radius[i];
            put(place_[0].data() + line * i + 4, packing_.position[i]);
            put(velocity_.data() + line * i, packing_.velocity[i]);
            put(velocity_.data() + line * i + 4, packing_.spin[i]);
        }
        note_walls();
        sort_slots();
        lay_list();
        take_up_velocity();
        place_ghosts();
        // Twice, as the plain engine.
        const std::vector<double> start(velocity_.data(), velocity_.data() + line * n_);
        for (int time = 0; time < 2; ++time) {
            pass(true, 0.0, nullptr);
            std::copy_n(start.data(), line * n_, velocity_.data());
        }
        initial_power_ = power_now();
        initial_stored_ = stored().normal;
    }

    void advance(std::int64_t steps, ParticleTrace& trace) override {
        trace.force.resize(static_cast<std::size_t>(steps) * trace.particles.size());
        trace.velocity.resize(trace.force.size());
        if (steps <= 0) return;
        ++step_;
        drift();
        place_ghosts();
        for (std::int64_t s = 0; s < steps; ++s) {
            if (moved_too_far()) renew();
            const bool last = s + 1 == steps;
            row_ = static_cast<std::size_t>(s);
            pass(last, dt_, trace.particles.empty() ? nullptr : &trace);
            if (last) break;
            ++step_;
            now_ ^= 1;
            place_ghosts();
        }
    }

    void sample(ParticleTrace& trace) const override {
        trace.force.resize(trace.particles.size());
        trace.velocity.resize(trace.particles.size());
        for (std::size_t k = 0; k < trace.particles.size(); ++k) {
            const std::size_t i = slot_[trace.particles[k]];
            trace.velocity[k] = triple(velocity_.data() + line * i);
            trace.force[k] = net_force(i);
        }
    }

    std::int64_t step() const override { return step_; }
    double time_step() const override { return dt_; }
    int threads() const override { return threads_; }
    std::size_t particles() const override { return n_; }
    std::int64_t list_renewals() const override { return renewals_; }
    std::size_t listed_pairs() const override { return list_.pairs(); }

    std::vector<Vec3> displacement() const override {
        std::vector<Vec3> all(n_);
        for (std::size_t i = 0; i < n_; ++i)
            all[id_[i]] = displacement_of(i);
        return all;
    }
    std::vector<Vec3> velocity() const override { return by_id(velocity_, 0); }
    std::vector<Vec3> spin() const override { return by_id(velocity_, 4); }

    std::vector<ContactState> contacts() const override;
    PackingTotals totals() const override;
    PackingRates rates(double speed) const override;
    std::optional<std::size_t> first_non_finite() const override;
    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step,
                 const std::function<std::span<const double>(const std::string&)>& column) override;

    void renew_list() override {
        take_up_velocity();
        place_ghosts();
        renew();
    }

  private:
    struct Stored {
        double normal, tangential;
    };

    double time() const { return static_cast<double>(step_) * dt_; }
    const double* place(std::size_t body) const { return place_[now_].data() + line * body; }
    double* place(std::size_t body) { return place_[now_].data() + line * body; }
    std::size_t blocks() const { return (n_ + block_size - 1) / block_size; }
    std::size_t block_end(std::size_t b) const { return std::min(n_, (b + 1) * block_size); }

    Vec3 displacement_of(std::size_t i) const {
        return (triple(place(i) + 4) - packing_.position[id_[i]]) + triple(place(i));
    }
    Vec3 net_force(std::size_t i) const {
        const Vec3 gain = triple(gain_.data() + line * i) - (0.5 * dt_) * packing_.gravity;
        return gain * (1.0 / kick_[2 * i]);
    }
    std::vector<Vec3> by_id(const Column& lines, std::size_t from) const {
        std::vector<Vec3> all(n_);
        for (std::size_t i = 0; i < n_; ++i)
            all[id_[i]] = triple(lines.data() + line * i + from);
        return all;
    }

    void note_walls() {
        for (std::size_t w = 0; w < packing_.walls.size(); ++w)
            wall_at_list_[w] = wall_displacement(packing_.walls[w], time());
    }
    double height(std::size_t i, std::size_t w) const {
        const Wall& wall = packing_.walls[w];
        return dot(wall.normal, triple(place(i) + 4) - wall.point - wall_at_list_[w]);
    }

    void sort_slots();
    void lay_list();
    void lay_entries();
    void lay_table();
    void renew();
    void place_ghosts();

    /// The velocities at the end of the last step are those of its middle, for a look or a renewal.
    void take_up_velocity() {
        std::copy_n(velocity_.data(), line * n_, half_[now_].data());
        if (predicted_needed_) std::copy_n(velocity_.data(), line * n_, predicted_[now_].data());
    }

    void drift() {
        double* const half = half_[now_].data();
        double* const predicted = predicted_needed_ ? predicted_[now_].data() : nullptr;
        std::array<double, 3> far{};
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t k = line * i; k < line * (i + 1); ++k) {
                half[k] = velocity_[k] + gain_[k];
                if (predicted != nullptr) predicted[k] = half[k] + gain_[k];
            }
            for (std::size_t k = 0; k < 3; ++k) {
                place(i)[k] += dt_ * half[line * i + k];
                far[k] = std::max(far[k], std::abs(place(i)[k]));
            }
        }
        farthest_ = std::sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
    }

    bool moved_too_far() const {
        double most = farthest_;
        for (std::size_t w = 0; walls_move_ && w < packing_.walls.size(); ++w) {
            const Vec3 u = wall_displacement(packing_.walls[w], time()) - wall_at_list_[w];
            most = std::max(most, std::sqrt(dot(u, u)));
        }
        return farthest_ + most >= skin_;
    }

    Lines lines(int side) {
        return {place_[side].data(), half_[side].data(),
                predicted_needed_ ? predicted_[side].data() : nullptr};
    }
    Entries entries(std::size_t b) {
        const std::size_t from = entry_begin_[b];
        Entries e{.count = entry_begin_[b + 1] - from,
                  .first = first_.data() + from,
                  .second = second_.data() + from,
                  .kind = kind_.data() + from,
                  .gap = gap_.data() + from,
                  .memory = {},
                  .sliding = {},
                  .rolling = {}};
        for (std::size_t k = 0; k < memory_.size(); ++k)
            e.memory[k] = memory_[k].data() + from;
        for (std::size_t k = 0; k < 4; ++k) {
            e.sliding[k] = slides_ ? sliding_[k].data() + from : nullptr;
            e.rolling[k] = rolls_ ? rolling_[k].data() + from : nullptr;
        }
        return e;
    }

    bool rests(std::size_t b) const {
        if (quiet_before_[b] < resting) return false;
        return std::ranges::all_of(touching_blocks_[b],
                                   [&](std::uint32_t c) { return quiet_before_[c] >= resting; });
    }

    /// Forces and memory after a step of `step`, and what they do to the particles.
    void pass(bool last, double step, ParticleTrace* trace) {
        quiet_before_ = quiet_;
        std::vector<std::array<double, 3>> far(blocks());
        const std::vector<Vec3> old_wall_force = wall_force_;
        block_wall_force_.assign(blocks() * packing_.walls.size(), Vec3{});
        const auto count = static_cast<std::int64_t>(blocks());
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
        {
            const dynamics::FlushSubnormals flush;
            Scratch scratch;
            Column force(line * longest_block_), torque(rolls_ ? line * longest_block_ : 0);
#pragma omp for schedule(dynamic)
            for (std::int64_t at = 0; at < count; ++at) {
                const auto b = static_cast<std::size_t>(at);
                if (!last && rests(b)) {
                    far[b] = block_far_[b];
                    continue;
                }
                step_block(b, last, step, scratch, force.data(), rolls_ ? torque.data() : nullptr,
                           far[b], trace);
            }
        }
        std::array<double, 3> all{};
        for (const auto& f : far) {
            for (std::size_t k = 0; k < 3; ++k)
                all[k] = std::max(all[k], f[k]);
        }
        if (!last) {
            block_far_ = far;
            farthest_ = std::sqrt(all[0] * all[0] + all[1] * all[1] + all[2] * all[2]);
        }
        if (!walls_move_) return;
        std::ranges::fill(wall_force_, Vec3{});
        for (std::size_t k = 0; k < block_wall_force_.size(); ++k)
            wall_force_[k % wall_force_.size()] += block_wall_force_[k];
        for (std::size_t w = 0; w < wall_force_.size(); ++w) {
            const Wall& wall = packing_.walls[w];
            const Vec3 moved =
                wall_displacement(wall, time()) - wall_displacement(wall, time() - step);
            wall_work_ -= 0.5 * dot(old_wall_force[w] + wall_force_[w], moved);
        }
    }

    void step_block(std::size_t b, bool last, double step, Scratch& scratch, double* force,
                    double* torque, std::array<double, 3>& far, ParticleTrace* trace) {
        const Entries e = entries(b);
        const Lines before = lines(now_);
        for (std::size_t from = 0; from < e.count; from += batch) {
            const std::size_t count = std::min(batch, e.count - from);
            kernel_.place(before, e, from, count, half_needed_, predicted_needed_, rolls_, scratch);
            kernel_.normal[laws_.normal().index()](table_, e, from, count, scratch);
            kernel_.slide[slider_.index()](table_, e, from, count, step, scratch, force, torque);
        }
        for (const auto& [entry, wall] : wall_entries_[b])
            block_wall_force_[b * packing_.walls.size() + wall] += triple(force + line * entry);
        Kick kick{.begin = b * block_size,
                  .end = block_end(b),
                  .row = row_begin_.data() + b * (block_size + 1),
                  .incidence = incidence_.data(),
                  .force = force,
                  .torque = torque,
                  .before = before,
                  .after = last ? Lines{} : lines(now_ ^ 1),
                  .velocity = velocity_.data(),
                  .gain = gain_.data(),
                  .kick = kick_.data(),
                  .spin_kick = spin_kick_.data(),
                  .push = {},
                  .time_step = dt_,
                  .power = !traits_.conservative && step > 0.0,
                  .farthest = {},
                  .quiet = false};
        put(kick.push, (0.5 * dt_) * packing_.gravity);
        kernel_.kick(kick);
        std::copy_n(kick.farthest, 3, far.begin());
        quiet_[b] = kick.quiet && !never_quiet_[b] ? std::min(quiet_before_[b] + 1, resting) : 0;
        if (trace == nullptr) return;
        for (std::size_t k = 0; k < trace->particles.size(); ++k) {
            const std::size_t i = slot_[trace->particles[k]];
            if (i < kick.begin || i >= kick.end) continue;
            Vec3 sum{};
            for (std::uint32_t at = kick.row[i - kick.begin]; at < kick.row[i - kick.begin + 1];
                 ++at) {
                const Vec3 f = triple(force + line * (incidence_[at] >> 1));
                sum += (incidence_[at] & 1) != 0 ? f : -f;
            }
            const std::size_t to = row_ * trace->particles.size() + k;
            trace->force[to] = sum;
            trace->velocity[to] = triple(half_[now_].data() + line * i) +
                                  (kick_[2 * i] * sum + (0.5 * dt_) * packing_.gravity);
        }
    }

    double power_now() const {
        return dynamics::ordered_sum(n_, [&](std::size_t i) {
            const double *v = velocity_.data() + line * i, *g = gain_.data() + line * i;
            return dot(net_force(i), triple(v)) + dot(triple(g + 4), triple(v + 4)) / spin_kick_[i];
        });
    }

    PairStand<double> stand_of(std::size_t entry) const {
        const double *a = place(first_[entry]), *b = place(second_[entry]);
        return stand<double>({.reference = triple(b + 4) - triple(a + 4),
                              .displacement = triple(b) - triple(a),
                              .radii = a[3] + b[3],
                              .gap = gap_[entry]});
    }
    laws::SliderMemory<double> slider_memory(const std::array<Column, 4>& columns,
                                             std::size_t entry) const {
        return {{columns[0][entry], columns[1][entry], columns[2][entry]}, columns[3][entry]};
    }
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
    const Packing packing_;
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
    std::int64_t step_ = 0, renewals_ = 0;
    std::size_t row_ = 0;  // of the trace

    // By slot: particles in the order of memory, then ghosts, then the body that dummies point at.
    std::vector<std::uint32_t> id_;    // of a slot
    std::vector<std::uint32_t> slot_;  // of an id
    std::array<Column, 2> place_, half_, predicted_;
    int now_ = 0;
    Column velocity_, gain_;  // at the end of an advance
    std::vector<double> kick_, spin_kick_;

    NeighbourList list_;
    std::vector<std::size_t> entry_begin_;  // of each block
    std::vector<std::uint32_t> home_;       // entry of each pair in its first's block
    std::vector<std::uint32_t> pair_;       // of each entry; no_pair: a dummy
    std::vector<std::uint32_t> first_, second_, kind_;
    Column gap_;
    std::vector<Column> memory_;
    std::array<Column, 4> sliding_, rolling_;
    std::vector<std::uint32_t> row_begin_, incidence_;
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> wall_entries_;
    std::vector<std::vector<std::uint32_t>> touching_blocks_;
    std::vector<int> quiet_, quiet_before_;
    std::vector<char> never_quiet_;
    std::vector<std::array<double, 3>> block_far_;
    std::size_t longest_block_ = 0;
    double farthest_ = 0.0;

    std::vector<std::vector<double>> law_numbers_, slider_numbers_, rolling_numbers_;
    std::vector<double> inverse_radii_, turning_;
    KindTable table_{};

    std::vector<Vec3> wall_force_, block_wall_force_, wall_at_list_;
    double wall_work_ = 0.0, initial_power_ = 0.0, initial_stored_ = 0.0;
    mutable std::vector<std::vector<double>> saved_;
};

/// Particles in the order of a Morton curve through where they are.
void FastPackingEngine::sort_slots() {
    Vec3 lower = triple(place(0) + 4), upper = lower;
    double least = packing_.radius[0];
    for (std::size_t i = 0; i < n_; ++i) {
        const Vec3 p = triple(place(i) + 4);
        lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
        upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
        least = std::min(least, packing_.radius[i]);
    }
    const Vec3 width = upper - lower;
    const double longest = std::max({width.x, width.y, width.z, least});
    const double scale = std::min(1.0 / least, 2097151.0 / longest);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(n_);
    for (std::size_t i = 0; i < n_; ++i) {
        const Vec3 p = triple(place(i) + 4) - lower;
        const auto part = [&](double x) {
            return std::isfinite(x) ? spread(static_cast<std::uint64_t>(x * scale)) : 0;
        };
        keys[i] = {part(p.x) | part(p.y) << 1 | part(p.z) << 2, id_[i]};
    }
    std::ranges::sort(keys);
    const std::vector<std::uint32_t> old_slot = slot_;
    const auto reorder = [&](Column& column) {
        Column sorted(line * n_);
        for (std::size_t i = 0; i < n_; ++i) {
            std::copy_n(column.data() + line * old_slot[keys[i].second], line,
                        sorted.data() + line * i);
        }
        column = std::move(sorted);
    };
    reorder(place_[now_]);
    reorder(half_[now_]);
    if (predicted_needed_) reorder(predicted_[now_]);
    reorder(velocity_);
    reorder(gain_);
    for (std::size_t i = 0; i < n_; ++i) {
        id_[i] = keys[i].second;
        slot_[id_[i]] = static_cast<std::uint32_t>(i);
    }
}

/// A new list for the references as they are, and the gaps of its pairs as if all were new.
void FastPackingEngine::lay_list() {
    std::vector<WallPlace> walls;
    for (std::size_t w = 0; w < packing_.walls.size(); ++w)
        walls.push_back({packing_.walls[w].point + wall_at_list_[w], packing_.walls[w].normal});
    std::vector<Vec3> position(n_);
    std::vector<double> radius(n_);
    for (std::size_t i = 0; i < n_; ++i) {
        position[i] = triple(place(i) + 4);
        radius[i] = place(i)[3];
        const std::uint32_t id = id_[i];
        kick_[2 * i] = 0.5 * dt_ * (1.0 / packing_.mass[id]);
        spin_kick_[i] = 0.5 * dt_ * (1.0 / packing_.inertia[id]);
        kick_[2 * i + 1] = radius[i] * spin_kick_[i];
    }
    list_ = find_neighbours({.position = position,
                             .radius = radius,
                             .walls = walls,
                             .box = packing_.box,
                             .skin = skin_,
                             .threads = threads_});

    // Ghosts and the dummy get their lines on both sides.
    const std::size_t bodies = n_ + list_.ghosts.size() + 1;
    const auto widen = [&](Column& column, bool keep) {
        Column wide(line * bodies);
        if (keep) std::copy_n(column.data(), line * n_, wide.data());
        column = std::move(wide);
    };
    for (int side = 0; side < 2; ++side) {
        widen(place_[side], side == now_);
        widen(half_[side], side == now_);
        if (predicted_needed_) widen(predicted_[side], side == now_);
    }
    std::copy_n(place_[now_].data(), line * n_, place_[now_ ^ 1].data());
    const Vec3 period = packing_.box.upper - packing_.box.lower;
    for (std::size_t g = 0; g + 1 < bodies - n_; ++g) {
        const Ghost& ghost = list_.ghosts[g];
        Vec3 reference = position[ghost.of];
        if (ghost.wall >= 0) {
            const auto w = static_cast<std::size_t>(ghost.wall);
            reference -= height(ghost.of, w) * packing_.walls[w].normal;
        } else {
            reference += Vec3{ghost.image[0] * period.x, ghost.image[1] * period.y,
                              ghost.image[2] * period.z};
        }
        for (Column& side : place_) {
            put(side.data() + line * (n_ + g) + 4, reference);
            side[line * (n_ + g) + 3] = ghost.wall >= 0 ? 0.0 : radius[ghost.of];
        }
    }
    for (Column& side : place_)
        put(side.data() + line * (bodies - 1) + 4, {1e6, 1e6, 1e6});
    lay_entries();
    lay_table();
}

void FastPackingEngine::lay_entries() {
    const std::size_t pairs = list_.pairs(), count = blocks();
    const auto dummy = static_cast<std::uint32_t>(n_ + list_.ghosts.size());
    const auto second_slot = [&](std::size_t p) -> std::uint32_t {
        const std::uint32_t second = list_.second[p];
        if (second < n_) return second;
        const Ghost& ghost = list_.ghosts[second - n_];
        return ghost.wall >= 0 ? list_.first[p] : ghost.of;
    };
    std::vector<std::vector<std::uint32_t>> of_block(count);
    touching_blocks_.assign(count, {});
    for (std::size_t p = 0; p < pairs; ++p) {
        const auto a = static_cast<std::uint32_t>(list_.first[p] / block_size);
        const auto b = static_cast<std::uint32_t>(second_slot(p) / block_size);
        of_block[a].push_back(static_cast<std::uint32_t>(p));
        if (a == b) continue;
        of_block[b].push_back(static_cast<std::uint32_t>(p));
        if (touching_blocks_[a].empty() || touching_blocks_[a].back() != b) {
            touching_blocks_[a].push_back(b);
            touching_blocks_[b].push_back(a);
        }
    }
    entry_begin_.assign(count + 1, 0);
    longest_block_ = 0;
    for (std::size_t b = 0; b < count; ++b) {
        const std::size_t length =
            (of_block[b].size() + entry_block - 1) / entry_block * entry_block;
        longest_block_ = std::max(longest_block_, length);
        entry_begin_[b + 1] = entry_begin_[b] + length;
        std::ranges::sort(touching_blocks_[b]);
        touching_blocks_[b].erase(std::ranges::unique(touching_blocks_[b]).begin(),
                                  touching_blocks_[b].end());
    }
    const std::size_t entries = entry_begin_.back();
    first_.assign(entries, 0);
    second_.assign(entries, dummy);
    kind_.assign(entries, 0);
    pair_.assign(entries, no_pair);
    home_.assign(pairs, 0);
    gap_ = Column(entries, 1e6);
    memory_.clear();
    for (std::size_t k = 0; k < traits_.memory_fields; ++k)
        memory_.emplace_back(entries);
    for (std::size_t k = 0; k < 4; ++k) {
        if (slides_) sliding_[k] = Column(entries);
        if (rolls_) rolling_[k] = Column(entries);
    }
    laws_.forget();
    std::vector<std::uint32_t> pair_kind(pairs);
    std::vector<double> pair_gap(pairs);
    for (std::size_t p = 0; p < pairs; ++p) {
        const std::uint32_t first = list_.first[p];
        const PairName name = name_of(list_, n_, p);
        const double *a = place(first), *b = place(list_.second[p]);
        const Vec3 r = triple(b + 4) - triple(a + 4);
        const bool wall = name.wall >= 0;
        std::uint32_t id_1 = id_[first], id_2 = wall ? 0 : id_[name.second];
        if (!wall && id_1 > id_2) std::swap(id_1, id_2);
        pair_kind[p] = laws_.kind(
            id_1,
            wall ? static_cast<std::uint32_t>(n_) + static_cast<std::uint32_t>(name.wall) : id_2);
        pair_gap[p] = wall ? first_gap(height(first, static_cast<std::size_t>(name.wall)), a[3])
                           : first_gap(std::sqrt(dot(r, r)), a[3] + b[3]);
    }
    row_begin_.assign(count * (block_size + 1), 0);
    wall_entries_.assign(count, {});
    never_quiet_.assign(count, false);
    quiet_.assign(count, 0);
    block_far_.assign(count, {});
    incidence_.clear();
    incidence_.reserve(2 * pairs);
    std::vector<std::vector<std::uint32_t>> of_particle(block_size);
    for (std::size_t b = 0; b < count; ++b) {
        const auto base = static_cast<std::uint32_t>(b * block_size);
        for (std::size_t k = 0; k < of_block[b].size(); ++k) {
            const std::uint32_t p = of_block[b][k];
            const std::size_t e = entry_begin_[b] + k;
            first_[e] = list_.first[p];
            second_[e] = list_.second[p];
            kind_[e] = pair_kind[p];
            gap_[e] = pair_gap[p];
            pair_[e] = p;
            const auto local = static_cast<std::uint32_t>(2 * k);
            if (first_[e] / block_size == b) {
                home_[p] = static_cast<std::uint32_t>(e);
                of_particle[first_[e] - base].push_back(local);
            }
            const bool wall = second_[e] >= n_ && list_.ghosts[second_[e] - n_].wall >= 0;
            if (wall && walls_move_) {
                wall_entries_[b].emplace_back(
                    k, static_cast<std::size_t>(list_.ghosts[second_[e] - n_].wall));
                never_quiet_[b] = true;
            }
            const std::uint32_t other = second_slot(p);
            if (!wall && other / block_size == b) of_particle[other - base].push_back(local + 1);
        }
        for (std::size_t e = entry_begin_[b] + of_block[b].size(); e < entry_begin_[b + 1]; ++e) {
            first_[e] = base;
            kind_[e] = pairs > 0 ? kind_[entry_begin_[b]] : 0;
        }
        for (std::size_t i = 0; i < block_end(b) - base; ++i) {
            row_begin_[b * (block_size + 1) + i] = static_cast<std::uint32_t>(incidence_.size());
            incidence_.insert(incidence_.end(), of_particle[i].begin(), of_particle[i].end());
            of_particle[i].clear();
        }
        row_begin_[b * (block_size + 1) + (block_end(b) - base)] =
            static_cast<std::uint32_t>(incidence_.size());
    }
}

/// The numbers of all kinds as columns.
void FastPackingEngine::lay_table() {
    const std::size_t kinds = laws_.kinds();
    law_numbers_.assign(traits_.law_fields, std::vector<double>(kinds));
    slider_numbers_.assign(4, std::vector<double>(kinds));
    rolling_numbers_.assign(4, std::vector<double>(kinds));
    inverse_radii_.assign(kinds, 0.0);
    turning_.assign(kinds, 1.0);
    table_.slider_fields = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const PairLaw& law = laws_.law(static_cast<std::uint32_t>(kind));
        std::visit(
            [&](const auto& l) {
                laws::to_fields(l, [&](std::size_t k, double x) { law_numbers_[k][kind] = x; });
            },
            law.normal);
        std::visit(
            [&]<class Slider>(const Slider& l) {
                table_.slider_fields = laws::field_count<Slider>;
                laws::to_fields(l, [&](std::size_t k, double x) { slider_numbers_[k][kind] = x; });
            },
            law.slider);
        laws::to_fields(law.rolling,
                        [&](std::size_t k, double x) { rolling_numbers_[k][kind] = x; });
    }
    for (std::size_t e = 0; e < first_.size(); ++e) {
        if (pair_[e] == no_pair) continue;
        const double second = place(second_[e])[3];
        inverse_radii_[kind_[e]] = 1.0 / (place(first_[e])[3] + second);
        if (second == 0.0) turning_[kind_[e]] = 0.0;
    }
    table_.law_fields = traits_.law_fields;
    for (std::size_t k = 0; k < law_numbers_.size(); ++k)
        table_.law[k] = law_numbers_[k].data();
    for (std::size_t k = 0; k < 4; ++k) {
        table_.slider[k] = slider_numbers_[k].data();
        table_.rolling[k] = rolling_numbers_[k].data();
    }
    table_.inverse_radii = inverse_radii_.data();
    table_.turning = turning_.data();
}

void FastPackingEngine::place_ghosts() {
    for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
        const Ghost& ghost = list_.ghosts[g];
        const std::size_t to = line * (n_ + g), from = line * ghost.of;
        double* const d = place_[now_].data() + to;
        std::copy_n(place_[now_].data() + from, 3, d);
        double* const half = half_[now_].data() + to;
        double* const predicted = predicted_needed_ ? predicted_[now_].data() + to : nullptr;
        if (ghost.wall < 0) {
            if (half_needed_) std::copy_n(half_[now_].data() + from, line, half);
            if (predicted != nullptr) std::copy_n(predicted_[now_].data() + from, line, predicted);
            continue;
        }
        const auto w = static_cast<std::size_t>(ghost.wall);
        const Wall& wall = packing_.walls[w];
        const Vec3 moved =
            walls_move_ ? wall_displacement(wall, time()) - wall_at_list_[w] : Vec3{};
        put(d, triple(d) - dot(wall.normal, triple(d) - moved) * wall.normal);
        put(half, wall_velocity(wall, time() - 0.5 * dt_));
        if (predicted != nullptr) put(predicted, wall_velocity(wall, time()));
    }
}

/// Who a pair is by ids, the lower one first; `flip` where the pair has them the other way round.
struct NamedPair {
    PairName name;
    bool flip;
};

NamedPair named(const NeighbourList& list, const std::vector<std::uint32_t>& id, std::size_t pair) {
    PairName name = name_of(list, id.size(), pair);
    name.first = id[name.first];
    name.second = name.wall >= 0 ? 0 : id[name.second];
    if (name.wall >= 0 || name.first < name.second) return {name, false};
    std::swap(name.first, name.second);
    for (std::int32_t& periods : name.image)
        periods = -periods;
    return {name, true};
}

void FastPackingEngine::renew() {
    struct Old {
        NamedPair pair;
        std::uint32_t entry;
        double overlap;
    };
    std::vector<std::uint32_t> row(n_ + 1, 0);
    for (std::size_t p = 0; p < list_.pairs(); ++p)
        ++row[named(list_, id_, p).name.first + 1];
    std::partial_sum(row.begin(), row.end(), row.begin());
    std::vector<Old> old(list_.pairs());
    std::vector<std::uint32_t> at(row.begin(), row.end() - 1);
    for (std::size_t p = 0; p < list_.pairs(); ++p) {
        const NamedPair name = named(list_, id_, p);
        old[at[name.name.first]++] = {name, home_[p], stand_of(home_[p]).overlap};
    }
    const std::vector<Column> memory = std::move(memory_);
    const std::array<Column, 4> sliding = std::move(sliding_), rolling = std::move(rolling_);

    // The reference goes to the nearest number to where the particle is; the rest remains its
    // displacement. Nothing is lost.
    for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            double &d = place(i)[k], &r = place(i)[4 + k];
            const double there = r + d, back = there - r;
            d = (r - (there - back)) + (d - back);
            r = there;
        }
    }
    note_walls();
    sort_slots();
    lay_list();
    place_ghosts();
    for (std::size_t e = 0; e < first_.size(); ++e) {
        if (pair_[e] == no_pair) continue;
        const NamedPair name = named(list_, id_, pair_[e]);
        for (std::uint32_t k = row[name.name.first]; k < row[name.name.first + 1]; ++k) {
            if (old[k].pair.name != name.name) continue;
            const std::uint32_t from = old[k].entry;
            const double sign = old[k].pair.flip != name.flip ? -1.0 : 1.0;
            // The displacement's own part of the overlap is that of the new references.
            const double fresh = stand_of(e).overlap;
            gap_[e] += fresh - old[k].overlap;
            for (std::size_t f = 0; f < memory_.size(); ++f)
                memory_[f][e] = memory[f][from];
            for (std::size_t f = 0; f < 4; ++f) {
                if (slides_) sliding_[f][e] = (f < 3 ? sign : 1.0) * sliding[f][from];
                if (rolls_) rolling_[f][e] = (f < 3 ? sign : 1.0) * rolling[f][from];
            }
        }
    }
    farthest_ = 0.0;
    ++renewals_;
}

Vec3 FastPackingEngine::velocity_of(std::uint32_t body) const {
    if (body < n_) return triple(velocity_.data() + line * body);
    const Ghost& ghost = list_.ghosts[body - n_];
    if (ghost.wall < 0) return triple(velocity_.data() + line * ghost.of);
    return wall_velocity(packing_.walls[static_cast<std::size_t>(ghost.wall)], time());
}
Vec3 FastPackingEngine::spin_of(std::uint32_t body) const {
    if (body >= n_ && list_.ghosts[body - n_].wall >= 0) return {};
    return triple(velocity_.data() + line * (body < n_ ? body : list_.ghosts[body - n_].of) + 4);
}

template <class Memory>
Memory memory_at(const std::vector<Column>& columns, std::size_t entry) {
    return laws::from_fields<Memory>([&](std::size_t k) { return columns[k][entry]; });
}

FastPackingEngine::Stored FastPackingEngine::stored() const {
    const auto sum = [&](auto energy) {
        return dynamics::ordered_sum(list_.pairs(), [&](std::size_t p) {
            const std::size_t e = home_[p];
            return energy(e, laws_.law(kind_[e]));
        });
    };
    return {
        .normal = sum([&](std::size_t e, const PairLaw& law) {
            return std::visit(
                [&]<class Law>(const Law& l) {
                    return l.stored_energy(stand_of(e).overlap,
                                           memory_at<typename Law::Memory>(memory_, e));
                },
                law.normal);
        }),
        .tangential = sum([&](std::size_t e, const PairLaw& law) {
            double energy = 0.0;
            if (slides_) {
                energy += std::visit(
                    [&](const auto& l) { return l.stored_energy(0.0, slider_memory(sliding_, e)); },
                    law.slider);
            }
            if (rolls_) energy += law.rolling.stored_energy(0.0, slider_memory(rolling_, e));
            return energy;
        })};
}

PackingTotals FastPackingEngine::totals() const {
    const auto sum = [&](auto term) { return dynamics::ordered_sum(n_, term); };
    const auto sums = [&](auto term) {
        return Vec3{sum([&](std::size_t i) { return term(i).x; }),
                    sum([&](std::size_t i) { return term(i).y; }),
                    sum([&](std::size_t i) { return term(i).z; })};
    };
    const auto v = [&](std::size_t i) { return triple(velocity_.data() + line * i); };
    const auto w = [&](std::size_t i) { return triple(velocity_.data() + line * i + 4); };
    const auto m = [&](std::size_t i) { return packing_.mass[id_[i]]; };
    const auto inertia = [&](std::size_t i) { return packing_.inertia[id_[i]]; };
    PackingTotals t{};
    t.kinetic = sum([&](std::size_t i) { return 0.5 * m(i) * dot(v(i), v(i)); });
    t.rotational = sum([&](std::size_t i) { return 0.5 * inertia(i) * dot(w(i), w(i)); });
    t.momentum = sums([&](std::size_t i) { return m(i) * v(i); });
    t.angular_momentum = sums([&](std::size_t i) {
        return cross(packing_.position[id_[i]] + displacement_of(i), m(i) * v(i)) +
               inertia(i) * w(i);
    });
    t.external_work = wall_work_ + sum([&](std::size_t i) {
                          return m(i) * dot(packing_.gravity, displacement_of(i));
                      });
    const Stored now = stored();
    t.stored_normal = now.normal;
    t.stored_tangential = now.tangential;
    const double friction = sum([&](std::size_t i) { return velocity_[line * i + 3]; });
    t.dissipated_friction = friction - now.tangential;
    if (!traits_.conservative) {
        const double power = sum([&](std::size_t i) { return velocity_[line * i + 7]; });
        const double given = dt_ * (power - 0.5 * power_now() + 0.5 * initial_power_);
        t.dissipated_normal = wall_work_ - given - friction - (now.normal - initial_stored_);
    }
    return t;
}

std::vector<ContactState> FastPackingEngine::contacts() const {
    std::vector<ContactState> closed;
    for (std::size_t p = 0; p < list_.pairs(); ++p) {
        const std::size_t e = home_[p];
        const PairStand<double> s = stand_of(e);
        if (!(s.overlap > 0.0)) continue;
        const PairLaw& law = laws_.law(kind_[e]);
        const std::uint32_t first = first_[e], second = second_[e];
        const double r1 = place(first)[3], r2 = place(second)[3];
        const PairVelocities<double> now{velocity_of(second) - velocity_of(first),
                                         r1 * spin_of(first) + r2 * spin_of(second)};
        const double normal_force = std::visit(
            [&]<class Law>(const Law& l) {
                return l
                    .respond(s.overlap, -dot(now.velocity, s.normal),
                             memory_at<typename Law::Memory>(memory_, e))
                    .force;
            },
            law.normal);
        Vec3 tangential{};
        if (slides_) {
            const Vec3 sliding = sliding_velocity<double>(s, now, 1.0 / (r1 + r2));
            tangential = std::visit(
                [&](const auto& l) {
                    return l
                        .respond({.slip = {},
                                  .mean = {},
                                  .velocity = sliding,
                                  .overlap = s.overlap,
                                  .normal_force = normal_force},
                                 slider_memory(sliding_, e))
                        .force;
                },
                law.slider);
        }
        const PairName name = name_of(list_, n_, p);
        ContactState c{
            .first = id_[first],
            .second = name.wall >= 0 ? n_ + static_cast<std::size_t>(name.wall) : id_[name.second],
            .overlap = s.overlap,
            .point = r1 / (r1 + r2) * s.branch,
            .branch = s.branch,
            .normal_force = -normal_force * s.normal,
            .tangential_force = -tangential};
        if (c.first > c.second) {
            std::swap(c.first, c.second);
            c.point = r2 / (r1 + r2) * -s.branch;
            c.branch = -c.branch;
            c.normal_force = -c.normal_force;
            c.tangential_force = -c.tangential_force;
        }
        closed.push_back(c);
    }
    std::ranges::stable_sort(closed, [](const ContactState& a, const ContactState& b) {
        return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    return closed;
}

PackingRates FastPackingEngine::rates(double speed) const {
    std::vector<double> stiffness(n_, 0.0), damping(n_, 0.0);
    for (std::size_t p = 0; p < list_.pairs(); ++p) {
        const std::size_t e = home_[p];
        const PairStand<double> s = stand_of(e);
        if (!(s.overlap > 0.0)) continue;
        const PairLaw& law = laws_.law(kind_[e]);
        const double approach = -dot(velocity_of(second_[e]) - velocity_of(first_[e]), s.normal);
        const laws::Slopes<double> slopes = std::visit(
            [&]<class Law>(const Law& l) {
                return laws::slopes(l, s.overlap, approach,
                                    memory_at<typename Law::Memory>(memory_, e), speed);
            },
            law.normal);
        const auto add = [&](std::uint32_t i) {
            const double r = place(i)[3], mass = packing_.mass[id_[i]];
            const double arm = 1.0 + mass * r * r / packing_.inertia[id_[i]];
            const double tangential = std::visit(
                [&](const auto& l) { return l.tangential_stiffness(s.overlap); }, law.slider);
            stiffness[i] += (slopes.stiffness + arm * tangential) / mass;
            double c = slopes.damping;
            if (const auto* linear = std::get_if<laws::LinearSlider<double>>(&law.slider))
                c += arm * linear->damping;
            damping[i] += c / mass;
        };
        add(first_[e]);
        if (const PairName name = name_of(list_, n_, p); name.wall < 0) add(name.second);
    }
    return {.frequency = std::sqrt(*std::ranges::max_element(stiffness)),
            .damping = *std::ranges::max_element(damping)};
}

std::optional<std::size_t> FastPackingEngine::first_non_finite() const {
    std::size_t worst = n_;
    const auto see = [&](std::size_t slot, double x) {
        if (!std::isfinite(x)) worst = std::min<std::size_t>(worst, id_[slot]);
    };
    for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t k = 0; k < line; ++k) {
            see(i, place(i)[k]);
            see(i, velocity_[line * i + k]);
            see(i, gain_[line * i + k]);
        }
    }
    each_entry_column(*this, [&](const std::string&, const Column& column) {
        for (std::size_t e = 0; e < first_.size(); ++e)
            see(first_[e], column[e]);
    });
    if (worst == n_) return std::nullopt;
    return worst;
}

std::vector<PackingColumn> FastPackingEngine::state() const {
    std::vector<PackingColumn> columns;
    saved_.clear();
    saved_.reserve(3);
    saved_.emplace_back(id_.begin(), id_.end());
    columns.push_back({"order", saved_.back()});
    columns.push_back({"place", {place_[now_].data(), line * n_}});
    columns.push_back({"velocity", {velocity_.data(), line * n_}});
    columns.push_back({"gain", {gain_.data(), line * n_}});
    std::vector<double>& walls = saved_.emplace_back();
    for (const std::vector<Vec3>* each : {&wall_force_, &wall_at_list_}) {
        for (const Vec3& v : *each)
            walls.insert(walls.end(), {v.x, v.y, v.z});
    }
    columns.push_back({"walls", walls});
    saved_.push_back(
        {wall_work_, initial_power_, initial_stored_, farthest_, static_cast<double>(renewals_)});
    columns.push_back({"books", saved_.back()});
    each_entry_column(*this, [&](const std::string& name, const Column& column) {
        columns.push_back({name, {column.data(), first_.size()}});
    });
    return columns;
}

void FastPackingEngine::restore(
    std::int64_t step, const std::function<std::span<const double>(const std::string&)>& column) {
    const auto take = [&](const std::string& name, std::size_t count) {
        const std::span<const double> values = column(name);
        if (values.size() != count) {
            throw std::invalid_argument(
                fmt::format("{}: {} numbers; expected {}", name, values.size(), count));
        }
        return values;
    };
    const auto order = take("order", n_);
    std::vector<char> seen(n_, false);
    for (std::size_t i = 0; i < n_; ++i) {
        const double id = order[i];
        if (!(id >= 0.0 && id < static_cast<double>(n_)) || id != std::floor(id) ||
            seen[static_cast<std::size_t>(id)])
            throw std::invalid_argument("order: names a particle twice, or none");
        seen[static_cast<std::size_t>(id)] = true;
        id_[i] = static_cast<std::uint32_t>(id);
        slot_[id_[i]] = static_cast<std::uint32_t>(i);
    }
    step_ = step;
    std::ranges::copy(take("place", line * n_), place_[now_].data());
    std::ranges::copy(take("velocity", line * n_), velocity_.data());
    std::ranges::copy(take("gain", line * n_), gain_.data());
    for (std::size_t i = 0; i < n_; ++i) {
        if (place(i)[3] != packing_.radius[id_[i]])
            throw std::invalid_argument(
                fmt::format("place: particle {} has radius {} m; expected {}", id_[i], place(i)[3],
                            packing_.radius[id_[i]]));
    }
    const auto walls = take("walls", 6 * packing_.walls.size());
    for (std::size_t w = 0; w < packing_.walls.size(); ++w) {
        wall_force_[w] = triple(walls.data() + 3 * w);
        wall_at_list_[w] = triple(walls.data() + 3 * (packing_.walls.size() + w));
    }
    const auto books = take("books", 5);
    wall_work_ = books[0];
    initial_power_ = books[1];
    initial_stored_ = books[2];
    renewals_ = static_cast<std::int64_t>(books[4]);
    lay_list();
    farthest_ = books[3];
    each_entry_column(*this, [&](const std::string& name, Column& values) {
        std::ranges::copy(take(name, first_.size()), values.data());
    });
    take_up_velocity();
    place_ghosts();
}

}  // namespace

std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads, const PackingKernel& kernel) {
    if (const std::string wrong = what_is_wrong(packing); !wrong.empty())
        throw std::invalid_argument(wrong);
    return std::make_unique<FastPackingEngine>(packing, time_step, threads, kernel);
}

std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads) {
    return make_packing_engine(packing, time_step, threads, packing_kernels().front());
}

}  // namespace beadwave::packing
