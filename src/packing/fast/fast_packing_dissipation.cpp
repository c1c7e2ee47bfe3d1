// What each contact dissipates, in the fast engine: contact_works.hpp says how. The vector code
// sums over the steps. A pair that belongs to two blocks counts in the block of its first particle.

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace beadwave::packing {

std::pair<std::size_t, std::size_t> FastPackingEngine::walls_among(const Entries& e,
                                                                   std::size_t from,
                                                                   std::size_t count) const {
    std::size_t end = count;
    while (end > 0 && e.second[from + end - 1] == bodies_.dummy())
        --end;
    std::size_t begin = end;  // walls are last
    while (begin > 0 && bodies_.wall_of(e.second[from + begin - 1]) != nullptr)
        --begin;
    return {begin, end};
}

void FastPackingEngine::prepare_works(const Entries& e, std::size_t from, std::size_t count,
                                      double step, Scratch& s) {
    if (!(step > 0.0)) return;  // no way counts
    const auto [first_wall, end] = walls_among(e, from, count);
    for (std::size_t k = first_wall; k < end; ++k) {
        // What turns has a torque, work_on_walls().
        const auto w = static_cast<std::size_t>(bodies_.wall_of(e.second[from + k])->wall);
        const Vec3 way = (1.0 / step) * loads_.moved(w) - triple(bodies_.half(e.first[from + k]));
        s.way[0][k] = way.x;
        s.way[1][k] = way.y;
        s.way[2][k] = way.z;
    }
    if (packing_.elements.motions.empty()) return;
    for (std::size_t k = 0; k < end; ++k) {
        if (e.to_first[from + k] == sum_lines_.discard()) continue;
        const std::size_t entry = e.number + from + k;
        add_given(entry, -work_of_change(entry, [&](std::size_t i) {
                      const std::uint32_t carrier = elements_.carrier_of(bodies_.id(i));
                      return carrier != ElementStepper::none ? bend_[bodies_.side()][carrier]
                                                             : Change{};
                  }));
    }
}

void FastPackingEngine::work_on_walls(std::size_t b, const Entries& e, std::size_t from,
                                      std::size_t count, double step, const Scratch& s) {
    const auto [first_wall, end] = walls_among(e, from, count);
    for (std::size_t k = first_wall; k < end; ++k) {
        const std::size_t entry = e.number + from + k;
        const std::uint32_t second = e.second[from + k];
        const auto w = static_cast<std::size_t>(bodies_.wall_of(second)->wall);
        works_->rubbing_of_block(b - share_.first_block())[w] += rubbed(entry, k, step, s);
        contacts_.memory.set_work(work_pressing, entry, s.normal_force[k]);
        contacts_.memory.set_work(work_overlap, entry, s.overlap[k]);
        if (!keeps_accounts() || !wall_step_[w].turns) continue;
        const Vec3 arm = bodies_.position(second) - wall_step_[w].centre;
        const Wall& wall = packing_.walls[w];
        const double torque = dot(cross(arm, triple(s.rows[k])), wall.direction());
        add_given(entry, -0.5 * (contacts_.memory.work(work_on_wall, entry) + torque) *
                             (wall.angular_velocity * step));
        contacts_.memory.set_work(work_on_wall, entry, torque);
    }
}

double FastPackingEngine::rubbed(std::size_t entry, std::size_t k, double step,
                                 const Scratch& s) const {
    const double pressing = 0.5 * (std::max(contacts_.memory.work(work_pressing, entry), 0.0) +
                                   std::max(s.normal_force[k], 0.0));
    if (pressing == 0.0) return 0.0;
    const std::uint32_t first = contacts_.entries.first[entry],
                        second = contacts_.entries.second[entry];
    const double* const a = bodies_.half(first);
    const double* const c = bodies_.half(second);
    const Vec3 branch{s.branch[0][k], s.branch[1][k], s.branch[2][k]};
    const double inverse = s.inverse_distance[k];
    const PairSlip<double> slip = slip_of<double>(
        {.branch = branch, .normal = branch * inverse, .inverse_distance = inverse, .overlap = 0.0},
        {triple(c) - triple(a), triple(a + 4)}, bodies_.inverse_radius(first), step, 0.0);
    return pressing * std::sqrt(dot(slip.slip, slip.slip));
}

template <class ChangeOf>
double FastPackingEngine::work_of_change(std::size_t entry, ChangeOf change) const {
    const std::uint32_t first = contacts_.entries.first[entry],
                        second = contacts_.entries.second[entry];
    const Change a = change(first);
    Change c{};
    if (bodies_.wall_of(second) == nullptr)
        c = change(second < bodies_.held() ? second : bodies_.ghosts[second - bodies_.held()].of);
    double power = dot(contacts_.memory.work_triple(work_force, entry), c.velocity - a.velocity) +
                   dot(contacts_.memory.work_triple(work_lever, entry), a.rim + c.rim);
    if (rolls_)
        power +=
            dot(contacts_.memory.work_triple(work_torque, entry),
                bodies_.inverse_radius(second) * c.rim - bodies_.inverse_radius(first) * a.rim);
    return 0.5 * dt_ * power;
}

double FastPackingEngine::half_work(std::size_t entry) const {
    return work_of_change(entry, [&](std::size_t i) {
        return Change{bodies_.velocity_change(i), bodies_.rim_change(i)};
    });
}

void FastPackingEngine::add_given(std::size_t entry, double more) {
    contacts_.memory.set_work(work_given, entry, contacts_.memory.work(work_given, entry) + more);
}

void FastPackingEngine::settle_works(bool settled) {
    if (!keeps_accounts() || works_->settled == settled) return;
    bodies_.exchange_changes();
    const std::span<const std::uint32_t> home = contacts_.home();
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t p = 0; p < home.size(); ++p)
        add_given(home[p], (settled ? -1.0 : 1.0) * half_work(home[p]));
    works_->settled = settled;
}

