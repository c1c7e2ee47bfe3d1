// An engine around another one, which passes all calls on: the base of engines that add something
// to every step.
#pragma once

#include "packing/packing_engine.hpp"

#include <memory>
#include <utility>

namespace beadwave::packing {

class PackingEngineAround : public PackingEngine {
  public:
    explicit PackingEngineAround(std::unique_ptr<PackingEngine> engine)
        : engine_(std::move(engine)) {}

    using PackingEngine::advance;
    void advance(std::int64_t steps, ParticleTrace& trace) override {
        engine_->advance(steps, trace);
    }
    PackingTotals totals() const override { return engine_->totals(); }
    std::vector<ContactDissipation> dissipation() const override { return engine_->dissipation(); }
    std::vector<Impact> take_impacts() override { return engine_->take_impacts(); }
    OpenImpacts open_impacts() const override { return engine_->open_impacts(); }
    std::vector<double> wall_rubbing() const override { return engine_->wall_rubbing(); }
    const WallWork* wall_work() const override { return engine_->wall_work(); }
    const Heat* heat() const override { return engine_->heat(); }
    std::span<const double> triangle_dissipation() const override {
        return engine_->triangle_dissipation();
    }

    void sample(ParticleTrace& trace) const override { engine_->sample(trace); }
    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half) override {
        engine_->kick(forces, half);
    }
    void set_velocities(std::size_t particle, const Vec3& velocity,
                        const Vec3& angular_velocity) override {
        engine_->set_velocities(particle, velocity, angular_velocity);
    }
    std::int64_t step() const override { return engine_->step(); }
    double time_step() const override { return engine_->time_step(); }
    int threads() const override { return engine_->threads(); }
    std::string device() const override { return engine_->device(); }
    std::size_t particles() const override { return engine_->particles(); }
    Motion motion(std::size_t particle) const override { return engine_->motion(particle); }
    std::vector<Vec3> displacement() const override { return engine_->displacement(); }
    std::vector<Vec3> velocity() const override { return engine_->velocity(); }
    std::vector<Vec3> angular_velocity() const override { return engine_->angular_velocity(); }
    std::vector<shapes::Quaternion> orientation() const override { return engine_->orientation(); }
    std::vector<ContactState> contacts() const override { return engine_->contacts(); }
    std::size_t closed_contacts() const override { return engine_->closed_contacts(); }
    std::vector<WallMotion> walls() const override { return engine_->walls(); }
    BoxState box() const override { return engine_->box(); }
    const ElementStepper& elements() const override { return engine_->elements(); }
    std::vector<Vec3> drive_forces() const override { return engine_->drive_forces(); }
    std::vector<Vec3> drive_torques() const override { return engine_->drive_torques(); }
    std::vector<BrokenBond> broken_bonds(double after) const override {
        return engine_->broken_bonds(after);
    }
    const Population& population() const override { return engine_->population(); }
    StabilityLimits stability_limits(double speed) const override {
        return engine_->stability_limits(speed);
    }
    DeepContact deepest() const override { return engine_->deepest(); }
    double largest_leap() const override { return engine_->largest_leap(); }
    std::int64_t uncertain_normals() const override { return engine_->uncertain_normals(); }
    std::int64_t flat_contacts() const override { return engine_->flat_contacts(); }
    std::optional<RigidReport> rigid() const override { return engine_->rigid(); }
    double overlap_rounding() const override { return engine_->overlap_rounding(); }
    std::optional<std::size_t> first_non_finite() const override {
        return engine_->first_non_finite();
    }
    std::int64_t neighbour_list_builds() const override { return engine_->neighbour_list_builds(); }
    std::size_t listed_pairs() const override { return engine_->listed_pairs(); }
    void rebuild_list() override { engine_->rebuild_list(); }
    std::vector<PackingColumn> state() const override { return engine_->state(); }
    void restore(std::int64_t step, const SavedColumns& column) override {
        engine_->restore(step, column);
    }

  protected:
    std::unique_ptr<PackingEngine> engine_;
};

}  // namespace beadwave::packing
