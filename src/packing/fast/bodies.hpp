// The bodies that a process holds: its particles and those of other ranks next to them
// (block_share.hpp), then ghosts, then the dummy body of padding entries. Of particles of other
// ranks, those in the halo are up to date; what needs their velocities gets them before, even if
// the state does not change by that.
#pragma once

#include "block_order.hpp"
#include "block_share.hpp"
#include "line_vectors.hpp"
#include "number_index.hpp"
#include "packing/edges.hpp"
#include "packing/engine_state.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/packing.hpp"
#include "simd/column.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The data of bodies that the steps of a packing need.
struct BodyNeeds {
    bool velocities = false;  ///< of other particles, in the middle of the step
    bool predicted = false;   ///< of all, at its end
    bool rolling = false;     ///< the work of rolling resistance
    bool masses = false;      ///< for a box that strains
};

/// The parts of the halo's lines that travel; those of velocities if the lines have some, with
/// those of rims if particles feel how others turn.
std::vector<HaloPart> halo_of(const Lines& lines, bool turns);

/// Adds up the rows of the ranks, which are zero for particles that a rank does not have.
void share_rows(ranks::Communicator& ranks, std::vector<Vec3>& rows);

/// Where a step writes the lines of the next one. There are two sides.
enum class StepWrites {
    other_side,
    half_in_place,  ///< velocities where it reads them: nobody reads another particle's
    in_place        ///< all: pairs have copies
};

class Bodies {
  public:
    /// The particles of this rank at rest, in the order of their numbers. `packing` and `share`
    /// must outlive it.
    Bodies(const Packing& packing, BlockShare& share, const BodyNeeds& needs);

    void set_writes(StepWrites writes) { writes_ = writes; }
    const BodyNeeds& needs() const { return needs_; }

    /// The number of particles that this rank holds; the ghosts are behind them.
    std::size_t held() const { return id_.size(); }
    /// The number of particles of all ranks.
    std::size_t particles() const { return particles_; }
    std::uint32_t dummy() const { return static_cast<std::uint32_t>(held() + ghosts.size()); }
    std::size_t blocks() const { return (particles() + block_size - 1) / block_size; }
    std::uint32_t id(std::size_t body) const { return id_[body]; }
    const std::vector<std::uint32_t>& ids() const { return id_; }
    double mass(std::size_t body) const { return packing_.mass[id_[body]]; }
    double inertia(std::size_t body) const { return packing_.inertia[id_[body]]; }
    /// Where the particle was at the start [m].
    Vec3 origin(std::size_t body) const { return packing_.position[id_[body]]; }
    bool is_fixed(std::size_t body) const { return packing_.is_fixed(id_[body]); }
    /// Fixed, or with a motion that is prescribed altogether.
    bool is_held(std::size_t body) const { return packing_.is_held(id_[body]); }
    bool may_be_held() const { return packing_.may_be_held(); }  ///< false: no body is held
    /// On one process: the place of each particle in the order of all.
    const std::vector<std::uint32_t>& slots() const { return slot_; }
    /// The place of a held particle in the order of all.
    std::uint32_t slot_of(std::size_t body) const { return share_.slot_of(body); }
    /// The same in the order that sort() has found; of a particle that this rank neither has nor
    /// has a pair with: unknown.
    std::uint32_t next_slot(std::size_t body) const {
        return share_.shared() ? next_slot_[body] : slot_[id_[body]];
    }
    bool owns(std::size_t particle) const { return share_.has(body_of(particle)); }
    /// none: another rank has it, and this one does not hold it.
    std::uint32_t body_of(std::size_t particle) const {
        return share_.shared() ? index_.find(static_cast<std::uint32_t>(particle), id_)
                               : slot_[particle];
    }
    /// Null: the body is a particle, an image or the dummy.
    const Ghost* wall_of(std::uint32_t body) const {
        if (body < held() || body == dummy()) return nullptr;
        const Ghost& ghost = ghosts[body - held()];
        return ghost.wall >= 0 ? &ghost : nullptr;
    }
    /// The particle that a body that is none of a wall is, or is an image of.
    std::uint32_t particle_of(std::uint32_t body) const {
        return body < held() ? body : ghosts[body - held()].of;
    }

    // The lines of a body now: places, and velocities in the middle of the step, between two
    // advances at the end of the last step. `rim`: radius times angular velocity.

