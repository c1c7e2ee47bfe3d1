// How fast the particles of a packing meet, beside the speed up to which their impacts are elastic.
#pragma once

#include "packing/packing.hpp"

#include <optional>
#include <string>

namespace beadwave::running {

/// A speed of a particle relative to others, and its elastic limit (laws/impact_limit.hpp) [m/s].
struct MeetingSpeed {
    double speed = 0.0, limit = 1.0;

    double part() const { return speed / limit; }
    void keep_larger(const MeetingSpeed& other) {
        if (other.part() > part()) *this = other;
    }
};

/// Watches the speeds at samples. In few particles it compares all pairs, in many each one with the
/// mean velocity; if bodies stand still (walls, particles that are held), also with them.
class MeetingSpeeds {
  public:
    explicit MeetingSpeeds(const packing::Packing&);

    /// Whether a particle has a limit at all.
    bool have_limits() const { return limited_; }
    /// The largest part of the limit that these velocities [m/s] reach, one per particle.
    MeetingSpeed of(std::span<const packing::Vec3> velocity) const;
    /// The same of the velocities at the start, without a copy of them.
    MeetingSpeed at_start(const packing::Packing&) const;

  private:
    template <class Velocities>
    MeetingSpeed fastest_of(const Velocities& velocity) const;

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
