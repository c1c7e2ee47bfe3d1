// The history of a run in memory.
#pragma once

#include "io/files/output_path.hpp"
#include "io/history/history_store.hpp"
#include "recording/memory_store.hpp"

#include <string>
#include <vector>

namespace beadwave::jobs {

/// Made by a job; it must not outlive the job.
class Recording {
  public:
    /// Throws InputError if the memory of this machine cannot hold all samples.
    Recording(recording::Description description, io::RunDescription run,
              recording::Expected expected = recording::Expected::all)
        : store_(std::move(description), expected), run_(std::move(run)) {}

    recording::Store& store() { return store_; }
    void finish(std::vector<std::string> warnings) { warnings_ = std::move(warnings); }

    std::vector<recording::ArrayView> arrays() const { return store_.arrays(); }
    /// Writes the history that the run would have written. Throws InputError if the path cannot be
    /// used, std::runtime_error if writing fails.
    void save(const io::Output& output) const {
        io::HistoryStore file(output, store_.replayed(), run_);
        store_.replay(file);
        file.close(warnings_, io::Run::ended);  // no checkpoint continues it
    }

  private:
    recording::MemoryStore store_;
    io::RunDescription run_;
    std::vector<std::string> warnings_;
};

}  // namespace beadwave::jobs
