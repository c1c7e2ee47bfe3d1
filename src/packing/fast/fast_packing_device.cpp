// The fast engine on a device (device/device_pairs.hpp): the device takes the steps between two
// lists, and this engine does the rest from what it gets back.

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace beadwave::packing {

DevicePairs::HostLines FastPackingEngine::device_lines(bool last) {
    return {bodies_.lines(),
            {.place = nullptr, .half = last ? bodies_.change(0) : nullptr},
            bodies_.rolling_work()};
}

void FastPackingEngine::step_on_device(bool last, double step, ParticleTrace* trace) {
    walls_.forces.begin_step(share_.own_blocks());
    box_forces_.begin(box_.strains() ? bodies_.blocks() : 0);
    if (!device_->is_ahead()) {
        if (population_.changes() && device_->builds_lists()) device_->set_flags(list_flags());
        device_->take(device_list(), device_lines(last), contacts_.memory);
    }
    std::vector<std::uint32_t> traced;
    if (trace != nullptr) {
        for (const std::size_t particle : trace->particles)
            traced.push_back(bodies_.body_of(particle));
        sort_out(traced);
    }
    device_->trace(traced);
    const bool ghosts = walls_.move() || box_.strains();
    alignas(64) double gravity[line] = {};
    put(gravity, (0.5 * dt_) * packing_.gravity);
    DevicePairs::Step what{.last = last,
                           .time_step = dt_,
                           .sliding_step = step,
                           .gravity_change = {},
                           .power = !laws_.traits.conservative && step > 0.0,
                           .wall_forces = ghosts};
    std::copy_n(gravity, line, what.gravity_change.begin());
    const DevicePairs::Found found = device_->step(what);
    watch_depth_on_device(found.deepest);
    if (ghosts) take_ghost_forces(device_->ghost_forces());
    if (trace != nullptr) record_on_device(traced, device_->traced(), *trace);
    if (last) {
        give_back(true);
    } else {
        travel_.set(found.extent, found.farthest);
    }
    walls_.end_step(step, share_);
}

DevicePairs::List FastPackingEngine::device_list() const {
    return {.particles = bodies_.held(),
            .ghosts = bodies_.ghosts,
            .entries = contacts_.entries,
            .table = laws_.table,
            .kick = bodies_.kicks(),
            .angular_kick = bodies_.angular_kicks(),
            .strains = box_.strains(),
            .reach = travel_.far.reach(),
            .id = bodies_.ids()};
}

std::size_t FastPackingEngine::first_wall_ghost() const {
    return bodies_.held() + walls_.first_ghost();
}

void FastPackingEngine::give_back(bool last) {
    const bool adopts = device_->has_own_list();
    if (adopts) adopt_device_list();
    device_->give(device_lines(last), contacts_.memory);
    if (last) contacts_.memory.drop_signs_of_zeros(0, contacts_.entries.count());
    renew_host_ghosts(adopts);
}

/// The lines of ghosts, for the present lines of the particles.
void FastPackingEngine::renew_host_ghosts(bool of_walls) {
    if (of_walls) {
        update_ghosts(false);
    } else if (!box_.strains()) {
        bodies_.update_images();
    }
}

/// The references of the particles are those of the device's list, so the list is the same.
void FastPackingEngine::adopt_device_list() {
    build_pair_list();
    contacts_.memory.reset(kept_of_contacts(), contacts_.entries.count());
    device_->adopt(device_list(), contacts_.entries);
}

/// Finds the deepest contact of all blocks, as step_block() does for one.
void FastPackingEngine::watch_depth_on_device(double found) {
    if (!depth_.may_be_deeper(found)) return;
    const bool adopts = device_->has_own_list();
    if (adopts) adopt_device_list();
    device_->give_places(bodies_.place(0));
    renew_host_ghosts(adopts);
    for (std::size_t b = 0; b < bodies_.blocks(); ++b)
        depth_.note(contacts_.deepest(b, step_));
}

/// Takes the forces on ghosts as take_wall_forces() and take_image_forces() do.
void FastPackingEngine::take_ghost_forces(std::span<const double> forces) {
    const auto pairs = device_->ghost_pairs();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const Ghost& ghost = bodies_.ghosts[pairs[k].ghost];
        const std::size_t b = share_.block_of(pairs[k].first);
        const Vec3 force = triple(forces.data() + 3 * k);
        if (ghost.wall < 0) {
            add_to_edges(box_forces_.of_images[b], force, ghost.image);
            continue;
        }
        const auto w = static_cast<std::size_t>(ghost.wall);
        walls_.forces.force_of_block(b)[w] += force;
        if (packing_.walls[w].angular_velocity == 0.0) continue;
        const double* const at = bodies_.place(bodies_.held() + pairs[k].ghost);
        const Vec3 arm = triple(at + 4) + triple(at) - walls_.step(w).centre;
        walls_.forces.torque_of_block(b)[w] +=
            dot(cross(arm, force), packing_.walls[w].direction());
    }
}