void FastPackingEngine::add_work_of_kicks(const std::vector<Vec3>& change) {
    const std::span<const std::uint32_t> home = contacts_.home();
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t p = 0; p < home.size(); ++p) {
        const auto of_body = [&](std::size_t i) { return Change{change[i], {}}; };
        add_given(home[p], -work_of_change(home[p], of_body));
    }
}

void FastPackingEngine::start_works() {
    works_->begin_blocks(share_.own_blocks());
    const std::span<const std::uint32_t> home = contacts_.home();
    for (std::size_t p = 0; keeps_accounts() && p < home.size(); ++p)
        contacts_.memory.set_sums(home[p], {.given = contacts_.normal_energy(home[p])});
}

void FastPackingEngine::close_works(const std::array<std::span<const OldPair>, 2>& old,
                                    std::span<const char> goes_on, const ContactMemory& memory) {
    std::vector<PairWork> closed;
    for (const std::span<const OldPair> part : old) {
        for (const OldPair& pair : part) {
            // With ranks, several know the pair.
            const PairKey& key = pair.pair.key;
            if (goes_on[pair.entry] != 0 || !bodies_.owns(key.first)) continue;
            const ContactSums sums = memory.sums(pair.entry);
            if (sums.any()) closed.push_back({key, sums});
        }
    }
    works_->close(std::move(closed), share_);
}

void FastPackingEngine::release_work(std::size_t e, const ContactEnergy& energy) {
    ContactSums sums = contacts_.memory.sums(e);
    sums.given -= energy.normal + energy.tangential();
    sums.sliding -= energy.sliding;
    sums.rolling -= energy.rolling;
    sums.twisting -= energy.twisting;
    contacts_.memory.set_sums(e, sums);
}

void FastPackingEngine::pass_energy(std::uint32_t from, std::uint32_t to) {
    // Rolling and twisting divide along the normal of now, not of the last step.
    const ContactEnergy energy = contacts_.energy(from, contacts_.memory.work(work_overlap, from));
    if (energy.empty()) return;
    release_work(from, energy);
    release_work(to, -energy);
}

std::vector<ContactDissipation> FastPackingEngine::dissipation() const {
    if (!keeps_accounts()) return {};
    bodies_.exchange_changes();
    const std::span<const std::uint32_t> home = contacts_.home();
    // In the order of one process.
    std::vector<ListedDissipation> listed;
    for (std::size_t p = 0; p < home.size(); ++p) {
        const std::uint32_t e = home[p];
        ContactAccount account;
        static_cast<ContactSums&>(account) = contacts_.memory.sums(e);
        const Vec3 force = contacts_.memory.work_triple(work_force, e);
        if (!account.any() && dot(force, force) == 0.0) continue;
        if (!works_->settled) account.given -= half_work(e);
        const PairKey key = contacts_.numbered_key(e).key;
        listed.push_back(
            {static_cast<double>(sums_.pair_number(p)),
             {key.first, works_->second_of(key),
              account.dissipated(contacts_.energy(e, contacts_.geometry(e).overlap), 0.0)}});
    }
    return works_->dissipation(std::move(listed), share_, traits_.conservative);
}

}  // namespace beadwave::packing
