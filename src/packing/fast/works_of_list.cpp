// What the contacts of the list have done. The vector code sums over the steps. A pair that belongs
// to two blocks counts in the block of its first particle.

#include "contact_works.hpp"
#include "packing/contacts/pair_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing {

ContactWorks::ContactWorks(bool all, const WorkingContacts& of)
    : all_(all), of_(of), rubbing_(of.packing.walls.size()) {
    for (std::vector<LineChange>& side : bend_)
        side.resize(of.elements.carriers());
}

ContactWorks::EntriesOfWalls ContactWorks::walls_among(const Entries& e, std::size_t from,
                                                       std::size_t count) const {
    std::size_t end = count;
    while (end > 0 && e.second[from + end - 1] == of_.bodies.dummy())
        --end;
    std::size_t begin = end;  // walls are last
    while (begin > 0 && of_.bodies.wall_of(e.second[from + begin - 1]) != nullptr)
        --begin;
    return {begin, end};
}

ContactWorks::EntriesOfWalls ContactWorks::prepare(const Entries& e, std::size_t from,
                                                   std::size_t count, double step,
                                                   const WallLoads& loads, Scratch& s) {
    const EntriesOfWalls of_walls = walls_among(e, from, count);
    if (!all_ || !(step > 0.0)) return of_walls;  // no way counts
    const auto [first_wall, end] = of_walls;
    if (e.work[work_push] != nullptr) {  // see add_work_on_wall()
        for (auto& column : s.way)
            std::fill(column + first_wall, column + end, 0.0);
        std::fill(s.earlier + first_wall, s.earlier + end, 0.0);
    } else {
        for (std::size_t k = first_wall; k < end; ++k) {
            const Vec3 way = way_of_wall(e.first[from + k], e.second[from + k], step, loads);
            s.way[0][k] = way.x;
            s.way[1][k] = way.y;
            s.way[2][k] = way.z;
        }
    }
    if (of_.packing.elements.motions.empty()) return of_walls;
    for (std::size_t k = 0; k < end; ++k) {
        if (e.to_first[from + k] == of_.discard) continue;
        const std::size_t entry = e.number + from + k;
        add_given(entry, -work_of_change(entry, [&](std::size_t i) {
                      const std::uint32_t carrier = of_.elements.carrier_of(of_.bodies.id(i));
                      return carrier != ElementStepper::none ? bend_[of_.bodies.side()][carrier]
                                                             : LineChange{};
                  }));
    }
    return of_walls;
}

Vec3 ContactWorks::way_of_wall(std::uint32_t first, std::uint32_t second, double step,
                               const WallLoads& loads) const {
    // A wall that turns has a torque, see work_on_walls().
    const auto w = static_cast<std::size_t>(of_.bodies.wall_of(second)->wall);
    return (1.0 / step) * loads.moved(w) - triple(of_.bodies.half(first));
}

void ContactWorks::add_work_on_wall(const Entries& e, std::size_t at, const double* row,
                                    const Vec3& moved, double step) {
    const std::size_t parts = e.work[work_lever] != nullptr ? 6 : 3;  // without friction no lever
    const double* const half = of_.bodies.half(e.second[at]);
    const double* const of_particle = of_.bodies.half(e.first[at]);
    const Vec3 way = moved - triple(of_particle);
    const double ways[6] = {way.x,
                            way.y,
                            way.z,
                            of_particle[4] + half[4],
                            of_particle[5] + half[5],
                            of_particle[6] + half[6]};
    double both = 0.0;
    for (std::size_t i = 0; i < parts; ++i) {
        double& force = e.work[work_force + i][at];
        const double now = row[i < 3 ? i : i + 1];
        both += (force + now) * ways[i];
        force = now;
    }
    if (step > 0.0) e.work[work_given][at] -= 0.5 * step * both;
}

