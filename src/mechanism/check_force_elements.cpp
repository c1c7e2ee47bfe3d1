// What forces, torques and springs need to make sense.
#include "mechanism/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

namespace beadwave::mechanism {
namespace {

[[noreturn]] void fail(std::string_view part, std::size_t number, std::string_view key,
                       std::string_view what) {
    std::string name(part);
    std::ranges::replace(name, '_', ' ');
    throw PartError(fmt::format("{}.{}{}{}", part, number, key.empty() ? "" : ".", key),
                    fmt::format("{} {}: {}", name, number, what));
}

void need_body(std::size_t body, const Mechanism& mechanism, std::string_view part,
               std::size_t number) {
    if (body != ground && body >= mechanism.bodies.size())
        fail(part, number, "", fmt::format("there is no body {}", body));
}

template <class Element>
void check_pair(const Element& element, const Mechanism& mechanism, std::string_view part,
                std::size_t number) {
    for (const std::size_t body : element.bodies)
        need_body(body, mechanism, part, number);
    if (element.bodies[0] == element.bodies[1]) fail(part, number, "bodies", "both are the same");
}

void check_rows(const std::vector<double>& at, std::size_t values, std::size_t fewest,
                std::string_view part, std::size_t number, std::string_view key) {
    if (at.size() < fewest || at.size() != values)
        fail(part, number, key, fmt::format("needs {} row(s) or more, each complete", fewest));
    if (!std::ranges::is_sorted(at, std::less_equal<>{}))
        fail(part, number, key, "its first column must increase");
}

void check_spring(const Spring& spring, const Mechanism& mechanism, std::size_t number) {
    check_pair(spring, mechanism, "spring", number);
    if (spring.extensions.empty() && !(spring.stiffness >= 0.0))
        fail("spring", number, "stiffness", "the stiffness must not be negative");
    if (!spring.extensions.empty())
        check_rows(spring.extensions, spring.forces.size(), 2, "spring", number, "force_file");
    if (!(spring.damping >= 0.0))
        fail("spring", number, "damping", "the damping must not be negative");
    const double distance = length(spring.points[1] - spring.points[0]);
    const double free_length = spring.free_length.value_or(distance);
    if (!(free_length >= 0.0))
        fail("spring", number, "free_length", "the free length must not be negative");
    if (distance == 0.0 && (free_length > 0.0 || spring.damping > 0.0)) {
        fail("spring", number, "second",
             "its ends are at one place, so it has no direction; move one of them, or give "
             "free_length = 0 without damping");
    }
    if (spring.acts == Spring::Acts::both) return;
    if (spring.damping > 0.0) {
        fail("spring", number, "damping",
             "a one-sided spring takes no damping: its force would jump; use a contact with a law "
             "that dissipates");
    }
}

}  // namespace

void check_force_elements(const Mechanism& mechanism) {
    for (std::size_t i = 0; i < mechanism.forces.size(); ++i) {
        const Force& force = mechanism.forces[i];
        if (force.body >= mechanism.bodies.size())
            fail("force", i, "body", "a force acts on a body that can move");
        check_rows(force.times, force.forces.size(), 1, "force", i, "force_file");
    }
    for (std::size_t i = 0; i < mechanism.torques.size(); ++i) {
        check_pair(mechanism.torques[i], mechanism, "torque", i);
        check_rows(mechanism.torques[i].times, mechanism.torques[i].torques.size(), 1, "torque", i,
                   "torque_file");
    }
    for (std::size_t i = 0; i < mechanism.springs.size(); ++i)
        check_spring(mechanism.springs[i], mechanism, i);
    for (std::size_t i = 0; i < mechanism.torsion_springs.size(); ++i) {
        const TorsionSpring& spring = mechanism.torsion_springs[i];
        check_pair(spring, mechanism, "torsion_spring", i);
        if (!(spring.stiffness >= 0.0) || !(spring.damping >= 0.0))
            fail("torsion_spring", i, "stiffness", "stiffness and damping must not be negative");
    }
}

}  // namespace beadwave::mechanism
