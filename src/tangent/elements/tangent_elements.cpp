#include "tangent/elements/tangent_elements.hpp"

#include "dynamics/elements/element_table.hpp"
#include "simd/for_target.hpp"
#include "tangent/weighted_drives.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::dynamics {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

}  // namespace

template <class Member>
DualColumn TangentElements::dual(const Member& member, double beyond) const {
    DualColumn column(stride_);
    std::fill_n(column.data(), stride_, beyond);
    for (std::size_t part = 0; part < numbers_.size(); ++part) {
        const std::vector<double>& from = member(*numbers_[part]);
        for (std::size_t i = 0; i < from.size(); ++i)
            column(i, part) = from[i];
    }
    return column;
}

TangentElements::Springs TangentElements::springs(const auto& member) const {
    using Column = const std::vector<double>&;
    return {dual([&](const ElementColumns& c) -> Column { return member(c).stiffness; }),
            dual([&](const ElementColumns& c) -> Column { return member(c).cubic; }),
            dual([&](const ElementColumns& c) -> Column { return member(c).damping; })};
}

TangentElements::TangentElements(const chain::Chain& chain, double time_step, std::size_t stride,
                                 const ChainNumbers& own, std::span<const ChainNumbers> changes,
                                 bool uses_speed, const simd::InstructionSet& instructions)
    : time_step_(time_step),
      beads_(chain.beads()),
      stride_(stride),
      numbers_{&own.elements},
      velocities_{&own.velocity},
      kernel_(
          simd::for_target(instructions.target,
                           []<simd::Target target>() { return tangent_element_kernel<target>(); })),
      ground_{DualColumn(stride), DualColumn(stride), DualColumn(stride)},
      bond_stiffness_(stride),
      bond_damping_(stride),
      bond_stretch_(stride),
      bond_strength_(stride),
      apart_(stride),
      tension_(stride),
      pushes_(stride, 1.0),
      broken_(stride, 0.0),
      pair_force_(stride),
      pairs_on_bead_(stride),
      last_change_(stride) {
    for (const ChainNumbers& change : changes) {
        numbers_.push_back(&change.elements);
        velocities_.push_back(&change.velocity);
    }
    using Columns = const ElementColumns&;
    using Column = const std::vector<double>&;
    ground_ = springs([](Columns c) -> const ElementColumns::Springs& { return c.ground; });
    for (std::size_t k = 0; k < own.elements.slots.size(); ++k)
        add_resonators(k, chain);
    bond_stiffness_ = dual([](Columns c) -> Column { return c.bond_stiffness; });
    bond_damping_ = dual([](Columns c) -> Column { return c.bond_damping; });
    bond_stretch_ = dual([](Columns c) -> Column { return c.bond_stretch; });
    bond_strength_ = dual([](Columns c) -> Column { return c.bond_strength; });
    for (const chain::Bond& bond : chain.elements.bonds)
        pushes_[bond.contact] = bond.tension_only ? 0.0 : 1.0;
    add_pairs(chain);
    for (std::size_t k = 0; k < chain.elements.loads.size(); ++k) {
        const chain::TimedLoad& from = chain.elements.loads[k];
        Load load{from.force, from.bead, sine_of(from.force).has_value(), {}, {}, {}};
        for (std::size_t part = 0; part < numbers_.size(); ++part) {
            const std::vector<double>& number = numbers_[part]->loads[k];
            load.frequency[part] = number[0];
            load.amplitude[part] = number[1];
            load.end[part] = number[2];
        }
        loads_.push_back(load);
    }
    for (std::size_t k = 0; k < chain.elements.driven.size(); ++k) {
        Driven driven{chain.elements.driven[k].bead, {}};
        for (const ElementColumns* const columns : numbers_)
            driven.motion.push_back(columns->driven[k]);
        driven_.push_back(std::move(driven));
    }
    const ElementTable table(chain, time_step, chain.beads());
    row_.cubic = table.cubic();
    row_.damped = table.damped();
    row_.grounded = table.grounded();
    row_.single = table.single();
    // A direction may change a number that is zero itself.
    for (const ElementColumns* const columns : numbers_) {
        const auto any = [](const std::vector<double>& column) {
            return std::ranges::any_of(column, [](double x) { return x != 0.0; });
        };
        row_.ground_damped = row_.ground_damped || any(columns->ground.damping);
        row_.cubic = row_.cubic || any(columns->ground.cubic);
        row_.damped = row_.damped || row_.ground_damped || any(columns->bond_damping);
        for (const ElementColumns::Slot& slot : columns->slots) {
            row_.cubic = row_.cubic || any(slot.spring.cubic);
            row_.damped = row_.damped || any(slot.spring.damping);
        }
    }
    row_.uses_speed = uses_speed;
    set_row();
    numbers_.clear();
    velocities_.clear();
}

void TangentElements::add_resonators(std::size_t k, const chain::Chain& chain) {
    slots_.push_back({springs([k](const ElementColumns& c) -> const ElementColumns::Springs& {
                          return c.slots[k].spring;
                      }),
                      DualColumn(stride_), DualColumn(stride_), DualColumn(stride_),
                      DualColumn(stride_)});
    Slot& slot = slots_.back();
    const std::vector<double>& mass = numbers_.front()->slots[k].mass;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (!(mass[i] > 0.0)) continue;
        const double kick = 0.5 * time_step_ * (1.0 / mass[i]);
        for (std::size_t part = 0; part < numbers_.size(); ++part) {
            slot.kick(i, part) =
                part == 0 ? kick : -kick / mass[i] * numbers_[part]->slots[k].mass[i];
            slot.half(i, part) = (*velocities_[part])[i];
        }
    }
}

