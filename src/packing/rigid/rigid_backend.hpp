// The engine of rigid contacts: bodies that neither overlap nor yield, impacts that take no time,
// Coulomb's friction that sticks exactly. One thread; the same bits each time.
//
// Contact dynamics: the scheme of Moreau and Jean (J.J. Moreau: "Unilateral contact and dry
// friction in finite freedom dynamics", 1988; M. Jean: "The non-smooth contact dynamics method",
// Comput. Methods Appl. Mech. Engrg. 177 (1999) 235), with theta = 1/2. A step of h takes the
// geometry at its start and finds the impulses p of all contacts at once (rigid_solver.hpp):
//
//     m (v' - v) = h m g + sum of p,     x' = x + h (v + v') / 2
//
// Free flight is exact, impacts are of first order in h. With u the normal velocity at the start,
// and the gap, a contact has the bias (rigid_solver.hpp)
//
//     e |u|            it approaches faster than 2 h g, and the gap closes in half a step: Newton's
//                      law u' = e |u|. One that closes later in the step is free until the next
//     max(gap / h, u)  otherwise, and where e = 0: it stays closed, or closes as far as the gap
//                      lasts
//
// The work of a contact in a step is exactly p (u + u') / 2, so the ledger balances but for
// rounding: the error of the scheme is in places and forces, not in the ledger. Of normal impulses
// that work is never positive. With Newton's restitution, friction and several contacts at once
// the sum of all may be (Kane's paradox), and friction does work of the order h^2 where it reverses
// a sliding within a step.
//
// Bodies that meet at the speed u penetrate by up to h u, with e = 0 by h u / 2: nothing pushes
// them apart again, which would make energy. rigid() has the deepest penetration.
#pragma once

#include "packing/box_motion.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/packing_engine.hpp"
#include "packing/rigid/rigid_solver.hpp"
#include "packing/walls/wall_loads.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::packing {

class RigidBackend final : public PackingBackend {
  public:
    /// The packing has rigid contacts, and is one that validate() accepts.
    RigidBackend(const Packing& packing, double dt);

    void run(std::int64_t steps, ParticleTrace& trace, bool more) override;
    void change_population() override {}  // nothing comes or leaves
    void sample(ParticleTrace& trace) const override;
    /// Throws ArgumentError: external forces do not act on particles with rigid contacts yet.
    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half) override;
    void set_velocities(std::size_t particle, const Vec3& velocity,
                        const Vec3& angular_velocity) override;

    int threads() const override { return 1; }
    Motion motion(std::size_t i) const override {
        return {displacement_[i], velocity_[i], angular_velocity_[i]};
    }

    /// Contacts that touch or had an impulse in the last step, with its impulse over the time step
    /// as force, and the geometry at its start.
    std::vector<ContactState> contacts() const override;
    std::size_t closed_contacts() const override;

    PackingTotals totals() const override;
    StabilityLimits stability_limits(double /*speed*/) const override { return {}; }
    DeepContact deepest() const override;
    RigidReport rigid() const;
    std::optional<std::size_t> first_non_finite() const override;

    BackendReport report() const override {
        BackendReport all = report_;
        all.rigid = rigid();
        return all;
    }
    std::size_t listed_pairs() const override { return pair_.size(); }
    void rebuild_list() override;

    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step, const SavedColumns& column) override;

    /// A pair of the list.
    struct PairImpulse {
        std::size_t first;   ///< particle
        std::size_t second;  ///< particle, or particles() + number of the wall
        Vec3 impulse;        ///< on the second in the last step [N s]
    };
    std::vector<PairImpulse> impulses() const;
    /// The impulses with which the solver starts the next step, in place of those of the last one,
    /// in the order of impulses() [N s]. Where friction leaves forces open, it finds those nearby.
    void set_impulses(std::span<const Vec3> impulses);

  private:
    /// A pair of the list.
    struct Pair {
        double friction = 0.0, restitution = 0.0;
        Vec3 normal{};     ///< from the first to the second, at the start of the last step
        double gap = 0.0;  ///< then [m]
        Vec3 impulse{};    ///< of the last step, on the second [N s]
    };
    /// What a pair's two sides are.
    struct Sides {
        std::uint32_t first, second;  ///< particles; the second of a wall does not count
        std::int32_t wall;            ///< -1: none
        double radii;                 ///< sum of both [m]
    };
    struct Sums {
        double normal = 0.0, friction = 0.0;  ///< dissipated since the start [J]
        double walls = 0.0;                   ///< work of moving walls [J]
        double iterations = 0.0, unconverged = 0.0, largest_change = 0.0;
        // Of the deepest penetration.
        double depth = 0.0, overlap = 0.0, first = 0.0, second = 0.0, step = 0.0;
    };
    enum class Columns { all, of_particles, of_pairs };

    /// Calls visit(name, count, i -> the i-th number) for every column of the state.
    template <class Self, class Function>
    static void each_column(Self& self, Function visit, Columns which = Columns::all);

    double time() const { return around_.time(); }
    Vec3 place_of(std::size_t i) const { return packing_.position[i] + displacement_[i]; }
    Sides sides_of(std::size_t p) const;
    /// The second body in ContactState.
    std::size_t second_of(const Sides& sides) const {
        return sides.wall >= 0 ? n_ + static_cast<std::size_t>(sides.wall)
                               : std::size_t{sides.second};
    }
    const PairSettings* settings_of(const Sides& sides) const;

    void adopt_list();
    bool moved_too_far() const { return largest_difference() >= skin_; }
    /// The largest difference of two displacements since the list was built [m], or more.
    double largest_difference() const;

    void measure_pairs();
    void measure_pair(std::size_t p);
    void watch_penetration(std::size_t p);
    /// Bodies with the velocities that they would have without contacts; walls come last.
    void free_bodies();
    /// The contacts that may close in the step, and the pair of each.
    void possible_contacts();
    std::optional<double> bias_of(const Pair& pair, double radii, double speed) const;
    void take_work();
    void take_step();

    const Packing& packing_ = around_.packing;
    const double dt_;
    double skin_;
    std::size_t n_;
    SolverLimits limits_;
    double slow_;  // approaches below this are none [m/s]
    std::int64_t& step_ = around_.step;
    std::vector<Vec3> displacement_, velocity_, angular_velocity_, force_;
    std::vector<Vec3> at_list_, wall_at_list_;  // displacements when the list was built
    NeighbourList list_;
    std::vector<Pair> pair_;
    std::vector<RigidBody> body_, body_before_;  // of the present step
    std::vector<RigidContact> contact_;          // of the present step
    std::vector<std::size_t> pair_of_contact_;
    WallLoads& loads_ = around_.loads;
    const BoxMotion& box_ = around_.box;  // which stays as it is
    Sums sums_;
    BackendReport report_;                                   // of the list
    mutable std::vector<std::vector<double>> state_values_;  // storage of state()
};

/// Throws std::invalid_argument with the message of validate(), or if the contacts are not rigid.
std::unique_ptr<PackingEngine> make_rigid_packing_engine(const Packing& packing, double time_step);

}  // namespace beadwave::packing
