// Lists of numbers of any length, from every rank to every other.
#pragma once

#include "ranks/communicator.hpp"

#include <vector>

namespace beadwave::ranks {

using NumberLists = std::vector<std::vector<double>>;

/// Sends out[r] to rank r and returns what has come from each rank. Nothing goes to this rank
/// itself. Collective.
NumberLists exchange_lists(Communicator& ranks, NumberLists out);

/// The same where all lists have the lengths already with which they come.
void exchange_known_lists(Communicator& ranks, NumberLists out, NumberLists& in);

}  // namespace beadwave::ranks
