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
// walls that meet are a matter of mesh_seams.hpp too. A superellipsoid may touch a cylinder at
// several points (facing_of_cylinder.cpp): their forces are summed into one contact
// (shaped_beside.cpp), whose friction acts at their mean place.
//
// What particles carry acts on the centre of mass, and its torques on the body's own moments:
// elements/element_stepper.hpp. A drive that turns a body turns its axes in space.
#pragma once

#include "laws/neck.hpp"
#include "packing/box_motion.hpp"
#include "packing/contacts/contact_impacts.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/shaped/shaped_member.hpp"
#include "packing/shaped/shaped_pair.hpp"
#include "packing/shaped/shaped_surface.hpp"
#include "packing/state/finite.hpp"
#include "packing/step/verlet_backend.hpp"
#include "packing/walls/shared_rims.hpp"
#include "packing/walls/wall_loads.hpp"
#include "packing/walls/wall_work.hpp"
#include "shapes/turned_shape.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::packing {

class ShapedBackend final : public VerletBackend {
  public:
    /// The packing has shapes, and is one that validate() accepts. `ranks`: each has all of the
    /// packing and steps all of it, but searches for the touches of a part of the pairs
    /// (shaped_ranks.cpp); null: one process.
    ShapedBackend(const Packing& packing, double dt, int threads,
                  ContactRecords records = ContactRecords::none,
                  ranks::Communicator* ranks = nullptr);

