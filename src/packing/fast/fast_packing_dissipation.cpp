// What each contact dissipates, in the fast engine: contact_works.hpp says how. A pair that belongs
// to two blocks has its work in the block of its first particle.

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::packing {

void FastPackingEngine::work_of_batch(std::size_t b, const Entries& e, std::size_t from,
                                      std::size_t count, double step, const Scratch& s) {
    if (!works_->of_all()) {  // walls are last
        std::size_t end = count;
        while (end > 0 && e.second[from + end - 1] == dummy())
            --end;
        if (end == 0 || wall_of(e.second[from + end - 1]) == nullptr) return;
    }
    static_assert(batch <= 1U << 8U);
    std::array<std::uint8_t, batch> takes, number;
    const std::uint16_t* const to_first = e.to_first + from;
    const std::size_t discard = sum_lines_.discard(), at = e.number + from;
    for (std::size_t k = 0; k < count; ++k) {
        const bool touches = s.overlap[k] > 0.0, acts = s.normal_force[k] != 0.0,
                   acted = works_->acts(at + k), here = to_first[k] != discard;
        takes[k] = static_cast<std::uint8_t>((touches | acts | acted) & here);
    }
    std::size_t found = 0;
    for (std::size_t k = 0; k < count; ++k) {
        number[found] = static_cast<std::uint8_t>(k);
        found += takes[k];
    }
    constexpr std::size_t ahead = 6;
    for (std::size_t j = 0; j < found; ++j) {
        const std::size_t k = number[j], entry = at + k;
        if (j + ahead < found) works_->fetch(b, at + number[j + ahead]);
        const bool wall = wall_of(entries_.second[entry]) != nullptr;
        if (!wall && !works_->of_all()) continue;
        ContactWork& work = works_->of(b, entry);
        if (wall) rub(b, work, k, step, s);
        if (works_->of_all()) work_of_pair(work, entry, k, step, s);
        work.normal_force = s.normal_force[k];
        work.overlap = s.overlap[k];
        works_->mark(work);
    }
}

void FastPackingEngine::work_of_pair(ContactWork& work, std::size_t entry, std::size_t k,
                                     double step, const Scratch& s) {
    const std::uint32_t first = entries_.first[entry], second = entries_.second[entry];
    const double* const a = half_[now_].data() + line * first;
    const double* const c = half_[now_].data() + line * second;
    const Vec3 force = triple(s.rows[k]);
    const Vec3 lever = slides_ ? triple(s.rows[k] + 4) : Vec3{};
    const Ghost* const wall = wall_of(second);
    // Twice what the forces, before and now, give to the particles in the step.
    double both = 0.0;
    Vec3 way = step * (triple(c) - triple(a)), rim = step * (triple(a + 4) + triple(c + 4));
    if (wall != nullptr) {
        const auto w = static_cast<std::size_t>(wall->wall);
        way = (step > 0.0 ? loads_.moved(w) : Vec3{}) - step * triple(a);
        rim = step * triple(a + 4);
    }
    both += dot(work.force + force, way) + dot(work.lever + lever, rim);
    Vec3 torque{};
    if (rolls_) {
        torque = {s.rolling[0][k], s.rolling[1][k], s.rolling[2][k]};
        Vec3 turn = -step * place(first)[7] * triple(a + 4);
        if (wall == nullptr) turn += step * place(second)[7] * triple(c + 4);
        both += dot(work.torque + torque, turn);
    }
    if (wall != nullptr && wall_step_[static_cast<std::size_t>(wall->wall)].turns) {
        const auto w = static_cast<std::size_t>(wall->wall);
        const Vec3 arm = triple(place(second) + 4) + triple(place(second)) - wall_step_[w].centre;
        const double on_wall = dot(cross(arm, force) + torque, packing_.walls[w].direction());
        both += (work.wall_torque + on_wall) * (packing_.walls[w].angular_velocity * step);
        work.wall_torque = on_wall;
    }
    work.given -= 0.5 * both;
    if (elements_.any() && step > 0.0) {
        work.given -= work_of_change(work, [&](std::size_t i) {
            const std::uint32_t carrier = elements_.carrier_of(id_[i]);
            return carrier != ElementStepper::none ? bend_[now_][carrier] : Change{};
        });
    }
    const double tangential = slides_ || rolls_ ? s.work[k] : 0.0;
    const double rolling = rolls_ ? s.rolling[3][k] : 0.0,
                 twisting = rolls_ ? s.rolling[4][k] : 0.0;
    work.sliding += tangential - rolling;
    work.rolling += rolling - twisting;
    work.twisting += twisting;
    work.force = force;
    work.lever = lever;
    work.torque = torque;
}

void FastPackingEngine::rub(std::size_t b, const ContactWork& work, std::size_t k, double step,
                            const Scratch& s) {
    const std::uint32_t first = entries_.first[work.entry], second = entries_.second[work.entry];
    const double* const a = half_[now_].data() + line * first;
    const double* const c = half_[now_].data() + line * second;
    const Vec3 branch{s.branch[0][k], s.branch[1][k], s.branch[2][k]};
    const double inverse = s.inverse_distance[k];
    const PairSlip<double> slip = slip_of<double>(
        {.branch = branch, .normal = branch * inverse, .inverse_distance = inverse, .overlap = 0.0},
        {triple(c) - triple(a), triple(a + 4)}, place(first)[7], step, 0.0);
    const double pressing =
        0.5 * (std::max(work.normal_force, 0.0) + std::max(s.normal_force[k], 0.0));
    works_->rubbing_of_block(b)[wall_of(second)->wall] +=
        pressing * std::sqrt(dot(slip.slip, slip.slip));
}

template <class ChangeOf>
double FastPackingEngine::work_of_change(const ContactWork& work, ChangeOf change) const {
    const std::uint32_t first = entries_.first[work.entry], second = entries_.second[work.entry];
    const Change a = change(first);
    Change c{};
    if (wall_of(second) == nullptr) c = change(second < n_ ? second : list_.ghosts[second - n_].of);
    double power = dot(work.force, c.velocity - a.velocity) + dot(work.lever, a.rim + c.rim);
    if (rolls_) power += dot(work.torque, place(second)[7] * c.rim - place(first)[7] * a.rim);
    return 0.5 * dt_ * power;
}

double FastPackingEngine::half_work(const ContactWork& work) const {
    return work_of_change(work, [&](std::size_t i) {
        return Change{triple(velocity_change(i)), triple(velocity_change(i) + 4)};
    });
}

void FastPackingEngine::settle_works() {
    if (!keeps_accounts() || works_->settled) return;
    works_->each(threads_, [&](ContactWork& work) { work.given -= half_work(work); });
    works_->settled = true;
}

void FastPackingEngine::unsettle_works() {
    if (!keeps_accounts() || !works_->settled) return;
    works_->each(threads_, [&](ContactWork& work) { work.given += half_work(work); });
    works_->settled = false;
}

void FastPackingEngine::add_work_of_kicks(const std::vector<Vec3>& change) {
    works_->each(threads_, [&](ContactWork& work) {
        work.given -= work_of_change(work, [&](std::size_t i) { return Change{change[i], {}}; });
    });
}

std::uint32_t FastPackingEngine::account_of(ContactAccounts<ContactAccount>& accounts,
                                            const ContactWork& work) const {
    if (work.account != 0) return work.account;
    const PairKey key = oriented_key(key_of_entry(work.entry), id_).key;
    return accounts.of(key.first, key.wall >= 0 ? static_cast<std::uint32_t>(particles()) +
                                                      static_cast<std::uint32_t>(key.wall)
                                                : key.second);
}

void FastPackingEngine::start_works() {
    works_->each(1, [&](ContactWork& work) {
        static_cast<ContactSums&>(work) = {};
        if (!works_->of_all()) return;
        work.account = account_of(works_->accounts, work);
        works_->accounts[work.account].initial += normal_energy(work.entry);
    });
    std::ranges::fill(works_->rubbing, 0.0);
}

std::vector<ContactWork> FastPackingEngine::close_works(std::vector<std::uint32_t>& number) {
    if (works_->of_all()) {
        works_->each(1, [&](ContactWork& work) {
            work.account = account_of(works_->accounts, work);
            works_->accounts[work.account].add(work);
            static_cast<ContactSums&>(work) = {};
        });
    }
    return works_->take(number);
}

void FastPackingEngine::adopt_works(const std::vector<ContactWork>& old,
                                    const std::vector<std::uint32_t>& was) {
#pragma omp parallel for num_threads(threads_) schedule(dynamic) if (threads_ > 1)
    for (std::size_t b = 0; b < blocks(); ++b) {
        for (std::size_t e = entries_.begin(b); e < entries_.end(b); ++e) {
            if (was[e] == 0 || entries_.to_first[e] == sum_lines_.discard()) continue;
            ContactWork& work = works_->of(b, e);
            work = old[(was[e] & ~flipped) - 1];
            work.entry = static_cast<std::uint32_t>(e);
            if ((was[e] & flipped) != 0) {
                work.force = -work.force;
                work.torque = -work.torque;
            }
            works_->mark(work);
        }
    }
}

ContactEnergy FastPackingEngine::energy_of(std::size_t e, double overlap) const {
    MemoryOfLaws memory{.normal = memory_.normal(e)};
    if (slides_) memory.sliding = memory_.sliding(e);
    if (rolls_) memory.rolling = memory_.rolling(e);
    return contact_energy(laws_.law(entries_.kind[e]), overlap, memory, geometry_of(e).branch);
}

void FastPackingEngine::release_work(std::size_t e) {
    ContactWork* const work = works_->find(share_.block_of(entries_.first[e]), e);
    if (work == nullptr || !works_->of_all()) return;
    work->account = account_of(works_->accounts, *work);
    works_->accounts[work->account].release(energy_of(e, geometry_of(e).overlap));
}

void FastPackingEngine::pass_energy(std::uint32_t from, std::uint32_t to) {
    const auto block = [&](std::uint32_t e) { return share_.block_of(entries_.first[e]); };
    ContactWork* const giver = works_->find(block(from), from);
    if (giver == nullptr || !works_->of_all()) return;
    // Rolling and twisting divide along the normal of now, not of the last step.
    const ContactEnergy energy = energy_of(from, giver->overlap);
    if (energy.empty()) return;
    giver->account = account_of(works_->accounts, *giver);
    const std::uint32_t number = giver->account;
    ContactWork& taker = works_->of(block(to), to);
    taker.account = account_of(works_->accounts, taker);
    if (taker.account == number) return;
    works_->accounts[number].release(energy);
    works_->accounts[taker.account].release(-energy);
}

std::vector<std::uint32_t> FastPackingEngine::block_of_entries() const {
    std::vector<std::uint32_t> block(entries_.count(), std::numeric_limits<std::uint32_t>::max());
    for (std::size_t b = 0; b < blocks(); ++b) {
        for (std::size_t e = entries_.begin(b); e < entries_.end(b); ++e) {
            if (entries_.to_first[e] != sum_lines_.discard())
                block[e] = static_cast<std::uint32_t>(b);
        }
    }
    return block;
}

std::vector<ContactDissipation> FastPackingEngine::dissipation() const {
    std::vector<ContactDissipation> all;
    if (!keeps_accounts()) return all;
    ContactAccounts<ContactAccount> accounts = works_->accounts;
    std::vector<ContactEnergy> stored(accounts.all().size());
    for (std::size_t b = 0; b < works_->blocks(); ++b) {
        for (const ContactWork& work : works_->of_block(b)) {
            const std::uint32_t number = account_of(accounts, work);
            stored.resize(accounts.all().size());
            stored[number - 1].add(energy_of(work.entry, geometry_of(work.entry).overlap));
            accounts[number].add(work);
            if (!works_->settled) accounts[number].given -= half_work(work);
        }
    }
    for (std::size_t k = 0; k < stored.size(); ++k) {
        const ContactAccount& account = accounts.all()[k];
        DissipationParts parts = account.dissipated(stored[k], 0.0);
        if (traits_.conservative) parts.normal = 0.0;
        all.push_back({account.first, account.second, parts});
    }
    std::ranges::sort(
        all, {}, [](const ContactDissipation& each) { return std::pair(each.first, each.second); });
    return all;
}

}  // namespace beadwave::packing
