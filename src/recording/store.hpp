// A store takes the samples of a system: a history file, memory, a function, nothing.
#pragma once

#include "recording/stream.hpp"

#include <cstdint>

namespace beadwave::recording {

class Store {
  public:
    virtual ~Store() = default;
    /// Takes one sample of all streams and tables of this pace, from the present state.
    virtual void sample(Pace pace, std::int64_t step, double time) = 0;
    /// Appends the present rows of a table without a pace.
    virtual void append_rows(std::size_t /*table*/) {}
};

}  // namespace beadwave::recording
