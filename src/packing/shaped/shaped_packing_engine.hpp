// The engine of packings of ellipsoids, superellipsoids, clumps, spheres among them, and walls.
// Written to be read, like the plain engine of spheres. Threads share the search for the points of
// contact, which takes most of the time; all sums are those of one thread.
//
// Velocity Verlet in the form of packing_engine.hpp: half a kick changes velocity and angular
// momentum, the drift moves the centre by the velocity and turns the body freely
// (shapes/rigid_motion.hpp), and after the forces follows the other half. Normal laws and dashpots
// take the predicted velocities at the end of the step. The slip of a step is that of the material
// points of both bodies at the point of contact, from the velocities in the middle of the step and
// arms and normal that are the mean of those before the step and after it. All of this is of second
// order. Two spheres, and a sphere and a wall, take the arms of the plain engine
// (pair_kinematics.hpp), so that a packing of spheres runs as there.
//
// A contact closes in the step after which the bodies overlap. Its law is that of the touch within
// the step (shaped_touch.hpp): both bodies are followed back until they just touch. When they part
// it is forgotten. The depth of a contact (deep_contact.hpp) is relative to the smallest semi-axis
// of both. A law between two spheres, and its memory, stay as long as the pair is listed,
// as in the plain engine.
//
// The balls of a clump are members of its body (shaped_member.hpp): each pair of members has a
// contact of its own, with its memory, whose force acts on the bodies. Their laws are made at the
// touch, as those of ellipsoids are, from the radii of the balls and the mass that the impact
// feels.
//
// A member touches a patch of a mesh, or a curved wall, as a plane: that through the point of
// contact (shaped_surface.hpp, shaped_walls.cpp). Which contacts count where patches and walls
// meet, and how a contact passes with its memory, is as in the plain engine; of ellipsoids curved
// walls that meet are a matter of mesh_seams.hpp too.
#pragma once

#include "laws/neck.hpp"
#include "packing/box_motion.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/packing_engine.hpp"
#include "packing/plain/contact_impacts.hpp"
#include "packing/shaped/shaped_accounts.hpp"
#include "packing/shaped/shaped_member.hpp"
#include "packing/shaped/shaped_pair.hpp"
#include "packing/shaped/shaped_surface.hpp"
#include "packing/walls/shared_rims.hpp"
#include "packing/walls/wall_loads.hpp"
#include "packing/walls/wall_work.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::packing {

class ShapedPackingEngine final : public PackingEngine {
  public:
    /// The packing has shapes, and is one that validate() accepts.
    ShapedPackingEngine(const Packing& packing, double dt, int threads,
                        ContactRecords records = ContactRecords::none);

