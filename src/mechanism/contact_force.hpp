// The law of one spot with its memory, its type hidden.
#pragma once

#include "mechanism/mechanism.hpp"
#include "state_numbers.hpp"

#include <memory>

namespace beadwave::mechanism {

class ContactForce {
  public:
    virtual ~ContactForce() = default;
    virtual double force(double overlap, double approach) const = 0;  ///< [N]
    /// What the contact would give back if this overlap were committed [J].
    virtual double stored_energy(double overlap, double approach) const = 0;
    virtual void commit(double overlap, double approach) = 0;
    /// Saves or restores what the contact remembers.
    virtual void exchange(StateNumbers&) = 0;
    virtual bool ends_in_tension() const = 0;
};

/// The law of a contact that closes at `closing_speed` [m/s] where the bodies weigh `mass` [kg]
/// along the normal. Throws ArgumentError if the law cannot be made for these bodies.
std::unique_ptr<ContactForce> make_force(const Contact&, double mass, double closing_speed);

/// Whether the contact takes a line law: a journal with a length.
bool is_line_contact(const Contact&);

}  // namespace beadwave::mechanism
