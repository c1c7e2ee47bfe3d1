#include "laws/law_slopes.hpp"

#include "laws/dual_number.hpp"
#include "laws/visit_law.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::laws {

Slopes<double> exact_slopes(const AnyLaw& law, double overlap, double approach_speed,
                            const AnyMemory& memory) {
    using Dual = DualNumber<2>;
    Dual x(overlap), v(approach_speed);
    x.along[0] = 1.0;
    v.along[1] = 1.0;
    return visit_law(
        [&]<class Law>(const Law&) {
            using DualLaw = typename Law::template Rebind<Dual>;
            const auto numbers = law.numbers();
            const auto dual_law = from_fields<DualLaw>([&](std::size_t k) { return numbers[k]; });
            const auto dual_memory = from_fields<typename DualLaw::Memory>(
                [&](std::size_t k) { return Dual(memory[k]); });
            const Dual force = dual_law.respond(x, v, dual_memory).force;
            return Slopes<double>{.stiffness = force.along[0], .damping = force.along[1]};
        },
        law);
}

namespace {

bool differ(double a, double b, double part) {
    return std::fabs(a - b) > part * std::max(std::fabs(a), std::fabs(b));
}

/// Sets the damping for slow motions to either side.
void set_damping(const AnyLaw& law, double overlap, const AnyMemory& memory,
                 StaticContact& contact) {
    constexpr double slow = 1e-9, slower = slow * 0x1p-20;  // [m/s]
    const auto damping = [&](double speed, const AnyMemory& then) {
        return exact_slopes(law, overlap, speed, then).damping;
    };
    const double closing = damping(slow, memory), opening = damping(-slow, memory);
    if (differ(closing, damping(slower, memory), 1e-3) ||
        differ(opening, damping(-slower, memory), 1e-3)) {
        contact.dashpot = Dashpot::nonlinear;
        contact.slopes.damping = 0.0;
    } else if (differ(closing, opening, 1e-3)) {
        contact.dashpot = Dashpot::one_sided;
        contact.slopes.damping = 0.5 * (closing + opening);
    } else {
        constexpr double fast = 100.0;  // [m/s]
        const AnyMemory other = law.respond(overlap, fast, {}).memory;
        if (differ(contact.slopes.damping, damping(0.0, other), 1e-3))
            contact.dashpot = Dashpot::by_first_speed;
    }
}

}  // namespace

StaticContact static_contact(const AnyLaw& law, double overlap) {
    const AnyMemory memory = law.respond(overlap, 0.0, {}).memory;
    const auto here = law.respond(overlap, 0.0, memory);
    StaticContact contact{.force = here.force, .slopes = exact_slopes(law, overlap, 0.0, memory)};
    // Both sides at a small distance. Along a smooth curve stiffness and force change by a few
    // times this fraction.
    constexpr double part = 0x1p-30;
    const double above = overlap * (1.0 + part), below = overlap * (1.0 - part);
    const double loading = exact_slopes(law, above, 0.0, memory).stiffness;
    const double unloading = exact_slopes(law, below, 0.0, memory).stiffness;
    const double change =
        law.respond(above, 0.0, memory).force - law.respond(below, 0.0, memory).force;
    const double steepest = std::max(std::fabs(loading), std::fabs(unloading));
    contact.jumps = std::fabs(change) > 4.0 * steepest * overlap * part + 1e-12 * here.force;
    if (std::fabs(loading - unloading) > 1e-6 * steepest) {
        contact.loading_stiffness = loading;
        contact.slopes.stiffness = unloading;
    }
    set_damping(law, overlap, memory, contact);
    return contact;
}

}  // namespace beadwave::laws
