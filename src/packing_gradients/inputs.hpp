// The numbers by which a run of a packing is differentiated.
//
// Positions and velocities are numbers of the steps themselves. Radii, masses, moduli and
// parameters of the laws also make the numbers of the laws of all pairs that the run has listed;
// these are derived from 6 laws nearby (gradients/slopes.hpp). A radius keeps the mass of its
// particle, and moments of inertia follow both. A modulus is that of its particle alone.
#pragma once

#include "packing_gradients/adjoint_run.hpp"
#include "packing_gradients/varied_packing.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::packing_gradients {

struct Input {
    enum class Kind {
        position,
        velocity,
        angular_velocity,
        mass,
        radius,
        youngs_modulus,
        gravity,
        friction,  ///< a number of [friction], by its key there
        law        ///< a parameter of the normal law
    };
    Kind kind;
    std::string name;

    bool operator==(const Input&) const = default;
    std::string unit() const;  ///< "kg"; of friction and laws empty
    /// What has a row of numbers: "particle"; of all others "number".
    const char* of() const;
    std::size_t columns() const;  ///< 3: of vectors
};

/// "mass,radius,restitution". Parameters of the law may also be "law.restitution". Throws
/// InputError that starts with `where`.
std::vector<Input> read_inputs(const std::string& text, const packing::Packing& packing,
                               const std::string& where);

/// The numbers of an input, row by row.
std::vector<double> numbers_of(const VariedPacking& varied, const Input& input);

/// Changes a number of an input, also to one out of its range: for differences. Velocities of
/// particles that are held stay.
void change(VariedPacking& varied, const Input& input, std::size_t index, double number);

/// The derivatives by an input, from those by the numbers of the steps. Throws running::RunError
/// where a law has no derivative.
std::vector<double> gradient_by(const VariedPacking& varied, const Input& input, const Bars& bars,
                                const PairTable& table);

}  // namespace beadwave::packing_gradients
