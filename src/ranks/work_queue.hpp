// A queue of work for all ranks: each free rank gets the next piece, and rank 0 collects the
// results.
#pragma once

#include "ranks/communicator.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::ranks {

/// The functions of a queue. All except work() are called on rank 0 only.
struct WorkQueue {
    /// Computes a piece; on any rank, from its threads. Must not throw.
    std::function<std::string(std::size_t)> work;
    /// Gets the result of work() for a piece, once; several threads may call it at the same time.
    std::function<void(std::size_t, const std::string&)> collect = [](std::size_t,
                                                                      const std::string&) {};
    /// Called repeatedly with the number of completed pieces.
    std::function<void(std::size_t)> progress = [](std::size_t) {};
    /// A rank no longer responds; its pieces go to other ranks.
    std::function<void(int)> rank_lost = [](int) {};
    double timeout = 20.0;  ///< after which a rank without messages counts as lost [s]
    /// The time that the timeout is measured in [s]; empty: a clock that never goes back.
    std::function<double()> clock{};
};

/// Called by all ranks. On every rank up to `threads` threads compute `pieces`, whose list rank 0
/// gives; they start in this order. If there are other ranks, one thread of rank 0 distributes the
/// pieces. If a rank dies and MPI does not end the others, only its current pieces are repeated.
/// Throws RankFailure.
void run_work_queue(Communicator& ranks, const std::vector<std::size_t>& pieces, int threads,
                    const WorkQueue& queue);

}  // namespace beadwave::ranks
