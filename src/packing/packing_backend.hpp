// What steps the particles of a PackingEngine and knows their contacts: the interface of back ends.
// Functions that PackingEngine has too are described there.
#pragma once

#include "beadwave/stepping/external_force.hpp"
#include "packing/contacts/contact_dissipation.hpp"
#include "packing/contacts/impact.hpp"
#include "packing/engine_state.hpp"
#include "packing/rigid/rigid_report.hpp"
#include "packing/step/surroundings.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::packing {

class WallWork;

/// What a back end did beside its steps.
struct BackendReport {
    std::int64_t list_builds = 0;        ///< of the neighbour list, without the first
    double largest_leap = 0.0;           ///< as PackingEngine::largest_leap() [m]
    std::int64_t uncertain_normals = 0;  ///< as PackingEngine::uncertain_normals()
    std::int64_t flat_contacts = 0;      ///< as PackingEngine::flat_contacts()
    std::optional<RigidReport> rigid{};  ///< as PackingEngine::rigid()
};

class PackingBackend {
  public:
    PackingBackend(const Packing& packing, double time_step) : around_(packing, time_step) {}
    virtual ~PackingBackend() = default;

    const Surroundings& around() const { return around_; }
    virtual int threads() const = 0;
    virtual std::string device() const { return {}; }

    /// PackingEngine::advance() begins: run() is called for so many steps in all.
    virtual void begin(std::int64_t /*steps*/) {}
    /// Takes steps, and fills a row of the trace after each of them. `more`: others follow, and
    /// nobody asks for contacts before change_population().
    virtual void run(std::int64_t steps, ParticleTrace& trace, bool more) = 0;
    /// Lets particles come and leave before the next step.
    virtual void change_population() = 0;
    virtual void sample(ParticleTrace& trace) const = 0;
    virtual void kick(std::span<const stepping::BodyForce<Vec3>> forces,
                      stepping::HalfStep half) = 0;
    virtual void set_velocities(std::size_t particle, const Vec3& velocity,
                                const Vec3& angular_velocity) = 0;
    virtual void rebuild_list() = 0;

    virtual Motion motion(std::size_t particle) const = 0;
    /// The particles of this rank, in any order; without a message.
    virtual std::vector<OwnParticle> own() const;
    virtual std::vector<Vec3> displacement() const { return of_all(&Motion::displacement); }
    virtual std::vector<Vec3> velocity() const { return of_all(&Motion::velocity); }
    virtual std::vector<Vec3> angular_velocity() const { return of_all(&Motion::angular_velocity); }
    virtual std::vector<shapes::Quaternion> orientation() const { return {}; }
    virtual std::vector<ContactState> contacts() const = 0;
    virtual void visit_contacts(const ContactVisitor& visit) const { visit(contacts()); }
    virtual NumberRange own_numbers() const { return {0, around_.particles}; }
    virtual std::vector<Vec3> own_displacements() const { return of_own(&Motion::displacement); }
    virtual std::vector<Vec3> own_velocities() const { return of_own(&Motion::velocity); }
    /// Of the particles that this rank has, also of absent ones.
    virtual void visit_velocities(
        const std::function<void(std::size_t number, const Vec3& velocity)>& visit) const;
    virtual std::vector<Vec3> own_angular_velocities() const {
        return of_own(&Motion::angular_velocity);
    }
    virtual std::vector<ContactState> own_contacts() const { return contacts(); }
    virtual std::vector<ContactSide> own_sides() const;
    virtual std::size_t closed_contacts() const = 0;

    // With ranks those of all.
    virtual const ElementStepper& elements() const { return around_.elements; }
    virtual std::vector<Vec3> drive_forces() const { return elements().drive_forces(); }
    virtual std::vector<Vec3> drive_torques() const { return elements().drive_torques(); }
    virtual std::vector<BrokenBond> broken_bonds(double after) const {
        return elements().bonds().broken(after);
    }

    virtual PackingTotals totals() const = 0;
    virtual std::vector<ContactDissipation> dissipation() const { return {}; }
    virtual std::vector<Impact> take_impacts() { return {}; }
    virtual OpenImpacts open_impacts() const { return {}; }
    virtual std::vector<double> wall_rubbing() const { return {}; }
    virtual const WallWork* wall_work() const { return nullptr; }
    virtual StabilityLimits stability_limits(double speed) const = 0;
    virtual DeepContact deepest() const = 0;
    virtual double overlap_rounding() const { return 0.0; }
    virtual std::optional<std::size_t> first_non_finite() const = 0;
    virtual std::size_t listed_pairs() const = 0;
    virtual BackendReport report() const = 0;

    virtual std::vector<PackingColumn> state() const = 0;
    virtual void restore(std::int64_t step, const SavedColumns& column) = 0;

  protected:
    Surroundings around_;

  private:
    std::vector<Vec3> of(NumberRange numbers, Vec3 Motion::*part) const {
        std::vector<Vec3> some;
        for (std::size_t i = numbers.begin; i < numbers.end; ++i)
            some.push_back(motion(i).*part);
        return some;
    }
    std::vector<Vec3> of_all(Vec3 Motion::*part) const { return of({0, around_.particles}, part); }
    std::vector<Vec3> of_own(Vec3 Motion::*part) const { return of(own_numbers(), part); }
};

}  // namespace beadwave::packing
