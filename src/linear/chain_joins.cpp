#include "linear/chain_joins.hpp"

#include "beadwave/input_error.hpp"
#include "chain/pair_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

namespace beadwave::linear {
namespace {

void add(ChainJoins& joins, std::size_t contact, double pushes) {
    joins.force[contact] += pushes;
    joins.size[contact] += std::fabs(pushes);
    joins.joined[contact] = true;
}

void add_bonds(const chain::Chain& chain, const std::string& name, ChainJoins& joins) {
    for (const chain::Bond& bond : chain.elements.bonds) {
        const std::size_t c = bond.contact;
        if (bond.tension_only && !(bond.stretch > 0.0)) {
            throw InputError(fmt::format(
                "{}: the bond of {} is for tension only and has none at the start, so it has no "
                "stiffness there; expected a bond that also pushes, or one that is stretched",
                name, name_of_contact(chain, c)));
        }
        add(joins, c, -bond.pull(0.0));
        joins.stiffness[c] += bond.stiffness;
        joins.damping[c] += bond.damping;
    }
}

void add_pairs(const chain::Chain& chain, ChainJoins& joins) {
    const chain::PairTable pairs(chain, chain.beads());
    std::map<std::pair<std::size_t, std::size_t>, double> far;
    for (const chain::PairTable::Term& term : pairs.terms()) {
        for (std::size_t i = 0; i + term.neighbour < chain.beads(); ++i) {
            if (term.strength[i] == 0.0) continue;
            const double distance = pairs.spacing(term.neighbour)[i];
            if (!(distance < term.law.range())) continue;
            const double force = term.strength[i] * term.law.force(distance),
                         stiffness = -term.strength[i] * term.law.slope(distance);
            if (term.neighbour == 1) {
                add(joins, i + 1, force);
                joins.stiffness[i + 1] += stiffness;
                continue;
            }
            const std::size_t right = i + term.neighbour;
            far[{right, i}] += stiffness;
            joins.far_force[i] -= force;
            joins.far_force[right] += force;
            for (const std::size_t bead : {i, right})
                joins.far_size[bead] += std::fabs(force);
        }
    }
    for (const auto& [beads, stiffness] : far)
        joins.far.push_back({.left = beads.second, .right = beads.first, .stiffness = stiffness});
}

}  // namespace

bool ChainJoins::empty() const {
    for (const bool each : joined)
        if (each) return false;
    return true;
}

ChainJoins joins_of(const chain::Chain& chain, const std::string& name) {
    ChainJoins joins(chain.beads());
    add_bonds(chain, name, joins);
    add_pairs(chain, joins);
    return joins;
}

std::string name_of_contact(const chain::Chain& chain, std::size_t contact) {
    if (contact == 0) return "the contact of bead 0 with the left wall";
    if (contact == chain.beads())
        return fmt::format("the contact of bead {} with the right wall", contact - 1);
    return fmt::format("the contact of beads {} and {}", contact - 1, contact);
}

}  // namespace beadwave::linear
