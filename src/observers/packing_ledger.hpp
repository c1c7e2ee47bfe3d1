// The energy ledger of a packing: kinetic + rotational + stored + dissipated + friction = initial +
// work of gravity and moving walls.
#pragma once

#include "packing/packing_engine.hpp"

#include <array>
#include <span>

namespace beadwave::observers {

/// All in J, but for the residual; see packing_ledger_entries.
struct PackingLedger {
    double initial;     ///< kinetic, rotational and stored, at the start
    double kinetic;     ///< of the centres
    double rotational;  ///< of the spins
    double stored;      ///< in normal, tangential, rolling and twisting springs
    double dissipated;  ///< by the normal law
    double friction;    ///< dissipated by the tangential, rolling and twisting law
    double work;        ///< by gravity and moving walls
    double scale;       ///< the largest amount in the book so far
    double residual;    ///< imbalance relative to that [-]
};

struct PackingLedgerEntry {
    const char* name;      ///< in JSON
    const char* quantity;  ///< in histories and tables
    const char* unit;      ///< H5MD's spelling; empty: none
    const char* meaning;
    double PackingLedger::*value;

    double of(const PackingLedger& ledger) const { return ledger.*value; }
};

/// What the book holds, in the order in which it is shown.
inline constexpr std::array packing_ledger_entries{
    PackingLedgerEntry{"initial", "initial_energy", "J",
                       "kinetic, rotational and stored, at the start", &PackingLedger::initial},
    PackingLedgerEntry{"kinetic", "kinetic_energy", "J", "of the centres", &PackingLedger::kinetic},
    PackingLedgerEntry{"rotational", "rotational_energy", "J", "of the spins",
                       &PackingLedger::rotational},
    PackingLedgerEntry{"stored", "stored_energy", "J",
                       "what all contacts, normal and tangential, would give back",
                       &PackingLedger::stored},
    PackingLedgerEntry{"dissipated", "dissipated_energy", "J",
                       "by all normal forces since the start", &PackingLedger::dissipated},
    PackingLedgerEntry{"friction", "friction_energy", "J",
                       "dissipated by sliding, rolling and twisting since the start",
                       &PackingLedger::friction},
    PackingLedgerEntry{"work", "work", "J", "by gravity and moving walls since the start",
                       &PackingLedger::work},
    PackingLedgerEntry{
        "residual", "residual", "",
        "what the others leave over, relative to the largest amount in the book so far",
        &PackingLedger::residual}};

/// Those that change from sample to sample: all but the first.
inline constexpr std::span sampled_packing_entries = std::span(packing_ledger_entries).subspan<1>();

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
PackingLedger balance(const packing::PackingTotals& start, const packing::PackingTotals& now,
                      double scale);

}  // namespace beadwave::observers
