// The sides of pairs (step_arguments.hpp) of a list that the engine has built.

#include "device_pairs.hpp"
#include "list_kernel.hpp"

#include <algorithm>
#include <stdexcept>

namespace beadwave::packing {

using on_device::is_image;
using on_device::is_second;
using on_device::none;
using on_device::slice;

/// The columns of sides, on the host.
struct DevicePairs::HostSides {
    std::vector<std::uint32_t> count, begin, other, self, row, partner;
    std::vector<std::uint64_t> image;
    /// Of each block, the first row of the forces on other bodies.
    std::vector<std::uint32_t> first_force;
};

namespace {

std::size_t block_of_particle(std::size_t particle) {
    return particle / block_size;
}

/// The sides of the pairs of a block, in the order in which the fast engine adds up the forces of
/// its entries.
class SidesOfBlock {
  public:
    SidesOfBlock(const DevicePairs::List& list, std::size_t block) : list_(list), block_(block) {}

    /// Calls add(particle, entry, other, self) for all sides.
    template <class Add>
    void each(Add add) const {
        const PairEntries& entries = list_.entries;
        std::vector<std::uint32_t> later;
        for (std::size_t e = entries.begin(block_); e < entries.end(block_); ++e) {
            if (entries.is_padding(e)) continue;
            const std::uint32_t first = entries.first[e], second = entries.second[e];
            const std::uint32_t of = particle_of(second);
            if (has(first)) add(first, e, second, none);
            if (of == none || !has(of)) continue;
            if (is_ghost(second) && list_.strains) {
                later.push_back(static_cast<std::uint32_t>(e));
            } else {
                add(of, e, first | is_second | (is_ghost(second) ? is_image : 0U), second);
            }
        }
        for (const std::uint32_t e : later)
            add(particle_of(entries.second[e]), e, entries.first[e] | is_second | is_image,
                entries.second[e]);
    }

  private:
    bool is_ghost(std::uint32_t body) const { return body >= list_.particles; }
    bool has(std::uint32_t body) const {
        return !is_ghost(body) && block_of_particle(body) == block_;
    }
    std::uint32_t particle_of(std::uint32_t body) const {
        if (!is_ghost(body)) return body;
        const Ghost& ghost = list_.ghosts[body - list_.particles];
        return ghost.wall >= 0 ? none : ghost.of;
    }

    const DevicePairs::List& list_;
    std::size_t block_;
};

/// Whether the force on the other body of a side counts.
bool force_counts(const DevicePairs::List& list, std::uint32_t other) {
    return (other & is_second) == 0 && other >= list.particles &&
           (list.strains || list.ghosts[other - list.particles].wall >= 0);
}

std::size_t wall_ghosts(const DevicePairs::List& list) {
    return static_cast<std::size_t>(
        std::ranges::count_if(list.ghosts, [](const Ghost& ghost) { return ghost.wall >= 0; }));
}

}  // namespace

/// Counts the sides of particles, and lists the pairs whose force on the other body counts.
void DevicePairs::count_sides(const List& list, HostSides& made) {
    const PairEntries& entries = list.entries;
    const std::size_t slices = (list.particles + slice - 1) / slice, blocks = entries.blocks();
    made.count.assign(slices * slice, 0);
    std::vector<std::vector<std::uint32_t>> counted(blocks);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(blocks); ++at) {
        const auto b = static_cast<std::size_t>(at);
        SidesOfBlock(list, b).each(
            [&](std::uint32_t particle, std::size_t e, std::uint32_t other, std::uint32_t) {
                ++made.count[particle];
                if (force_counts(list, other)) counted[b].push_back(static_cast<std::uint32_t>(e));
            });
    }
    ghost_pairs_.clear();
    made.first_force.resize(blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
        made.first_force[b] = static_cast<std::uint32_t>(ghost_pairs_.size());
        for (const std::uint32_t e : counted[b])
            ghost_pairs_.push_back(
                {entries.first[e], static_cast<std::uint32_t>(entries.second[e] - list.particles)});
    }
}

/// Gives each slice of particles as many rows as its longest has, and fills them with nothing.
void DevicePairs::lay_out_sides(const List& list, HostSides& made) {
    const std::size_t slices = made.count.size() / slice;
    made.begin.assign(slices + 1, 0);
    std::size_t sides = 0;
    for (std::size_t s = 0; s < slices; ++s) {
        made.begin[s] = static_cast<std::uint32_t>(sides);
        const auto first = made.count.begin() + static_cast<std::ptrdiff_t>(s * slice);
        sides += slice * *std::max_element(first, first + static_cast<std::ptrdiff_t>(slice));
    }
    if (sides >= none || bodies_ > on_device::body_mask)
        throw device::DeviceError("the packing has too many pairs for a device");
    entry_.assign(sides, none);
    gives_.assign(sides, 0);
    made.other.assign(sides, static_cast<std::uint32_t>(bodies_ - 1));
    made.self.assign(sides, none);
    made.row.assign(sides, 0);
    made.partner.assign(builds_lists_ ? sides : 0, none);
    made.image.assign(builds_lists_ ? sides : 0, on_device::no_image);
    side_of_.assign(wall_ghosts(list), none);
}

