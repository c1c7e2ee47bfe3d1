// The plain engine of packings: each step is a loop over particles, one over pairs, and one over
// particles. It is written to be read, and tests compare the fast engine with it.
#pragma once

#include "laws/neck.hpp"
#include "packing/contacts/contact_impacts.hpp"
#include "packing/contacts/pair_kinematics.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/contacts/pair_memory.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/step/verlet_backend.hpp"
#include "packing/walls/shared_rims.hpp"

#include <cmath>
#include <vector>

namespace beadwave::packing {

using laws::SliderMemory;

class PlainBackend final : public VerletBackend {
    /// A particle or ghost during a step.
    struct Body {
        Vec3 reference, displacement;
        Vec3 half, predicted;  // velocity in the middle and at the end of the step
        Vec3 half_angular_velocity, predicted_angular_velocity;  // [rad/s]
        double radius;
    };
    struct Pair : PairMemory {
        std::uint32_t kind = 0;
        double gap = 0.0;  ///< between the references [m]
        Vec3 branch{};
    };

  public:
    PlainBackend(const Packing& packing, double dt, ContactRecords records = ContactRecords::none);

    int threads() const override { return 1; }
    std::size_t listed_pairs() const override { return pair_.size(); }
    std::vector<ContactState> contacts() const override;
    void rebuild_list() override;
    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step, const SavedColumns& column) override;

  private:
    enum class Columns { all, of_particles, of_pairs };

    /// Calls visit(name, count, i -> the i-th number) for every column of its own. The neighbour
    /// list follows from the columns `of_particles`.
    template <class Self, class Function>
    static void each_column(Self& self, Function visit, Columns which = Columns::all);

    // Particles (plain_backend.cpp).

    template <class Vector, class Self>
    static ParticleViews<Vector> views_of(Self& self);
    ParticleViews<Vec3> views() override;
    ParticleViews<const Vec3> views() const override;
    Vec3 displacement_of(std::size_t i) const override;
    Vec3 place_of(std::size_t i) const override {
        return body_[i].reference + body_[i].displacement;
    }
    Vec3 from_lower(std::size_t i) const override;
    Vec3 spin_of(std::size_t i) const override { return angular_velocity_[i]; }
    void set_spin(std::size_t i, const Vec3& spin) override { angular_velocity_[i] = spin; }
    Vec3 torque_of(std::size_t i) const override;
    Rotation rotation_of(std::size_t i) const override;
    void rest_at(std::size_t i, const Vec3& place) override;
    bool is_finite(std::size_t i) const override;

    void drift() override;
    /// Moves driven particles to the end of the step.
    void place_carriers();
    void step_carriers(double dt) override;
    void set_velocity_change(std::size_t i) override;
    void finish_velocities() override;

    // The list and what follows particles (plain_list.cpp).

    /// Builds and adopts a new list for the present references; gaps are set as if all pairs were
    /// new.
    void adopt_list();

    /// The point of a wall closest to a particle's reference when the list was built.
    SurfacePoint closest(std::uint32_t particle, std::int32_t wall) const;

    /// Adds the list's ghosts with their references.
    void create_ghosts();

    /// Ghosts follow their particles. A wall's ghost stays the closest point to its particle, so
    /// that the branch is along the normal, but has the wall's velocity.
    void update_ghosts() override;
    /// Puts the ghosts of contacts that do not count at shared rims and seams out of reach, and
    /// passes the memory of contacts on.
    void share_places();

    std::size_t listed_bodies() const override { return count(); }
    Vec3 moved(std::size_t i) const override;

    // Pairs (plain_contacts.cpp).

