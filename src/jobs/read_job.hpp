// From a file to the job that it describes: `[[segment]]` makes it a chain, `[[particles]]`
// a packing, `[[body]]` a mechanism.
#pragma once

#include "jobs/job.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace beadwave::jobs {

/// Reads and checks everything, models and time step included; `overrides` are "dotted.key=value"
/// as given to --set. Throws InputError.
std::unique_ptr<Job> read_job(const std::filesystem::path& file,
                              std::span<const std::string> overrides = {});

/// The job that the checkpoint is of, from what the checkpoint itself holds.
std::unique_ptr<Job> read_job(const io::CheckpointFile& checkpoint,
                              const std::filesystem::path& name);

/// A file read once, from which many jobs come that differ in a few values.
class JobFile {
  public:
    JobFile(const std::filesystem::path& file, std::span<const std::string> overrides);
    ~JobFile();

    /// The TOML text, overrides applied.
    const std::string& text() const;

    /// With `settings`, "dotted.key=value" as --vary makes them, applied last. Threads may call it
    /// at once.
    std::unique_ptr<Job> variant(std::span<const std::string> settings) const;

  private:
    struct Document;
    std::unique_ptr<Document> document_;
};

}  // namespace beadwave::jobs
