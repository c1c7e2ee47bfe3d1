// From a file to the job that it describes: `[[segment]]` makes it a chain, `[[particles]]`
// a packing, `[[body]]` a mechanism.
#pragma once

#include "jobs/job.hpp"
#include "ranks/ranks.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace beadwave::jobs {

/// Reads and checks everything, models and time step included; `overrides` are "dotted.key=value"
/// as given to --set. Ranks that are several share the job, and outlive it; null: this process has
/// it alone. Throws InputError.
std::unique_ptr<Job> read_job(const std::filesystem::path& file,
                              std::span<const std::string> overrides = {},
                              ranks::Ranks* ranks = nullptr);

/// The same from text, which errors call `name`; files that it names are looked for in `folder`.
std::unique_ptr<Job> read_job_text(const std::string& text, const std::string& name,
                                   const std::filesystem::path& folder,
                                   std::span<const std::string> overrides = {});

/// The job that the checkpoint is of, from what the checkpoint itself holds.
std::unique_ptr<Job> read_job(const io::CheckpointFile& checkpoint,
                              const std::filesystem::path& name, ranks::Ranks* ranks = nullptr);

/// Where the history of a run goes on: at `wanted`, or, if that is empty, where its run wrote it,
/// beside the checkpoint. Throws InputError if that is the checkpoint itself.
std::filesystem::path resumed_history(const io::CheckpointFile& checkpoint,
                                      const std::filesystem::path& name,
                                      const std::filesystem::path& wanted);

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
