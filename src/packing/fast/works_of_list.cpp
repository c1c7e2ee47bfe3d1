// What the contacts of the list have done. The vector code sums over the steps. A pair that belongs
// to two blocks counts in the block of its first particle.

#include "contact_works.hpp"
#include "packing/pair_kinematics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace beadwave::packing {

ContactWorks::ContactWorks(bool all, const WorkingContacts& of)
    : all_(all), of_(of), rubbing_(of.packing.walls.size()) {
    for (std::vector<LineChange>& side : bend_)
        side.resize(of.elements.carriers());
}

std::pair<std::size_t, std::size_t> ContactWorks::walls_among(const Entries& e, std::size_t from,
                                                              std::size_t count) const {
    std::size_t end = count;
    while (end > 0 && e.second[from + end - 1] == of_.bodies.dummy())
        --end;
    std::size_t begin = end;  // walls are last
    while (begin > 0 && of_.bodies.wall_of(e.second[from + begin - 1]) != nullptr)
        --begin;
    return {begin, end};
}

void ContactWorks::prepare(const Entries& e, std::size_t from, std::size_t count, double step,
                           const WallLoads& loads, Scratch& s) {
    if (!(step > 0.0)) return;  // no way counts
    const auto [first_wall, end] = walls_among(e, from, count);
    for (std::size_t k = first_wall; k < end; ++k) {
        // A wall that turns has a torque, see work_on_walls().
        const auto w = static_cast<std::size_t>(of_.bodies.wall_of(e.second[from + k])->wall);
        const Vec3 way = (1.0 / step) * loads.moved(w) - triple(of_.bodies.half(e.first[from + k]));
        s.way[0][k] = way.x;
        s.way[1][k] = way.y;
        s.way[2][k] = way.z;
    }
    if (of_.packing.elements.motions.empty()) return;
    for (std::size_t k = 0; k < end; ++k) {
        if (e.to_first[from + k] == of_.discard) continue;
        const std::size_t entry = e.number + from + k;
        add_given(entry, -work_of_change(entry, [&](std::size_t i) {
                      const std::uint32_t carrier = of_.elements.carrier_of(of_.bodies.id(i));
                      return carrier != ElementStepper::none ? bend_[of_.bodies.side()][carrier]
                                                             : LineChange{};
                  }));
    }
}

void ContactWorks::work_on_walls(std::size_t own, const Entries& e, std::size_t from,
                                 std::size_t count, double step, std::span<const WallStep> walls,
                                 const Scratch& s) {
    const auto [first_wall, end] = walls_among(e, from, count);
    for (std::size_t k = first_wall; k < end; ++k) {
        const std::size_t entry = e.number + from + k;
        const std::uint32_t second = e.second[from + k];
        const auto w = static_cast<std::size_t>(of_.bodies.wall_of(second)->wall);
        rubbing_of_block(own)[w] += rubbed(entry, k, step, s);
        of_.contacts.memory.set_work(work_pressing, entry, s.normal_force[k]);
        of_.contacts.memory.set_work(work_overlap, entry, s.overlap[k]);
        if (!all_ || !walls[w].turns) continue;
        const Vec3 arm = of_.bodies.position(second) - walls[w].centre;
        const Wall& wall = of_.packing.walls[w];
        const double torque = dot(cross(arm, triple(s.rows[k])), wall.direction());
        add_given(entry, -0.5 * (of_.contacts.memory.work(work_on_wall, entry) + torque) *
                             (wall.angular_velocity * step));
        of_.contacts.memory.set_work(work_on_wall, entry, torque);
    }
}

double ContactWorks::rubbed(std::size_t entry, std::size_t k, double step, const Scratch& s) const {
    const double pressing = 0.5 * (std::max(of_.contacts.memory.work(work_pressing, entry), 0.0) +
                                   std::max(s.normal_force[k], 0.0));
    if (pressing == 0.0) return 0.0;
    const std::uint32_t first = of_.contacts.entries.first[entry],
                        second = of_.contacts.entries.second[entry];
    const double* const a = of_.bodies.half(first);
    const double* const c = of_.bodies.half(second);
    const Vec3 branch{s.branch[0][k], s.branch[1][k], s.branch[2][k]};
    const double inverse = s.inverse_distance[k];
    const PairSlip<double> slip = slip_of<double>(
        {.branch = branch, .normal = branch * inverse, .inverse_distance = inverse, .overlap = 0.0},
        {triple(c) - triple(a), triple(a + 4)}, of_.bodies.inverse_radius(first), step, 0.0);
    return pressing * std::sqrt(dot(slip.slip, slip.slip));
}

template <class ChangeOf>
double ContactWorks::work_of_change(std::size_t entry, ChangeOf change) const {
    const std::uint32_t first = of_.contacts.entries.first[entry],
                        second = of_.contacts.entries.second[entry];
    const LineChange a = change(first);
    LineChange c{};
    if (of_.bodies.wall_of(second) == nullptr) c = change(of_.bodies.particle_of(second));
    double power =
        dot(of_.contacts.memory.work_triple(work_force, entry), c.velocity - a.velocity) +
        dot(of_.contacts.memory.work_triple(work_lever, entry), a.rim + c.rim);
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

void ContactWorks::close(const std::array<std::span<const OldPair>, 2>& old,
                         std::span<const char> goes_on, const ContactMemory& memory) {
    std::vector<PairWork> closed;
    for (const std::span<const OldPair> part : old) {
        for (const OldPair& pair : part) {
            // With ranks, several know the pair.
            const PairKey& key = pair.pair.key;
            if (goes_on[pair.entry] != 0 || !of_.bodies.owns(key.first)) continue;
            const ContactSums sums = memory.sums(pair.entry);
            if (sums.any()) closed.push_back({key, sums});
        }
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
        const Vec3 force = of_.contacts.memory.work_triple(work_force, e);
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
