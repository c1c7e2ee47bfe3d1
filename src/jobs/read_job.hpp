// From a scenario file to its job, which the subject makes whose table the file has.
#pragma once

#include "jobs/job.hpp"
#include "ranks/communicator.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace beadwave::jobs {

/// Reads and checks everything, including system and time step. `overrides` are "dotted.key=value",
/// as given to --set. If there are several ranks, they share the job; `ranks` must outlive it.
/// Null: this process runs the job alone. Throws InputError.
std::unique_ptr<Job> read_job(const std::filesystem::path& file,
                              std::span<const std::string> overrides = {},
                              ranks::Communicator* ranks = nullptr);

/// Reads a job from text; errors call it `name`, and files that it names are searched in `folder`.
/// `files`: their texts by dotted key; then no file is read.
std::unique_ptr<Job> read_job_text(const std::string& text, const std::string& name,
                                   const std::filesystem::path& folder,
                                   std::span<const std::string> overrides = {},
                                   const std::map<std::string, std::string>& files = {});

/// The job of a checkpoint, from the contents of the checkpoint only. `overrides` that change the
/// system are refused when it is restored.
std::unique_ptr<Job> read_job(const io::CheckpointFile& checkpoint,
                              const std::filesystem::path& name,
                              ranks::Communicator* ranks = nullptr,
                              std::span<const std::string> overrides = {});

/// Throws InputError on all ranks if they have read different texts (Job::file_texts()).
/// Collective.
void require_same_files(ranks::Communicator& ranks,
                        const std::map<std::string, std::string>& file_texts);

/// The path of the continued history: `wanted` or, if that is empty, the path where the run wrote
/// it, next to the checkpoint. Throws InputError if this is the checkpoint itself.
std::filesystem::path resumed_history(const io::CheckpointFile& checkpoint,
                                      const std::filesystem::path& name,
                                      const std::filesystem::path& wanted);

/// A file that is read once, for many jobs that differ in a few values.
class JobFile {
  public:
    JobFile(const std::filesystem::path& file, std::span<const std::string> overrides);
    /// Takes text; errors call it `name`, and files that it names are searched in `folder`.
    JobFile(const std::string& text, const std::string& name, const std::filesystem::path& folder,
            std::span<const std::string> overrides);
    ~JobFile();

    /// The TOML text, overrides applied.
    const std::string& text() const;
    /// The number of a dotted key, such as "body.0.velocity.1"; no value if there is none.
    std::optional<double> number(const std::string& key) const;

    /// The job with `settings` ("dotted.key=value", as --vary makes them) applied last; also that
    /// of a collision case. Several threads may call this at the same time.
    /// `time_step`: if not null, the chosen_step() of the same variant made before.
    std::unique_ptr<Job> variant(std::span<const std::string> settings,
                                 const stepping::TimeStep* time_step = nullptr) const;

  private:
    struct Document;
    std::unique_ptr<Document> document_;
};

}  // namespace beadwave::jobs
