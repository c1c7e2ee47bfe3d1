#include "mechanism/short_step.hpp"

#include "mechanism/joint_numbers.hpp"
#include "mechanism/loop_orientation.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace beadwave::mechanism {

void fail_short_step(Dynamics& dynamics, const std::vector<ContactKinematics>& kinematics,
                     bool closes, double time, double step) {
    constexpr double nearly = 1e-3;
    const std::vector<std::size_t>& loops = dynamics.multibody.loop_joints();
    const double apart = dynamics.multibody.contradiction();
    if (!closes && apart > 0.0) {
        throw std::runtime_error(fmt::format(
            "the mechanism locks at {:.9g} s: the loops that joint {} closes repeat conditions of "
            "each other that agree only as long as all joints fit exactly, and these are {:.2g} m "
            "apart. Give their points with all digits, or leave out a joint",
            time, few_of(loops), apart));
    }
    if (!closes || LoopOrientation::dependent(dynamics.multibody.loop_jacobian(), nearly)) {
        throw std::runtime_error(fmt::format(
            "the mechanism locks at {:.9g} s: the loop that joint {} closes is in a position "
            "from which its joints and motors allow no motion, or more than one",
            time, few_of(loops)));
    }
    if (const auto joint = dynamics.jammed_joint()) {
        throw std::runtime_error(fmt::format(
            "joint {} jams at {:.9g} s: its friction grows with the force that the friction "
            "itself causes, and no finite force balances it; the bodies would stop in an "
            "instant. A smaller friction coefficient or a longer guide avoids it",
            *joint, time));
    }
    if (const auto point = dynamics.jamming_contact(kinematics)) {
        const std::size_t contact = dynamics.contact_states[*point].point.contact;
        throw std::runtime_error(fmt::format(
            "contact \"{}\" jams at {:.9g} s: its friction presses the bodies together as much "
            "as the normal force parts them (Painleve's paradox), so both grow without bound",
            dynamics.mechanism.contacts[contact].name, time));
    }
    throw std::runtime_error(
        fmt::format("at {:.9g} s the step fell to {:.3g} s and its error is still larger than the "
                    "accuracy allows; the force of a law may jump, or the accuracy may be below "
                    "rounding",
                    time, step));
}

}  // namespace beadwave::mechanism
