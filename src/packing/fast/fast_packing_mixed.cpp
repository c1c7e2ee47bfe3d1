// The fast engine in mixed precision (mixed/mixed_pairs.hpp).

#include "fast_packing_engine.hpp"

#include <algorithm>

namespace beadwave::packing {

void FastPackingEngine::adopt_mixed_pairs() {
    if (contacts_.mixed)
        contacts_.mixed->adopt(bodies_, contacts_.entries, contacts_.memory, laws_.table);
}

double FastPackingEngine::overlap_rounding() const {
    return contacts_.mixed ? std::max(contacts_.mixed->rounding(), contacts_.rounding(sums_)) : 0.0;
}

bool FastPackingEngine::renews_images() const {
    return !contacts_.mixed || contacts_.mixed->is_stale() || box_.strains();
}

void FastPackingEngine::renew_doubles() {
    if (box_.strains()) return;
    if (share_.shared() && !contacts_.mixed->is_stale()) exchange_halo();
    bodies_.update_images();
}

}  // namespace beadwave::packing
