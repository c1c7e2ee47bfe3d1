#include "mechanism/start.hpp"

#include "mechanism/contact_force.hpp"
#include "mechanism/contact_point.hpp"
#include "mechanism/joint_numbers.hpp"
#include "mechanism/loop_orientation.hpp"
#include "mechanism/multibody.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::mechanism {
namespace {

/// Positions are known to rounding of the mechanism's size; a clearance needs six digits more.
constexpr double least_clearance = 1e-9;

[[noreturn]] void fail(const Mechanism& mechanism, std::size_t contact, const char* key,
                       const std::string& what) {
    throw PartError(fmt::format("contact.{}{}", contact, key),
                    fmt::format("contact \"{}\": {}", mechanism.contacts[contact].name, what));
}

void check_clearance(const Mechanism& mechanism, std::size_t contact, double size) {
    const auto& geometry = mechanism.contacts[contact].geometry;
    double clearance = size;
    if (const auto* journal = std::get_if<Journal>(&geometry)) clearance = journal->clearance;
    if (const auto* guide = std::get_if<Prismatic>(&geometry)) clearance = guide->clearance;
    if (clearance >= least_clearance * size) return;
    fail(mechanism, contact, ".clearance",
         fmt::format("a clearance of {:g} m is lost in the rounding of a mechanism of {:.3g} m; "
                     "give at least {:.2g} m, or a joint without clearance",
                     clearance, size, least_clearance * size));
}

}  // namespace

std::vector<std::string> check_start(const Mechanism& mechanism) {
    Multibody multibody(mechanism);
    const std::vector<double> speeds = multibody.initial_speeds();
    multibody.set(0.0, std::vector<double>(speeds.size(), 0.0), speeds);
    const std::vector<ContactPoint> points = contact_points_of(mechanism);
    const double size = size_of(mechanism, points);
    std::vector<std::string> warnings;
    constexpr double rounding = 1e-9;
    if (LoopOrientation::dependent(multibody.loop_jacobian(), rounding)) {
        warnings.push_back(fmt::format(
            "the loop that joint {} closes repeats a condition at the start: it has a joint more "
            "than it needs, or starts in a singular position (its bodies in one line), from which "
            "its joints allow more than one motion; then start beside it",
            few_of(multibody.loop_joints())));
    }
    if (!multibody.moves()) {
        warnings.push_back(fmt::format(
            "the loops that joint {} closes allow no motion: the mechanism is a rigid structure. "
            "If it should move, its joints do not fit; give their points with all digits",
            few_of(multibody.loop_joints())));
    }
    if (multibody.repeated_conditions() > 0) {
        warnings.push_back(fmt::format(
            "the loops that joint {} closes repeat {} condition{}{}. Rigid bodies do not determine "
            "how these joints share their forces; their reactions, and friction in them, are those "
            "of the smallest forces",
            few_of(multibody.loop_joints()), multibody.repeated_conditions(),
            multibody.repeated_conditions() == 1 ? "" : "s",
            multibody.moves() ? ": the mechanism moves only because its joints fit exactly" : ""));
    }
    for (const ContactPoint& point : points) {
        check_clearance(mechanism, point.contact, size);
        const Contact& contact = mechanism.contacts[point.contact];
        const ContactKinematics now = point.kinematics(multibody.bodies());
        if (std::holds_alternative<Impulse>(contact.law)) {
            if (now.overlap <= 10.0 * point.tolerance) continue;
            fail(mechanism, point.contact, "",
                 fmt::format("its bodies overlap by {:.3g} m at the start; the law \"impulse\" "
                             "knows no overlap. Move them apart",
                             now.overlap));
        }
        if (!(now.overlap > 0.0) || !takes_speed_of_each_impact(contact)) continue;
        warnings.push_back(fmt::format(
            "contact \"{}\": its bodies overlap by {:.3g} m at the start. The impact speed of this "
            "contact is unknown; its law takes {:.3g} m/s, which sets its damping. Start apart, or "
            "give law.impact_speed, in m/s",
            contact.name, now.overlap, std::max(now.approach_speed, contact.min_impact_speed)));
    }
    return warnings;
}

}  // namespace beadwave::mechanism
