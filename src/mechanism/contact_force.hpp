// The law of one contact point and its memory, behind one interface.
#pragma once

#include "mechanism/mechanism.hpp"
#include "recording/archive.hpp"

#include <array>
#include <memory>
#include <optional>

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

/// The length of a line contact, which needs a line law [m]; empty: not one.
std::optional<double> line_length_of(const Contact&);
inline bool is_line_contact(const Contact& contact) {
    return line_length_of(contact).has_value();
}
/// Radii of curvature with which the law of a contact can be made before it closes: those of its
/// shapes. Where one differs from place to place it is a guess: half of a hollow, or 1 m [m].
std::array<double, 2> radii_before_contact(const Contact&);

}  // namespace beadwave::mechanism
