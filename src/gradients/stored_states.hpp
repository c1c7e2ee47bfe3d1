// Which states a reverse sweep keeps. The steps of a run are pieces of the same length. The sweep
// computes the steps of one piece again, with what each step read, and goes back through them; for
// that it needs the state before the piece. With fewer places for states than pieces, states are
// computed again from earlier ones, in the order that takes the fewest steps [Griewank & Walther
// 2000, doi:10.1145/347837.347846].
#pragma once

#include <cstddef>
#include <cstdint>

namespace beadwave::gradients {

struct StoredStates {
    std::int64_t piece = 1;  ///< steps of a piece, each of which has a record
    std::size_t places = 1;  ///< states stored at the same time, that of the start included
};

/// How a run of so many steps is stored with at most `most` states, records included, and the
/// fewest steps; `most` 0: 2 sqrt(steps) states, with which each step is computed twice.
/// `multiple`: pieces are a multiple of it where they can.
StoredStates stored_states(std::int64_t steps, std::size_t most, std::int64_t multiple);

/// The steps that a sweep through `pieces` pieces takes with so many places, in pieces, those of
/// the run itself included.
double pieces_computed(std::int64_t pieces, std::size_t places);

/// After how many of `pieces` pieces, of which the first one's state is stored, the next state is
/// stored; `places`: that of the first included; 0: none.
std::int64_t next_stored(std::int64_t pieces, std::size_t places);

}  // namespace beadwave::gradients
