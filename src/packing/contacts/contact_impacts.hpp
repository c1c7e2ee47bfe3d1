// The impacts of the contacts that have accounts, in the engines of spheres and of other shapes.
// During a step each pair that touches reports to the impact of its account; after the step those
// end that no pair touched.
//
// Between two steps the time of closing follows from the overlap and the motion, which no force of
// this contact has changed yet; the time of opening from the overlap and the motion after it.
#pragma once

#include "packing/contacts/impact.hpp"
#include "packing/contacts/pair_accounts.hpp"
#include "packing/particle_column.hpp"
#include "packing/walls/wall_work.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace beadwave::packing {

/// How fast two bodies part along the normal of their contact, and slide across it [m/s].
struct PartingSpeeds {
    double along, across;
};

/// The approach of two bodies in a step, with the overlap at its end [m].
struct Approach {
    double overlap;
    double mean, now;  ///< speed in the middle of the step and at its end [m/s]
    double slowing;    ///< (mean - now) over half a step [m/s^2]

    /// How long before the end of a step dt [s] they touched: the speed is v(t - back) = now +
    /// slowing back, and the overlap its integral.
    double since_closing(double dt) const;
};

/// The start of an impact in a step dt [s] that ends at `time`; without a step nothing brought the
/// bodies together. approach(): the Approach. speeds(share): the PartingSpeeds, `share` of the way
/// back from the end of the step to its middle.
template <class ApproachOf, class SpeedsAt>
Impact closing_in_step(double time, double dt, const ApproachOf& approach, const SpeedsAt& speeds) {
    Impact closing;
    closing.start = closing.end = time;
    if (dt == 0.0) return closing;
    const double back = approach().since_closing(dt);
    const PartingSpeeds then = speeds(2.0 * back / dt);
    closing.start = closing.end = time - back;
    closing.impact_speed = -then.along;
    closing.impact_slip_speed = then.across;
    return closing;
}

/// Two bodies that have touched.
struct TouchingBodies {
    Impact now;           ///< bodies are those of the account
    bool closed = false;  ///< an impact lasts
    bool ended = false;   ///< its force ended, but the bodies still lie in their dent
    double force = 0.0;   ///< largest normal force of one pair, at this step [N]
    double before = 0.0, before_that = 0.0;  ///< `force` one and two steps before [N]
    DissipationParts lost;  ///< what the account had dissipated when the last impact ended [J]
    // Flags of this step alone.
    bool touches = false, pushes = false, fresh = false, opened = false;
    std::uint32_t triangle = 0;  ///< of a mesh, that of the touch that closed it

    /// A pair of the bodies touches or pushes in this step. `closing`: (no arguments) to its start
    /// and speeds, `mesh_triangle` of the pair.
    template <class Closing>
    void meet(const Closing& closing, std::uint32_t mesh_triangle) {
        if (closed && !fresh) return;
        const Impact other = closing();
        if (!closed) {
            closed = fresh = true;
            now = other;
        } else if (other.start < now.start) {  // of the touches of this step the first one counts
            now.start = other.start;
            now.impact_speed = other.impact_speed;
            now.impact_slip_speed = other.impact_slip_speed;
        } else {
            return;
        }
        triangle = mesh_triangle;
    }
    /// What a pair that touches or pushes is like after the step: overlap [m], force [N], time [s].
    void include(double overlap, double normal_force, double time);
    /// A pair of the bodies stopped to push or to touch, `back` before the end of a step dt [s] at
    /// `time`. speeds(share): as in closing_in_step().
    template <class SpeedsAt>
    void open(double time, double back, double dt, const SpeedsAt& speeds) {
        if (opened && time - back <= now.end) return;
        const PartingSpeeds then = speeds(2.0 * back / dt);
        opened = true;
        now.end = time - back;
        now.separation_speed = then.along;
        now.separation_slip_speed = then.across;
    }
    /// How long before the end of a step dt [s] the overlap [m], or before it the force, was 0.
    /// `force_before`: one step before [N]; `parting`: speed along the normal in the step [m/s].
    double since_opening(double overlap, double force_before, double parting, double dt) const;

    static constexpr std::size_t numbers =
        std::size(Impact::times_and_speeds) + 5 + DissipationParts::count;

    /// Calls visit(number) for each number of it that the next step needs.
    template <class Self, class Visit>
    static void each_number(Self& self, Visit visit) {
        for (const auto member : Impact::times_and_speeds)
            visit(self.now.*member);
        visit(self.closed), visit(self.ended), visit(self.force), visit(self.before);
        visit(self.before_that);
        for (const auto part : DissipationParts::all)
            visit(self.lost.*part);
    }
};

/// A pair that stopped to push or to touch in this step.
struct OpenedPair {
    std::size_t pair;
    double force_before;  ///< one step before [N]
};

class ContactImpacts {
  public:
    /// Before the pairs respond. `moves`: time goes on.
    void begin_step(std::size_t accounts, bool moves);
    TouchingBodies& operator[](std::uint32_t account) { return bodies_[account - 1]; }
    std::vector<TouchingBodies>& all() { return bodies_; }
    const std::vector<TouchingBodies>& all() const { return bodies_; }

    /// After a step, with the accounts of the bodies: walls are cut by what has closed.
    void cut_walls(const std::vector<PlainAccount>& accounts, const ParticleColumn<double>& mass,
                   WallWork& work) const;
    /// After a step, from `before` [s] on: those end that no pair touches. `lost`: (account's
    /// index) to what it has dissipated with nothing stored.
    template <class Lost>
    void end_parted(const std::vector<PlainAccount>& accounts, double before, const Lost& lost) {
        for (std::size_t k = 0; k < bodies_.size(); ++k) {
            TouchingBodies& bodies = bodies_[k];
            bodies.ended = bodies.ended || bodies.opened;
            if (bodies.closed && !bodies.touches) end(bodies, accounts[k], before, lost(k));
        }
    }
    /// Contacts that are closed. `lost`: (account's index) to what it has dissipated.
    template <class Lost>
    OpenImpacts open(const Lost& lost) const {
        OpenImpacts open;
        for (std::size_t k = 0; k < bodies_.size(); ++k) {
            if (!bodies_[k].closed) continue;
            ++open.count;
            open.dissipated.add(lost(k));
            open.dissipated.add(bodies_[k].lost, -1.0);
        }
        return open;
    }
    /// The impacts that ended since the last call.
    std::vector<Impact> take();

    std::vector<double> numbers() const;        ///< of the bodies
    std::vector<double> ended_numbers() const;  ///< of the impacts not taken yet
    /// Throws std::invalid_argument if these are not the numbers() of so many accounts and
    /// ended_numbers() of bodies below `bodies`.
    void restore(std::span<const double> numbers, std::span<const double> ended,
                 std::size_t accounts, std::size_t bodies);

  private:
    void end(TouchingBodies& bodies, const PlainAccount& account, double before,
             const DissipationParts& lost);

    std::vector<TouchingBodies> bodies_;  // of each account
    std::vector<Impact> ended_;
};

}  // namespace beadwave::packing
