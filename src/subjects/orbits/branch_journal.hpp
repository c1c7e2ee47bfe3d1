// BRANCH.h5.rows: the points of a branch so far, beside its file. A continuation that was killed or
// stopped goes on from it when it is started again, with the same bits: each row has the place on
// the curve and the length of the next step.
//
// A first line identifies branch, scenario and version; then each line is a JSON object with one
// point (a branch that leaves another begins with two) and the bifurcations before it. Numbers are
// in the shortest form that reads back exactly.
#pragma once

#include "io/durable/journal.hpp"
#include "orbits/branch.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace beadwave::tasks {

class BranchJournal {
  public:
    /// Opens the journal beside `hdf5`, or creates it. `branch`: the checksum of all that
    /// determines the points. Throws InputError if another file or the journal of another branch
    /// exists, unless it may be overwritten; std::runtime_error if another process is writing it.
    BranchJournal(const io::Output& hdf5, std::uint64_t branch);

    /// What the journal held; none: nothing.
    const std::optional<orbits::BranchPart>& earlier() const { return earlier_; }
    /// Adds the points and bifurcations of the branch since the call before.
    void add(const orbits::Branch& branch, const orbits::BranchPlace& place);
    std::size_t points() const { return points_; }
    std::string path() const { return rows_.path(); }
    /// Why points cannot be added any more; empty: they can.
    const std::string& write_error() const { return rows_.write_error(); }
    /// Called when the branch is complete.
    void remove() { rows_.remove(); }

  private:
    orbits::BranchPart read_{};
    io::Journal rows_;  // reads into the member above
    std::optional<orbits::BranchPart> earlier_{};
    std::size_t points_, bifurcations_;
};

/// Adds the points of a row of such a journal. Returns false if it is none: then nothing is added.
bool enter_branch_row(const std::string& row, orbits::BranchPart& part);

}  // namespace beadwave::tasks
