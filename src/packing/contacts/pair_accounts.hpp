// What the plain engine keeps of each contact to know what it dissipated (contact_accounts.hpp).
#pragma once

#include "packing/contacts/contact_accounts.hpp"
#include "packing/edges.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>

namespace beadwave::packing {

struct PlainAccount : ContactAccount {
    double power = 0.0;           ///< of the contact on particles, summed over steps [W]
    double power_now = 0.0;       ///< at this step [W]
    double power_at_start = 0.0;  ///< [W]
    // Forces of this step and the one before on a wall, or on the edges of the box by images.
    Vec3 on_wall{}, on_wall_before{};                    ///< [N]
    double wall_torque = 0.0, wall_torque_before = 0.0;  ///< about its direction [N m]
    Edges on_edges{}, on_edges_before{};                 ///< [N]
    static constexpr std::size_t numbers = 18 + 2 * Edges::numbers;

    /// The work of the contact on particles, since the start [J].
    double work(double time_step) const {
        return time_step * (power - 0.5 * power_now + 0.5 * power_at_start);
    }

    template <class Self, class Visit>
    static void each_number(Self& self, Visit visit) {
        for (auto* number : {&self.power, &self.power_now, &self.power_at_start})
            visit(*number);
        ContactAccount::each_number(self, visit);
        for (auto* vector : {&self.on_wall, &self.on_wall_before})
            visit(vector->x), visit(vector->y), visit(vector->z);
        visit(self.wall_torque), visit(self.wall_torque_before);
        for (auto* edges : {&self.on_edges, &self.on_edges_before})
            for (auto& number : edges->of)
                visit(number);
    }
};

}  // namespace beadwave::packing
