// The energy ledger of a packing: kinetic + stored + dissipated = initial + external work, up to
// the energy error. Kinetic and dissipated energy are also listed by parts.
#pragma once

#include "packing/packing_engine.hpp"

#include <array>
#include <span>

namespace beadwave::observers {

/// The energy balance of a packing [J], from the start to one step; see packing_ledger_entries.
struct PackingLedger {
    double initial;                ///< kinetic + stored at the start
    double kinetic;                ///< translational + rotational
    double translational;          ///< kinetic, of the centres
    double rotational;             ///< kinetic, of the rotation
    double stored;                 ///< in normal, tangential, rolling and twisting springs
    double dissipated;             ///< normal + friction + rolling
    double normal;                 ///< dissipated by the normal law
    double friction;               ///< dissipated by sliding
    double rolling;                ///< dissipated by rolling and twisting
    double external_work;          ///< by gravity and moving walls
    double scale;                  ///< the largest entry so far
    double energy_error;           ///< what the entries leave over
    double relative_energy_error;  ///< energy_error over scale [-]
};

/// One entry of the ledger, for everything that shows or stores it.
struct PackingLedgerEntry {
    const char* name;      ///< in JSON
    const char* quantity;  ///< in histories and tables
    const char* unit;      ///< H5MD's spelling; empty: none
    const char* meaning;
    double PackingLedger::*value;
    int side;  ///< +1 or -1: these signs make the sum over all entries zero; 0: not in the sum

    double of(const PackingLedger& ledger) const { return ledger.*value; }
};

/// All entries, in the order in which they are shown.
inline constexpr std::array packing_ledger_entries{
    PackingLedgerEntry{"initial", "initial_energy", "J", "kinetic and stored, at the start",
                       &PackingLedger::initial, -1},
    PackingLedgerEntry{"kinetic", "kinetic_energy", "J", "of all particles: both parts below",
                       &PackingLedger::kinetic, 1},
    PackingLedgerEntry{"translational", "translational_energy", "J", "kinetic, of the centres",
                       &PackingLedger::translational, 0},
    PackingLedgerEntry{"rotational", "rotational_energy", "J", "kinetic, of the rotation",
                       &PackingLedger::rotational, 0},
    PackingLedgerEntry{"stored", "stored_energy", "J",
                       "recoverable, in all contacts, normal and tangential",
                       &PackingLedger::stored, 1},
    PackingLedgerEntry{"dissipated", "dissipated_energy", "J",
                       "by all contacts since the start: the three parts below",
                       &PackingLedger::dissipated, 1},
    PackingLedgerEntry{"normal", "normal_dissipation", "J", "by all normal forces since the start",
                       &PackingLedger::normal, 0},
    PackingLedgerEntry{"friction", "friction_dissipation", "J", "by sliding since the start",
                       &PackingLedger::friction, 0},
    PackingLedgerEntry{"rolling", "rolling_dissipation", "J",
                       "by rolling and twisting since the start", &PackingLedger::rolling, 0},
    PackingLedgerEntry{"external_work", "external_work", "J",
                       "by gravity and moving walls since the start", &PackingLedger::external_work,
                       -1},
    PackingLedgerEntry{"energy_error", "energy_error", "J", "what the other entries leave over",
                       &PackingLedger::energy_error, -1},
    PackingLedgerEntry{"relative_energy_error", "relative_energy_error", "",
                       "the energy error over the largest entry so far",
                       &PackingLedger::relative_energy_error, 0}};

/// Those that change from sample to sample: all but the first.
inline constexpr std::span sampled_packing_entries = std::span(packing_ledger_entries).subspan<1>();

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
PackingLedger balance(const packing::PackingTotals& start, const packing::PackingTotals& now,
                      double scale);

}  // namespace beadwave::observers