    double* place(std::size_t body) { return place_[now_].data() + line * body; }
    const double* place(std::size_t body) const { return place_[now_].data() + line * body; }
    /// Displacements since the list was built, and since the start [m].
    Vec3 displacement(std::size_t body) const { return triple(place(body)); }
    Vec3 displacement_from_start(std::size_t body) const {
        return (reference(body) - origin(body)) + displacement(body);
    }
    Vec3 reference(std::size_t body) const { return triple(place(body) + 4); }
    Vec3 position(std::size_t body) const { return reference(body) + displacement(body); }
    double radius(std::size_t body) const { return place(body)[3]; }
    double inverse_radius(std::size_t body) const { return place(body)[7]; }
    /// The radius of a body, also while other threads step other blocks.
    double steady_radius(std::size_t body) const {
        return place_[writes_ == StepWrites::in_place ? now_ ^ 1 : now_][line * body + 3];
    }

    double* half(std::size_t body) { return half_[now_].data() + line * body; }
    const double* half(std::size_t body) const { return half_[now_].data() + line * body; }
    Vec3 velocity(std::size_t body) const { return triple(half(body)); }
    Vec3 rim(std::size_t body) const { return triple(half(body) + 4); }
    Vec3 angular_velocity(std::size_t body) const { return rim(body) * (1.0 / radius(body)); }
    double& tangential_work(std::size_t body) { return half(body)[3]; }
    double tangential_work(std::size_t body) const { return half(body)[3]; }
    double& power(std::size_t body) { return half(body)[7]; }
    double power(std::size_t body) const { return half(body)[7]; }
    void set_velocity(std::size_t body, const Vec3& v) { put(half(body), v); }
    void set_rim(std::size_t body, const Vec3& v) { put(half(body) + 4, v); }

    /// In half a step, after a step that is the last one of an advance.
    double* change(std::size_t body) { return half_[now_ ^ 1].data() + line * body; }
    const double* change(std::size_t body) const { return half_[now_ ^ 1].data() + line * body; }
    Vec3 velocity_change(std::size_t body) const { return triple(change(body)); }
    Vec3 rim_change(std::size_t body) const { return triple(change(body) + 4); }
    void set_velocity_change(std::size_t body, const Vec3& v) { put(change(body), v); }
    void clear_work_of_change(std::size_t body) { change(body)[3] = change(body)[7] = 0.0; }

    /// Null without predicted velocities.
    double* predicted(std::size_t body) {
        return needs_.predicted ? predicted_[now_].data() + line * body : nullptr;
    }
    const double* predicted(std::size_t body) const {
        return needs_.predicted ? predicted_[now_].data() + line * body : nullptr;
    }

    /// Which of the two has the present lines.
    int side() const { return now_; }
    Lines lines() { return lines(now_); }
    /// The lines that a step writes, unless it is the last one of an advance.
    Lines next_lines();
    /// The changes that the last step of an advance writes.
    Lines changes() { return {.place = nullptr, .half = change(0)}; }

    // Steps.

    /// After a step: its lines are the present ones.
    void flip();
    /// Adds the change of half a step to the velocities, work and power to their sums.
    void add_changes(int threads);
    /// Sets the predicted velocities to the present ones.
    void predict_present();
    /// Copies the lines of a particle to those of its image.
    void place_image(std::size_t ghost);
    /// The same in a box that strains, of what its edges have moved since the list, and their rates
    /// in the middle and at the end of the step.
    void place_image(std::size_t ghost, const Edges& moved, const Edges& rate,
                     const Edges& predicted_rate);
    /// Copies the lines of particles to those of their images.
    void update_images();

    // Lists.

    /// dt/(2 m) and R^2 dt/(2 I) of each particle, 1 over these, and R dt/(2 I); 0: fixed.
    void set_kicks(double time_step, int threads);
    double kick(std::size_t body) const { return kick_[2 * body]; }
    double rim_kick(std::size_t body) const { return kick_[2 * body + 1]; }
    std::span<const double> kicks() const { return kick_; }
    std::span<const double> inverse_kicks() const { return inverse_kick_; }
    std::span<const double> angular_kicks() const { return angular_kick_; }
    /// Of each particle [kg], if they are needed.
    std::span<const double> masses() const { return mass_; }
    std::vector<double>& rolling_work() { return rolling_work_; }
    const std::vector<double>& rolling_work() const { return rolling_work_; }