std::vector<std::uint8_t> FastPackingEngine::list_flags() const {
    const std::vector<char> held = packing_.held(), away = population_.absent();
    std::vector<std::uint8_t> flags(particles());
    for (std::size_t i = 0; i < particles(); ++i)
        flags[i] = static_cast<std::uint8_t>((!held.empty() && held[i] != 0 ? 1 : 0) +
                                             (!away.empty() && away[i] != 0 ? 2 : 0));
    return flags;
}

void FastPackingEngine::let_device_build_lists() {
    constexpr std::size_t most_rows = 64;  // parameters of more are columns of entries
    constexpr double most_unlike = 3.0;    // radii; cells are as wide as the largest
    const ParticleColumn<std::uint32_t>& kind = laws_.pairs.particle_kinds();
    const double smallest = packing_.radius.smallest(), largest = packing_.radius.largest();
    const bool meshes = std::ranges::any_of(packing_.walls, [](const Wall& w) { return w.mesh(); });
    if (kind.empty() || box_.strains() || walls_.rims.any() || meshes ||
        largest > most_unlike * smallest)
        return;
    const std::size_t kinds = *std::ranges::max_element(kind) + 1U;
    if (kinds * (kinds + packing_.walls.size()) > most_rows) return;
    std::vector<std::uint32_t> example(kinds);
    for (std::size_t i = kind.size(); i-- > 0;)
        example[kind[i]] = static_cast<std::uint32_t>(i);
    DevicePairs::ListSettings settings;
    settings.kinds = static_cast<std::uint32_t>(kinds);
    if (kinds > 1) settings.kind = kind.all();
    for (std::size_t a = 0; a < kinds; ++a) {
        for (std::size_t b = 0; b < kinds; ++b)
            settings.row_of_kinds.push_back(laws_.pairs.kind(std::min(example[a], example[b]),
                                                             std::max(example[a], example[b])));
        for (std::size_t w = 0; w < packing_.walls.size(); ++w)
            laws_.pairs.kind(example[a], static_cast<std::uint32_t>(particles() + w));
    }
    settings.flags = list_flags();
    settings.skin = travel_.skin();
    settings.largest_radius = largest;
    settings.box = packing_.box;
    device_->build_lists_by(std::move(settings));
    laws_.build_table(contacts_.entries, {}, threads_);
    device_->mark_stale();
}

