// The unknowns of a design, each between 0 and 1, and the numbers of the beads that they make.
#pragma once

#include "gradients/inputs.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace beadwave::design {

using Kind = gradients::Input::Kind;

/// The numbers of a chain that a design may change: one per bead, of gaps one per contact.
struct Numbers {
    std::array<std::vector<double>, 5> all;  ///< by Kind: kg, m, Pa, m, m/s

    std::vector<double>& of(Kind kind) { return all[static_cast<std::size_t>(kind)]; }
    const std::vector<double>& of(Kind kind) const { return all[static_cast<std::size_t>(kind)]; }
};

/// One input of some beads (gaps: contacts), free between two numbers.
struct Variable {
    Kind kind = Kind::mass;
    std::string input{};              ///< "mass"
    std::size_t first = 0, last = 0;  ///< both included
    double low = 0.0, high = 0.0;     ///< in the unit of the input
    bool symmetric = false;           ///< the first equals the last, and so on inwards
    bool equal = false;               ///< all have one number
    bool density_kept = false;        ///< of radii: the mass follows the cube
    std::vector<double> available{};  ///< sizes that there are, rising; empty: all
    std::string name{};               ///< "variable.0", for messages

    std::size_t count() const { return last - first + 1; }
};

/// The sum of one input over some beads stays what it is.
struct Constraint {
    Kind kind = Kind::mass;
    std::string input{};
    std::size_t first = 0, last = 0;
    double sum = 0.0;  ///< in the unit of the input
    std::string name{};
};

class Space {
  public:
    /// `start`: the numbers before any change; those of tied beads are equal.
    Space(std::vector<Variable> variables, Numbers start);

    const std::vector<Variable>& variables() const { return variables_; }
    const Numbers& start() const { return start_; }
    std::size_t size() const { return unknowns_.size(); }
    std::vector<double> start_point() const;

    /// The value of an unknown, in the unit of its variable. Those of the start, 0, 1 and rounded()
    /// are the start's, the lower and the upper number and the size, to the bit.
    double value(std::size_t unknown, double x) const;
    std::size_t variable_of(std::size_t unknown) const { return unknowns_[unknown].variable; }
    std::size_t first_bead_of(std::size_t unknown) const {
        return unknowns_[unknown].beads.front();
    }

    /// Whether a variable has sizes that are available.
    bool has_sizes() const;
    /// The point whose values of such variables are the nearest of their sizes.
    std::vector<double> rounded(std::span<const double> x) const;

    Numbers at(std::span<const double> x) const;
    /// The numbers of a chain like that of the start, whose other numbers may differ.
    Numbers at(std::span<const double> x, Numbers chain) const;
    /// Derivatives by the unknowns, from those by the numbers; an empty list of a kind: zeros.
    std::vector<double> gradient(const Numbers& at, const Numbers& by_numbers) const;

    /// The sum of a constraint, and its derivatives by the unknowns.
    static double sum(const Constraint& constraint, const Numbers& at);
    std::vector<double> sum_gradient(const Constraint& constraint, const Numbers& at) const;

    /// Whether the unknowns change a number of this kind in these beads.
    bool changes(Kind kind, std::size_t first, std::size_t last) const;

  private:
    struct Unknown {
        std::size_t variable;
        std::vector<std::size_t> beads;
        double low, high;
        double start;  ///< between 0 and 1
        double start_value;
    };

    std::vector<Variable> variables_;
    Numbers start_;
    std::vector<Unknown> unknowns_;
};

}  // namespace beadwave::design
