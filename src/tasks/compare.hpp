// One scenario under several laws.
#pragma once

#include "io/durable/atomic_file.hpp"
#include "jobs/job.hpp"
#include "observers/comparison.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::tasks {

struct CompareRequest {
    std::string scenario;
    std::vector<std::string> laws;  ///< names; the first is the reference
    std::vector<std::string> overrides{};
    std::string measured{};  ///< CSV of measured traces; empty: none
    int threads = 0;         ///< 0: all
};

/// The result under one law.
struct Compared {
    std::string law;
    io::Columns columns;
    jobs::JobResult result;
    std::vector<observers::SensorError> errors;  ///< against the measurement, if there is one

    double of_run(std::string_view name) const;
    bool has(std::string_view name) const;
    double at_sensor(std::size_t quantity, std::size_t sensor) const;
    double nanoseconds() const;  ///< wall-clock time per step and body
};

struct Comparison {
    std::vector<Compared> laws;  ///< in the order of the request

    std::string text() const;
    nlohmann::ordered_json json() const;
    /// One row per law and sensor, in SI units; numbers have all digits, and what did not happen is
    /// empty.
    std::string csv() const;
    /// A LaTeX table (booktabs) of the same rows, with the digits of text().
    std::string latex() const;
};

/// The files of Comparison::csv() and latex(). Their names are checked before the first run.
class CompareFiles {
  public:
    /// An empty name: this file is not written. Throws InputError if a file cannot be written, or
    /// is one of something else.
    CompareFiles(const std::string& csv, const std::string& latex, bool overwrite);

  private:
    friend void write(const Comparison& comparison, CompareFiles& files);
    std::optional<io::AtomicFile> csv_, latex_;
};

/// Writes both or neither. Throws std::runtime_error.
void write(const Comparison& comparison, CompareFiles& files);

/// How many parts of the progress one law is.
constexpr std::int64_t parts_per_law = 1000;

/// Calls begin(), progress() and stop() of the callback; the steps are parts of laws. Throws
/// InputError; running::RunError, also if the callback stops it.
Comparison compare(const CompareRequest& request, jobs::ProgressCallback& callback);

}  // namespace beadwave::tasks