void TangentElements::add_pairs(const chain::Chain& chain) {
    const ElementColumns& own = *numbers_.front();
    for (std::size_t k = 0; k < own.spacing.size(); ++k) {
        spacing_.push_back(dual(
            [k](const ElementColumns& c) -> const std::vector<double>& { return c.spacing[k]; },
            1.0));
    }
    if (own.pairs.empty()) return;
    std::size_t k = 0;
    for (const chain::PairForce& force : chain.elements.pair_forces) {
        for (std::size_t neighbour = 1; neighbour <= force.neighbours; ++neighbour, ++k) {
            Pairs pairs{force.law,
                        {},
                        {},
                        {},
                        neighbour,
                        dual([k](const ElementColumns& c) -> const std::vector<double>& {
                            return c.pairs[k].strength;
                        })};
            for (std::size_t part = 0; part < numbers_.size(); ++part) {
                const std::vector<double>& law = numbers_[part]->pairs[k].law;
                pairs.distance[part] = law[0];
                pairs.exponent[part] = law[1];
                pairs.range[part] = law[2];
            }
            pairs_.push_back(std::move(pairs));
        }
    }
}

void TangentElements::set_row() {
    const auto spring = [](const Springs& from) -> TangentSprings {
        return {from.stiffness.data(), from.cubic.data(), from.damping.data()};
    };
    row_.ground = spring(ground_);
    for (Slot& slot : slots_) {
        resonator_rows_.push_back({spring(slot.spring), slot.kick.data(), slot.displacement.data(),
                                   slot.half.data(), slot.velocity_change.data()});
    }
    row_.resonators = resonator_rows_;
    if (!numbers_.front()->bond_stiffness.empty()) {
        bond_row_ = {bond_stiffness_.data(), bond_damping_.data(), bond_stretch_.data(),
                     bond_strength_.data(),  pushes_.data(),       broken_.data(),
                     apart_.data(),          tension_.data()};
        row_.bonds = &bond_row_;
    }
    for (const Pairs& pairs : pairs_) {
        const double ends_at = pairs.law.range();
        TangentPairs row{.law = &pairs.law,
                         .distance = {},
                         .exponent = {},
                         .range = {},
                         .power_at_range = 0.0,
                         .neighbour = pairs.neighbour,
                         .spacing = spacing_[pairs.neighbour - 1].data(),
                         .strength = pairs.strength.data()};
        if (ends_at < laws::PairLaw::no_range)
            row.power_at_range = std::pow(pairs.law.distance() / ends_at, pairs.law.exponent());
        std::ranges::copy(pairs.distance, row.distance);
        std::ranges::copy(pairs.exponent, row.exponent);
        std::ranges::copy(pairs.range, row.range);
        pair_rows_.push_back(row);
    }
    row_.pairs = pair_rows_;
    row_.pair_force = pair_force_.data() + chain::most_neighbours;
    row_.pairs_on_bead = pairs_on_bead_.data();
    row_.last_change = last_change_.data();
    for (const Load& load : loads_)
        load_rows_.push_back({load.bead, {}});
    row_.loads = load_rows_;
}

bool TangentElements::act_through_neighbours_only() const {
    return loads_.empty() && driven_.empty() && pairs_.empty();
}

void TangentElements::set_loads(std::int64_t step) {
    const double time = static_cast<double>(step) * time_step_;
    for (std::size_t k = 0; k < loads_.size(); ++k) {
        const Load& load = loads_[k];
        DualNumber& force = load_rows_[k].force;
        force[0] = load.force.at(time);
        if (!load.is_sine || time >= load.end[0]) {
            std::fill_n(force + 1, tangent_directions, 0.0);
            continue;
        }
        const double phase = two_pi * load.frequency[0] * time;
        const double by_frequency = load.amplitude[0] * two_pi * time * std::cos(phase);
        for (std::size_t part = 1; part <= tangent_directions; ++part) {
            force[part] =
                load.amplitude[part] * std::sin(phase) + load.frequency[part] * by_frequency;
        }
    }
}

/// A load that ends with a jump: a later end gives more momentum.
void TangentElements::end_loads(const TangentRow& row, std::int64_t step) {
    const double time = static_cast<double>(step) * time_step_;
    const double before = static_cast<double>(step - 1) * time_step_;
    for (const Load& load : loads_) {
        if (!load.is_sine || time < load.end[0] || before >= load.end[0]) continue;
        const double last = load.amplitude[0] * std::sin(two_pi * load.frequency[0] * load.end[0]);
        const double by_mass = 2.0 / time_step_ * row.kick[load.bead];
        for (std::size_t part = 1; part <= tangent_directions; ++part)
            row.half[part * row.stride + load.bead] += by_mass * last * load.end[part];
    }
}

void TangentElements::init(const TangentRow& row) {
    set_loads(0);
    kernel_.init(row, row_);
}

void TangentElements::begin_step(const TangentRow& row, std::int64_t step) {
    const double time = static_cast<double>(step) * time_step_;
    for (const Driven& driven : driven_) {
        for (std::size_t part = 0; part < driven.motion.size(); ++part) {
            const std::size_t at = part * row.stride + driven.bead;
            row.displacement[at] = displacement(driven.motion[part], time);
            row.velocity_change[at] = velocity(driven.motion[part], time);
            row_.last_change[at] = row.velocity_change[at];
            row.half[at] = 0.0;
        }
    }
}

bool TangentElements::end_step(const TangentRow& row, std::int64_t step) {
    set_loads(step);
    const bool struck = kernel_.step(row, row_);
    end_loads(row, step);
    return struck;
}

bool TangentElements::finite() const {
    return std::ranges::all_of(
        slots_, [](const Slot& slot) { return slot.displacement.finite() && slot.half.finite(); });
}

}  // namespace beadwave::dynamics
