// Reading the history of a chain. docs/HISTORY.md describes its content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace beadwave {

/// The samples of one sensor.
struct SensorRecord {
    std::vector<double> time;      ///< [s]
    std::vector<double> force;     ///< [N]
    std::vector<double> velocity;  ///< [m/s]
};

/// The samples of one entry of the energy ledger.
struct LedgerRecord {
    std::vector<double> time;   ///< [s]
    std::vector<double> value;  ///< [J]; relative_energy_error [1]
};

/// All beads at one time.
struct Snapshot {
    double time;                       ///< [s]
    std::vector<double> displacement;  ///< from the initial position [m]
    std::vector<double> velocity;      ///< [m/s]
};

class History {
  public:
    /// Throws InputError if the file cannot be read, is no history of a chain, or was written by
    /// another version of beadwave with other names.
    explicit History(const std::filesystem::path& path);
    ~History();
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;

    // Each function throws InputError if the history does not hold what it returns.

    std::string scenario() const;      ///< text of the scenario; empty for a chain made from arrays
    double time_step() const;          ///< [s]
    std::vector<double> mass() const;  ///< per bead [kg]
    std::vector<double> radius() const;  ///< per bead [m]

    /// The beads that have a sensor, in the order of the scenario; empty without sensors.
    std::vector<std::int64_t> sensors() const;
    SensorRecord sensor(std::int64_t bead) const;

    /// By its name in the file: "kinetic_energy", "external_work", "relative_energy_error".
    LedgerRecord ledger(const std::string& entry) const;

    std::size_t snapshot_count() const;
    Snapshot snapshot(std::size_t number) const;

  private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace beadwave