void FastPackingEngine::find_walls(DevicePairs::NewOrder& order, std::vector<std::uint32_t>& begin,
                                   std::vector<on_device::WallSide>& sides) {
    bodies_.ghosts.clear();
    const std::size_t walls = packing_.walls.size();
    if (walls == 0) return;
    constexpr std::size_t stretch = 4096;
    const auto stretches = static_cast<std::int64_t>((bodies_.held() + stretch - 1) / stretch);
    const std::vector<char> held = packing_.held(), away = population_.absent();
    begin.assign(bodies_.held() + 1, 0);
    std::vector<on_device::WallSide> found;
    std::vector<std::uint32_t> near_particles;
    for (std::size_t w = 0; w < walls; ++w) {
        std::vector<std::vector<std::uint32_t>> near(static_cast<std::size_t>(stretches));
#pragma omp parallel for schedule(dynamic) num_threads(threads_) if (threads_ > 1)
        for (std::int64_t s = 0; s < stretches; ++s) {
            const std::size_t from = static_cast<std::size_t>(s) * stretch;
            for (std::size_t i = from; i < std::min(bodies_.held(), from + stretch); ++i) {
                const std::uint32_t id = bodies_.id(i);
                if ((!held.empty() && held[id] != 0) || (!away.empty() && away[id] != 0)) continue;
                const double* const p = bodies_.place(i);
                const double distance =
                    packing_.walls[w]
                        .closest(triple(p + 4), walls_.at_list().displacement[w])
                        .distance;
                if (distance - p[3] < travel_.skin())
                    near[static_cast<std::size_t>(s)].push_back(static_cast<std::uint32_t>(i));
            }
        }
        for (const std::vector<std::uint32_t>& some : near) {
            for (const std::uint32_t i : some) {
                found.push_back(
                    {.wall = static_cast<std::uint32_t>(w),
                     .body = static_cast<std::uint32_t>(bodies_.held() + near_particles.size()),
                     .row = laws_.pairs.kind(bodies_.id(i),
                                             static_cast<std::uint32_t>(particles() + w)),
                     .force_row = 0,
                     .gap = first_wall_gap(packing_.walls[w], bodies_.reference(i),
                                           walls_.at_list().displacement[w], bodies_.radius(i))});
                near_particles.push_back(i);
                ++begin[i + 1];
                bodies_.ghosts.push_back({.of = i, .wall = static_cast<std::int32_t>(w)});
            }
        }
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    // Forces by block, then wall, then particle; sides by particle, then wall.
    std::vector<std::uint32_t> by_block(found.size());
    std::iota(by_block.begin(), by_block.end(), 0U);
    std::ranges::stable_sort(by_block, {},
                             [&](std::uint32_t k) { return near_particles[k] / block_size; });
    for (std::size_t row = 0; row < by_block.size(); ++row) {
        found[by_block[row]].force_row = static_cast<std::uint32_t>(row);
        order.ghost_pairs.push_back({near_particles[by_block[row]], by_block[row]});
    }
    sides.resize(found.size());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::size_t k = 0; k < found.size(); ++k)
        sides[at[near_particles[k]]++] = found[k];
    order.wall_particles = std::move(near_particles);
}

bool FastPackingEngine::rebuild_on_device() {
    if (!device_ || !device_->is_ahead()) return false;
    if (!device_->builds_lists() || device_->deepest_at_walls() >= lost_depth) {
        give_back(false);
        return false;
    }
    if (travel_.far.acts()) {
        device_->give_velocities(bodies_.half(0));
        FarReach next = travel_.far;
        next.choose(bodies_.half(0), bodies_, share_, population_.absent(), threads_);
        if (next.any()) {  // the host builds such lists
            give_back(false);
            return false;
        }
        travel_.far = std::move(next);
    }
    device_->give_places(bodies_.place(0));
    bodies_.recentre(threads_);
    const struct {
        Bodies::Order order;
        ListWalls::AtList walls;
    } before{bodies_.order(), walls_.at_list()};
    walls_.begin_list();
    box_.begin_list();
    bodies_.sort(population_.absent(), threads_);
    bodies_.sort_places(threads_);
    DevicePairs::NewOrder order{.id = bodies_.ids(),
                                .slot_of = bodies_.slots(),
                                .old_slot_of = before.order.slot,
                                .lines = {},
                                .wall_begin = {},
                                .wall_sides = {},
                                .wall_particles = {},
                                .ghost_pairs = {}};
    std::vector<std::uint32_t> wall_begin;
    std::vector<on_device::WallSide> wall_sides;
    find_walls(order, wall_begin, wall_sides);
    order.wall_begin = wall_begin;
    order.wall_sides = wall_sides;
    place_new_ghosts();
    update_ghosts(false);
    order.lines = bodies_.lines();
    if (!device_->build_list(order)) {
        bodies_.set_order(before.order);
        walls_.set_list(before.walls);
        device_->give_places(bodies_.place(0));
        place_new_ghosts();
        give_back(false);
        update_ghosts(false);
        return false;
    }
    travel_.far.adopt(bodies_, share_);
    travel_.begin_list();
    return true;
}

void FastPackingEngine::record_on_device(std::span<const std::uint32_t> bodies,
                                         std::span<const double> traced,
                                         ParticleTrace& trace) const {
    for (std::size_t k = 0; k < trace.particles.size(); ++k) {
        const std::uint32_t i = bodies_.body_of(trace.particles[k]);
        const auto at =
            static_cast<std::size_t>(std::ranges::lower_bound(bodies, i) - bodies.begin());
        const Vec3 sum = triple(traced.data() + 6 * at);
        const Vec3 gravity_change = bodies_.is_fixed(i) ? Vec3{} : (0.5 * dt_) * packing_.gravity;
        const std::size_t to = taken_.row * trace.particles.size() + k;
        trace.force[to] = sum;
        trace.velocity[to] =
            triple(traced.data() + 6 * at + 3) + (bodies_.kick(i) * sum + gravity_change);
    }
}

}  // namespace beadwave::packing