    /// Moves the references of own particles to where they are.
    void recentre(int threads);
    /// Numbers all particles anew: sorted into compact blocks, and within each block along a Morton
    /// curve; absent ones last. Their lines stay where they are. Collective.
    void sort(std::span<const char> absent, int threads);
    /// On one process: the lines of the particles in their new order, of places only.
    void sort_places(int threads);
    struct Order {
        std::vector<std::uint32_t> slot, id;
        std::vector<Ghost> ghosts;
    };
    Order order() const { return {slot_, id_, ghosts}; }
    void set_order(const Order& order) {
        slot_ = order.slot;
        id_ = order.id;
        ghosts = order.ghosts;
    }
    /// Where the reference of a ghost is [m].
    using Reference = std::function<Vec3(std::size_t ghost)>;
    /// Lines for the ghosts and for the dummy, on both sides; without new memory where the old one
    /// is enough.
    void widen(const Reference& reference, int threads);

    // With ranks; see bodies_on_ranks.cpp.

    /// Sends the lines of the bodies that were own ones, [begin, end), to the ranks that have them
    /// from now on. After that a rank holds its own particles only.
    void move(std::size_t begin, std::size_t end);
    /// Gets from other ranks the particles that may be neighbours of own ones; `wanted`: for each
    /// rank the own bodies that it must hold.
    void hold(const std::vector<std::vector<std::uint32_t>>& wanted);
    /// Gets the velocities of the halo, or their change in half a step.
    void exchange_velocities() const { exchange_lines(half_[now_]); }
    void exchange_changes() const { exchange_lines(half_[now_ ^ 1]); }
    /// value(body) of all particles, by their numbers; with ranks on the first one.
    std::vector<Vec3> of_all(const std::function<Vec3(std::size_t)>& value) const;
    /// The particles of which a rank records what happens: about as many on each, by number.
    NumberRange own_numbers() const {
        return numbers_of(share_.shared() ? share_.ranks().rank() : 0);
    }
    /// The rank that records a particle.
    std::size_t recorder(std::size_t particle) const;
    /// value(body) of own_numbers(), in their order.
    std::vector<Vec3> of_own_numbers(const std::function<Vec3(std::size_t)>& value) const;

    // Saved states.

    /// The numbers of the own particles, in the order of their slots. Makes room for the columns.
    /// Throws std::invalid_argument if those of all ranks are no order. Collective.
    void restore_order(std::span<const double> order);
    /// Columns of `line` numbers per particle; calls visit(name, numbers).
    template <class Self, class Visit>
    static void each_column(Self& self, Visit visit) {
        const auto lines_of = [&](auto& column) {
            return std::span(column.data(), line * self.held());
        };
        visit("place", lines_of(self.place_[self.now_]));
        visit("velocity", lines_of(self.half_[self.now_]));
        visit("velocity_change", lines_of(self.half_[self.now_ ^ 1]));
        if (self.needs_.predicted)
            visit("predicted_velocity", lines_of(self.predicted_[self.now_]));
    }
    /// Throws std::invalid_argument if the places that are read are not those of these particles.
    void check_places();

    std::vector<Ghost> ghosts;  ///< set them, then widen()

  private:
    Lines lines(int side);
    /// All that is of the present.
    std::vector<simd::Column*> present_columns();
    NumberRange numbers_of(int rank) const;
    void exchange_lines(simd::Column& half) const;
    SortItem sort_item(std::size_t body) const {
        const auto part = [](double x) { return std::isfinite(x) ? x : 0.0; };
        const Vec3 p = reference(body);
        return {{part(p.x), part(p.y), part(p.z)}, static_cast<double>(id_[body])};
    }
    void sort_on_ranks(std::span<const char> absent, int threads);
    bool is_order(std::span<const double> order) const;
    void place_ghosts(const Reference& reference);

    const Packing& packing_;
    BlockShare& share_;
    BodyNeeds needs_;
    StepWrites writes_ = StepWrites::other_side;
    std::size_t particles_;                             // of all ranks
    double smallest_radius_;                            // of all [m]
    std::vector<std::uint32_t> slot_;                   // by number; empty on ranks
    std::vector<std::uint32_t> id_;                     // of each body
    NumberIndex index_;                                 // of id_, on ranks
    std::vector<std::uint32_t> next_slot_;              // of each body, on ranks
    mutable std::array<simd::Column, 2> place_, half_;  // questions get the halo's velocities
    std::array<simd::Column, 2> predicted_;
    int now_ = 0;
    std::vector<double> kick_, inverse_kick_, angular_kick_, mass_;
    std::vector<double> rolling_work_;  // on rolling and twisting springs and sliders [J]
};

}  // namespace beadwave::packing
