// The numbers by which a run is differentiated, and what they change in the chain.
//
// Masses, gaps and velocities are numbers of the steps themselves. Radii, moduli, masses and
// parameters of the law also make the numbers of the laws; these are derived from 6 laws nearby, a
// central difference of sixth order, whose error is about 1e-13 of the slope. A radius keeps the
// mass of its bead, and a modulus is that of its bead alone.
#pragma once

#include "chain/contact_bodies.hpp"
#include "gradients/motion_numbers.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::gradients {

struct Input {
    enum class Kind { mass, radius, youngs_modulus, gap, velocity, law };
    Kind kind;
    std::string name;  ///< "mass"; of the law: that of its parameter

    bool operator==(const Input&) const = default;
};

/// "kg"; of a parameter of the law empty.
std::string_view unit_of(Input::Kind kind);

/// "mass,radius,restitution". Parameters of the law may also be "law.restitution". Throws
/// InputError that starts with `where`.
std::vector<Input> read_inputs(const std::string& text, const chain::ContactBodies& bodies,
                               const std::string& where);

/// A chain and what its laws are made of, with inputs that can be changed.
class Inputs {
  public:
    /// Throws InputError that starts with `name` if the laws of the chain are not those of the
    /// bodies.
    Inputs(const chain::Chain& chain, chain::ContactBodies bodies, const std::string& name);

    const MotionNumbers& numbers() const { return numbers_; }
    /// One per bead, per contact for gaps; a parameter of the law has one, or one per contact.
    std::size_t count(const Input& input) const;
    /// Infinite: the gap of a contact that cannot close.
    double value(const Input& input, std::size_t index) const;
    /// Replaces all numbers of an input; those of contacts that cannot close and the velocities of
    /// held beads stay. Throws InputError for another count or a number out of its range.
    void set(const Input& input, std::span<const double> values);
    /// The numbers with one of an input changed.
    MotionNumbers with(const Input& input, std::size_t index, double value) const;

    /// The derivatives by an input, from those by the numbers of the chain. Throws
    /// running::RunError where a law has no derivative.
    std::vector<double> gradient(const Input& input, const MotionNumbers& bars) const;

  private:
    bool closes(std::size_t contact) const;
    void make_laws();
    /// Contacts whose laws an input changes.
    std::vector<std::size_t> contacts_of(const Input& input, std::size_t index) const;
    double& number(chain::ContactBodies& bodies, const Input& input, std::size_t index) const;
    /// Whether a parameter of the law has one number per contact.
    bool per_contact(const Input& input) const;
    double by_laws(chain::ContactBodies& bodies, const Input& input, std::size_t index,
                   const MotionNumbers& bars) const;
    double by_law(chain::ContactBodies& bodies, const Input& input, std::size_t index,
                  std::size_t contact, const MotionNumbers& bars) const;

    chain::ContactBodies bodies_;
    MotionNumbers numbers_;
    std::size_t law_;
    std::vector<char> held_;  ///< per bead
};

}  // namespace beadwave::gradients
