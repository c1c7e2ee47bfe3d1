// The numbers by which a run is differentiated, and what they change in the chain.
//
// Masses, gaps and velocities are numbers of the steps themselves. Radii, moduli, masses and
// parameters of the law also make the numbers of the laws; these are derived from 6 laws nearby, a
// central difference of sixth order, whose error is about 1e-13 of the slope. A radius keeps the
// mass of its bead, and a modulus is that of its bead alone.
#pragma once

#include "chain/contact_bodies.hpp"
#include "gradients/motion_numbers.hpp"
#include "gradients/ready_chain.hpp"
#include "gradients/static_start.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::gradients {

struct Input {
    enum class Kind {
        mass,
        radius,
        youngs_modulus,
        gap,
        velocity,
        load,            ///< a constant force on each bead [N]
        precompression,  ///< [N]
        law,
        carried  ///< see carried_inputs.hpp
    };
    Kind kind;
    std::string name;  ///< "mass"; of the law: that of its parameter

    bool operator==(const Input&) const = default;
};

/// "kg"; of a parameter of the law empty.
std::string_view unit_of(const Input& input);
/// Of an input of beads and contacts.
std::string_view unit_of(Input::Kind kind);
/// Whether it has one number per bead.
bool is_per_bead(const Input& input);

/// "mass,radius,restitution". Parameters of the law may also be "law.restitution". Throws
/// InputError that starts with `where`.
std::vector<Input> read_inputs(const std::string& text, const ReadyChain& ready,
                               const std::string& where);

/// A chain and what its laws are made of, with inputs that can be changed.
class Inputs {
  public:
    /// Throws InputError that starts with the chain's name if its laws are not those of the bodies.
    explicit Inputs(const ReadyChain& ready);

    const MotionNumbers& numbers() const { return numbers_; }
    /// One per bead, per contact for gaps; a parameter of the law has one, or one per contact.
    std::size_t count(const Input& input) const;
    /// Infinite: the gap of a contact that cannot close.
    double value(const Input& input, std::size_t index) const;
    /// Replaces all numbers of an input; those of contacts that cannot close or that carry a static
    /// load and the velocities of held beads stay. Throws InputError for another count or a number
    /// out of its range.
    void set(const Input& input, std::span<const double> values);
    /// The numbers with one of an input changed, also to one out of its range: for differences.
    MotionNumbers with(const Input& input, std::size_t index, double value) const;

    /// Makes derivatives by gaps and loads that follow from a static equilibrium those by the
    /// numbers that they follow from. For gradient().
    void balance(MotionNumbers& bars) const { start_.reverse(numbers_, bars); }
    /// The derivatives by an input, from those by the numbers of the chain. Throws
    /// running::RunError where a law has no derivative.
    std::vector<double> gradient(const Input& input, const MotionNumbers& bars) const;

  private:
    bool closes(std::size_t contact) const;
    /// Whether each number of an input follows from others, so that set() leaves it.
    std::vector<char> staying(const Input& input) const;
    /// set() without a check.
    void put(const Input& input, std::span<const double> values);
    void make_laws();
    /// Loads of the input, with what masses and precompression that have changed add to them.
    void place_loads();
    void set_one(const Input& input, std::size_t index, double value);
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
    StaticStart start_;
    std::size_t law_;
    double time_step_;
    std::vector<char> held_;  ///< per bead
    /// The input `load`, per bead [N]: with the weights of masses inside beads and the
    /// precompression that the chain has.
    std::vector<double> load_;
    std::vector<double> inner_mass_;  ///< that the chain has inside beads [kg]
};

}  // namespace beadwave::gradients
