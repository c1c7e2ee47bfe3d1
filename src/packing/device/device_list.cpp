// The neighbour lists that a device builds itself. Its kernels are in list_kernel.hpp; the host
// adds up their counts.

#include "device_lists.hpp"
#include "row_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace beadwave::packing {

using on_device::ListArguments;

// Kernels know nothing of the headers of the host.
static_assert(on_device::line == line && on_device::particles_of_block == block_size &&
              on_device::entries_of_batch == batch);

void DevicePairs::FreeLists::operator()(Lists* lists) const {
    delete lists;
}

void DevicePairs::build_lists_by(ListSettings settings) {
    list_settings_ = std::move(settings);
    if (!lists_) {
        lists_.reset(new Lists());
        const auto get = [&](const char* name) { return device_->kernel("packing_list", name); };
        Lists& l = *lists_;
        l.copy = get("copy_all");
        l.permute = get("permute_lines");
        l.watch = get("watch");
        l.cells = get("cells");
        l.members = get("members");
        l.rows = get("rows");
        l.externals = get("externals");
        l.ranks = get("ranks");
        l.finish = get("finish");
    }
    lists_->kind.assign(*device_, list_settings_.kind);
    lists_->row_of_kinds.assign(*device_, list_settings_.row_of_kinds);
    set_flags(std::move(list_settings_.flags));
    builds_lists_ = true;
}

void DevicePairs::set_flags(std::vector<std::uint8_t> flags) {
    list_settings_.flags = std::move(flags);
    lists_->flags.assign(*device_, list_settings_.flags);
}

/// The kernels' arguments before counts are known. The new places are in the other side's lines.
ListArguments DevicePairs::list_arguments(const NewOrder& order) {
    Lists& l = *lists_;
    const std::size_t n = particles_;
    const ListSettings& settings = list_settings_;
    l.id.assign(*device_, order.id);
    l.slot_of.assign(*device_, order.slot_of);
    l.old_slot_of.assign(*device_, order.old_slot_of);
    ListArguments a{};
    a.particles = n;
    a.id = l.id.data();
    a.slot_of = l.slot_of.data();
    a.old_slot_of = l.old_slot_of.data();
    a.flags = l.flags.data();
    a.kind = settings.kind.empty() ? nullptr : l.kind.data();
    a.row_of_kinds = l.row_of_kinds.data();
    a.kinds = settings.kinds;
    a.skin = settings.skin;
    a.old_place = place_[now_].data();
    a.old = sides(false);
    a.old_identity = {partner_.data(), settings.box.repeats() ? image_number_.data() : nullptr};
    a.columns = static_cast<std::uint32_t>(memory_.size());
    for (std::size_t c = 0; c < memory_.size(); ++c)
        a.old_memory[c] = memory_[c].data();
    // Three numbers of a vector turn round with the pair: the order of ContactMemory::columns().
    std::size_t column = kept_.normal_numbers;
    for (std::size_t k = 0; k < 4; ++k) {
        for (const bool has : {kept_.slides, kept_.rolls}) {
            if (has && k < 3) a.signs |= 1U << column;
            if (has) ++column;
        }
    }
    for (std::size_t k = 0; kept_.tangential_force && k < 3; ++k)
        a.signs |= 1U << column++;

    // Cells as wide as the reach of the largest particles.
    const double reach = 2.0 * settings.largest_radius + settings.skin;
    const std::array lower = components(settings.box.lower),
                     edge = components(settings.box.upper - settings.box.lower);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double x0 = infinity, y0 = infinity, z0 = infinity, x1 = -infinity, y1 = -infinity,
           z1 = -infinity;
#pragma omp parallel for reduction(min : x0, y0, z0) reduction(max : x1, y1, z1)
    for (std::size_t i = 0; i < n; ++i) {
        if ((settings.flags[order.id[i]] & 2) != 0) continue;
        const double* const at = order.lines.place + line * i + 4;
        x0 = std::min(x0, at[0]);
        y0 = std::min(y0, at[1]);
        z0 = std::min(z0, at[2]);
        x1 = std::max(x1, at[0]);
        y1 = std::max(y1, at[1]);
        z1 = std::max(z1, at[2]);
    }
    const bool any = x0 <= x1;
    const std::array<double, 3> least = any ? std::array{x0, y0, z0} : std::array{0.0, 0.0, 0.0},
                                most = any ? std::array{x1, y1, z1} : std::array{0.0, 0.0, 0.0};
    for (std::size_t k = 0; k < 3; ++k) {
        const bool periodic = settings.box.periodic[k];
        a.periodic[k] = periodic ? 1 : 0;
        a.edge[k] = periodic ? edge[k] : 1.0;
        a.lower[k] = periodic ? lower[k] : least[k];
        const double size = periodic ? edge[k] : most[k] - least[k];
        const double cells = std::floor(size / reach);
        a.cells[k] = std::clamp<std::int64_t>(
            cells < 1e6 ? static_cast<std::int64_t>(cells) : 1000000, 1, 1000000);
        a.by[k] = reach * (1.0 + 1e-9) + 1e-12 * size;
        a.scale[k] = size;
    }
    while (static_cast<double>(a.cells[0]) * static_cast<double>(a.cells[1]) *
               static_cast<double>(a.cells[2]) >
           static_cast<double>(4 * n + 64)) {
        std::int64_t& longest = *std::max_element(a.cells, a.cells + 3);
        longest = (longest + 1) / 2;
    }
    for (std::size_t k = 0; k < 3; ++k)
        a.scale[k] = a.scale[k] > 0.0 ? static_cast<double>(a.cells[k]) / a.scale[k] : 0.0;
    return a;
}

