#include "packing/heat/dissipation_follower.hpp"

#include "packing/packing_backend.hpp"

#include <utility>

namespace beadwave::packing {

DissipationFollower::DissipationFollower(const Packing& packing, bool triangles,
                                         std::vector<ContactDissipation> now) {
    if (packing.heat) heat_.emplace(packing);
    if (triangles) triangles_.emplace(packing);
    changes_.start(std::move(now));
}

std::vector<ContactState> DissipationFollower::contacts_needed(
    const PackingBackend& backend) const {
    if (triangles_ || heat_->conducts()) return backend.contacts();
    return {};
}

void DissipationFollower::receive(const PackingBackend& backend,
                                  const std::vector<ContactState>& contacts) {
    const std::vector<DissipationChange>& changes = changes_.take(backend.dissipation());
    if (heat_) heat_->receive(changes);
    if (triangles_) triangles_->receive(changes, contacts);
}

void DissipationFollower::follow_step(const PackingBackend& backend) {
    const std::vector<ContactState> contacts = contacts_needed(backend);
    receive(backend, contacts);
    if (heat_ && heat_->conducts()) heat_->conduct(contacts, backend.around().dt);
}

void DissipationFollower::follow_kick(const PackingBackend& backend) {
    receive(backend, contacts_needed(backend));
}

void DissipationFollower::append_state(std::vector<PackingColumn>& columns) const {
    if (heat_) {
        heat_numbers_ = heat_->numbers();
        columns.push_back({"heat", heat_numbers_});
    }
    if (triangles_) {
        triangle_numbers_ = triangles_->numbers();
        columns.push_back({"triangle_energy", triangle_numbers_});
    }
}

void DissipationFollower::restore(const SavedColumns& column, std::vector<ContactDissipation> now) {
    if (heat_) heat_->restore(column("heat"));
    if (triangles_) triangles_->restore(column("triangle_energy"));
    changes_.start(std::move(now));
}

}  // namespace beadwave::packing
