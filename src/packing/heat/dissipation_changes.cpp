#include "packing/heat/dissipation_changes.hpp"

namespace beadwave::packing {

const std::vector<DissipationChange>& DissipationChanges::take(
    std::vector<ContactDissipation> now) {
    change_.clear();
    std::size_t before = 0;
    for (const ContactDissipation& each : now) {
        double energy = each.parts.sum();
        if (before < last_.size() && last_[before].first == each.first &&
            last_[before].second == each.second)
            energy -= last_[before++].parts.sum();
        if (energy != 0.0) change_.push_back({each.first, each.second, energy});
    }
    last_ = std::move(now);
    return change_;
}

}  // namespace beadwave::packing
