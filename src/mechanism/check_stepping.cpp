#include "mechanism/sliding_friction.hpp"
#include "mechanism/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

[[noreturn]] void fail(std::string key, const std::string& what) {
    throw PartError(std::move(key), what);
}

/// A step must see a load over time.
void check_period(const char* table, std::size_t number, double frequency, double step) {
    constexpr double most = 0.125;
    if (!(std::abs(frequency) * step > most)) return;
    fail("time.step",
         fmt::format("a step of {:g} s is longer than an eighth of the period of {} {}, {:.3g} s; "
                     "give a shorter one",
                     step, table, number, 1.0 / std::abs(frequency)));
}

}  // namespace

void check_stepping(const Mechanism& mechanism) {
    if (!mechanism.stepping) return;
    const TimeStepping& stepping = *mechanism.stepping;
    if (!(stepping.step > 0.0 && stepping.step <= mechanism.end)) {
        fail("time.step", fmt::format("the step is {:g} s; give a number above 0, up to time.end",
                                      stepping.step));
    }
    constexpr double most_steps = 9e15;  // they are counted exactly
    if (!(mechanism.end / stepping.step < most_steps)) {
        fail("time.step", fmt::format("needs {:.2g} steps to reach {:g} s; give a step with fewer "
                                      "than {:g}",
                                      mechanism.end / stepping.step, mechanism.end, most_steps));
    }
    if (!(stepping.theta >= 0.5 && stepping.theta <= 1.0))
        fail("integrator.theta", "theta must be from 0.5 to 1");
    const auto& tolerance = stepping.penetration_tolerance;
    if (tolerance && !(*tolerance > 0.0 && std::isfinite(*tolerance)))
        fail("integrator.penetration_tolerance", "the tolerance must be above 0, in m");
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        if (!mechanism.joints[j].friction) continue;
        fail(fmt::format("joint.{}.friction", j),
             "the method \"moreau-jean\" knows no friction in joints; leave out one of the two");
    }
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const Contact& contact = mechanism.contacts[i];
        const auto* law = std::get_if<Impulse>(&contact.law);
        if (law == nullptr) {
            fail(fmt::format("contact.{}.law", i),
                 fmt::format("contact \"{}\": the method \"moreau-jean\" takes the law \"impulse\" "
                             "alone; a law with a finite force needs the event-driven run",
                             contact.name));
        }
        if (contact.friction && has_two_states(*contact.friction)) {
            fail(
                fmt::format("contact.{}.friction", i),
                fmt::format("contact \"{}\": the method \"moreau-jean\" has one coefficient of "
                            "friction at every speed; leave out static_coefficient, stribeck_speed "
                            "and viscous_coefficient",
                            contact.name));
        }
        if (law->definition == laws::RestitutionDefinition::newton) continue;
        fail(fmt::format("contact.{}.law.definition", i),
             fmt::format("contact \"{}\": the method \"moreau-jean\" has Newton's restitution; "
                         "leave law.definition out, or give \"newton\"",
                         contact.name));
    }
    for (std::size_t i = 0; i < mechanism.forces.size(); ++i)
        check_period("force", i, mechanism.forces[i].oscillation.frequency, stepping.step);
    for (std::size_t i = 0; i < mechanism.torques.size(); ++i)
        check_period("torque", i, mechanism.torques[i].oscillation.frequency, stepping.step);
}

}  // namespace beadwave::mechanism
