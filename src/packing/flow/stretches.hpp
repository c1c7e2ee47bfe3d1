// Steps in stretches, between which particles come and leave.
#pragma once

#include "packing/packing_engine.hpp"

#include <algorithm>
#include <cstdint>

namespace beadwave::packing {

/// Advances by `steps` from step `first`. Calls exchange() before each step whose number is a
/// multiple of Population::check_steps, and run(count, trace) for the steps up to the next one.
template <class Exchange, class Run>
void advance_in_stretches(std::int64_t first, std::int64_t steps, ParticleTrace& trace,
                          Exchange exchange, Run run) {
    trace.force.clear();
    trace.velocity.clear();
    ParticleTrace part{.particles = trace.particles, .force = {}, .velocity = {}};
    for (std::int64_t done = 0; done < steps;) {
        const std::int64_t since_check = (first + done) % Population::check_steps;
        if (since_check == 0) exchange();
        const std::int64_t count = std::min(steps - done, Population::check_steps - since_check);
        run(count, part);
        trace.force.insert(trace.force.end(), part.force.begin(), part.force.end());
        trace.velocity.insert(trace.velocity.end(), part.velocity.begin(), part.velocity.end());
        done += count;
    }
}

}  // namespace beadwave::packing
