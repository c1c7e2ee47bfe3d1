// The history of a mechanism: HDF5 in the H5MD 1.1 layout, bodies in /particles/bodies, contacts
// and the ledger in /observables, impacts in /impacts.
#pragma once

#include "io/files/result_place.hpp"
#include "io/history/continuable_history.hpp"
#include "io/scenario/mechanism_reader.hpp"
#include "mechanism/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace beadwave::io {

/// "pin"; of a guide "guide 0", corner 3: "guide 0, corner 3".
std::string spot_name(const mechanism::Mechanism&, const mechanism::SpotRecord&);

/// Errors are those of HistoryFile.
class MechanismHistory : public ContinuableHistory {
  public:
    MechanismHistory(const Output& output, const ReadMechanism& read);
    /// Goes on from what `earlier` holds.
    MechanismHistory(const Output& output, const ReadMechanism& read, const hdf5::File& earlier);
    ~MechanismHistory() override;

    /// Samples count from 0.
    void append(std::int64_t sample, const mechanism::Moment& moment);
    void append_impact(std::size_t spot, const mechanism::Impact& impact);

    // As those of HistoryFile.
    bool lost() const;
    void copy_to(const hdf5::File& copy) override;
    void keep_current();
    /// What so many samples take in the file, without impacts [bytes].
    double bytes_of(double samples) const;
    void close(std::span<const std::string> notes = {});
    void discard();
    std::string leave() override;

  private:
    struct Datasets;
    Datasets& opened() const;
    std::unique_ptr<Datasets> datasets_;
};

}  // namespace beadwave::io
