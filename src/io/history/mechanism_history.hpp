// The history of a mechanism: HDF5 in the H5MD 1.1 layout, bodies in /particles/bodies, contacts
// and the ledger in /observables, impacts in /impacts.
#pragma once

#include "io/files/result_place.hpp"
#include "io/history/growing_history.hpp"
#include "io/scenario/mechanism_reader.hpp"
#include "mechanism/result.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace beadwave::io {

/// "pin"; of a guide "guide 0", corner 3: "guide 0, corner 3".
std::string spot_name(const mechanism::Mechanism&, const mechanism::SpotRecord&);

/// What the history holds of the ledger.
struct MechanismLedgerColumn {
    const char* name;
    double mechanism::Ledger::*part;
};
inline constexpr MechanismLedgerColumn mechanism_ledger_columns[] = {
    {"kinetic_energy", &mechanism::Ledger::kinetic},
    {"potential_energy", &mechanism::Ledger::potential},
    {"stored_energy", &mechanism::Ledger::stored},
    {"dissipated_energy", &mechanism::Ledger::dissipated},
    {"friction_energy", &mechanism::Ledger::friction},
    {"work", &mechanism::Ledger::work},
    {"residual", &mechanism::Ledger::residual}};

/// Errors are those of HistoryFile.
class MechanismHistory : public GrowingHistory {
  public:
    MechanismHistory(const Output& output, const ReadMechanism& read);
    /// Goes on from a checkpoint.
    MechanismHistory(const Output& output, const ReadMechanism& read, const KeptHistory& earlier);

    /// Samples count from 0.
    void append(std::int64_t sample, const mechanism::Moment& moment);
    void append_impact(std::size_t spot, const mechanism::Impact& impact);

    /// What so many samples take in the file, without impacts [bytes].
    double bytes_of(double samples) const;

  private:
    struct Datasets;
    Datasets& opened() const;
};

}  // namespace beadwave::io
