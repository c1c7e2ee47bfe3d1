// Beads in a row and the contacts between them, ready to run.
//
// Contact c is between bead c-1 and bead c; contact 0 is bead 0's with the left wall, contact N the
// last bead's with the right wall. A contact that cannot close has an infinite gap.
#pragma once

#include "beadwave/chain/scenario.hpp"
#include "beadwave/laws/any_law.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::chain {

/// The parameters of every contact as columns, one column a field of the law.
class ContactParameters {
  public:
    /// Contacts must be added in order; all must hold the same law type.
    void add(const laws::AnyLaw& law);

    std::size_t count() const { return count_; }
    const laws::AnyLaw& first() const { return first_; }
    const std::vector<std::vector<double>>& columns() const { return columns_; }
    laws::AnyLaw at(std::size_t contact) const;
    /// Whether two contacts have the same parameters.
    bool same(std::size_t a, std::size_t b) const;

  private:
    std::size_t count_ = 0;
    laws::AnyLaw first_;
    std::vector<std::vector<double>> columns_;
};

/// A constant force on one bead [N], towards higher bead numbers.
struct Load {
    std::size_t bead;
    double force;
};

struct Chain {
    // per bead
    std::vector<double> radius;              ///< [m]
    std::vector<double> mass;                ///< [kg]
    std::vector<double> position;            ///< of the centre at the start, bead 0 at 0 [m]
    std::vector<double> velocity;            ///< at the start [m/s]
    std::vector<int> species;                ///< index into species_names
    std::vector<std::string> species_names;  ///< materials in order of appearance

    // per contact: beads + 1
    std::vector<double> gap;  ///< at the start [m]; negative = compressed; +infinity = never closes
    std::vector<double> effective_mass;  ///< [kg]; 0 where there is no contact
    ContactParameters contacts;

    bool left_fixed = false, right_fixed = false;  ///< the end bead never moves
    std::optional<Drive> left_drive, right_drive;  ///< of the wall at that end; else it rests
    double gravity = 0.0;                          ///< [m/s^2]
    std::vector<Load> loads;

    std::size_t beads() const { return mass.size(); }
    bool is_fixed(std::size_t bead) const {
        return (left_fixed && bead == 0) || (right_fixed && bead + 1 == beads());
    }
};

/// Builds beads and contacts, in static equilibrium where the scenario asks for it. Throws
/// InputError for what only shows when everything is together: a wall without a bead to hold, a
/// disorder that makes a radius negative, a gravity nothing withstands, a missing yield stress.
Chain build_chain(const Scenario& scenario);

}  // namespace beadwave::chain
