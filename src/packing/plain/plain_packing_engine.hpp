// The plain engine of packings: each step is a loop over particles, one over pairs, and one over
// particles. It is written to be read, and tests compare the fast engine with it.
#pragma once

#include "contact_impacts.hpp"
#include "laws/neck.hpp"
#include "packing/box_motion.hpp"
#include "packing/contacts/pair_kinematics.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/packing_backend.hpp"
#include "packing/walls/shared_rims.hpp"
#include "packing/walls/wall_loads.hpp"
#include "packing/walls/wall_work.hpp"
#include "pair_accounts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::packing {

using laws::SliderMemory;

class PlainPackingEngine final : public PackingBackend {
    /// A particle or ghost during a step.
    struct Body {
        Vec3 reference, displacement;
        Vec3 half, predicted;  // velocity in the middle and at the end of the step
        Vec3 half_angular_velocity, predicted_angular_velocity;  // [rad/s]
        double radius;
    };
    struct Pair {
        std::uint32_t kind = 0;
        double gap = 0.0;  ///< between the references [m]
        laws::AnyMemory memory{};
        SliderMemory<double> sliding{}, rolling{};
        double overlap = 0.0, normal_force = 0.0;
        Vec3 branch{}, tangential_force{};
    };

  public:
    PlainPackingEngine(const Packing& packing, double dt,
                       ContactRecords records = ContactRecords::none);

