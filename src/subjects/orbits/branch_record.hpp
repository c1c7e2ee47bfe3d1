// A branch on its way to a file, and the journal of its points beside it.
#pragma once

#include "io/files/output_path.hpp"
#include "orbits/problem.hpp"
#include "subjects/orbits/branch_journal.hpp"
#include "subjects/orbits/orbits.hpp"
#include "subjects/orbits/prepared.hpp"

#include <optional>
#include <string>

namespace beadwave::tasks {

/// What an earlier, stopped continuation has found of a branch, and what this one
/// adds.
class BranchRecord {
  public:
    /// `file`: null if the parameter is the frequency of `prepared`. Throws InputError if the file
    /// may not be replaced, or as BranchJournal does.
    BranchRecord(const OrbitRequest& request, const Prepared& prepared, const jobs::JobFile* file);

    const std::optional<orbits::BranchPart>& earlier() const { return journal_.earlier(); }
    void add(const orbits::Branch& branch, const orbits::BranchPlace& place) {
        journal_.add(branch, place);
    }
    /// Called when the continuation has thrown: no journal without a point remains. Returns what
    /// the message says of it; empty: nothing is kept.
    std::string keep_points();
    void drop_points() { journal_.remove(); }
    /// Computes one period of each orbit, writes the file, and removes the journal. Throws
    /// std::runtime_error.
    void write(BranchResult& result, const orbits::Problem& problem);

  private:
    io::Output output_;
    std::string scenario_text_;
    BranchJournal journal_;
};

}  // namespace beadwave::tasks
