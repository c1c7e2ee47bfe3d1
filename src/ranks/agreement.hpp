// What all ranks of a run must have in common: program, processor, command line, files.
#pragma once

#include "ranks/communicator.hpp"

#include <string>
#include <vector>

namespace beadwave::ranks {

/// One of these things.
struct Fact {
    std::string name;   ///< "command line"
    std::string value;  ///< of any length; equal on all ranks
    bool quoted;        ///< whether the message about a difference shows it
};

/// Throws InputError on all ranks if they differ: "rank 2 has another command line than rank 0:
/// ...". Collective.
void require_same(Communicator& ranks, const std::vector<Fact>& own);

}  // namespace beadwave::ranks
