// The impacts of the contacts that have accounts, in the plain engine. During a step each pair that
// touches reports to the impact of its account; after the step those end that no pair touched.
//
// Between two steps the time of closing follows from the overlap and the motion, which no force of
// this contact has changed yet; the time of opening from the overlap and the motion after it.
#pragma once

#include "packing/impact.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace beadwave::packing {

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

    void add(const Impact& ended) { ended_.push_back(ended); }
    /// The impacts that ended since the last call.
    std::vector<Impact> take();

    std::vector<double> numbers() const;        ///< of the bodies
    std::vector<double> ended_numbers() const;  ///< of the impacts not taken yet
    /// Throws std::invalid_argument if these are not the numbers() of so many accounts and
    /// ended_numbers() of bodies below `bodies`.
    void restore(std::span<const double> numbers, std::span<const double> ended,
                 std::size_t accounts, std::size_t bodies);

  private:
    std::vector<TouchingBodies> bodies_;  // of each account
    std::vector<Impact> ended_;
};

}  // namespace beadwave::packing
