#include "laws/neck.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "laws/visit_law.hpp"

namespace beadwave::laws {
namespace {

/// function(law) for a law with adhesion, otherwise `without`.
template <class Result, class Function>
Result of_adhesive(const AnyLaw& any_law, Result without, Function function) {
    return visit_law(
        [&]<class Law>(const Law& law) -> Result {
            if constexpr (AdhesiveLaw<Law>) {
                return function(law);
            } else {
                return without;
            }
        },
        any_law);
}

}  // namespace

bool is_adhesive(std::string_view name) {
    const Entry* entry = find(name);
    return entry != nullptr && entry->family == "adhesion";
}

bool is_adhesive(const AnyLaw& law) {
    return of_adhesive(law, false, [](const auto&) { return true; });
}

double neck_range(const AnyLaw& law) {
    return of_adhesive(law, 0.0, [](const auto& l) { return l.range(); });
}

bool has_neck(const AnyLaw& law, const AnyMemory& memory) {
    return of_adhesive(law, false, [&]<class Law>(const Law&) {
        if constexpr (NeckLaw<Law>) return memory_of<Law>(memory).neck > 0.0;
        return false;
    });
}

Grip<double> grip(const AnyLaw& law, double overlap, double force, const AnyMemory& memory) {
    return of_adhesive(law, Grip<double>{overlap, force}, [&]<class Law>(const Law& l) {
        return l.grip(overlap, force, memory_of<Law>(memory));
    });
}

double size_overlap(const AnyLaw& law, double overlap) {
    return grip(law, overlap, 0.0, law.respond(overlap, 0.0, {}).memory).overlap;
}

double well_overlap(const AnyLaw& law) {
    return of_adhesive(law, 0.0, [](const auto& l) { return l.well(); });
}

double holding_energy(const AnyLaw& law) {
    return of_adhesive(law, 0.0, []<class Law>(const Law& l) {
        if constexpr (NeckLaw<Law>)
            return l.stored_energy(-l.range(), {1.0}) - l.stored_energy(0.0, {1.0});
        return 0.0;
    });
}

Slopes<double> slopes_of(const AnyLaw& law, double overlap, double approach_speed,
                         const AnyMemory& memory, double speed, double time_step) {
    // The type of the law is found once, not for each of its forces.
    return visit_law(
        [&]<class Law>(const Law& l) -> Slopes<double> {
            const auto remembered = memory_of<Law>(memory);
            if constexpr (AdhesiveLaw<Law>) {
                return adhesive_slopes(l, overlap, approach_speed, remembered, speed, time_step);
            } else {
                return slopes(l, overlap, approach_speed, remembered, speed, time_step);
            }
        },
        law);
}

}  // namespace beadwave::laws
