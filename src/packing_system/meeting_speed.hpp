// How fast the particles of a packing meet, beside the speed up to which their impacts are elastic.
#pragma once

#include "packing/packing_engine.hpp"

#include <optional>
#include <string>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::running {

/// A speed of a particle relative to others, and its elastic limit (laws/impact_limit.hpp) [m/s].
struct MeetingSpeed {
    double speed = 0.0, limit = 1.0;

    double part() const { return speed / limit; }
    /// Of equal parts that of the larger speed: in any order.
    void keep_larger(const MeetingSpeed& other) {
        if (other.part() > part() || (other.part() == part() && other.speed > speed)) *this = other;
    }
};

/// Watches the speeds at samples. In few particles it compares all pairs, in many each one with the
/// mean velocity; if bodies stand still (walls, particles that are held), also with them.
class MeetingSpeeds {
  public:
    explicit MeetingSpeeds(const packing::Packing&);

    /// Whether a particle has a limit at all.
    bool have_limits() const { return limited_; }
    /// The largest part of the limit that the velocities of an engine reach. The same bits on any
    /// number of ranks. Collective; null: there is one process.
    MeetingSpeed of(const packing::PackingEngine& engine, ranks::Communicator* ranks) const;

  private:
    MeetingSpeed among_few(const packing::PackingEngine& engine, ranks::Communicator* ranks) const;

    packing::ParticleColumn<double> limit_;  ///< [m/s]
    bool limited_ = false;
    bool still_ = false;  ///< there are bodies that stand still
};

/// A warning about the fastest spin at the start (laws::beyond_spin_limit()); none where the law
/// needs no Young's modulus.
std::optional<std::string> bursting_spin(const packing::Packing&);

/// The warning about the fastest of a run; empty: none.
std::optional<std::string> fast_meeting(const packing::Packing&, const MeetingSpeed&);

}  // namespace beadwave::running
