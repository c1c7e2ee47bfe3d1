// The energy ledger: kinetic + potential + stored + dissipated + sleep loss = initial + external
// work + inflow, up to the energy error. To add an entry, add a member and a row here, and compute
// it in the systems that have it. Histories, checkpoints, --json and sweep tables follow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace beadwave::recording {

/// The energy balance of a system [J], from the start to one step. A system without an entry leaves
/// it at 0.
struct Ledger {
    double initial = 0.0;  ///< kinetic + stored at the start
    double kinetic = 0.0;
    double translational = 0.0;         ///< the part of the kinetic energy in the centres
    double rotational = 0.0;            ///< its part in the rotation
    double potential = 0.0;             ///< of gravity, relative to the start
    double stored = 0.0;                ///< recoverable, in all contacts and springs
    double dissipated = 0.0;            ///< by all contacts and dampers since the start
    double normal_dissipation = 0.0;    ///< its part by normal forces
    double friction_dissipation = 0.0;  ///< its part by sliding
    double rolling_dissipation = 0.0;   ///< its part by rolling and twisting
    double damper_dissipation = 0.0;    ///< its part by dampers beside contacts
    double broken_energy = 0.0;         ///< its part that bonds had stored when they broke
    double external_work = 0.0;         ///< by gravity, loads, walls and motors since the start
    double inflow_energy = 0.0;         ///< of particles that came, minus that of those that left
    double sleep_loss =
        0.0;  ///< kinetic, of beads put to sleep by time.sleep_speed since the start
    double energy_error = 0.0;           ///< what the entries leave over
    double relative_energy_error = 0.0;  ///< energy_error over scale [-]; 0 if all is 0
    double scale = 0.0;  ///< the largest entry so far, without the dissipated energy

    /// Sets the last three. `left_over`: what the entries leave over; `largest`: the largest entry
    /// so far, at least.
    void close(double left_over, double largest) {
        energy_error = left_over;
        scale = std::max({largest, initial, stored, std::abs(potential), std::abs(external_work)});
        if (scale > 0.0) relative_energy_error = energy_error / scale;
    }
};

/// The systems, as bits.
enum class SystemKind : unsigned { chain = 1, packing = 2, mechanism = 4 };

/// One entry of the ledger, for everything that shows or stores it.
struct LedgerEntry {
    const char* name;      ///< in JSON
    const char* quantity;  ///< in histories and tables
    const char* unit;      ///< H5MD's spelling; empty: none
    const char* meaning;
    double Ledger::*value;
    int side;  ///< +1 or -1: these signs make the sum over all entries zero; 0: not in the sum
    unsigned systems = 7;  ///< that have it: bits of SystemKind

    double of(const Ledger& ledger) const { return ledger.*value; }
};

/// All entries, in the order in which they are shown.
inline constexpr std::array ledger_entries{
    LedgerEntry{"initial", "initial_energy", "J", "kinetic and stored, at the start",
                &Ledger::initial, -1},
    LedgerEntry{"kinetic", "kinetic_energy", "J", "of all bodies", &Ledger::kinetic, 1},
    LedgerEntry{"translational", "translational_energy", "J", "kinetic, of the centres",
                &Ledger::translational, 0, 2},
    LedgerEntry{"rotational", "rotational_energy", "J", "kinetic, of the rotation",
                &Ledger::rotational, 0, 2},
    LedgerEntry{"potential", "potential_energy", "J", "of gravity, relative to the start",
                &Ledger::potential, 1, 4},
    LedgerEntry{"stored", "stored_energy", "J", "recoverable, in all contacts and springs",
                &Ledger::stored, 1},
    LedgerEntry{"dissipated", "dissipated_energy", "J",
                "by all contacts and dampers since the start", &Ledger::dissipated, 1},
    LedgerEntry{"normal", "normal_dissipation", "J", "by all normal forces since the start",
                &Ledger::normal_dissipation, 0, 6},
    LedgerEntry{"friction", "friction_dissipation", "J", "by sliding since the start",
                &Ledger::friction_dissipation, 0, 6},
    LedgerEntry{"rolling", "rolling_dissipation", "J", "by rolling and twisting since the start",
                &Ledger::rolling_dissipation, 0, 2},
    LedgerEntry{"damper", "damper_dissipation", "J", "by dampers since the start",
                &Ledger::damper_dissipation, 0, 4},
    LedgerEntry{"broken", "broken_energy", "J", "of bonds, stored when they broke, since the start",
                &Ledger::broken_energy, 0, 3},
    LedgerEntry{"external_work", "external_work", "J",
                "by gravity, loads, moving walls and motors since the start",
                &Ledger::external_work, -1},
    LedgerEntry{"inflow", "inflow_energy", "J",
                "kinetic, of particles that came, minus kinetic and stored of those that left",
                &Ledger::inflow_energy, -1, 2},
    LedgerEntry{"sleep_loss", "sleep_loss_energy", "J",
                "kinetic, of beads put to sleep by time.sleep_speed since the start",
                &Ledger::sleep_loss, 1, 1},
    LedgerEntry{"energy_error", "energy_error", "J", "what the other entries leave over",
                &Ledger::energy_error, -1},
    LedgerEntry{"relative_energy_error", "relative_energy_error", "",
                "the energy error over the largest entry so far", &Ledger::relative_energy_error,
                0}};

/// The entries of the ledger of one kind of system.
inline std::vector<LedgerEntry> entries_of(SystemKind system) {
    std::vector<LedgerEntry> entries;
    for (const LedgerEntry& entry : ledger_entries)
        if ((entry.systems & static_cast<unsigned>(system)) != 0) entries.push_back(entry);
    return entries;
}

/// The entries that change from sample to sample: all but the first.
inline std::vector<LedgerEntry> sampled_entries(SystemKind system) {
    std::vector<LedgerEntry> entries = entries_of(system);
    entries.erase(entries.begin());
    return entries;
}

}  // namespace beadwave::recording
