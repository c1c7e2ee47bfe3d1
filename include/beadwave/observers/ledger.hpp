// The energy ledger: kinetic + stored + dissipated + sleep loss = initial + external work, up to
// the energy error.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <array>
#include <span>

namespace beadwave::observers {

/// The energy balance of a chain [J], from the start to one step; see ledger_entries.
struct Ledger {
    double initial;  ///< kinetic + stored at the start
    double kinetic;
    double stored;
    double dissipated;
    double external_work;          ///< by gravity, loads and driven walls
    double sleep_loss;             ///< kinetic, of beads put to sleep by time.sleep_speed
    double scale;                  ///< the largest entry so far
    double energy_error;           ///< what the entries leave over
    double relative_energy_error;  ///< energy_error over scale [-]
};

/// One entry of the ledger, for everything that shows or stores it.
struct LedgerEntry {
    const char* name;      ///< in JSON
    const char* quantity;  ///< in histories and tables
    const char* unit;      ///< H5MD's spelling; empty: none
    const char* meaning;
    double Ledger::*value;
    int side;  ///< +1 or -1: these signs make the sum over all entries zero; 0: not in the sum

    double of(const Ledger& ledger) const { return ledger.*value; }
};

/// All entries, in the order in which they are shown.
inline constexpr std::array ledger_entries{
    LedgerEntry{"initial", "initial_energy", "J", "kinetic and stored, at the start",
                &Ledger::initial, -1},
    LedgerEntry{"kinetic", "kinetic_energy", "J", "of all beads", &Ledger::kinetic, 1},
    LedgerEntry{"stored", "stored_energy", "J", "recoverable, in all contacts", &Ledger::stored, 1},
    LedgerEntry{"dissipated", "dissipated_energy", "J", "by all contacts since the start",
                &Ledger::dissipated, 1},
    LedgerEntry{"external_work", "external_work", "J",
                "by gravity, loads and driven walls since the start", &Ledger::external_work, -1},
    LedgerEntry{"sleep_loss", "sleep_loss_energy", "J",
                "kinetic, of beads put to sleep by time.sleep_speed since the start",
                &Ledger::sleep_loss, 1},
    LedgerEntry{"energy_error", "energy_error", "J", "what the other entries leave over",
                &Ledger::energy_error, -1},
    LedgerEntry{"relative_energy_error", "relative_energy_error", "",
                "the energy error over the largest entry so far", &Ledger::relative_energy_error,
                0}};

/// Those that change from sample to sample: all but the first.
inline constexpr std::span sampled_entries = std::span(ledger_entries).subspan<1>();

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale);

}  // namespace beadwave::observers
