#include "tangent/elements/element_columns.hpp"

#include "dynamics/elements/element_table.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::dynamics {
namespace {

std::vector<double> copied(const simd::Column& column) {
    return {column.data(), column.data() + column.size()};
}

ElementColumns::Springs copied(const SpringColumns& columns) {
    return {copied(columns.stiffness), copied(columns.cubic), copied(columns.damping)};
}

/// Whether two lists have the same length and `same` holds for each two of them.
template <class Element, class Same>
bool alike(const std::vector<Element>& a, const std::vector<Element>& b, const Same& same) {
    return std::ranges::equal(a, b, same);
}

/// Pointers to const columns of const ones.
template <class Column, class Columns>
std::vector<Column*> all_of(Columns& of) {
    std::vector<Column*> columns;
    const auto add_springs = [&](auto& springs) {
        for (Column* const column : {&springs.stiffness, &springs.cubic, &springs.damping})
            columns.push_back(column);
    };
    add_springs(of.ground);
    for (auto& slot : of.slots) {
        add_springs(slot.spring);
        columns.push_back(&slot.mass);
    }
    for (Column* const column :
         {&of.bond_stiffness, &of.bond_damping, &of.bond_stretch, &of.bond_strength})
        columns.push_back(column);
    for (Column& column : of.spacing)
        columns.push_back(&column);
    for (auto& each : of.pairs) {
        columns.push_back(&each.strength);
        columns.push_back(&each.law);
    }
    for (Column& load : of.loads)
        columns.push_back(&load);
    return columns;
}

}  // namespace

std::optional<std::vector<double>> sine_of(const stepping::ForceSignal& force) {
    const bool oscillates = std::isfinite(force.period());
    const std::vector<double> numbers = force.numbers();
    // The numbers of a table are followed by its rows.
    if (!oscillates || numbers.size() != 4) return std::nullopt;
    return std::vector<double>(numbers.begin() + 1, numbers.end());
}

ElementColumns::ElementColumns(const chain::Chain& chain) {
    if (chain.elements.empty()) return;
    // The step only determines kicks, which are no numbers of the chain.
    const ElementTable table(chain, 1.0, chain.beads());
    ground = copied(table.ground());
    for (const ElementTable::Slot& slot : table.slots())
        slots.push_back({copied(slot.spring), copied(slot.mass)});
    if (table.bonded()) {
        bond_stiffness = copied(table.bonds().stiffness);
        bond_damping = copied(table.bonds().damping);
        bond_stretch = copied(table.bonds().stretch);
        bond_strength = copied(table.bonds().strength);
    }
    std::size_t neighbours = 0;
    for (const chain::PairTable::Term& term : table.pairs().terms()) {
        pairs.push_back(
            {copied(term.strength), {term.law.distance(), term.law.exponent(), term.law.range()}});
        neighbours = std::max(neighbours, term.neighbour);
    }
    for (std::size_t neighbour = 1; neighbour <= neighbours; ++neighbour)
        spacing.push_back(copied(table.pairs().spacing(neighbour)));
    for (const chain::TimedLoad& load : chain.elements.loads)
        loads.push_back(sine_of(load.force).value_or(Column(3)));
    for (const chain::DrivenBead& each : chain.elements.driven)
        driven.push_back({{1.0, each.motion}});
}

std::vector<ElementColumns::Column*> ElementColumns::all() {
    return all_of<Column>(*this);
}

std::vector<const ElementColumns::Column*> ElementColumns::all() const {
    return all_of<const Column>(*this);
}

std::string difference_in_elements(const chain::Elements& a, const chain::Elements& b) {
    const auto same_bead = [](const auto& x, const auto& y) { return x.bead == y.bead; };
    if (!alike(a.foundations, b.foundations, same_bead)) return "the beads with foundations vary";
    if (!alike(a.resonators, b.resonators, same_bead)) return "the beads with resonators vary";
    if (!alike(a.driven, b.driven, same_bead)) return "the driven beads vary";
    const auto same_load = [](const chain::TimedLoad& x, const chain::TimedLoad& y) {
        return x.bead == y.bead && sine_of(x.force).has_value() == sine_of(y.force).has_value();
    };
    if (!alike(a.loads, b.loads, same_load)) return "the beads with loads vary";
    const auto same_bond = [](const chain::Bond& x, const chain::Bond& y) {
        return x.contact == y.contact && x.tension_only == y.tension_only &&
               std::isfinite(x.strength) == std::isfinite(y.strength);
    };
    if (!alike(a.bonds, b.bonds, same_bond)) return "the contacts with bonds vary";
    const auto same_pairs = [](const chain::PairForce& x, const chain::PairForce& y) {
        return x.first == y.first && x.last == y.last && x.neighbours == y.neighbours &&
               x.moments.size() == y.moments.size() &&
               std::isfinite(x.law.range()) == std::isfinite(y.law.range());
    };
    if (!alike(a.pair_forces, b.pair_forces, same_pairs))
        return "the beads with forces without contact vary";
    return "";
}

}  // namespace beadwave::dynamics
