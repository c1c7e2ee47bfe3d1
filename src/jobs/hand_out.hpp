// Pieces of work handed to the ranks as they get free, and what comes of them brought to rank 0.
#pragma once

#include "ranks/ranks.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::jobs {

/// What is done with pieces. All but work() are for rank 0.
struct Desk {
    /// Makes a piece; on any rank, from its threads. Must not throw.
    std::function<std::string(std::size_t)> work;
    /// Gets what work() made of a piece, once; perhaps from several threads at once.
    std::function<void(std::size_t, const std::string&)> take = [](std::size_t,
                                                                   const std::string&) {};
    /// Called now and then with the number of pieces that are done.
    std::function<void(std::size_t)> watch = [](std::size_t) {};
    /// A rank is not heard of any more; what it had goes to others.
    std::function<void(int)> lost = [](int) {};
    double patience = 20.0;  ///< with a rank that says nothing [s]
};

/// Called by all ranks. On every rank up to `threads` threads work on the `pieces` that rank 0
/// gives, which are begun in their order; on rank 0 one of them hands out instead if there are
/// other ranks. A rank that dies costs no more than what it was working on, where MPI lets the
/// others live. Throws RankFailure.
void hand_out(ranks::Ranks& ranks, const std::vector<std::size_t>& pieces, int threads,
              const Desk& desk);

}  // namespace beadwave::jobs
