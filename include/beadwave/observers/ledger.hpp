// The energy ledger: kinetic + stored + dissipated + discarded = initial + work of gravity, loads
// and driven ends.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <array>
#include <span>

namespace beadwave::observers {

/// All in J, but for the residual; see ledger_entries.
struct Ledger {
    double initial;  ///< kinetic + stored at the start
    double kinetic;
    double stored;
    double dissipated;
    double work;       ///< by gravity, loads and driven ends
    double discarded;  ///< kinetic, of beads put to rest by time.sleep_speed
    double scale;      ///< the largest amount in the book so far
    double residual;   ///< imbalance relative to that [-]
};

/// One line of the book, for everything that shows or stores it.
struct LedgerEntry {
    const char* name;      ///< in JSON
    const char* quantity;  ///< in histories and tables
    const char* unit;      ///< H5MD's spelling; empty: none
    const char* meaning;
    double Ledger::*value;
    int side;  ///< +1 and -1: the sum over all entries balances; 0: not of the balance

    double of(const Ledger& ledger) const { return ledger.*value; }
};

/// What the book holds, in the order in which it is shown.
inline constexpr std::array ledger_entries{
    LedgerEntry{"initial", "initial_energy", "J", "kinetic and stored, at the start",
                &Ledger::initial, -1},
    LedgerEntry{"kinetic", "kinetic_energy", "J", "of all beads", &Ledger::kinetic, 1},
    LedgerEntry{"stored", "stored_energy", "J", "what all contacts would give back",
                &Ledger::stored, 1},
    LedgerEntry{"dissipated", "dissipated_energy", "J", "by all contacts since the start",
                &Ledger::dissipated, 1},
    LedgerEntry{"work", "work", "J", "by gravity, loads and driven ends since the start",
                &Ledger::work, -1},
    LedgerEntry{"discarded", "discarded_energy", "J",
                "kinetic, of beads put to rest by time.sleep_speed since the start",
                &Ledger::discarded, 1},
    LedgerEntry{"residual", "residual", "",
                "what the others leave over, relative to the largest amount in the book so far",
                &Ledger::residual, 0}};

/// Those that change from sample to sample: all but the first.
inline constexpr std::span sampled_entries = std::span(ledger_entries).subspan<1>();

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale);

}  // namespace beadwave::observers
