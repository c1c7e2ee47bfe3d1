// The fast engine of packings: compact blocks of particles, each with the pairs of its particles. A
// pair between two blocks belongs to both, and both compute it bitwise identically. So blocks do
// not wait for each other within a step, and their forces stay in the cache.
#pragma once

#include "block_elements.hpp"
#include "block_share.hpp"
#include "block_sleep.hpp"
#include "bodies.hpp"
#include "box_forces.hpp"
#include "contact_works.hpp"
#include "depth_watch.hpp"
#include "list_travel.hpp"
#include "list_walls.hpp"
#include "listed_contacts.hpp"
#include "near_pairs.hpp"
#include "old_pairs.hpp"
#include "packing/box_motion.hpp"
#include "packing/device/device_pairs.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/packing_backend.hpp"
#include "packing/packing_engine.hpp"
#include "packing_kernel.hpp"
#include "rank_balance.hpp"
#include "simd/column.hpp"
#include "step_laws.hpp"
#include "stepping/thread_stretches.hpp"
#include "sum_lines.hpp"
#include "term_sums.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::packing {

using simd::Column;

class FastPackingEngine final : public PackingBackend {
  public:
    /// `ranks`: that share the packing; null: one process. With ranks all functions that return or
    /// change something are collective, except step(), time_step(), threads() and particles().
    FastPackingEngine(const Packing& packing, double dt, int threads,
                      const simd::InstructionSet& instructions, Sleep sleep,
                      ranks::Communicator* ranks = nullptr,
                      ContactRecords records = ContactRecords::none);

