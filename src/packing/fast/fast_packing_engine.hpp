// The fast engine on a chosen instruction set: for tests and benchmarks.
#pragma once

#include "packing/packing_engine.hpp"
#include "packing_kernel.hpp"

namespace beadwave::packing {

std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads, const PackingKernel& kernel);

}  // namespace beadwave::packing