    using PackingEngine::advance;
    void advance(std::int64_t steps, ParticleTrace& trace) override;
    void sample(ParticleTrace& trace) const override;
    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half) override;
    void set_velocities(std::size_t particle, const Vec3& velocity,
                        const Vec3& angular_velocity) override;

    std::int64_t step() const override { return step_; }
    double time_step() const override { return dt_; }
    int threads() const override { return threads_; }
    std::size_t particles() const override { return particle_.size(); }
    Motion motion(std::size_t particle) const override;
    std::vector<Vec3> displacement() const override;
    std::vector<Vec3> velocity() const override;
    std::vector<Vec3> angular_velocity() const override;
    std::vector<shapes::Quaternion> orientation() const override;

    std::vector<ContactState> contacts() const override;
    std::size_t closed_contacts() const override;
    std::vector<WallMotion> walls() const override { return loads_.motions(); }
    BoxState box() const override { return {box_.now(), box_.rate(), box_.strains()}; }
    const ElementStepper& elements() const override { return elements_; }
    const Population& population() const override { return population_; }

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
    double largest_leap() const override { return largest_leap_; }
    std::optional<std::size_t> first_non_finite() const override;

    std::int64_t neighbour_list_builds() const override { return list_builds_; }
    std::size_t listed_pairs() const override { return pair_.size(); }
    void rebuild_list() override;

    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step, const SavedColumns& column) override;

    std::int64_t uncertain_normals() const override {
        return static_cast<std::int64_t>(uncertain_normals_);
    }
    std::int64_t flat_contacts() const override {
        return static_cast<std::int64_t>(flat_contacts_);
    }

  private:
    struct EnergyAccounting {
        double power = 0.0;           ///< of the contacts on the particles, summed over steps [W]
        double power_now = 0.0;       ///< at this step [W]
        double power_at_start = 0.0;  ///< [W]
        double tangential = 0.0;      ///< work on tangential springs and sliders [J]
        double rolling = 0.0;         ///< the part of that on rolling and twisting ones [J]
        double walls = 0.0;           ///< work of moving walls [J]
    };
    /// The two sides of a pair at present.
    struct Sides {
        std::uint32_t first, second;        ///< particles; of a wall, the first again
        std::uint32_t member_1, member_2;   ///< of them, which touch
        std::int32_t wall;                  ///< -1: none
        std::array<std::int32_t, 3> image;  ///< of the second, which touches [periods]
        Vec3 branch;       ///< from the centre of the first member to that of the second [m]
        Vec3 wall_normal;  ///< towards the particles
        double height;     ///< of the first member's centre above the wall [m]
    };
    /// Velocity and spin of both sides, of a wall at the point of contact, and the arms there.
    struct Rates {
        Vec3 velocity_1, spin_1, velocity_2, spin_2;

        /// Velocity of the first body's material at the contact point against the second's [m/s].
        Vec3 apart(const Vec3& arm_1, const Vec3& arm_2) const {
            return velocity_1 + cross(spin_1, arm_1) - velocity_2 - cross(spin_2, arm_2);
        }
    };
    /// Arms and normal, of any length, in the middle of a step.
    struct Middle {
        Vec3 arm_1, arm_2, normal;
    };
    enum class When { half, predicted, now };
    enum class Columns { all, of_particles, of_pairs };

    /// Calls visit(name, count, i -> the i-th number) for every column of the state.
    template <class Self, class Function>
    static void each_column(Self& self, Function visit, Columns which = Columns::all);

    double time() const { return static_cast<double>(step_) * dt_; }
    Vec3 place_of(std::size_t i) const { return particle_[i].start + particle_[i].displacement; }

    void run_steps(std::int64_t steps, ParticleTrace& trace);
    void turn_members();
    /// Velocities and spins at the middle and the end of a step are the present ones.
    void predict_current();
    void set_velocity_changes();

    // A box that strains (shaped_box.cpp).

    Vec3 from_lower(std::size_t i) const { return place_of(i) - packing_.box.lower; }
    /// Relative to the affine motion of the box [m/s].
    Vec3 own_velocity(std::size_t i) const;
    void start_box();
    /// Takes the stress of the present forces, after a step of dt [s].
    void end_box_step(double dt);
    /// How much more than by the displacements of the bodies two members may have come near [m].
    double affine_approach() const;
    void adopt_list();

    // Particles that come and leave (shaped_population.cpp).

    void change_population();
    void hold_absent();
    static void rest_at(ShapedParticle& particle, const Vec3& place);
    /// The forces of the present state, after a change between two steps.
    void renew_forces();

    // Walls that are no planes (shaped_walls.cpp).

    bool is_curved(std::int32_t wall) const {
        return wall >= 0 &&
               !std::holds_alternative<Plane>(packing_.walls[static_cast<std::size_t>(wall)].shape);
    }
    /// The centre of a member at present, and when the list was built [m].
    Vec3 centre_of(std::size_t member) const;
    Vec3 centre_at_list(std::size_t member) const;
    /// The pair of a wall's ghost: each has one, and these are the last.
    std::size_t pair_of(std::size_t ghost) const {
        return pair_.size() - (list_.ghosts.size() - ghost);
    }
    void adopt_walls();
    /// Where members face curved walls and meshes now. Contacts pass on at seams and rims.
    void face_walls();
    SurfaceFacing facing_now(std::size_t ghost);
    SurfaceFacing facing_of_ball(std::size_t ghost, WallStep step, MeshContact* contact) const;
    SurfaceFacing facing_of_shape(std::size_t ghost, const WallStep& step) const;
    void pass_contact(std::size_t from_ghost, std::size_t to_ghost);
    /// Before the old list forgets on which side of thin walls the balls were.
    void watch_old_pairs();

    /// The displacement of a member since the list was built [m].
    Vec3 moved(const ShapedMember& member, const Vec3& place_at_list) const;
    bool moved_too_far() const;
    double largest_difference() const;

    Sides sides_of(std::size_t p) const;
    bool is_finite(const Sides& sides) const;
    /// As closely as the bodies must be known: none if they are apart for certain. With arms from
    /// the centres of the bodies.
    std::optional<Touch> touch_of_pair(std::size_t p, const Sides& sides) const;
    std::optional<Touch> touch_of_members(std::size_t p, const Sides& sides) const;
    /// Searches for the touches of all pairs.
    void find_touches();
    Rates rates_of(const Sides& sides, const Touch& touch, When when) const;
    Middle middle_of(const ShapedPair& pair, const Sides& sides, const Touch& touch,
                     const Rates& half, double dt) const;
    /// Makes the law of a contact that has closed in this step.
    void close(ShapedPair& pair, const Sides& sides, const Touch& touch, double dt);
    void make_law(ShapedPair& pair, const Sides& sides) const;
    std::array<std::size_t, 2> species_of(const Sides& sides) const;
    void count_flat(const ShapedPair& pair, const Sides& sides);
    const PairLaw& law_of_pair(const ShapedPair& pair) const {
        return pair.balls ? laws_.law(pair.kind) : pair.law;
    }
    /// Whether the bodies touch or a neck holds them together.
    bool touches(const ShapedPair& pair) const {
        return pair.overlap > 0.0 || (adhesive_ && pair.is_closed() &&
                                      laws::has_neck(law_of_pair(pair).normal, pair.memory));
    }
    /// The overlap and the force that friction and rolling resistance see of a pair.
    laws::Grip<double> grip_of(const ShapedPair& pair) const {
        if (!adhesive_) return {pair.overlap, pair.normal_force};
        return laws::grip(law_of_pair(pair).normal, pair.overlap, pair.normal_force, pair.memory);
    }

    /// Computes forces and memory of all pairs after a step of dt.
    void respond(double dt);
    void respond_pair(std::size_t p, double dt);
    /// In a step: the work on the tangential spring and slider [J], the way of the slip [m].
    struct Slid {
        double work, way;
    };
    Slid slide(ShapedPair& pair, const Sides& sides, const Touch& touch, double dt);
    /// Likewise on rolling and twisting springs and sliders (shaped_rolling.cpp) [J].
    struct Rolled {
        double rolling = 0.0, twisting = 0.0;
    };
    Rolled roll(ShapedPair& pair, const Sides& sides, const Touch& touch, double dt);
    void add_forces(const ShapedPair& pair, const Sides& sides);
    double wall_torque_of(const ShapedPair& pair, const Sides& sides, const Vec3& force) const;

    // What contacts dissipate (shaped_energy.cpp); nothing without accounts.

    ShapedAccounts::Bodies bodies_of(const Sides& sides) const {
        return {sides.first, sides.wall < 0 ? sides.second
                                            : static_cast<std::uint32_t>(particle_.size()) +
                                                  static_cast<std::uint32_t>(sides.wall)};
    }
    ContactEnergy energy_of(const ShapedPair& pair) const;
    void account_pair(const ShapedPair& pair, const Sides& sides, double sliding_work,
                      const Rolled& rolled);
    /// Calls visit(bodies, energy) for each pair.
    template <class Visit>
    void each_stored(Visit visit) const {
        for (std::size_t p = 0; p < pair_.size(); ++p)
            visit(bodies_of(sides_of(p)), energy_of(pair_[p]));
    }
    /// Of a particle, for ShapedAccounts.
    auto velocities() const {
        return
            [this](std::size_t i) { return std::pair(particle_[i].velocity, particle_[i].spin()); };
    }

    /// The triangle of a mesh that a pair touches; of other pairs 0.
    std::uint32_t triangle_of(std::size_t p) const;
    /// Adds the rubbing of a wall: its mean force in the step, and how far a contact slid [m].
    void rub_wall(std::size_t p, const Sides& sides, double force_before, double slid);

    // Impacts (shaped_impacts.cpp), as in the plain engine.

    /// A pair before it responds in this step.
    struct Before {
        bool touched;
        double force;  ///< [N]
    };
    void watch_impact(std::size_t p, const Sides& sides, const Touch& touch, const Before& before,
                      double dt);
    /// Time and speeds of a touch that began in this step.
    Impact closing_of_touch(const Sides& sides, const Touch& touch, double dt) const;
    void note_opening(const OpenedPair& opened);
    void end_impacts();
    DissipationParts lost_in(std::size_t account, const ContactEnergy& stored) const;

    void watch_depth(const ShapedPair& pair, const Sides& sides);

    double power_of_contacts() const;
    double normal_energy(const ShapedPair& pair) const;   ///< stored [J]
    double sliding_energy(const ShapedPair& pair) const;  ///< stored [J]
    double rolling_energy(const ShapedPair& pair) const;  ///< stored, twisting included [J]
    double stored_normal() const;
    double stored_tangential() const;
    /// The part by rolling and twisting of what all tangential laws dissipated [J].
    double dissipated_rolling(double dissipated_tangential) const;
    void record(ParticleTrace& trace, std::size_t row) const;

    Packing packing_;
    double dt_, skin_;
    int threads_;
    PairLaws laws_;
    laws::LawTraits traits_;
    bool rolls_, adhesive_;
    std::int64_t step_ = 0, list_builds_ = 0;
    double uncertain_normals_ = 0.0, flat_contacts_ = 0.0;
    std::vector<ShapedParticle> particle_;
    std::vector<ShapedMember> member_;
    NeighbourList list_;
    std::vector<ShapedPair> pair_;
    std::vector<std::optional<Touch>> touch_;  // of the pairs in this step
    std::vector<Vec3> at_list_;                // displacements when the list was built
    std::vector<Vec3> place_at_list_;          // of the members, likewise
    WallLoads loads_;
    bool curved_;  // there are walls that are no planes
    SharedRims rims_;
    RimGhosts rim_ghosts_;
    SeamGhosts seam_ghosts_;
    std::vector<SurfaceFacing> facing_;  // of the list's ghosts
    BoxMotion box_;
    Edges image_force_;        // of the contacts with images, on the edges of the box
    ElementStepper elements_;  // none
    Population population_;
    std::vector<Vec3> wall_force_;     // of the particles on each wall
    std::vector<double> wall_torque_;  // torque about its direction; 0: it does not turn [N m]
    std::vector<Vec3> wall_at_list_;   // displacement when the list was built
    double list_time_ = 0.0;           // when it was built [s]
    EnergyAccounting accounting_;
    std::optional<ShapedAccounts> accounts_;
    std::optional<WallWork> wall_work_;  // none without accounts
    bool watches_impacts_;
    ContactImpacts impacts_;
    std::vector<OpenedPair> opened_;  // of this step
    DeepContact deepest_;
    double largest_leap_ = 0.0;
    double initial_stored_ = 0.0;
    mutable std::vector<std::vector<double>> state_values_;  // storage of state()
};

}  // namespace beadwave::packing
