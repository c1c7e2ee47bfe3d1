#include "chain/equilibrium.hpp"

#include "beadwave/laws/force_jump.hpp"
#include "chain/bead_places.hpp"
#include "chain/pair_equilibrium.hpp"
#include "chain/prefix_sums.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace beadwave::chain {
namespace {

/// The beads that the load squeezes together, by number: first to last, both included.
struct Squeezed {
    std::size_t first, last;
};

/// The velocity that its segment gives a bead [m/s]; an initial state may replace it.
double velocity_of_segment(const Scenario& scenario, std::size_t bead) {
    for (const Segment& segment : scenario.segments) {
        const auto beads = static_cast<std::size_t>(segment.beads);
        if (bead < beads) {
            return segment.listed.empty()
                       ? segment.velocity
                       : segment.listed[bead].velocity.value_or(segment.velocity);
        }
        bead -= beads;
    }
    return 0.0;
}

/// All beads except strikers: beads at either end that a gap separates from the other beads and
/// that move, at the start or by their segment: an initial state may be one in which they turn.
Squeezed squeezed_beads(const Scenario& scenario, const Chain& chain, const char* key) {
    const auto open = [&](std::size_t contact) { return chain.gap[contact] > 0.0; };
    const std::size_t end = chain.total() - 1;
    // The outermost beads that are no strikers; the first is negated, because ranks take the
    // largest.
    double ends[] = {-static_cast<double>(end), -1.0};
    for (std::size_t i = chain.own_begin(); i < chain.own_end(); ++i) {
        const auto number = static_cast<double>(chain.first() + i);
        const auto moves = [&] {
            return chain.velocity[i] != 0.0 ||
                   (scenario.initial && velocity_of_segment(scenario, chain.first() + i) != 0.0);
        };
        if (!(open(i + 1) && moves())) ends[0] = std::max(ends[0], -number);
        if (!(open(i) && moves())) ends[1] = std::max(ends[1], number);
    }
    if (chain.partition) chain.partition->ranks->largest(ends);
    const auto first = static_cast<std::size_t>(-ends[0]);
    const Squeezed range{first,
                         static_cast<std::size_t>(std::max(ends[1], static_cast<double>(first)))};
    ranks::collective(chain.ranks(), [&] {
        for (std::size_t i = chain.own_begin(); i < chain.own_end(); ++i) {
            const std::size_t c = chain.first() + i;
            if (c > range.first && c <= range.last && open(i)) {
                scenario.origin.fail(
                    key, fmt::format("the gap of {:g} m before bead {} cannot carry it; in static "
                                     "equilibrium only a moving striker may have a gap",
                                     chain.gap[i], c));
            }
        }
    });
    return range;
}

/// What the user can do about a force inside a jump.
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

/// Closes contacts until they carry their loads.
class Closer {
  public:
    Closer(const Scenario& scenario, Chain& chain, const char* key, bool hangs)
        : scenario_(scenario),
          places_(scenario),
          chain_(chain),
          key_(key),
          hangs_(hangs),
          answers_(most_answers) {}

    /// Returns the exact force that the contact then carries.
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
    /// Far outside the range of any law.
    void refuse_crushed(std::size_t contact, double force, double overlap) const {
        if (overlap <= places_.most_overlap(chain_, contact)) return;
        scenario_.origin.fail(
            key_,
            fmt::format("compresses contact {} by {:.3g} m with {:.3g} N, more than a bead's "
                        "{}; expected a far smaller force",
                        chain_.first() + contact, overlap, force, places_.most_overlap_name()));
    }

    static constexpr std::size_t most_answers = 1024;
    struct Answer {
        std::size_t kind = 0;
        double force = 0.0;  ///< requested
        double overlap = 0.0, exact_force = 0.0;
    };

    Answer solve(std::size_t contact, std::size_t kind, double force) const {
        const laws::AnyLaw law = chain_.contacts.law(kind);
        const double overlap = laws::overlap_at_force(law, force);
        if (!std::isfinite(overlap))
            refuse_force(scenario_, law, chain_.first() + contact, force, key_, hangs_);
        const auto loaded = law.respond(overlap, 0.0, {}).memory;
        const double exact = law.respond(overlap, 0.0, loaded).force;
        return {.kind = kind, .force = force, .overlap = overlap, .exact_force = exact};
    }

    const Scenario& scenario_;
    BeadPlaces places_;
    Chain& chain_;
    const char* key_;
    bool hangs_;
    std::vector<Answer> answers_;
};

}  // namespace