    void begin(std::int64_t steps) override { near_.begin(steps); }
    void run(std::int64_t steps, ParticleTrace& trace, bool more) override;
    void change_population() override;
    void sample(ParticleTrace& trace) const override;

    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half) override;
    void set_velocities(std::size_t particle, const Vec3& velocity,
                        const Vec3& angular_velocity) override;

    int threads() const override { return threads_; }
    std::string device() const override {
        if (packing_.place == Place::twin) return "twin";
        return device_ ? device_->device_name() : "";
    }
    std::size_t listed_pairs() const override { return sums_.pairs(contacts_.home().size()); }

    Motion motion(std::size_t particle) const override;
    std::vector<OwnParticle> own() const override;
    std::vector<Vec3> displacement() const override;
    std::vector<Vec3> velocity() const override;
    std::vector<Vec3> angular_velocity() const override;

    std::vector<ContactState> contacts() const override;
    void visit_contacts(const ContactVisitor& visit) const override;
    NumberRange own_numbers() const override { return bodies_.own_numbers(); }
    std::vector<Vec3> own_displacements() const override;
    std::vector<Vec3> own_velocities() const override;
    void visit_velocities(
        const std::function<void(std::size_t number, const Vec3& velocity)>& visit) const override;
    std::vector<Vec3> own_angular_velocities() const override;
    std::vector<ContactState> own_contacts() const override;
    std::vector<ContactSide> own_sides() const override;
    std::size_t closed_contacts() const override;
    const ElementStepper& elements() const override { return elements_.all(); }
    std::vector<Vec3> drive_forces() const override { return elements_.drive_forces(); }
    std::vector<Vec3> drive_torques() const override { return elements_.drive_torques(); }
    std::vector<BrokenBond> broken_bonds(double after) const override {
        return elements_.broken_bonds(after);
    }
    PackingTotals totals() const override;
    std::vector<ContactDissipation> dissipation() const override {
        return works_ ? works_->dissipation(laws_.traits.conservative)
                      : std::vector<ContactDissipation>{};
    }
    std::vector<double> wall_rubbing() const override {
        return works_ ? works_->rubbing() : std::vector<double>{};
    }
    StabilityLimits stability_limits(double speed) const override;
    DeepContact deepest() const override {
        return depth_.deepest(share_.shared() ? &share_.ranks() : nullptr);
    }
    BackendReport report() const override {
        return {.list_builds = travel_.lists(), .largest_leap = travel_.largest_leap()};
    }
    double overlap_rounding() const override;
    std::optional<std::size_t> first_non_finite() const override;
    std::vector<PackingColumn> state() const override;
    void restore(std::int64_t step, const SavedColumns& column) override;

    void rebuild_list() override;

    /// The number of own particles, and of those of other ranks next to them.
    std::size_t held_particles() const { return bodies_.held(); }
    /// The fraction of the blocks that the next step will skip.
    double asleep_fraction() const;
    /// How often a pair was left out of a step since the start, on this rank.
    std::int64_t left_out() const { return near_.left_out(); }
    /// For tests, before the first step.
    void set_balance(BalanceHooks hooks) { balance_.set(std::move(hooks)); }

  private:
    double time() const { return around_.time(); }
    std::size_t particles() const { return around_.particles; }
    PairKey key_of_pair(const NeighbourList& list, std::size_t p) const {
        return pair_key(list.first[p], list.second[p], bodies_.ghosts, bodies_.held());
    }
    Vec3 from_lower(std::size_t i) const;  ///< place relative to the lower corner of the box [m]
    /// Relative to the affine motion [m/s].
    Vec3 own_velocity(std::size_t i) const {
        const Vec3 v = bodies_.velocity(i);
        const bool follows = box_.strains() && !bodies_.is_fixed(i);
        return follows ? box_.own_velocity(from_lower(i), v) : v;
    }
    Vec3 net_force(std::size_t i) const;
    /// The torque of all contacts over the radius, which belongs to R w [N]; not of fixed ones.
    Vec3 net_rim_force(std::size_t i) const;
    Vec3 force_on_fixed(std::size_t i) const;

    Exchange next_exchange();
    /// Takes the energy of the pairs of those that leave out of the accounts; whether any is
    /// closed.
    bool forget_pairs(const std::vector<char>& leaves);
    /// Forces and half-step velocity changes for the present state.
    void renew_forces();
    /// Renews forces after a change of velocities or pairs; `power_before`: that of the contacts.
    void renew_forces_after(double power_before, std::size_t particle);
    /// The box begins to strain with the next step.
    void start_box();

    /// Builds a new list for the present references, whose pairs may go on with `old` ones. Gaps
    /// are set as if all pairs were new, and contacts have no memory yet.
    ListedPairs build_pair_list(std::span<const OldPair> old = {});
    NeighbourList find_pairs() const;
    std::vector<PairBefore> find_before(const NeighbourList& list,
                                        std::span<const OldPair> old) const;
    /// Gives the ghosts of a new list their lines; those of walls are where they are closest to the
    /// particles, but for meshes, which update_ghosts() places.
    void place_new_ghosts();
    using PairsOfBlocks = std::vector<std::vector<std::uint32_t>>;
    PairsOfBlocks pairs_of_blocks(const NeighbourList& list);
    void make_entries(PairsOfBlocks& of_block, const NeighbourList& list);
    std::vector<std::uint32_t> kinds_of_pairs(const NeighbourList& list,
                                              const std::vector<PairBefore>& before);
    /// The gap between a particle and the wall of this ghost, as if the pair were new [m].
    double first_gap_to_wall(std::uint32_t body) const;
    ListedPairs build_entries(NeighbourList list, std::vector<PairBefore> before);
    KeptOfContacts kept_of_contacts() const;
    /// The pairs of a new list go on with their overlaps. Returns where their memory is.
    EntriesBefore take_over(const ListedPairs& listed);
    void rebuild();
    /// `on_device`: what the device has is newer, and gets the ghosts of walls.
    void update_ghosts(bool on_device);
    void update_wall_ghost(std::size_t ghost);
    void put_wall_ghost(std::size_t ghost, const WallStep& step);
    void update_ghosts() { update_ghosts(device_ && device_->is_ahead()); }
    /// Puts ghosts that do not count at shared rims and seams out of reach, and passes memory on.
    void share_places();
    /// Notes old pairs that are too deep now, before the list forgets the sides of walls.
    void watch_old_pairs(const std::vector<double>& overlap);

    /// After a step: its places and velocities are the present ones.
    void flip_sides();
    /// Adds the last half-step change to the velocities, and the last step's work and power.
    void finish_step();
    /// The ranges of what the blocks' particles do in the next step are known.
    void end_travel();
    void drift();

    /// Whether what contacts dissipate is known, not only how they rub walls.
    bool keeps_accounts() const { return works_ && works_->of_all(); }

    // In a box that strains; see fast_packing_box.cpp.
    bool steps_alone() const;
    void find_box_kick(bool moves_on);
    Vec3 force_by_contacts(std::size_t i) const;
    void add_particles_to_box();
    void push_all_blocks(double step, bool moves_on);
    /// Gives the forces to the box after a step of `step` [s], and its push to the particles.
    void end_box_step(double step, bool moves_on);
    /// Takes the forces on images out of the sums of a block.
    void take_image_forces(std::size_t b, const Sums& sums);
    /// Velocity change by the push of the box in half a step.
    Vec3 push_change(std::size_t i) const {
        return box_.has_pistons() ? (0.5 * dt_) * box_.push(from_lower(i)) : Vec3{};
    }

    /// The largest difference of two displacements since the list was built [m], or more.
    double largest_difference() const;

    /// Of a contact: its law's slopes, and those of its friction [N/m, N s/m]; by
    /// stability_limits().
    struct ContactSlopes {
        bool touches = false;
        Vec3 branch{};  ///< [m]
        double stiffness = 0.0, damping = 0.0, tangential = 0.0, dashpot = 0.0;
    };
    ContactSlopes slopes_of_contact(std::uint32_t entry, double speed) const;

    /// Computes forces and contact memory after a step of `step` [s] and updates the particles.
    void step_all_blocks(bool last, double step, ParticleTrace* trace);

    // With ranks; see fast_packing_ranks.cpp.
    /// Gets the halo's present lines of doubles.
    void exchange_halo();
    std::array<HaloPart, 2> next_halo_of_blocks();
    /// The parts of a particle's lines of doubles that travel.
    std::vector<HaloPart> halo_lines(Lines all) const;
    /// The parts of the halo's lines that the next step needs; in mixed precision floats.
    std::vector<HaloPart> next_halo();
    void receive_next_halo();
    std::vector<std::vector<std::uint32_t>> wanted_by_ranks() const;  ///< own bodies, for each rank
    /// Of the particles of an entry in the new order; of a pair with a wall twice the same.
    std::array<std::uint32_t, 2> next_slots_of(std::uint32_t entry) const;
    /// Calls visit(body) for each particle here and for both ends of each pair in the list: all
    /// ranks together once for each, which makes the weights of blocks.
    template <class Visit>
    void each_weight(Visit visit) const;
    /// Cuts the particles' new order into parts.
    void cut_blocks();
    /// The pairs of home() before a new list. With ranks those of the particles that this rank has
    /// from now on, and `memory` is then theirs.
    std::vector<OldPair> old_pairs(const std::vector<double>& overlap, ContactMemory& memory);
    void cut_between_threads();
    /// Finds the halo of the new list, and how many of its entries and pairs each rank has.
    void share_counts(const NeighbourList& list);
    void step_pairs(std::size_t b, double step, Scratch& scratch, const Sums& sums);
    /// Without sums.
    Kick kick_of(std::size_t b, bool last);
    void step_block(std::size_t b, bool last, double step, Scratch& scratch, const Sums& sums,
                    ParticleTrace* trace);

    // In mixed precision; see fast_packing_mixed.cpp.
    void adopt_mixed_pairs();
    /// Whether steps need the doubles of images.
    bool renews_images() const;
    /// Brings what steps do not write up to date: the doubles of other ranks' particles and of
    /// images.
    void renew_doubles();

    /// Takes the forces on walls out of the sums of a block.
    void take_wall_forces(std::size_t b, const Sums& sums);

    // On a device; see fast_packing_device.cpp.
    DevicePairs::HostLines device_lines(bool last);
    void step_on_device(bool last, double step, ParticleTrace* trace);
    /// Brings back what the device has, and the list that it has built.
    void give_back(bool last);
    void adopt_device_list();
    void renew_host_ghosts(bool of_walls);
    std::vector<std::uint8_t> list_flags() const;
    DevicePairs::List device_list() const;
    /// Whether the device may build lists: then it knows all kinds of pairs.
    void let_device_build_lists();
    /// rebuild() on the device; false: it cannot.
    bool rebuild_on_device();
    /// The walls next to particles in their new order, as their ghosts.
    void find_walls(DevicePairs::NewOrder& order, std::vector<std::uint32_t>& begin,
                    std::vector<on_device::WallSide>& sides);
    std::size_t first_wall_ghost() const;
    void watch_depth_on_device(double found);
    void take_ghost_forces(std::span<const double> forces);
    void record_on_device(std::span<const std::uint32_t> bodies, std::span<const double> traced,
                          ParticleTrace& trace) const;
    void record(std::size_t b, const Sums& sums, ParticleTrace& trace) const;
    /// The present row of a trace, on all ranks.
    void sample_row(ParticleTrace& trace) const;

    double power_now() const;

    /// Those whose first particles are own_numbers(), in the order of one process.
    std::vector<ContactState> contacts_of_own_numbers() const;
    /// The part by rolling and twisting of what all tangential laws dissipated [J].
    double dissipated_rolling(double dissipated_tangential) const;
    Vec3 velocity_of(std::uint32_t body) const;

    /// Without velocities and angular velocities, which Bodies have; fixed: also those that are
    /// absent.
    const Packing& packing_ = around_.packing;
    const double dt_;
    int threads_;
    StepLaws laws_;
    std::int64_t& step_ = around_.step;
    struct {
        bool settles = true;  // somebody may ask for contacts after the step
        std::size_t row = 0;  // of the trace
    } taken_;                 // the step that is taken

    BoxMotion& box_ = around_.box;
    BoxForces box_forces_;
    struct {
        BoxKick kick;
        double approach = 0.0;  // of two bodies by the affine motion in the next step [m]
    } box_next_;
    mutable BlockShare share_;  // whose buffers queries use too
    // Of its border blocks and inner blocks, those that each thread steps.
    stepping::ThreadStretches border_stretches_, inner_stretches_;
    RankBalance balance_{threads_};
    Bodies bodies_;
    ListedContacts contacts_;
    BlockSleep sleep_;
    ListTravel travel_;
    NearPairs near_{contacts_, laws_.table, share_, sleep_, travel_.far, threads_};
    std::unique_ptr<DevicePairs> device_;  // null: steps are taken here

    SumLines sum_lines_;
    ListWalls walls_;
    mutable BlockElements elements_;  // queries complete it on ranks
    Population& population_ = around_.population;
    std::unique_ptr<ContactWorks> works_;  // null: nobody asks
    DepthWatch depth_;
    TermSums sums_{share_, threads_};
    struct {
        double power = 0.0, stored = 0.0;  // [W], [J]
    } initial_;
    mutable std::vector<std::vector<double>> state_values_;
};

/// On a given instruction set, for tests and benchmarks.
std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads,
                                                   const simd::InstructionSet& instructions,
                                                   Sleep sleep = Sleep::yes,
                                                   ranks::Communicator* ranks = nullptr,
                                                   ContactRecords records = ContactRecords::none);

}  // namespace beadwave::packing
