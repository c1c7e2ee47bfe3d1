// The plain engine of packings: each step a loop over particles, one over pairs, one over
// particles. It is the page to read, and what the fast engine is compared with.
#pragma once

#include "packing/neighbour_list.hpp"
#include "packing/normal_contact.hpp"
#include "packing/packing_engine.hpp"
#include "packing/pair_laws.hpp"
#include "packing/pair_motion.hpp"

#include <string>
#include <vector>

namespace beadwave::packing {

using laws::SliderMemory;

class PlainPackingEngine final : public PackingEngine {
    /// What is known of a particle or ghost while a step is under way.
    struct Body {
        Vec3 reference, displacement;
        Vec3 half, predicted;            // velocity in the middle and at the end of the step
        Vec3 half_spin, predicted_spin;  // the same of the spin
        double radius;
    };
    struct Pair {
        std::uint32_t kind = 0;
        double gap = 0.0;  ///< between the references [m]
        ContactMemory memory{};
        SliderMemory<double> sliding{}, rolling{};
        double overlap = 0.0, normal_force = 0.0;
        Vec3 branch{}, tangential_force{};
    };

  public:
    PlainPackingEngine(const Packing& packing, double dt);

    using PackingEngine::advance;
    void advance(std::int64_t steps, ParticleTrace& trace) override;
    void sample(ParticleTrace& trace) const override;

    std::int64_t step() const override { return step_; }
    double time_step() const override { return dt_; }
    int threads() const override { return 1; }
    std::size_t particles() const override { return n_; }
    std::vector<Vec3> velocity() const override { return velocity_; }
    std::vector<Vec3> spin() const override { return spin_; }
    std::vector<Vec3> displacement() const override;
    std::int64_t list_renewals() const override { return renewals_; }
    std::size_t listed_pairs() const override { return pair_.size(); }

    std::vector<ContactState> contacts() const override;
    std::size_t closed_contacts() const override { return contacts().size(); }

    PackingTotals totals() const override;

    PackingRates rates(double speed) const override;

    std::optional<std::size_t> first_non_finite() const override;

    void renew_list() override;

    std::vector<PackingColumn> state() const override;

    void restore(std::int64_t step,
                 const std::function<std::span<const double>(const std::string&)>& column) override;

  private:
    struct Work {
        double power = 0.0;           ///< of the contacts on the particles, summed over steps [W]
        double power_now = 0.0;       ///< [W]
        double power_at_start = 0.0;  ///< [W]
        double friction = 0.0;        ///< put into tangential and rolling springs and sliders [J]
        double walls = 0.0;           ///< by moving walls [J]
    };

    enum class Columns { all, of_particles, of_pairs };

    /// Calls visit(name, count, i -> the i-th number) for all that the future depends on. The list
    /// follows from what `of_particles` holds.
    template <class Self, class Visit>
    static void each_column(Self& self, Visit visit, Columns which = Columns::all);

    static void rebase(double& reference, double& displacement);

    Vec3 displacement_of(std::size_t i) const;
    double time() const { return static_cast<double>(step_) * dt_; }

    void note_walls();

    /// A new list for the references as they are, and the gaps of its pairs as if all were new.
    void take_list();

    /// Of a particle's reference above the wall as it was when the list was made [m].
    double height(std::uint32_t particle, std::size_t w) const;

    /// References of the list's ghosts.
    void lay_ghosts();

    /// Ghosts do what their particles do; a wall's goes along with the particle before it, so that
    /// the pair's branch is the normal, but has the wall's velocity.
    void place_ghosts();

    void drift();

    /// Whether two bodies may have come closer by the skin since the list was made.
    bool moved_too_far() const;

    PairStand<double> stand_of(std::size_t p) const;
    static double overlap_between(const std::vector<Body>& body, const NeighbourList& list,
                                  const std::vector<Pair>& pairs, std::size_t p);
    /// By what its bodies' displacements make a new pair's distance longer [m].
    double lengthening_of(std::size_t p, double gap) const;

    double approach_speed(std::size_t p) const;

    /// New forces and memory of all pairs after a step of dt.
    void respond(double dt);

    void respond_pair(std::size_t p, double dt);

    Vec3 roll(Pair& pair, const Body& a, const Body& b, const PairStand<double>& s,
              const PairSlip<double>& slip, double normal_force, double dt);

    void add(std::uint32_t body, Vec3 force, Vec3 torque);

    void set_gains(std::size_t i);

    void kick();

    /// What the contacts give to the particles. Over all steps, the trapezoidal sum is their work:
    /// exactly the kinetic energy that velocity Verlet gives, but for what the forces change within
    /// a step at the run's two ends.
    void note_power();

    double stored_normal() const;
    double stored_tangential() const;

    void record(ParticleTrace& trace, std::size_t row) const;

    const Packing packing_;
    double dt_;
    std::size_t n_;
    double skin_;
    PairLaws laws_;
    LawTraits traits_;
    std::int64_t step_ = 0, renewals_ = 0;
    std::vector<Body> body_;  // particles, then the list's ghosts
    std::vector<Vec3> velocity_, spin_, gain_, spin_gain_, force_, torque_;
    NeighbourList list_;
    std::vector<Pair> pair_;
    std::vector<Vec3> wall_force_;    // of the particles on each wall
    std::vector<Vec3> wall_at_list_;  // displacement when the list was made
    Work work_;
    double initial_stored_ = 0.0;
    mutable std::vector<std::vector<double>> saved_;  // what state() shows
};

}  // namespace beadwave::packing
