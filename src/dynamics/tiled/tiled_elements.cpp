#include "tiled_elements.hpp"

#include "simd/for_target.hpp"

namespace beadwave::dynamics {

TiledElements::TiledElements(const chain::Chain& chain, double time_step, std::size_t end,
                             std::size_t longest_row, bool conservative,
                             ElementAccounting& accounting,
                             const simd::InstructionSet& instructions)
    : table_(chain, time_step, end),
      longest_row_(longest_row),
      dissipative_(!conservative || table_.damped()),
      accounting_(accounting),
      kernel_(simd::for_target(instructions.target,
                               []<simd::Target target>() { return element_kernel<target>(); })),
      loads_(accounting.loads().size()),
      driven_(accounting.driven().size()) {}

ElementPointers TiledElements::pointers(Rows& rows, std::size_t first) const {
    const std::size_t slots = table_.slots().size();
    ElementPointers all;
    std::size_t k = 0;
    for (std::size_t slot = 0; slot < slots; ++slot, k += 3) {
        all.slots.push_back(
            {rows.extra(k) + first, rows.extra(k + 1) + first, rows.extra(k + 2) + first});
    }
    all.half_rounding = rows.extra(k++) + first;
    if (table_.bonded()) all.broken_at = rows.extra(k++) + first;
    if (table_.damped()) all.power = rows.extra(k++) + first;
    if (table_.bonded()) all.broken_energy = rows.extra(k++) + first;
    all.force = rows.extra(k) + first;
    return all;
}

void TiledElements::set_row(Work& work, Rows& rows, std::size_t at, std::size_t first,
                            std::size_t end, std::int64_t done) const {
    const auto spring = [&](const SpringColumns& columns) -> SpringRow {
        return {columns.stiffness.data() + first, columns.cubic.data() + first,
                columns.damping.data() + first};
    };
    const ElementPointers state = pointers(rows, at);
    work.resonators.clear();
    work.loads.clear();
    work.driven.clear();
    for (std::size_t k = 0; k < table_.slots().size(); ++k) {
        const ElementTable::Slot& slot = table_.slots()[k];
        const ResonatorPointers& own = state.slots[k];
        work.resonators.push_back({spring(slot.spring), slot.kick.data() + first, own.displacement,
                                   own.velocity, own.velocity_change});
    }
    work.pairs.clear();
    for (const chain::PairTable::Term& term : table_.pairs().terms()) {
        work.pairs.push_back({&term.law, term.neighbour,
                              table_.pairs().spacing(term.neighbour).data() + first,
                              term.strength.data() + first});
    }
    const bool pairs = !work.pairs.empty();
    work.row = {.cubic = table_.cubic(),
                .damped = table_.damped(),
                .uniform = table_.alike(first, end),
                .grounded = table_.grounded(),
                .single = table_.single(),
                .ground = spring(table_.ground()),
                .resonators = work.resonators,
                .bonds = nullptr,
                .loads = {},
                .driven = {},
                .pairs = work.pairs,
                .pair_force = pairs ? work.pair_force.data() + block_beads : nullptr,
                .pairs_on_bead = pairs ? work.pairs_on_bead.data() : nullptr,
                .force = state.force,
                .power = state.power,
                .half_rounding = state.half_rounding,
                .predicted = table_.damped() && rows.has_scratch() ? rows.scratch(2) : nullptr};
    if (!table_.bonded()) return;
    const BondColumns& bonds = table_.bonds();
    work.bonds = {.stiffness = bonds.stiffness.data() + first,
                  .damping = bonds.damping.data() + first,
                  .stretch = bonds.stretch.data() + first,
                  .strength = bonds.strength.data() + first,
                  .pushes = bonds.pushes.data() + first,
                  .broken_at = state.broken_at,
                  .broken_energy = state.broken_energy,
                  .elongation = work.elongation.data(),
                  .tension = work.tension.data(),
                  .steps_done = static_cast<double>(done)};
    work.row.bonds = &work.bonds;
}

void TiledElements::prepare(std::int64_t done, std::int64_t steps, Rows& state) {
    const auto count = static_cast<std::size_t>(steps);
    const auto time = [&](std::size_t k) {
        return accounting_.time(done + static_cast<std::int64_t>(k));
    };
    for (std::size_t n = 0; n < loads_.size(); ++n) {
        loads_[n].force.resize(count + 1);
        loads_[n].moved.resize(count + 1);
        const ElementAccounting::Load& load = accounting_.loads()[n];
        if (accounting_.owns(load.bead)) loads_[n].moved[0] = state.displacement()[load.bead];
        for (std::size_t k = 0; k <= count; ++k)
            loads_[n].force[k] = load.force.at(time(k));
    }
    for (std::size_t n = 0; n < driven_.size(); ++n) {
        const stepping::Drive& motion = accounting_.driven()[n].motion;
        Timed& timed = driven_[n];
        timed.displacement.resize(count + 1);
        timed.velocity.resize(count + 1);
        timed.on_contacts.resize(count + 1);
        timed.on_elements.resize(count + 1);
        const std::size_t bead = accounting_.driven()[n].bead;
        if (accounting_.owns(bead)) {
            timed.on_contacts[0] = state.force()[bead] - state.force()[bead + 1];
            timed.on_elements[0] = pointers(state).force[bead];
        }
        for (std::size_t k = 0; k <= count; ++k) {
            timed.displacement[k] = motion.displacement(time(k));
            timed.velocity[k] = motion.velocity(time(k));
        }
    }
}

void TiledElements::add_timed(Work& work, std::size_t first, std::size_t length, std::size_t begin,
                              std::size_t end) {
    const auto in_row = [&](std::size_t bead) { return bead >= first && bead < first + length; };
    const auto own = [&](std::size_t bead) { return bead >= begin && bead < end; };
    for (std::size_t n = 0; n < loads_.size(); ++n) {
        const std::size_t bead = accounting_.loads()[n].bead;
        if (!in_row(bead)) continue;
        work.loads.push_back({bead - first, loads_[n].force.data() + 1,
                              own(bead) ? loads_[n].moved.data() + 1 : nullptr});
    }
    for (std::size_t n = 0; n < driven_.size(); ++n) {
        const std::size_t bead = accounting_.driven()[n].bead;
        if (!in_row(bead)) continue;
        Timed& timed = driven_[n];
        work.driven.push_back({bead - first, timed.displacement.data() + 1,
                               timed.velocity.data() + 1,
                               own(bead) ? timed.on_contacts.data() + 1 : nullptr,
                               own(bead) ? timed.on_elements.data() + 1 : nullptr});
    }
    work.row.loads = work.loads;
    work.row.driven = work.driven;
}

void TiledElements::add_first_loads(Work& work, std::size_t first, std::size_t begin,
                                    std::size_t end) const {
    for (std::size_t n = 0; n < loads_.size(); ++n) {
        const std::size_t bead = accounting_.loads()[n].bead;
        if (bead >= begin && bead < end)
            work.loads.push_back({bead - first, loads_[n].force.data(), nullptr});
    }
    work.row.loads = work.loads;
}

void TiledElements::add_work(std::size_t begin, std::size_t end, std::int64_t steps) {
    const auto count = static_cast<std::size_t>(steps);
    const auto own = [&](std::size_t bead) { return bead >= begin && bead < end; };
    for (std::size_t n = 0; n < loads_.size(); ++n) {
        auto& load = accounting_.loads()[n];
        if (!own(load.bead)) continue;
        const Timed& timed = loads_[n];
        for (std::size_t k = 0; k < count; ++k)
            load.work.add(timed.force[k], timed.force[k + 1], timed.moved[k + 1] - timed.moved[k]);
    }
    for (std::size_t n = 0; n < driven_.size(); ++n) {
        auto& driven = accounting_.driven()[n];
        if (!own(driven.bead)) continue;
        const Timed& timed = driven_[n];
        for (std::size_t k = 0; k < count; ++k) {
            const double moved = timed.displacement[k + 1] - timed.displacement[k];
            driven.on_contacts.add(-timed.on_contacts[k], -timed.on_contacts[k + 1], moved);
            driven.on_elements.add(-timed.on_elements[k], -timed.on_elements[k + 1], moved);
        }
    }
}

}  // namespace beadwave::dynamics