    std::array<std::size_t, 2> particles_of(std::size_t p) const override;
    const PairLaw& law_of(const Pair& pair) const { return laws_.law(pair.kind); }
    bool touches(std::size_t p) const override { return pair_[p].touches(law_of(pair_[p])); }
    bool is_finite_pair(std::size_t p) const override { return pair_[p].is_finite(); }
    Stored stored_in(std::size_t p) const override {
        const Pair& pair = pair_[p];
        const PairLaw& law = law_of(pair);
        return {pair.normal_energy(law), pair.sliding_energy(law), pair.rolling_energy(law)};
    }
    ContactLimits limits_of(std::size_t p, double speed) const override;
    PairGeometry<double> geometry_of(std::size_t p) const;
    static double overlap_between(const std::vector<Body>& body, const NeighbourList& list,
                                  const std::vector<Pair>& pairs, std::size_t p);
    /// Change of a new pair's distance by the displacements of its bodies [m].
    double lengthening_of(std::size_t p, double gap) const;

    double approach_speed(std::size_t p) const;

    void watch_depth(std::size_t p);
    /// As watch_depth(), of pairs with walls in the old list that are too deep now, before it
    /// forgets on which side of the walls the particles were.
    void watch_old_pairs();

    void respond_pairs(double dt) override;
    void respond_pair(std::size_t p, double dt);

    /// What rolling and twisting together do in a step.
    struct Rolled {
        Vec3 torque{};          ///< on the second body [N m]
        double work = 0.0;      ///< of both [J]
        double twisting = 0.0;  ///< the part of twisting, if records are kept [J]
    };
    Rolled roll(std::size_t p, const PairGeometry<double>& s, const PairSlip<double>& slip,
                const laws::Grip<double>& grip, double dt);

    void add(std::uint32_t body, Vec3 force, Vec3 torque);
    void add_to_wall(std::size_t wall, Vec3 point, Vec3 force, Vec3 torque);
    /// About the direction of a wall that turns [N m]; 0: it does not.
    double wall_torque_of(std::size_t wall, Vec3 point, Vec3 force, Vec3 torque) const;

    // What each contact dissipates (plain_dissipation.cpp), if that is wanted.

    AccountsOfPairs::Bodies bodies_of(std::size_t p) const override;
    ContactEnergy energy_of(std::size_t p) const override;
    void account_pair(std::size_t p, const Vec3& force, const Vec3& torque_on_first,
                      const Vec3& torque_on_second, double sliding_work, const Rolled& rolled);
    /// The work of twisting alone; `before`: the memory of rolling and twisting [J].
    double twisting_work(std::size_t p, const laws::Turn<double>& turn,
                         const SliderMemory<double>& before) const;
    /// What is stored in two pairs is exchanged.
    void exchange_energies(std::size_t one, std::size_t two);

    // The impacts of contacts (plain_impacts.cpp), if they are wanted.

    /// Velocities at the end and in the middle of the step [m/s, rad/s].
    struct Moving {
        Vec3 velocity, angular_velocity, half, half_angular_velocity;
    };
    Moving moving(std::uint32_t body) const;
    static PartingSpeeds speeds_at(double share, const PairGeometry<double>& s, const Moving& a,
                                   const Moving& b, double radius, double other);
    /// The triangle of a mesh that the pair touches; 0: another wall, or no wall.
    std::uint32_t triangle_of(std::size_t p) const;
    Impact closing_of(std::size_t p, const PairGeometry<double>& s, double dt) const;
    void note_opening(const OpenedPair& opened) override;

    const Packing& packing_ = around_.packing;
    const std::size_t n_;
    std::vector<Body> body_;  // particles, then the list's ghosts
    std::vector<Vec3> velocity_, angular_velocity_, velocity_change_, angular_velocity_change_,
        force_, torque_;
    NeighbourList list_;
    std::vector<Pair> pair_;
    SharedRims rims_;
    RimGhosts rim_ghosts_;
    SeamGhosts seam_ghosts_;
    std::vector<CarrierMotion> carried_;           // of each carrier at this step
    std::vector<std::uint32_t> touched_triangle_;  // of each ghost; empty without records
};

}  // namespace beadwave::packing