void ContactWorks::work_on_walls(std::size_t own, const Entries& e, std::size_t from,
                                 const EntriesOfWalls& of_walls, double step,
                                 const WallLoads& loads, std::span<const WallStep> walls,
                                 const Scratch& s) {
    const double per_step = step > 0.0 ? 1.0 / step : 0.0;
    double* const rubbing = rubbing_of_block(own);
    for (std::size_t k = of_walls.begin; k < of_walls.end; ++k) {
        const std::size_t at = from + k;
        double& pressing = e.work[work_pressing][at];
        const double was = pressing, is = s.normal_force[k];
        pressing = is;
        if (all_) e.work[work_overlap][at] = s.overlap[k];
        // Without a force no friction acts, except where the normal law has adhesion.
        if (was == 0.0 && is == 0.0 && !s.has_grip) continue;
        const std::uint32_t second = e.second[at];
        const auto w = static_cast<std::size_t>(of_.bodies.wall_of(second)->wall);
        const double mean = 0.5 * (std::max(was, 0.0) + std::max(is, 0.0));
        if (mean > 0.0) rubbing[w] += mean * slip_on_wall(e, at, k, step, s);
        if (!all_) continue;
        if (e.work[work_push] != nullptr)
            add_work_on_wall(e, at, s.rows[k], per_step * loads.moved(w), step);
        if (!walls[w].turns) continue;
        const Vec3 arm = of_.bodies.position(second) - walls[w].centre;
        const Wall& wall = of_.packing.walls[w];
        const double torque = dot(cross(arm, triple(s.rows[k])), wall.direction());
        double& before = e.work[work_on_wall][at];
        e.work[work_given][at] -= 0.5 * (before + torque) * (wall.angular_velocity * step);
        before = torque;
    }
}

double ContactWorks::slip_on_wall(const Entries& e, std::size_t at, std::size_t k, double step,
                                  const Scratch& s) const {
    const auto length = [](const Vec3& v) { return std::sqrt(dot(v, v)); };
    if (e.sliding[0] != nullptr)
        return step * length({s.slip_velocity[0][k], s.slip_velocity[1][k], s.slip_velocity[2][k]});
    const double* const a = of_.bodies.half(e.first[at]);
    const double* const c = of_.bodies.half(e.second[at]);
    const Vec3 branch{s.branch[0][k], s.branch[1][k], s.branch[2][k]};
    const double inverse = s.inverse_distance[k];
    return length(slip_of<double>({.branch = branch,
                                   .normal = branch * inverse,
                                   .inverse_distance = inverse,
                                   .overlap = 0.0},
                                  {triple(c) - triple(a), triple(a + 4)},
                                  of_.bodies.inverse_radius(e.first[at]), step, 0.0)
                      .slip);
}

LineForce ContactWorks::last_force(std::size_t entry) const {
    const ContactMemory& memory = of_.contacts.memory;
    const std::uint32_t first = of_.contacts.entries.first[entry],
                        second = of_.contacts.entries.second[entry];
    if (!memory.keeps_work(work_push) || of_.bodies.wall_of(second) != nullptr)
        return {memory.work_triple(work_force, entry), memory.work_triple(work_lever, entry)};
    const Vec3 branch = of_.contacts.geometry(entry).branch;
    const Vec3 tangential = memory.slides() ? memory.sliding(entry).vector : Vec3{};
    const double radii = of_.bodies.radius(first) + of_.bodies.radius(second);
    return {memory.work(work_push, entry) * branch + tangential,
            (1.0 / radii) * cross(tangential, branch)};
}

template <class ChangeOf>
double ContactWorks::work_of_change(std::size_t entry, ChangeOf change) const {
    const std::uint32_t first = of_.contacts.entries.first[entry],
                        second = of_.contacts.entries.second[entry];
    const LineChange a = change(first);
    LineChange c{};
    if (of_.bodies.wall_of(second) == nullptr) c = change(of_.bodies.particle_of(second));
    const LineForce last = last_force(entry);
    double power = dot(last.force, c.velocity - a.velocity) + dot(last.lever, a.rim + c.rim);
    if (of_.bodies.needs().rolling)
        power += dot(
            of_.contacts.memory.work_triple(work_torque, entry),
            of_.bodies.inverse_radius(second) * c.rim - of_.bodies.inverse_radius(first) * a.rim);
    return 0.5 * of_.time_step * power;
}

double ContactWorks::half_work(std::size_t entry) const {
    return work_of_change(entry, [&](std::size_t i) {
        return LineChange{of_.bodies.velocity_change(i), of_.bodies.rim_change(i)};
    });
}