/// The neighbours of each particle; false: one has too many.
bool DevicePairs::find_rows(ListArguments& a) {
    Lists& l = *lists_;
    const std::size_t n = particles_;
    const auto cells = static_cast<std::size_t>(a.cells[0] * a.cells[1] * a.cells[2]);
    for (auto* const list : {&l.cell, &l.count, &l.upper, &l.external, &l.ghosts})
        list->resize(*device_, n);
    l.members_of_cells.resize(*device_, n);
    l.periods.resize(*device_, 3 * n);
    l.found.resize(*device_, on_device::most_neighbours * n);
    l.found_image.resize(*device_, on_device::most_neighbours * n);
    std::vector<std::uint32_t> in_cells(cells + 1, 0);
    l.cell_next.assign(*device_, in_cells);
    a.cell = l.cell.data();
    a.periods = l.periods.data();
    a.cell_next = l.cell_next.data();
    a.members = l.members_of_cells.data();
    launch(l.cells, n, a);
    device_->download(in_cells.data(), l.cell_next.data(), in_cells.size() * sizeof in_cells[0]);
    std::exclusive_scan(in_cells.begin(), in_cells.end(), in_cells.begin(), 0U);
    l.cell_begin.assign(*device_, in_cells);
    l.cell_next.assign(*device_, in_cells);
    const std::uint32_t none_yet = 0;
    l.overflow.assign(*device_, {&none_yet, 1});
    a.cell_begin = l.cell_begin.data();
    a.cell_next = l.cell_next.data();
    a.found = l.found.data();
    a.found_image = l.found_image.data();
    a.count = l.count.data();
    a.upper = l.upper.data();
    a.external = l.external.data();
    a.ghosts = l.ghosts.data();
    a.overflow = l.overflow.data();
    launch(l.members, n, a);
    launch(l.rows, n, a);
    std::uint32_t overflow = 0;
    device_->download(&overflow, l.overflow.data(), sizeof overflow);
    return overflow == 0;
}

double DevicePairs::deepest_at_walls() {
    if (wall_ghosts_.empty()) return 0.0;
    Lists& l = *lists_;
    const std::int64_t zero = 0;
    l.deepest.assign(*device_, {&zero, 1});
    ListArguments a{};
    a.particles = particles_;
    // Any order will do.
    std::vector<std::uint32_t> same(particles_);
    std::iota(same.begin(), same.end(), 0U);
    l.id.assign(*device_, same);
    a.id = l.id.data();
    a.old_slot_of = l.id.data();
    a.old = sides(false);
    a.old_place = place_[now_].data();
    a.old_identity = {partner_.data(), nullptr};
    a.deepest_wall = l.deepest.data();
    launch(l.watch, particles_, a);
    std::int64_t deepest = 0;
    device_->download(&deepest, l.deepest.data(), sizeof deepest);
    return on_device::from_ordered(deepest);
}

bool DevicePairs::build_list(const NewOrder& order) {
    Lists& l = *lists_;
    const std::size_t next = now_ ^ 1, walls = order.wall_particles.size();
    // The lines of particles and of walls' ghosts; room for images comes later.
    place_[next].assign(*device_, {order.lines.place, line * (particles_ + walls)});
    flush(place_[next].data(), line * (particles_ + walls));
    ListArguments a = list_arguments(order);
    a.place = place_[next].data();
    if (!find_rows(a)) return false;
    sum_counts(a, order);
    const std::size_t bodies = particles_ + walls + l.images + 1;
    if (place_[next].resize(*device_, line * bodies)) {
        device_->upload(place_[next].data(), order.lines.place,
                        line * (particles_ + walls) * sizeof(double));
        flush(place_[next].data(), line * (particles_ + walls));
    }
    a.place = place_[next].data();
    a.image_place[0] = a.image_place[1] = place_[next].data();
    launch(l.externals, particles_, a);
    launch(l.ranks, a.externals, a);
    launch(l.finish, particles_, a);
    bodies_ = bodies;
    move_lines(a);
    for (auto* const pair : {&other_, &self_, &row_, &slice_begin_, &count_, &partner_}) {
        auto& fresh = pair == &other_         ? l.other
                      : pair == &self_        ? l.self
                      : pair == &row_         ? l.row
                      : pair == &slice_begin_ ? l.slice_begin
                      : pair == &count_       ? l.sides
                                              : l.partner;
        std::swap(*pair, fresh);
    }
    std::swap(image_number_, l.image_number);
    std::swap(gap_, l.gap);
    std::swap(memory_, l.memory);
    // The old lines are no longer needed; both sides have the constants of ghosts.
    place_[now_].resize(*device_, line * bodies);
    launch(l.copy, line * bodies,
           on_device::CopyArguments{
               .numbers = line * bodies, .from = place_[next].data(), .to = place_[now_].data()});
    half_[now_].resize(*device_, line * bodies);
    if (has_predicted_) predicted_[now_].resize(*device_, line * bodies);
    for (auto& side : delicate_)
        side.resize(*device_, bodies);
    now_ = next;

    wall_particles_ = order.wall_particles;
    wall_ghosts_.resize(walls);
    std::iota(wall_ghosts_.begin(), wall_ghosts_.end(), static_cast<std::uint32_t>(particles_));
    wall_body_.assign(*device_, wall_ghosts_);
    wall_of_.assign(*device_, wall_particles_);
    wall_places_.resize(*device_, 3 * walls);
    wall_lines_.resize(*device_, 3 * line * walls);
    ghost_pairs_ = order.ghost_pairs;
    ghost_force_.resize(*device_, 3 * ghost_pairs_.size());
    swaps_.clear();
    copy_images();
    take_wall_ghosts(order.lines, particles_);
    inspect_all();
    own_list_ = true;
    any_far_ = false;
    return true;
}

}  // namespace beadwave::packing
