// The numbers of a history's snapshots, copied into a file in which their places are reserved, by
// all ranks at once. `beadwave export --copy` reserves them: src/report/export/vtkhdf.py.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::io {

struct SnapshotCopy {
    std::string history;                                ///< on all ranks
    std::filesystem::path file;                         ///< of the first rank, to fill; closed
    std::string result;                                 ///< its name for errors
    std::function<bool()> stop = [] { return false; };  ///< ends the copy with an error
};

/// Fills all datasets of the groups VTKHDF and VTKHDF/PointData that have an attribute `source`, a
/// dataset [row][item]... of the history: with one item after the other, from the attribute
/// `first_item` on, of one row after the other. VTKHDF/Steps has their number NSteps. Each rank
/// reads and writes about as many bytes, one after the other, 1 MiB at a time. Collective. Throws
/// on all ranks InputError if the history is damaged, if a rank finds another history, or if the
/// disk is too small; WriteError; and std::runtime_error if stop() is true on a rank. The file is
/// then incomplete.
void copy_snapshots(ranks::Communicator& ranks, const SnapshotCopy& copy);

}  // namespace beadwave::io
