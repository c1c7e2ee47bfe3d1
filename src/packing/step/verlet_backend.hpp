// A step of velocity Verlet in the form of packing_engine.hpp, written once for back ends that
// compute one pair after another: its order, the ledger of its energy, walls and box, external
// forces, and particles that come and leave. A back end says how its particles drift and what its
// pairs do.
#pragma once

#include "packing/contacts/contact_impacts.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/packing_backend.hpp"
#include "packing/step/accounts_of_pairs.hpp"
#include "packing/step/particle_views.hpp"
#include "packing/walls/wall_work.hpp"

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

class SavedNumbers;

/// What a contact adds to the limits of the time step.
struct ContactLimits {
    struct OnParticle {
        std::size_t particle;
        double stiffness = 0.0;  ///< over mass [1/s^2]
        double damping = 0.0;    ///< over mass [1/s]
    };
    OnParticle first, second;  ///< of a wall the second does not count
    std::int32_t wall;         ///< -1: none
    bool on_box;               ///< it pushes the edges of the box
    Vec3 branch;               ///< [m]
    double stiffness;          ///< [N/m]
    double damping;            ///< [N s/m]
};

class VerletBackend : public PackingBackend {
  public:
    void run(std::int64_t steps, ParticleTrace& trace, bool more) final;
    void sample(ParticleTrace& trace) const final;
    void change_population() final;
    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half) final;
    void set_velocities(std::size_t particle, const Vec3& velocity,
                        const Vec3& angular_velocity) final;

    Motion motion(std::size_t particle) const final;
    std::size_t closed_contacts() const final;
    PackingTotals totals() const final;
    std::vector<ContactDissipation> dissipation() const final;
    std::vector<Impact> take_impacts() final { return impacts_.take(); }
    OpenImpacts open_impacts() const final;
    std::vector<double> wall_rubbing() const final {
        return wall_work_ ? wall_work_->rubbing().wall : std::vector<double>{};
    }
    const WallWork* wall_work() const final { return wall_work_ ? &*wall_work_ : nullptr; }
    StabilityLimits stability_limits(double speed) const final;
    DeepContact deepest() const final { return deepest_; }
    std::optional<std::size_t> first_non_finite() const final;
    BackendReport report() const override { return report_; }

  protected:
    VerletBackend(const Packing& packing, double time_step, ContactRecords records,
                  AccountsOfPairs::Sums sums);
    /// Computes the forces at the start; constructors call it when pairs are listed.
    void start();

    // What a back end has of its particles.

    virtual ParticleViews<Vec3> views() = 0;
    virtual ParticleViews<const Vec3> views() const = 0;
    /// The displacement from the start [m].
    virtual Vec3 displacement_of(std::size_t i) const = 0;
    virtual Vec3 place_of(std::size_t i) const = 0;    ///< [m]
    virtual Vec3 from_lower(std::size_t i) const = 0;  ///< place from the box's lower corner [m]
    virtual Vec3 spin_of(std::size_t i) const = 0;     ///< [rad/s]
    virtual void set_spin(std::size_t i, const Vec3& spin) = 0;
    /// The torque of the contacts, also in a restored state [N m].
    virtual Vec3 torque_of(std::size_t i) const { return views().torque[i]; }
    /// Kinetic energy [J] and angular momentum [kg m^2/s] of the rotation about the centre.
    struct Rotation {
        double energy;
        Vec3 momentum;
    };
    virtual Rotation rotation_of(std::size_t i) const = 0;
    /// What Population::leave() and enter() do not count of it.
    virtual ElementTotals more_of_rotation(std::size_t /*i*/) const { return {}; }
    /// Puts a particle there [m]; nothing acts on it.
    virtual void rest_at(std::size_t i, const Vec3& place) = 0;
    virtual void hold_absent() { around_.hold_absent(); }
    virtual bool is_finite(std::size_t i) const = 0;

    // What it does with them in a step.

    /// Moves the particles to the end of the step, and predicts their velocities there.
    virtual void drift() = 0;
    /// What follows particles: images, walls.
    virtual void update_ghosts() {}
    /// Computes what elements do after a step of dt [s].
    virtual void step_carriers(double /*dt*/) {}
    /// By the present forces, in half a step.
    virtual void set_velocity_change(std::size_t i) = 0;
    /// The velocities at the end of the step from the changes.
    virtual void finish_velocities() = 0;

    // What it has of its pairs.

    /// Forces, memory and accounts of all pairs after a step of dt [s].
    virtual void respond_pairs(double dt) = 0;
    /// Of bodies that the list sees; `moved`: since the list was built, without affine motion [m].
    virtual std::size_t listed_bodies() const = 0;
    virtual Vec3 moved(std::size_t body) const = 0;
    virtual std::array<std::size_t, 2> particles_of(std::size_t pair) const = 0;
    virtual bool touches(std::size_t pair) const = 0;
    virtual bool is_finite_pair(std::size_t pair) const = 0;
    struct Stored {
        double normal = 0.0, sliding = 0.0, rolling = 0.0;  ///< [J]
    };
    virtual Stored stored_in(std::size_t pair) const = 0;
    /// `speed`: see laws::slopes [m/s].
    virtual ContactLimits limits_of(std::size_t pair, double speed) const = 0;

    // What it has of its contacts, if records are kept.

    /// The two bodies of a pair.
    virtual AccountsOfPairs::Bodies bodies_of(std::size_t pair) const = 0;
    /// Stored in a pair.
    virtual ContactEnergy energy_of(std::size_t pair) const = 0;
    virtual void note_opening(const OpenedPair& opened) = 0;

    // What all of this shares.

    std::size_t count() const { return around_.packing.particles(); }
    double time() const { return around_.time(); }
    bool keeps_records() const { return accounts_.has_value(); }
    void respond(double dt);
    /// A new list begins with the places of walls and box as they are.
    void begin_list();
    double largest_difference() const;
    void note_depth(const DeepContact& contact) {
        if (contact.depth > deepest_.depth) deepest_ = contact;
    }
    DissipationParts lost_in(const PlainAccount& account, const ContactEnergy& stored) const;
    /// A pair in a step.
    struct MeetingPair {
        std::size_t pair;
        std::uint32_t triangle;
        bool touched, touches;
        double overlap, force_before, force;
    };
    /// Follows the impact of a pair that has responded; closing() as TouchingBodies::meet().
    template <class Closing>
    void watch_impact(const MeetingPair& now, double dt, const Closing& closing) {
        const bool pushes = now.force != 0.0;
        if (!pushes && now.force_before == 0.0 && !now.touched && !now.touches) return;
        const std::uint32_t account = accounts_->known(bodies_of(now.pair));
        if (account == 0) return;
        impacts_.all().resize(accounts_->all().size());
        TouchingBodies& bodies = impacts_[account];
        if (!pushes && dt > 0.0 && (now.force_before != 0.0 || (now.touched && !now.touches)))
            opened_.push_back({now.pair, now.force_before});
        if (!now.touches && !pushes) return;
        bodies.touches = true;
        bodies.pushes = bodies.pushes || pushes;
        if (pushes) bodies.ended = false;
        bodies.meet(closing, now.triangle);
        bodies.include(now.overlap, now.force, time());
    }
    /// Columns that all of these back ends have; restore_columns() before the list is built,
    /// restore_records() after it.
    void append_columns(SavedNumbers& columns) const;
    void restore_columns(std::int64_t step, const SavedColumns& column);
    void restore_records(const SavedColumns& column);

    struct Ledger {
        double power = 0.0;           ///< of the contacts on the particles, summed over steps [W]
        double power_now = 0.0;       ///< at this step [W]
        double power_at_start = 0.0;  ///< [W]
        double tangential = 0.0;      ///< work on all tangential springs and sliders [J]
        double rolling = 0.0;         ///< the part of that on rolling and twisting ones [J]
        double walls = 0.0;           ///< work of moving walls [J]
        double initial_stored = 0.0;  ///< by normal laws [J]
    } ledger_;
    struct OnWalls {
        std::vector<Vec3> force;     ///< of the particles on each wall [N]
        std::vector<double> torque;  ///< about its direction; 0: it does not turn [N m]
        std::vector<Vec3> at_list;   ///< displacement when the list was built [m]
        double list_time = 0.0;      ///< when it was built [s]
    } walls_;
    const double dt_;
    const double skin_;
    PairLaws laws_;
    laws::LawTraits traits_;
    BackendReport report_;
    DeepContact deepest_;
    Edges image_force_;  // of the particles on the images, by the edge they move with
    const bool watches_impacts_;
    std::optional<AccountsOfPairs> accounts_;  // none: no records are kept
    std::optional<WallWork> wall_work_;        // likewise
    ContactImpacts impacts_;
    std::vector<OpenedPair> opened_;                         // of this step
    mutable std::vector<std::vector<double>> state_values_;  // storage of state()

  private:
    template <class Self, class Visit>
    static void each_shared_column(Self& self, Visit visit);
    template <class Self, class Visit>
    static void each_sum_of_walls(Self& self, Visit visit);
    Vec3 own_velocity(std::size_t i) const;  ///< relative to the affine motion [m/s]
    void start_box();
    void predict_current();
    void renew_forces();
    /// What pairs of those that leave have stored leaves too; whether any of them is closed.
    bool release_pairs(const std::vector<char>& leaves);
    void end_box_step(double dt);
    bool moved_too_far() const;
    double power_of_contacts() const;
    std::vector<ContactEnergy> stored_in_accounts() const;
    /// Of a particle, for the accounts.
    auto velocities() const {
        return
            [this, now = views()](std::size_t i) { return std::pair(now.velocity[i], spin_of(i)); };
    }
    double stored_normal() const;
    double stored_tangential() const;
    double dissipated_rolling(double dissipated_tangential) const;
    void end_impacts();
    void record(ParticleTrace& trace, std::int64_t row) const;
};

}  // namespace beadwave::packing
