// The law of one contact point and its memory, behind one interface.
#pragma once

#include "mechanism/mechanism.hpp"
#include "recording/archive.hpp"

#include <array>
#include <memory>

namespace beadwave::mechanism {

class ContactForce {
  public:
    virtual ~ContactForce() = default;
    virtual double force(double overlap, double approach_speed) const = 0;  ///< [N]
    /// Recoverable energy if this overlap were committed [J].
    virtual double stored_energy(double overlap, double approach_speed) const = 0;
    virtual void commit(double overlap, double approach_speed) = 0;
    /// Saves or restores the memory of the law.
    virtual void serialize(Archive&) = 0;
    virtual bool ends_in_tension() const = 0;
};

/// The law of a contact that closes at `impact_speed` [m/s]; `mass` is the effective mass along the
/// normal [kg]; `radii` are those of curvature where shapes touch, below 0 in a hollow, infinite on
/// a straight side [m]. Throws ArgumentError if the law cannot be made for these bodies.
std::unique_ptr<ContactForce> make_force(const Contact&, double mass, double impact_speed,
                                         const std::array<double, 2>& radii);

/// Whether the law takes as its impact speed the speed at which each impact begins.
bool takes_speed_of_each_impact(const Contact&);

/// Whether the contact needs a line law: a journal with a length.
bool is_line_contact(const Contact&);

}  // namespace beadwave::mechanism
