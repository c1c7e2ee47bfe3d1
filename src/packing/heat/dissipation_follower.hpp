// What contacts dissipate is followed step by step: it warms the particles of a packing that has
// Packing::heat, and is shared out to the triangles of its walls.
#pragma once

#include "packing/engine_state.hpp"
#include "packing/heat/dissipation_changes.hpp"
#include "packing/heat/heat.hpp"
#include "packing/heat/touched_triangles.hpp"

#include <optional>
#include <span>
#include <vector>

namespace beadwave::packing {

class PackingBackend;

class DissipationFollower {
  public:
    /// `triangles`: they get their share. `now`: the dissipation() of a back end that knows it.
    /// `packing` must outlive it.
    DissipationFollower(const Packing& packing, bool triangles,
                        std::vector<ContactDissipation> now);

    /// After each step of the back end.
    void follow_step(const PackingBackend& backend);
    /// After external forces have changed what contacts dissipated in a step.
    void follow_kick(const PackingBackend& backend);

    const Heat* heat() const { return heat_ ? &*heat_ : nullptr; }  ///< null: there is none
    std::span<const double> triangle_energy() const {               ///< [J]; empty: none is wanted
        return triangles_ ? triangles_->energy() : std::span<const double>{};
    }

    /// Columns of a saved state; valid until the next call.
    void append_state(std::vector<PackingColumn>& columns) const;
    /// `now`: the dissipation() of the restored back end. Throws std::invalid_argument if a column
    /// has the wrong size.
    void restore(const SavedColumns& column, std::vector<ContactDissipation> now);

  private:
    void receive(const PackingBackend& backend, const std::vector<ContactState>& contacts);
    std::vector<ContactState> contacts_needed(const PackingBackend& backend) const;

    DissipationChanges changes_;
    std::optional<Heat> heat_;
    std::optional<TouchedTriangles> triangles_;
    mutable std::vector<double> heat_numbers_, triangle_numbers_;  // storage of append_state()
};

}  // namespace beadwave::packing