    void run(std::int64_t steps, ParticleTrace& trace, bool more) override;
    void change_population() override;
    void sample(ParticleTrace& trace) const override;
    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half) override;
    void set_velocities(std::size_t particle, const Vec3& velocity,
                        const Vec3& angular_velocity) override;

    int threads() const override { return 1; }
    std::vector<Vec3> velocity() const override { return velocity_; }
    std::vector<Vec3> angular_velocity() const override { return angular_velocity_; }
    std::vector<Vec3> displacement() const override;
    Motion motion(std::size_t particle) const override {
        return {displacement_of(particle), velocity_[particle], angular_velocity_[particle]};
    }
    BackendReport report() const override {
        return {.list_builds = list_builds_, .largest_leap = largest_leap_};
    }
    std::size_t listed_pairs() const override { return pair_.size(); }

    std::vector<ContactState> contacts() const override;
    std::size_t closed_contacts() const override { return contacts().size(); }

    PackingTotals totals() const override;
    std::vector<ContactDissipation> dissipation() const override;
    std::vector<Impact> take_impacts() override { return impacts_.take(); }
    OpenImpacts open_impacts() const override;
    std::vector<double> wall_rubbing() const override {
        return wall_work_ ? wall_work_->rubbing().wall : std::vector<double>{};
    }
    const WallWork* wall_work() const override { return wall_work_ ? &*wall_work_ : nullptr; }

    StabilityLimits stability_limits(double speed) const override;

    DeepContact deepest() const override { return deepest_; }
    std::optional<std::size_t> first_non_finite() const override;

    void rebuild_list() override;

    std::vector<PackingColumn> state() const override;

    void restore(std::int64_t step, const SavedColumns& column) override;

  private:
    struct EnergyAccounting {
        double power = 0.0;           ///< of the contacts on the particles, summed over steps [W]
        double power_now = 0.0;       ///< at this step [W]
        double power_at_start = 0.0;  ///< [W]
        double tangential = 0.0;      ///< work on all tangential springs and sliders [J]
        double rolling = 0.0;         ///< the part of that on rolling and twisting ones [J]
        double walls = 0.0;           ///< work of moving walls [J]
    };

    enum class Columns { all, of_particles, of_pairs };

    /// Calls visit(name, count, i -> the i-th number) for every column of the state. The neighbour
    /// list follows from the columns `of_particles`.
    template <class Self, class Function>
    static void each_column(Self& self, Function visit, Columns which = Columns::all);

    Vec3 displacement_of(std::size_t i) const;
    Vec3 from_lower(std::size_t i) const;  ///< place relative to the lower corner of the box [m]
    /// Relative to the affine motion [m/s].
    Vec3 own_velocity(std::size_t i) const;
    double time() const { return around_.time(); }

    /// Builds and adopts a new list for the present references; gaps are set as if all pairs were
    /// new.
    void adopt_list();

    /// The point of a wall closest to a particle's reference when the list was built.
    SurfacePoint closest(std::uint32_t particle, std::int32_t wall) const;

    /// Adds the list's ghosts with their references.
    void create_ghosts();

    /// Ghosts follow their particles. A wall's ghost stays the closest point to its particle, so
    /// that the branch is along the normal, but has the wall's velocity.
    void update_ghosts();
    /// Puts the ghosts of contacts that do not count at shared rims and seams out of reach, and
    /// passes the memory of contacts on.
    void share_places();

    /// The box begins to strain with the next step.
    void start_box();
    /// The forces of the present state, after a change between two steps.
    void predict_current();
    void renew_forces();

    void drift();
    /// Moves driven particles to the end of the step.
    void place_carriers();
    /// Computes what elements do after a step of dt.
    void step_carriers(double dt);

    /// Whether two bodies may have approached by the skin since the list was built.
    bool moved_too_far() const;

    PairGeometry<double> geometry_of(std::size_t p) const;
    /// Whether the bodies touch or a neck holds them together.
    bool touches(const Pair& pair) const {
        return pair.overlap > 0.0 ||
               (adhesive_ && laws::has_neck(laws_.law(pair.kind).normal, pair.memory));
    }
    /// The overlap and the force that friction and rolling resistance see of a pair.
    laws::Grip<double> grip_of(const Pair& pair) const {
        if (!adhesive_) return {pair.overlap, pair.normal_force};
        return laws::grip(laws_.law(pair.kind).normal, pair.overlap, pair.normal_force,
                          pair.memory);
    }
    static double overlap_between(const std::vector<Body>& body, const NeighbourList& list,
                                  const std::vector<Pair>& pairs, std::size_t p);
    /// Change of a new pair's distance by the displacements of its bodies [m].
    double lengthening_of(std::size_t p, double gap) const;

    double approach_speed(std::size_t p) const;

    /// The largest difference of two displacements since the list was built [m], or more.
    double largest_difference() const;
    void watch_depth(std::size_t p);
    /// As watch_depth(), of pairs with walls in the old list that are too deep now, before it
    /// forgets on which side of the walls the particles were.
    void watch_old_pairs();

    /// Computes forces and memory of all pairs after a step of dt.
    void respond(double dt);

    void respond_pair(std::size_t p, double dt);

    Vec3 roll(Pair& pair, const Body& a, const Body& b, const PairGeometry<double>& s,
              const PairSlip<double>& slip, const laws::Grip<double>& grip, double dt);

    void add(std::uint32_t body, Vec3 force, Vec3 torque);
    void add_to_wall(std::size_t wall, Vec3 point, Vec3 force, Vec3 torque);
    /// About the direction of a wall that turns [N m]; 0: it does not.
    double wall_torque_of(std::size_t wall, Vec3 point, Vec3 force, Vec3 torque) const;

    // What each contact dissipates (plain_packing_dissipation.cpp), if that is wanted.

    /// Null: the two bodies of the pair have not touched yet.
    PlainAccount* account_of(std::size_t p);
    /// Begins and ends the accounts of a step, before and after the pairs respond.
    void begin_accounts();
    void end_accounts(double dt);
    void account_pair(std::size_t p, const Vec3& force, const Vec3& torque_on_first,
                      const Vec3& torque_on_second, double sliding_work);
    /// `work`: of rolling and twisting together [J].
    void account_rolling(std::size_t p, const laws::Turn<double>& turn,
                         const SliderMemory<double>& before, double work);
    /// take(account, power) for each pair, with the velocities [m/s, rad/s] of velocity(particle).
    template <class Velocity, class Take>
    void each_contact_power(Velocity velocity, Take take);
    void update_contact_power();
    /// Velocities have changed between two steps: `weight` of the change of power counts in the
    /// sum over steps. No `angular_change`: none.
    void add_contact_power(const std::vector<Vec3>& change, const std::vector<Vec3>& angular_change,
                           double weight);
    void start_accounts();
    ContactEnergy energy_of(const Pair& pair) const;
    DissipationParts dissipated_by(const PlainAccount& account, const ContactEnergy& stored) const;
    std::vector<ContactEnergy> stored_in_accounts() const;
    /// What is stored in a pair leaves the packing.
    void release_account(std::size_t p);
    /// What is stored in one pair passes on to another.
    void pass_energy(std::size_t from, std::size_t to);
    std::vector<double> action_numbers() const;
    void restore_accounts(const SavedColumns& column);

    // The impacts of contacts (plain_packing_impacts.cpp), if they are wanted.

    /// Velocities at the end and in the middle of the step [m/s, rad/s].
    struct Moving {
        Vec3 velocity, angular_velocity, half, half_angular_velocity;
    };
    Moving moving(std::uint32_t body) const;
    /// The triangle of a mesh that the pair touches; 0: another wall, or no wall.
    std::uint32_t triangle_of(std::size_t p) const;
    /// Follows the impact of a pair after it has responded.
    void watch_impact(std::size_t p, const PairGeometry<double>& s, bool touched_before,
                      double force_before, double dt);
    Impact closing_of(std::size_t p, const PairGeometry<double>& s, double dt) const;
    void note_opening(std::size_t p, double force_before);
    /// Ends impacts after the step.
    void end_impacts();
    /// An impact has closed in this step: it may have been on a wall, and cuts it.

    /// The forces on the box, and what they make of it after a step of dt.
    void end_box_step(double dt);

    void set_velocity_changes(std::size_t i);

    void kick();

    /// The power of the contacts on the particles. The trapezoidal sum over all steps is their
    /// work: exactly the change of kinetic energy in velocity Verlet, except for the change of the
    /// forces within a step at the two ends of the run.
    void update_power();

    double normal_energy(const Pair& pair) const;   ///< stored [J]
    double sliding_energy(const Pair& pair) const;  ///< stored [J]
    double rolling_energy(const Pair& pair) const;  ///< stored [J]
    double stored_normal() const;
    double stored_tangential() const;
    /// The part by rolling and twisting of what all tangential laws dissipated [J].
    double dissipated_rolling(double dissipated_tangential) const;

    void record(ParticleTrace& trace, std::size_t row) const;

    Packing& packing_ = around_.packing;
    const double dt_;
    std::size_t n_;
    double skin_;
    PairLaws laws_;
    laws::LawTraits traits_;
    bool adhesive_;
    std::int64_t& step_ = around_.step;
    std::int64_t list_builds_ = 0;
    std::vector<Body> body_;  // particles, then the list's ghosts
    std::vector<Vec3> velocity_, angular_velocity_, velocity_change_, angular_velocity_change_,
        force_, torque_;
    NeighbourList list_;
    std::vector<Pair> pair_;
    WallLoads& loads_ = around_.loads;
    SharedRims rims_;
    RimGhosts rim_ghosts_;
    SeamGhosts seam_ghosts_;
    BoxMotion& box_ = around_.box;
    ElementStepper& elements_ = around_.elements;
    Population& population_ = around_.population;
    std::vector<CarrierMotion> carried_;  // of each carrier at this step
    Edges image_force_;                // of the particles on the images, by the edge they move with
    std::vector<Vec3> wall_force_;     // of the particles on each wall
    std::vector<double> wall_torque_;  // torque about its direction; 0: it does not turn [N m]
    std::vector<Vec3> wall_at_list_;   // displacement when the list was built
    double list_time_ = 0.0;           // when it was built [s]
    EnergyAccounting accounting_;
    bool dissipation_, watches_impacts_;
    std::optional<WallWork> wall_work_;            // none unless dissipation_
    std::vector<std::uint32_t> touched_triangle_;  // of each ghost; empty unless dissipation_
    ContactAccounts<PlainAccount> accounts_;
    std::vector<PairAction> action_;  // of each pair; empty unless dissipation_
    ContactImpacts impacts_;
    std::vector<OpenedPair> opened_;  // of this step
    DeepContact deepest_;
    double largest_leap_ = 0.0;
    double initial_stored_ = 0.0;
    mutable std::vector<std::vector<double>> state_values_;  // storage of state()
};

}  // namespace beadwave::packing
