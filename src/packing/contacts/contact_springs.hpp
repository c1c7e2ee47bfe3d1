// How springs of contacts limit the time step of a packing: those of collisions, and those of the
// contacts that are compressed at the start, among which each particle vibrates.
#pragma once

#include "packing/contacts/pair_laws.hpp"
#include "packing/shaped/shaped_step.hpp"
#include "stepping/shortest_contact.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

/// Acceleration per force or torque, summed over the bodies of a pair.
struct Mobility {
    double normal = 0.0;   ///< 1/m: a force moves them apart [1/kg]
    double turn = 0.0;     ///< R^2/I: a force at their contact turns them [1/kg]
    double lever = 0.0;    ///< what the turning adds to `normal`: of ellipsoids [1/kg]
    double torsion = 0.0;  ///< 1/I: a torque turns them [1/(kg m^2)]
    double tangential() const { return normal + turn; }
};

Mobility mobility_of(const Packing& p, std::size_t i);
/// Of two particles, or of a particle and wall `second` - particles().
Mobility mobility_of(const Packing& p, std::size_t first, std::size_t second);

struct StiffPair {
    double stiffness = 0.0, damping = 0.0;
};

StiffPair tangential_of(const PairLaw& law, double overlap);
StiffPair rolling_of(const Packing& p, const PairLaw& law, double overlap);

/// Limits the step by a spring between two bodies with this mobility [1/kg, or 1/(kg m^2)].
void limit_by_spring(stepping::Shortest& shortest, const StiffPair& spring, double mobility);

/// A contact that is compressed at the start: its law and the mobilities of both bodies.
struct StartContact {
    PairLaw law;
    std::array<Mobility, 2> mobility{};
};

StartContact start_contact(const Packing& p, PairLaws& laws, const CompressedContact& c);
StartContact start_contact(const Packing& p, const ShapedOverlap& c);

/// How particles among their compressed contacts, and walls with a load, limit the step.
class CompressedLimits {
  public:
    /// `speed`: the largest [m/s].
    CompressedLimits(const Packing& packing, double speed)
        : packing_(packing), speed_(std::max(speed, 1e-6)) {}

    /// `numbers(k)`: the StartContact of a contact of the part.
    void include(const CompressedPart& part,
                 const std::function<StartContact(std::size_t)>& numbers);
    /// Takes together what ranks have found that have included parts one rank after another.
    void share(ranks::Communicator& ranks);
    void limit(stepping::Shortest& shortest) const;

  private:
    /// A contact of a wall with a load.
    struct OnWall {
        std::uint64_t wall;
        double stiffness, damping;  ///< [N/m], [N s/m]
    };

    const Packing& packing_;
    double speed_;
    std::vector<OnWall> on_walls_;
    double others_at_rest_ = 0.0, others_opposed_ = 0.0, damping_ = 0.0;
};

}  // namespace beadwave::packing
