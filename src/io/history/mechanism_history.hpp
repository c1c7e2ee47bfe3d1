// The history of a mechanism: HDF5 in the H5MD 1.1 layout, bodies in /particles/bodies, contacts
// and the ledger in /observables, impacts in /impacts.
#pragma once

#include "io/files/result_place.hpp"
#include "io/scenario/mechanism_reader.hpp"
#include "mechanism/result.hpp"

#include <filesystem>
#include <memory>

namespace beadwave::io {

/// "pin"; of a guide "guide 0", corner 3: "guide 0, corner 3".
std::string spot_name(const mechanism::Mechanism&, const mechanism::SpotRecord&);

class MechanismHistory {
  public:
    /// Begins a file beside the place, which close() replaces. Throws InputError if the history
    /// cannot stand there, std::runtime_error if another process is writing it.
    MechanismHistory(const Output& output, const ReadMechanism& read);
    ~MechanismHistory();

    /// Throws std::runtime_error when the file cannot take it (disk full).
    void append(const mechanism::Moment& moment);
    /// As HistoryFile's.
    bool lost() const;
    /// Writes the impacts and gives the file its name.
    void close(const mechanism::Result& result);

  private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace beadwave::io