std::optional<StaticLoads> static_loads(const Scenario& scenario, const Chain& chain) {
    const double squeeze = scenario.precompression.value_or(0.0);
    const bool hangs = chain.gravity > 0.0 && scenario.gravity->equilibrium;
    if (!chain.elements.pair_forces.empty() || (squeeze == 0.0 && !hangs)) return std::nullopt;
    const Squeezed range = squeezed_beads(scenario, chain, "precompression.force");
    const End &left = scenario.left, &right = scenario.right;
    const bool left_wall = range.first == 0 && left.is_wall();
    const bool right_wall = range.last + 1 == chain.total() && right.is_wall();
    const bool holds_first = left.kind == EndKind::fixed && range.first == 0;
    const bool holds_last = right.kind == EndKind::fixed && range.last + 1 == chain.total();
    return StaticLoads{.squeeze = squeeze,
                       .gravity = hangs ? chain.gravity : 0.0,
                       .first = range.first,
                       .last = range.last,
                       .first_contact = left_wall ? 0 : range.first + 1,
                       .last_contact = range.last + (right_wall ? 1 : 0),
                       .first_is_fixed = holds_first,
                       .loads_first = squeeze > 0.0 && !left_wall && !holds_first,
                       .loads_last = squeeze > 0.0 && !right_wall && !holds_last};
}

void solve_static_equilibrium(const Scenario& scenario, Chain& chain) {
    if (!chain.elements.pair_forces.empty()) return solve_pair_equilibrium(scenario, chain);
    const double squeeze = scenario.precompression.value_or(0.0);
    const bool hangs = chain.gravity > 0.0 && scenario.gravity->equilibrium;
    if (squeeze == 0.0 && !hangs) return;
    const char* key = squeeze > 0.0 ? "precompression.force" : "gravity.acceleration";

    const End &left = scenario.left, &right = scenario.right;
    if (hangs && right.kind != EndKind::fixed && !right.is_wall()) {
        scenario.origin.fail(
            "gravity.acceleration",
            "pulls the chain off its free right end; expected boundary.right = \"wall\" or "
            "\"fixed\", or gravity.equilibrium = false to let it fall");
    }
    const Squeezed range = squeezed_beads(scenario, chain, key);
    const bool left_wall = range.first == 0 && left.is_wall();
    const bool right_wall = range.last + 1 == chain.total() && right.is_wall();
    const auto held = [&](std::size_t bead) {
        return (left.kind == EndKind::fixed && bead == 0) ||
               (right.kind == EndKind::fixed && bead + 1 == chain.total());
    };
    const auto number = [&](std::size_t i) { return chain.first() + i; };
    std::vector<double> inside;  // masses that hang in each bead [kg]; empty: none
    if (!chain.elements.resonators.empty()) inside.resize(chain.beads());
    for (const Resonator& each : chain.elements.resonators)
        inside[each.bead] += each.mass;
    const auto hanging_weight = [&](std::size_t i) {
        return (inside.empty() ? chain.mass[i] : chain.mass[i] + inside[i]) * chain.gravity;
    };
    const auto weight = [&](std::size_t i) {
        const bool adds = number(i) >= range.first && number(i) <= range.last &&
                          !(chain.is_fixed(i) && number(i) == 0);
        return hangs && adds ? hanging_weight(i) : 0.0;
    };
    const PrefixSums carried(chain, squeeze, weight);

    // Forces of the first and the last contact that carry, if these are on this process.
    double first_force = squeeze, last_force = squeeze;
    const std::size_t first_inner = range.first + 1;
    const std::size_t last_closed = range.last + (right_wall ? 1 : 0);
    ranks::collective(chain.ranks(), [&] {
        Closer closer(scenario, chain, key, hangs);
        carried.walk([&](std::size_t c, double asked) {
            const bool wall = number(c) == 0 ? left_wall : number(c) == chain.total() && right_wall;
            const bool inner =
                c > 0 && c < chain.beads() && number(c) >= first_inner && number(c) <= last_closed;
            if (!wall && !inner) return;
            const double force = closer.close(c, asked);
            if (number(c) == first_inner && !left_wall) first_force = force;
            if (number(c) == last_closed && number(c) >= first_inner) last_force = force;
        });
    });
    if (squeeze == 0.0) return;
    // Loads equal the forces of the contacts to the bit, so that an undisturbed chain stays at
    // rest.
    const auto here = [&](std::size_t bead) {
        return bead >= chain.first() && bead < chain.first() + chain.beads();
    };
    if (!left_wall && !held(range.first) && here(range.first)) {
        const std::size_t i = range.first - chain.first();
        chain.loads.push_back({i, first_force - (hangs ? hanging_weight(i) : 0.0)});
    }
    if (!right_wall && !held(range.last) && here(range.last))
        chain.loads.push_back({range.last - chain.first(), -last_force});
}

}  // namespace beadwave::chain
