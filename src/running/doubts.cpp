// What gives reason to doubt a run before it starts.

#include "beadwave/laws/collision.hpp"
#include "beadwave/running/attempts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::running {
namespace {

void note_few_steps(std::vector<std::string>& notes, const dynamics::TimeStep& time_step) {
    const double steps = time_step.shortest_contact / time_step.step;
    if (!(time_step.shortest_contact > 0.0) || steps >= dynamics::few_steps_per_contact) return;
    notes.push_back(
        fmt::format("only {:.0f} steps in the shortest contact ({:.3g} s); the results are rough",
                    steps, time_step.shortest_contact));
}

/// The jump of a law's force where the approach speed changes sign, over the force itself, at the
/// largest overlap of a collision: of the change of speed in one step, beyond what a damping in
/// proportion to the speed would give.
double jump_at_turn(const laws::AnyLaw& law, double mass, const dynamics::TimeStep& time_step) {
    const double speed = time_step.largest_speed;
    const double overlap = laws::stopping_overlap(
        [&](double at) { return laws::first_loading_force(law, at); }, 0.5 * mass * speed * speed);
    return std::visit(
        [&](const auto& l) {
            auto memory = l.respond(std::numeric_limits<double>::min(), speed, {}).memory;
            memory = l.respond(overlap, 0.0, memory).memory;
            const double force = std::abs(l.respond(overlap, 0.0, memory).force);
            // Closing alone: on opening most laws cut the force off.
            const auto jump = [&](double by) {
                return 2.0 * (l.respond(overlap, by, memory).force - force);
            };
            const double change = std::min(force / mass * time_step.step, speed);
            return force > 0.0 ? (jump(change) - change / speed * jump(speed)) / force : 0.0;
        },
        law);
}

void note_steep_damping(std::vector<std::string>& notes, const chain::Chain& chain,
                        const dynamics::TimeStep& time_step) {
    constexpr double large = 0.5;
    if (!(time_step.largest_speed > 0.0)) return;
    for (std::size_t kind = 0; kind < chain.contacts.kind_count(); ++kind) {
        const double mass = chain.contacts.kind_mass(kind);
        if (!(mass > 0.0)) continue;
        const double jump = jump_at_turn(chain.contacts.law(kind), mass, time_step);
        if (!(jump > large)) continue;
        notes.push_back(
            fmt::format("the law's damping is so steep at small speeds that a contact's force "
                        "jumps by {:.0f} % "
                        "where the motion turns; forces there are those of the time step",
                        100.0 * jump));
        return;
    }
}

/// A driven wall that touches and starts gently closes its contact at whatever speed it has after
/// one step: an impact speed that means nothing, unless the floor is above it.
void note_gentle_start(std::vector<std::string>& notes, const chain::Chain& chain,
                       const dynamics::TimeStep& time_step) {
    const auto see = [&](const std::optional<chain::Drive>& drive, std::size_t contact,
                         double sign) {
        if (!drive || !(chain.gap[contact] >= 0.0) || chain.gap[contact] > 0.0) return;
        const double floor = std::visit(
            [](const auto& law) {
                if constexpr (requires {
                                  law.impact_speed_floor;
                                  std::remove_cvref_t<decltype(law)>::Memory::fields;
                              }) {
                    using Memory = typename std::remove_cvref_t<decltype(law)>::Memory;
                    if constexpr (laws::field_count < Memory >> 0) return law.impact_speed_floor;
                }
                return std::numeric_limits<double>::infinity();
            },
            chain.contacts.at(contact));
        const double at_once = sign * drive->velocity(0.0);
        const double after_a_step = sign * drive->velocity(time_step.step);
        const double closing = std::max(after_a_step, floor), meant = std::max(at_once, floor);
        if (!(std::abs(closing - meant) > 0.01 * meant)) return;
        notes.push_back(fmt::format(
            "the driven end starts gently: its contact takes {:.2g} m/s, the speed after the first "
            "time step, for its impact speed; a law.impact_speed_floor above the speeds of the "
            "start, or one number as law.impact_speed, means something",
            after_a_step));
    };
    see(chain.left_drive, 0, 1.0);
    see(chain.right_drive, chain.beads(), -1.0);
}

}  // namespace

std::vector<std::string> doubts_before(const chain::Chain& chain,
                                       const dynamics::TimeStep& time_step) {
    std::vector<std::string> notes;
    note_few_steps(notes, time_step);
    note_steep_damping(notes, chain, time_step);
    note_gentle_start(notes, chain, time_step);
    return notes;
}

}  // namespace beadwave::running