    int threads() const override { return threads_; }
    std::vector<shapes::Quaternion> orientation() const override;
    std::size_t listed_pairs() const override { return pair_.size(); }
    std::vector<ContactState> contacts() const override;
    NumberRange own_numbers() const override;
    std::vector<ContactState> own_contacts() const override;
    void visit_contacts(const ContactVisitor& visit) const override;
    BackendReport report() const override;
    void rebuild_list() override;
    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step, const SavedColumns& column) override;

  private:
    /// What the list says of a pair.
    struct PairBodies {
        std::uint32_t first, second;        ///< particles; of a wall, the first again
        std::uint32_t member_1, member_2;   ///< of them, which touch
        std::int32_t wall;                  ///< -1: none
        std::array<std::int32_t, 3> image;  ///< of the second, which touches [periods]
        Vec3 shift;                         ///< of the image when the list was built [m]
    };
    /// How far a particle has moved since the list was built.
    struct Way {
        Vec3 displacement{};  ///< at the last search [m]
        shapes::Quaternion orientation{};
        double length = 0.0;  ///< no point of it has moved further [m]
        bool finite = true;   ///< its state is
    };
    /// The two sides of a pair at present.
    struct Sides : PairBodies {
        Vec3 branch{};       ///< from the centre of the first member to that of the second [m]
        Vec3 wall_normal{};  ///< towards the particles
        double height{};     ///< of the first member's centre above the wall [m]
    };
    /// A pair in this step; without a touch the bodies are apart for certain.
    struct PairNow {
        Sides sides{};
        std::optional<Touch> touch{};
        bool finite = true;
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

    /// Calls visit(name, count, i -> the i-th number) for every column of its own.
    template <class Self, class Function>
    static void each_column(Self& self, Function visit, Columns which = Columns::all);

    // Particles (shaped_backend.cpp).

    template <class Vector, class Self>
    static ParticleViews<Vector> views_of(Self& self);
    ParticleViews<Vec3> views() override;
    ParticleViews<const Vec3> views() const override;
    Vec3 displacement_of(std::size_t i) const override { return particle_[i].displacement; }
    Vec3 place_of(std::size_t i) const override {
        return particle_[i].start + particle_[i].displacement;
    }
    Vec3 from_lower(std::size_t i) const override { return place_of(i) - packing_.box.lower; }
    Vec3 spin_of(std::size_t i) const override { return particle_[i].spin(); }
    void set_spin(std::size_t i, const Vec3& spin) override { particle_[i].set_spin(spin); }
    Rotation rotation_of(std::size_t i) const override {
        return {particle_[i].rotational_energy(), particle_[i].momentum_in_space()};
    }
    ElementTotals more_of_rotation(std::size_t i) const override;
    void rest_at(std::size_t i, const Vec3& place) override;
    void hold_absent() override;
    bool is_finite(std::size_t i) const override { return particle_[i].is_finite(); }

    void drift() override;
    void turn_members();
    void place_carriers();
    void step_carriers(double dt) override;
    void set_velocity_change(std::size_t i) override;
    void finish_velocities() override;
    void adopt_list();

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

    std::size_t listed_bodies() const override { return member_.size(); }
    Vec3 moved(std::size_t member) const override;

    std::array<std::size_t, 2> particles_of(std::size_t p) const override;
    bool touches(std::size_t p) const override { return touches(pair_[p]); }
    bool is_finite_pair(std::size_t p) const override { return pair_[p].is_finite(); }
    Stored stored_in(std::size_t p) const override;
    ContactLimits limits_of(std::size_t p, double speed) const override;
    Sides sides_of(std::size_t p) const;
    // Which pairs are near, and where they touch (shaped_search.cpp).

    /// Before the searches of a step.
    void follow_ways();
    /// Of all pairs, by threads and ranks.
    void find_touches();
    /// The rank that searches for the touch of a pair; none: each.
    std::optional<std::size_t> rank_of(std::size_t p) const;
    bool searches(std::size_t p) const;
    /// Tells the other ranks what this one has found, and gets what they have.
    void share_touches();
    void find_touch(std::size_t p, PairNow& now);
    /// As closely as the bodies must be known: none if they are apart for certain. With arms from
    /// the centres of the members. Of pairs that are no two balls.
    std::optional<Touch> touch_of_members(std::size_t p, const Sides& sides);
    Touch touch_with_wall(std::size_t p, const Sides& sides) const;
    std::optional<Touch> touch_of_shapes(ShapedPair& pair, const Sides& sides);
    /// The members of a pair are apart by `gap` [m]: they will not be searched before they have
    /// moved as far.
    void part(ShapedPair& pair, const Sides& sides, double gap) const;
    Rates rates_of(const Sides& sides, const Touch& touch, When when) const {
        return sides.wall < 0 ? rates_of_particles(sides, when) : rates_on_wall(sides, touch, when);
    }
    Rates rates_of_particles(const Sides& sides, When when) const;
    Rates rates_on_wall(const Sides& sides, const Touch& touch, When when) const;
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
    bool touches(const ShapedPair& pair) const {
        return pair.is_closed() ? pair.touches(law_of_pair(pair)) : pair.overlap > 0.0;
    }

    /// Where a member touches a wall beside the deepest point.
    std::span<const PointOnWall> beside(std::size_t p) const {
        if (facing_.empty() || list_.second[p] < member_.size()) return {};
        const SurfaceFacing& facing = facing_[list_.second[p] - member_.size()];
        return facing.found ? facing.beside : std::span<const PointOnWall>();
    }
    /// Normal forces at several points of a wall.
    struct Beside {
        double pressing;  ///< sum of their sizes, which bounds friction [N]
        double force;     ///< resultant along its direction [N]
        Vec3 torque;      ///< beside that of the resultant [N m]
    };
    /// Adds the normal forces of these points to that of a pair, and puts direction and place of
    /// their resultant into `touch`.
    Beside press_beside(const ShapedPair& pair, const Sides& sides, Touch& touch,
                        std::span<const PointOnWall> points) const;
    double stored_beside(std::size_t p) const;  ///< [J]
    void respond_pairs(double dt) override;
    void respond_pair(std::size_t p, const PairNow& now, double dt);
    /// In a step: the work on the tangential spring and slider [J], the way of the slip [m].
    struct Slid {
        double work, way;
    };
    Slid slide(ShapedPair& pair, const Sides& sides, const Touch& touch, const Rates& half,
               const Vec3& end, double dt);
    /// Likewise on rolling and twisting springs and sliders (shaped_rolling.cpp) [J].
    struct Rolled {
        double rolling = 0.0, twisting = 0.0;
    };
    Rolled roll(ShapedPair& pair, const Sides& sides, const Touch& touch, const Rates& half,
                const Rates& predicted, double dt);
    void add_forces(const ShapedPair& pair, const Sides& sides);
    double wall_torque_of(const ShapedPair& pair, const Sides& sides, const Vec3& force) const;

    // What contacts dissipate (shaped_energy.cpp); nothing without accounts.

    AccountsOfPairs::Bodies bodies_of(const Sides& sides) const {
        return {sides.first, sides.wall < 0 ? sides.second
                                            : static_cast<std::uint32_t>(particle_.size()) +
                                                  static_cast<std::uint32_t>(sides.wall)};
    }
    AccountsOfPairs::Bodies bodies_of(std::size_t p) const override {
        return bodies_of(sides_of(p));
    }
    ContactEnergy energy_of(std::size_t p) const override;
    void account_pair(const ShapedPair& pair, const Sides& sides, double sliding_work,
                      const Rolled& rolled);
    /// The triangle of a mesh that a pair touches; of other pairs 0.
    std::uint32_t triangle_of(std::size_t p) const;
    /// Adds the rubbing of a wall: its mean force in the step, and how far a contact slid [m].
    void rub_wall(std::size_t p, const Sides& sides, double force_before, double slid);

    // Impacts (shaped_impacts.cpp), as in the plain engine.

    /// Time and speeds of a touch that began in this step.
    Impact closing_of_touch(const Sides& sides, const Touch& touch, double dt) const;
    void note_opening(const OpenedPair& opened) override;

    void watch_depth(const ShapedPair& pair, const Sides& sides);

    const Packing& packing_ = around_.packing;
    const int threads_;
    ranks::Communicator* const ranks_;  // null: there is one process
    const bool rolls_ = packing_.rolling.acts();
    double uncertain_normals_ = 0.0, flat_contacts_ = 0.0;
    std::vector<ShapedParticle> particle_;
    std::vector<CarrierMotion> carried_;  // of each carrier of the elements, after their step
    std::vector<ShapedMember> member_;
    std::vector<shapes::TurnedShape> shape_;  // of the members, at present
    std::vector<Way> way_;                    // of the particles
    NeighbourList list_;
    std::vector<ShapedPair> pair_;
    std::vector<PairBodies> bodies_;   // of the pairs
    std::vector<PairNow> now_;         // likewise, in this step; of several threads or ranks
    std::vector<Vec3> at_list_;        // displacements when the list was built
    std::vector<Vec3> place_at_list_;  // of the members, likewise
    bool curved_;                      // there are walls that are no planes
    SharedRims rims_;
    RimGhosts rim_ghosts_;
    SeamGhosts seam_ghosts_;
    std::vector<SurfaceFacing> facing_;  // of the list's ghosts
};

inline ShapedBackend::Rates ShapedBackend::rates_of_particles(const Sides& sides, When when) const {
    const ShapedParticle &a = particle_[sides.first], &b = particle_[sides.second];
    Rates rates = when == When::half ? Rates{a.half, a.half_spin, b.half, b.half_spin}
                  : when == When::predicted
                      ? Rates{a.predicted, a.predicted_spin, b.predicted, b.predicted_spin}
                      : Rates{a.velocity, a.spin(), b.velocity, b.spin()};
    if (around_.box.strains()) {
        const Edges& rate = when == When::half        ? around_.box.half()
                            : when == When::predicted ? around_.box.predicted()
                                                      : around_.box.rate();
        rates.velocity_2 += rate.shift(sides.image);
    }
    return rates;
}

}  // namespace beadwave::packing
