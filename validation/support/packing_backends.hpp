// The back ends of engines of packings, for tests of what they alone know.
#pragma once

#include "packing/fast/fast_packing_engine.hpp"
#include "packing/packing_engine.hpp"

#include <memory>

namespace beadwave::validation {

/// Throws std::bad_cast if the engine has another back end.
template <class Backend>
Backend& backend_of(packing::PackingEngine& engine) {
    return dynamic_cast<Backend&>(engine.backend());
}

/// The fast engine; `more`: further arguments of its constructor.
template <class... More>
packing::PackingEngine fast_engine(const packing::Packing& p, double dt, int threads,
                                   packing::Sleep sleep, const More&... more) {
    return packing::PackingEngine(std::make_unique<packing::FastPackingEngine>(
        p, dt, threads, simd::instruction_sets().front(), sleep, more...));
}
/// The fast engine of a packing.
inline packing::FastPackingEngine& fast_of(packing::PackingEngine& engine) {
    return backend_of<packing::FastPackingEngine>(engine);
}

}  // namespace beadwave::validation
