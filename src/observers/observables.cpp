#include "observers/observables.hpp"

namespace beadwave::observers {
namespace {

void put(const packing::Vec3& v, std::span<double> out) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

}  // namespace

const std::vector<Observable>& observables() {
    static const std::vector<Observable> all{
        {.name = "momentum",
         .unit = "kg m s-1",
         .meaning = "of all beads, towards higher numbers",
         .shape = {},
         .of_chain = [](const ChainState& now, auto out) { out[0] = now.totals.momentum; }},
        {.name = "sleep_loss_momentum",
         .unit = "kg m s-1",
         .meaning = "of beads put to sleep by time.sleep_speed since the start",
         .shape = {},
         .of_chain = [](const ChainState& now,
                        auto out) { out[0] = now.totals.sleep_loss_momentum; }},
        {.name = "largest_contact_force",
         .unit = "N",
         .meaning = "absolute value, of all contacts",
         .shape = {},
         .of_chain = [](const ChainState& now,
                        auto out) { out[0] = now.totals.largest_contact_force; }},
        {.name = "momentum",
         .unit = "kg m s-1",
         .meaning = "of all particles",
         .shape = {3},
         .of_packing = [](const PackingState& now, auto out) { put(now.totals.momentum, out); }},
        {.name = "angular_momentum",
         .unit = "kg m2 s-1",
         .meaning = "of all particles, about the origin",
         .shape = {3},
         .of_packing = [](const PackingState& now,
                          auto out) { put(now.totals.angular_momentum, out); }},
    };
    return all;
}

}  // namespace beadwave::observers
