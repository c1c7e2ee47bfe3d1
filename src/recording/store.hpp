// A store takes the samples of a system: a history file, memory, a function, nothing.
#pragma once

#include "recording/stream.hpp"

#include <cstdint>
#include <span>

namespace beadwave::recording {

class Store {
  public:
    virtual ~Store() = default;
    /// Takes one sample of all streams and tables of this pace, from the present state.
    virtual void sample(Pace pace, std::int64_t step, double time) = 0;
    /// Takes several samples at once, for which the fills of this pace write one sample after
    /// another: item i of sample k is item k * Channel::items() + i. Returns false if this store
    /// takes samples only one by one; it has then taken none.
    virtual bool samples(Pace /*pace*/, std::span<const std::int64_t> /*steps*/,
                         std::span<const double> /*times*/) {
        return false;
    }
    /// Appends the present rows of a table without a pace.
    virtual void append_rows(std::size_t /*table*/) {}
};

}  // namespace beadwave::recording
