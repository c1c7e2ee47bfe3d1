#include "equilibrium.hpp"

#include "beadwave/laws/force_jump.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::chain {
namespace {

bool can_close(const Chain& chain, std::size_t contact) {
    return std::isfinite(chain.gap[contact]);
}

/// The beads that the load squeezes together: [first, last].
struct Squeezed {
    std::size_t first, last;
};

/// Everything but strikers: moving beads at either end that a gap separates from the rest.
Squeezed squeezed_beads(const Scenario& scenario, const Chain& chain, const char* key) {
    Squeezed range{0, chain.beads() - 1};
    const auto open = [&](std::size_t contact) { return chain.gap[contact] > 0.0; };
    while (range.first < range.last && open(range.first + 1) && chain.velocity[range.first] != 0.0)
        ++range.first;
    while (range.last > range.first && open(range.last) && chain.velocity[range.last] != 0.0)
        --range.last;
    for (std::size_t c = range.first + 1; c <= range.last; ++c) {
        if (open(c)) {
            scenario.origin.fail(
                key, fmt::format("the gap of {:g} m before bead {} cannot carry it; only a moving "
                                 "striker may stand off from a chain in equilibrium",
                                 chain.gap[c], c));
        }
    }
    return range;
}

/// What a person can do about a force in a jump.
std::string ways_out(const Scenario& scenario, bool hangs) {
    std::string ways = hangs ? "gravity.equilibrium = false" : "a force outside the jump";
    if (scenario.law.is("transition", "printed")) ways += " or law.transition = \"continuous\"";
    return ways;
}

[[noreturn]] void refuse_force(const Scenario& scenario, const laws::AnyLaw& law,
                               std::size_t contact, double force, const char* key, bool hangs) {
    if (const auto jump = laws::jump_over(law, force)) {
        scenario.origin.fail(
            key, fmt::format("contact {} cannot carry {:.6g} N: under {} its static force jumps "
                             "from {:.6g} N to {:.6g} N at an overlap of {:.6g} m; expected {}",
                             contact, force, scenario.law.name, jump->below, jump->above,
                             jump->overlap, ways_out(scenario, hangs)));
    }
    scenario.origin.fail(
        key, fmt::format("contact {} cannot carry {:.6g} N under this law", contact, force));
}

/// Closes the contact so far that it carries the force; returns the force it carries then, exactly.
double carry(const Scenario& scenario, Chain& chain, std::size_t contact, double force,
             const char* key, bool hangs) {
    const laws::AnyLaw law = chain.contacts.at(contact);
    // Neighbours often carry the same force by the same law: their gap is the same to the bit.
    const double overlap = laws::overlap_at_force(law, force);
    if (!std::isfinite(overlap)) refuse_force(scenario, law, contact, force, key, hangs);
    chain.gap[contact] = -overlap;
    return std::visit(
        [&](const auto& l) {
            const auto loaded = l.respond(overlap, 0.0, {}).memory;
            return l.respond(overlap, 0.0, loaded).force;
        },
        law);
}

}  // namespace

void settle(const Scenario& scenario, Chain& chain) {
    const double squeeze = scenario.precompression.value_or(0.0);
    const bool hangs = chain.gravity > 0.0 && scenario.gravity->equilibrium;
    if (squeeze == 0.0 && !hangs) return;
    const char* key = squeeze > 0.0 ? "precompression.force" : "gravity.acceleration";

    if (hangs && !chain.right_fixed && !can_close(chain, chain.beads())) {
        scenario.origin.fail(
            "gravity.acceleration",
            "pulls the chain off its free right end; expected boundary.right = \"wall\" or "
            "\"fixed\", or gravity.equilibrium = false to let it fall");
    }
    const Squeezed range = squeezed_beads(scenario, chain, key);
    const bool left_wall = range.first == 0 && can_close(chain, 0);
    const bool right_wall = range.last + 1 == chain.beads() && can_close(chain, chain.beads());

    // Force that the beads so far hand on to the next contact.
    double carried = squeeze;
    double first_force = squeeze, last_force = squeeze;
    double last_overlap_force = -1.0, last_gap = 0.0, last_exact = 0.0;
    const auto close_to = [&](std::size_t contact) {
        if (carried == 0.0) return 0.0;
        const bool same = carried == last_overlap_force && contact > range.first + 1 &&
                          contact <= range.last && chain.contacts.same(contact, contact - 1);
        if (same) {
            chain.gap[contact] = last_gap;
            return last_exact;
        }
        last_exact = carry(scenario, chain, contact, carried, key, hangs);
        last_overlap_force = carried;
        last_gap = chain.gap[contact];
        return last_exact;
    };
    if (left_wall) first_force = close_to(range.first);
    for (std::size_t bead = range.first; bead <= range.last; ++bead) {
        if (hangs && !(chain.is_fixed(bead) && bead == 0))
            carried += chain.mass[bead] * chain.gravity;
        if (bead == range.last && !right_wall) break;
        const double force = close_to(bead + 1);
        if (bead == range.first && !left_wall) first_force = force;
        last_force = force;
    }
    // Loads equal the contacts' own forces to the bit, so that an undisturbed chain stays at rest.
    if (squeeze > 0.0 && !left_wall && !chain.is_fixed(range.first)) {
        const double weight = hangs ? chain.mass[range.first] * chain.gravity : 0.0;
        chain.loads.push_back({range.first, first_force - weight});
    }
    if (squeeze > 0.0 && !right_wall && !chain.is_fixed(range.last)) {
        chain.loads.push_back({range.last, -last_force});
    }
}

}  // namespace beadwave::chain
