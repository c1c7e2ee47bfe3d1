// Reading a history that a run wrote: docs/HISTORY.md says what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace beadwave {

/// What one sensor recorded, sample by sample.
struct SensorRecord {
    std::vector<double> time;      ///< [s]
    std::vector<double> force;     ///< [N]
    std::vector<double> velocity;  ///< [m/s]
};

/// One entry of the energy ledger, sample by sample.
struct LedgerRecord {
    std::vector<double> time;   ///< [s]
    std::vector<double> value;  ///< [J]; of the residual [-]
};

/// All beads at one time.
struct Snapshot {
    double time;                       ///< [s]
    std::vector<double> displacement;  ///< from the start [m]
    std::vector<double> velocity;      ///< [m/s]
};

class History {
  public:
    /// Throws InputError if it cannot be read or is no history of a chain.
    explicit History(const std::filesystem::path& path);
    ~History();
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;

    // Each throws InputError for what the history does not hold.

    std::string scenario() const;      ///< the scenario's text; empty for a chain made from arrays
    double time_step() const;          ///< [s]
    std::vector<double> mass() const;  ///< per bead [kg]
    std::vector<double> radius() const;  ///< per bead [m]

    /// The beads that have a sensor, in the order in which they were asked for; none if there are
    /// no sensors.
    std::vector<std::int64_t> sensors() const;
    SensorRecord sensor(std::int64_t bead) const;

    /// By its name in the file: "kinetic_energy", "work", "residual".
    LedgerRecord ledger(const std::string& entry) const;

    std::size_t snapshot_count() const;
    Snapshot snapshot(std::size_t number) const;

  private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace beadwave
