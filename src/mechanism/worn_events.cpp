// The part of Events for bodies whose shape changes between two steps.
#include "mechanism/events.hpp"

namespace beadwave::mechanism {

void Events::follow_wear(double time, const std::vector<double>& y,
                         std::vector<ContactKinematics>& kinematics) {
    if (!dynamics_.update_worn_bearings()) return;
    dynamics_.contact_kinematics(time, y, kinematics);
    for (std::size_t i = 0; i < kinematics.size(); ++i) {
        const ContactState& state = dynamics_.contact_states[i];
        if (kinematics[i].overlap > 0.0 || !state.has_force()) continue;
        if (state.phase == ContactState::Phase::touching)
            end(i, time, kinematics[i], y);
        else
            open(i);
    }
}

}  // namespace beadwave::mechanism