void ContactWorks::add_given(std::size_t entry, double more) {
    of_.contacts.memory.set_work(work_given, entry,
                                 of_.contacts.memory.work(work_given, entry) + more);
}

void ContactWorks::settle(bool settled) {
    if (!all_ || settled_ == settled) return;
    of_.bodies.exchange_changes();
    const std::span<const std::uint32_t> home = of_.contacts.home();
#pragma omp parallel for num_threads(of_.threads) if (of_.threads > 1)
    for (std::size_t p = 0; p < home.size(); ++p)
        add_given(home[p], (settled ? -1.0 : 1.0) * half_work(home[p]));
    settled_ = settled;
}

void ContactWorks::add_kicks(const std::vector<Vec3>& change) {
    const std::span<const std::uint32_t> home = of_.contacts.home();
#pragma omp parallel for num_threads(of_.threads) if (of_.threads > 1)
    for (std::size_t p = 0; p < home.size(); ++p) {
        const auto of_body = [&](std::size_t i) { return LineChange{change[i], {}}; };
        add_given(home[p], -work_of_change(home[p], of_body));
    }
}

void ContactWorks::start() {
    begin_blocks();
    const std::span<const std::uint32_t> home = of_.contacts.home();
    for (std::size_t p = 0; all_ && p < home.size(); ++p)
        of_.contacts.memory.set_sums(home[p], {.given = of_.contacts.normal_energy(home[p])});
}

void ContactWorks::close(std::span<const OldPair> old, const EntriesBefore& before,
                         const ContactMemory& memory) {
    std::size_t entries = 0;
    for (const OldPair& pair : old)
        entries = std::max(entries, pair.entry + std::size_t{1});
    std::vector<char> goes_on(entries, 0);
    for (const std::uint32_t entry : before.from) {
        if (entry != no_pair) goes_on[entry] = 1;
    }
    std::vector<PairWork> closed;
    for (const OldPair& pair : old) {
        // With ranks, several know the pair.
        const PairKey& key = pair.pair.key;
        if (goes_on[pair.entry] != 0 || !of_.bodies.owns(key.first)) continue;
        const ContactSums sums = memory.sums(pair.entry);
        if (sums.any()) closed.push_back({key, sums});
    }
    close(std::move(closed));
}

void ContactWorks::release(std::size_t e, const ContactEnergy& energy) {
    ContactSums sums = of_.contacts.memory.sums(e);
    sums.given -= energy.normal + energy.tangential();
    sums.sliding -= energy.sliding;
    sums.rolling -= energy.rolling;
    sums.twisting -= energy.twisting;
    of_.contacts.memory.set_sums(e, sums);
}

void ContactWorks::pass_energy(std::uint32_t from, std::uint32_t to) {
    // Rolling and twisting divide along the normal of now, not of the last step.
    const ContactEnergy energy =
        of_.contacts.energy(from, of_.contacts.memory.work(work_overlap, from));
    if (energy.empty()) return;
    release(from, energy);
    release(to, -energy);
}

std::vector<ContactDissipation> ContactWorks::dissipation(bool conservative) const {
    if (!all_) return {};
    of_.bodies.exchange_changes();
    const std::span<const std::uint32_t> home = of_.contacts.home();
    // The pairs of the list in the order of one process.
    std::vector<ListedDissipation> listed;
    for (std::size_t p = 0; p < home.size(); ++p) {
        const std::uint32_t e = home[p];
        ContactAccount account;
        static_cast<ContactSums&>(account) = of_.contacts.memory.sums(e);
        const Vec3 force = last_force(e).force;
        if (!account.any() && dot(force, force) == 0.0) continue;
        if (!settled_) account.given -= half_work(e);
        const PairKey key = of_.contacts.numbered_key(e).key;
        listed.push_back(
            {static_cast<double>(of_.sums.pair_number(p)),
             {key.first, second_of(key),
              account.dissipated(of_.contacts.energy(e, of_.contacts.geometry(e).overlap), 0.0)}});
    }
    return with_closed(std::move(listed), conservative);
}

}  // namespace beadwave::packing
