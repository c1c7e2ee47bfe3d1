#include "chain/equilibrium.hpp"

#include "beadwave/laws/force_jump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

/// Closes contacts so far that they carry what they must.
class Closer {
  public:
    Closer(const Scenario& scenario, Chain& chain, const char* key, bool hangs)
        : scenario_(scenario), chain_(chain), key_(key), hangs_(hangs), answers_(most_answers) {}

    /// Returns the force that the contact carries then, exactly.
    double close(std::size_t contact, double force) {
        if (force == 0.0) return 0.0;
        // Contacts of one kind often carry the same force.
        const std::size_t kind = chain_.contacts.kind(contact);
        Answer& answer = answers_[kind % most_answers];
        if (answer.kind != kind || answer.force != force) answer = solve(contact, kind, force);
        refuse_crushed(contact, force, answer.overlap);
        chain_.gap[contact] = -answer.overlap;
        return answer.exact_force;
    }

  private:
    /// Far beyond what any law means.
    void refuse_crushed(std::size_t contact, double force, double overlap) const {
        const std::size_t n = chain_.beads();
        const double left = contact > 0 ? chain_.radius[contact - 1] : chain_.radius[0];
        const double right = contact < n ? chain_.radius[contact] : chain_.radius[n - 1];
        if (overlap <= std::min(left, right)) return;
        scenario_.origin.fail(
            key_, fmt::format("presses contact {} by {:.3g} m with {:.3g} N, more than a bead's "
                              "radius; expected a far smaller force",
                              contact, overlap, force));
    }

    static constexpr std::size_t most_answers = 1024;
    struct Answer {
        std::size_t kind = 0;
        double force = 0.0;  ///< asked for
        double overlap = 0.0, exact_force = 0.0;
    };

    Answer solve(std::size_t contact, std::size_t kind, double force) const {
        const laws::AnyLaw law = chain_.contacts.law(kind);
        const double overlap = laws::overlap_at_force(law, force);
        if (!std::isfinite(overlap)) refuse_force(scenario_, law, contact, force, key_, hangs_);
        const double exact = std::visit(
            [&](const auto& l) {
                const auto loaded = l.respond(overlap, 0.0, {}).memory;
                return l.respond(overlap, 0.0, loaded).force;
            },
            law);
        return {.kind = kind, .force = force, .overlap = overlap, .exact_force = exact};
    }

    const Scenario& scenario_;
    Chain& chain_;
    const char* key_;
    bool hangs_;
    std::vector<Answer> answers_;
};

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
    Closer closer(scenario, chain, key, hangs);
    if (left_wall) first_force = closer.close(range.first, carried);
    for (std::size_t bead = range.first; bead <= range.last; ++bead) {
        if (hangs && !(chain.is_fixed(bead) && bead == 0))
            carried += chain.mass[bead] * chain.gravity;
        if (bead == range.last && !right_wall) break;
        const double force = closer.close(bead + 1, carried);
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
