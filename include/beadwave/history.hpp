// Reading the history of a chain, a packing or a mechanism. docs/HISTORY.md describes its content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace beadwave {

/// The arrays of a history by name, the same names as in Python: "mass", "sensor_force",
/// "snapshot_time", "contacts/pair", "impacts/pin/start". What is sampled has samples first.
class History {
  public:
    /// Throws InputError if the file cannot be read, is no history, or was written by another
    /// version of beadwave with other names.
    explicit History(const std::filesystem::path& path);
    ~History();
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;

    // SI units; each element of the file has its unit as an attribute.
    //
    // Each function throws InputError if the file is damaged or has no such array.

    std::string system() const;    ///< "chain", "packing" or "mechanism"
    std::string scenario() const;  ///< text of the scenario; empty for a chain made from arrays
    double time_step() const;      ///< [s]; 0 for a mechanism, which has no fixed step

    std::vector<std::string> names() const;
    bool has(const std::string& name) const;
    std::vector<std::size_t> shape(const std::string& name) const;
    /// Rows first, first + 1, ... of the first dimension; at most `count`.
    std::vector<double> read(const std::string& name, std::size_t first = 0,
                             std::size_t count = static_cast<std::size_t>(-1)) const;
    /// Number `item` of each sample, over time. For vectors items are numbers, three per vector.
    std::vector<double> over_time(const std::string& name, std::size_t item) const;
    /// The place of a bead or particle among the sensors.
    std::size_t sensor(std::int64_t body) const;

  private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace beadwave
