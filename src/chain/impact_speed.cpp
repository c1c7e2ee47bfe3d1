#include "chain/impact_speed.hpp"

#include "beadwave/laws/catalogue.hpp"

namespace beadwave::chain {

bool resolve_impact_speed(laws::Settings& law, double fastest) {
    if (!law.is("impact_speed", "initial")) return true;
    if (!(fastest > 0.0) && !laws::depends_on_impact_speed(law)) fastest = 1.0;  // any
    if (!(fastest > 0.0)) return false;
    law.values.insert_or_assign("impact_speed", fastest);
    return true;
}

}  // namespace beadwave::chain
