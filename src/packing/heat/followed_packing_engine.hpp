// An engine whose dissipation is followed step by step: it warms the particles of a packing that
// has Packing::heat, and is shared out to the triangles of its walls.
#pragma once

#include "packing/heat/heat.hpp"
#include "packing/heat/touched_triangles.hpp"
#include "packing/step/packing_engine_around.hpp"

#include <memory>
#include <optional>

namespace beadwave::packing {

class FollowedPackingEngine final : public PackingEngineAround {
  public:
    /// `engine` knows dissipation(). `triangles`: share it out to them. `packing` must outlive it.
    FollowedPackingEngine(const Packing& packing, std::unique_ptr<PackingEngine> engine,
                          bool triangles);

    using PackingEngineAround::advance;
    void advance(std::int64_t steps, ParticleTrace& trace) override;
    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half) override;

    const Heat* heat() const override { return heat_ ? &*heat_ : nullptr; }
    std::span<const double> triangle_dissipation() const override {
        return triangles_ ? triangles_->energy() : std::span<const double>{};
    }

    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step, const SavedColumns& column) override;

  private:
    /// After a step, or a part of it that has changed what contacts dissipated.
    void follow(const std::vector<ContactState>& contacts);
    std::vector<ContactState> contacts_needed() const;

    DissipationChanges changes_;
    std::optional<Heat> heat_;
    std::optional<TouchedTriangles> triangles_;
    mutable std::vector<double> heat_numbers_, triangle_numbers_;  // storage of state()
};

}  // namespace beadwave::packing
