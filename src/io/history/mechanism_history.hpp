// The history of a mechanism: HDF5 in the H5MD 1.1 layout. Bodies are in /particles/all, contacts
// and the energy ledger in /observables, impacts in /impacts.
#pragma once

#include "io/files/output_path.hpp"
#include "io/history/swmr_history.hpp"
#include "io/scenario/mechanism_reader.hpp"
#include "mechanism/result.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace beadwave::io {

/// The name of the contact: "pin". A prismatic contact has four points: "guide, corner 3".
std::string contact_point_name(const mechanism::Mechanism&, const mechanism::ContactImpacts&);

/// A quantity of the energy ledger in the history.
struct MechanismLedgerColumn {
    const char *name, *unit;
    double mechanism::Ledger::*part;
};
inline constexpr MechanismLedgerColumn mechanism_ledger_columns[] = {
    {"kinetic_energy", "J", &mechanism::Ledger::kinetic},
    {"potential_energy", "J", &mechanism::Ledger::potential},
    {"stored_energy", "J", &mechanism::Ledger::stored},
    {"dissipated_energy", "J", &mechanism::Ledger::dissipated},
    {"normal_dissipation", "J", &mechanism::Ledger::normal_dissipation},
    {"friction_dissipation", "J", &mechanism::Ledger::friction_dissipation},
    {"external_work", "J", &mechanism::Ledger::external_work},
    {"energy_error", "J", &mechanism::Ledger::energy_error},
    {"relative_energy_error", "1", &mechanism::Ledger::relative_energy_error}};

/// The errors are those of HistoryFile.
class MechanismHistory : public SwmrHistory {
  public:
    MechanismHistory(const Output& output, const ReadMechanism& read);
    /// Continues from a checkpoint.
    MechanismHistory(const Output& output, const ReadMechanism& read, const ResumePoint& earlier);

    /// `number`: of the sample, from 0.
    void append(std::int64_t number, const mechanism::Sample& sample);
    void append_impact(std::size_t point, const mechanism::Impact& impact);

    /// Size of this number of samples in the file, without impacts [bytes].
    double bytes_of(double samples) const;

  private:
    struct Datasets;
    Datasets& opened() const;
};

}  // namespace beadwave::io