void DevicePairs::fill_sides(const List& list, HostSides& made) {
    const PairEntries& entries = list.entries;
    const std::size_t n = list.particles;
    const std::size_t first_wall = n + list.ghosts.size() - side_of_.size();
    std::vector<std::uint32_t> filled(made.count.size(), 0);
    const auto name_partner = [&](std::size_t k, std::size_t e, bool second, const Ghost* ghost) {
        if (ghost != nullptr && ghost->wall >= 0) {
            made.partner[k] = on_device::is_wall | static_cast<std::uint32_t>(ghost->wall);
            return;
        }
        const std::uint32_t with = ghost != nullptr ? ghost->of : entries.second[e];
        made.partner[k] = list.id[second ? entries.first[e] : with];
        if (ghost != nullptr)
            made.image[k] =
                on_device::packed_image(ghost->image[0], ghost->image[1], ghost->image[2]);
    };
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(entries.blocks()); ++at) {
        const auto b = static_cast<std::size_t>(at);
        std::uint32_t row_of_force = made.first_force[b];
        SidesOfBlock(list, b).each([&](std::uint32_t particle, std::size_t e,
                                       std::uint32_t its_other, std::uint32_t its_self) {
            const std::size_t k =
                made.begin[particle / slice] + slice * filled[particle]++ + particle % slice;
            entry_[k] = static_cast<std::uint32_t>(e);
            made.other[k] = its_other;
            made.self[k] = force_counts(list, its_other) ? row_of_force++ : its_self;
            made.row[k] = static_cast<std::uint32_t>(list.table.row(entries, e));
            const bool second = (its_other & is_second) != 0;
            gives_[k] = !second || block_of_particle(entries.first[e]) != b ? 1 : 0;
            const std::uint32_t body = entries.second[e];
            const Ghost* const ghost = body >= n ? &list.ghosts[body - n] : nullptr;
            if (ghost != nullptr && ghost->wall >= 0)
                side_of_[body - first_wall] = static_cast<std::uint32_t>(k);
            if (builds_lists_) name_partner(k, e, second, ghost);
        });
    }
}

DevicePairs::HostSides DevicePairs::find_sides(const List& list) {
    HostSides made;
    single_row_ = list.table.rows() == 1;
    count_sides(list, made);
    lay_out_sides(list, made);
    fill_sides(list, made);
    return made;
}

/// Takes a list of the engine.
void DevicePairs::take_list(const List& list) {
    const HostSides sides = find_sides(list);
    slice_begin_.assign(*device_, sides.begin);
    count_.assign(*device_, sides.count);
    other_.assign(*device_, sides.other);
    self_.assign(*device_, sides.self);
    if (!single_row_) row_.assign(*device_, sides.row);
    if (builds_lists_) {
        partner_.assign(*device_, sides.partner);
        if (list_settings_.box.repeats()) image_number_.assign(*device_, sides.image);
    }
    staging_.resize(entry_.size());
#pragma omp parallel for
    for (std::size_t k = 0; k < entry_.size(); ++k)
        staging_[k] = entry_[k] != none ? list.entries.gap[entry_[k]] : 1e6;
    gap_.assign(*device_, staging_);
    flush(gap_.data(), entry_.size());
}

void DevicePairs::adopt(const List& list, PairEntries& entries) {
    const std::size_t walls = wall_ghosts_.size();
    const std::vector<GhostPair> pairs = ghost_pairs_;
    const std::vector<std::uint32_t> side_of = side_of_;
    const HostSides sides = find_sides(list);
    ghost_pairs_ = pairs;
    side_of_ = side_of;
    for (GhostPair& pair : ghost_pairs_)
        pair.ghost += static_cast<std::uint32_t>(list.ghosts.size() - walls);
    // Both lists are made by the same rules; a difference would mix up the memory of contacts.
    std::vector<std::uint32_t> count(particles_), begin(sides.begin.size());
    device_->download(count.data(), count_.data(), count.size() * sizeof(std::uint32_t));
    device_->download(begin.data(), slice_begin_.data(), begin.size() * sizeof(std::uint32_t));
    if (!std::equal(count.begin(), count.end(), sides.count.begin()) || begin != sides.begin)
        throw std::logic_error("the device has built another neighbour list than the host");
    staging_.resize(entry_.size());
    device_->download(staging_.data(), gap_.data(), staging_.size() * sizeof(double));
#pragma omp parallel for
    for (std::size_t k = 0; k < entry_.size(); ++k) {
        if (gives_[k] != 0) entries.gap[entry_[k]] = staging_[k];
    }
    own_list_ = false;
    stale_ = true;
}

}  // namespace beadwave::packing
