#include "fast_packing_engine.hpp"
#include "packing/build/shared_check.hpp"
#include "packing/rigid/rigid_backend.hpp"
#include "packing/shaped/shaped_backend.hpp"
#include "ranks/communicator.hpp"

#include <stdexcept>

namespace beadwave::packing {
namespace {

std::unique_ptr<PackingEngine> engine_of(std::unique_ptr<PackingBackend> backend) {
    return std::make_unique<PackingEngine>(std::move(backend));
}

}  // namespace

std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads,
                                                   const simd::InstructionSet& instructions,
                                                   Sleep sleep, ranks::Communicator* ranks,
                                                   ContactRecords records) {
    if (const std::string wrong = validate(packing, ranks); !wrong.empty())
        throw std::invalid_argument(wrong);
    if (packing.place != Place::host && ranks != nullptr && !ranks->alone())
        throw std::invalid_argument("device: several processes cannot share a device");
    if (records == ContactRecords::impacts && !packing.has_shapes())
        throw std::invalid_argument("impacts: only the plain engine knows them");
    if (records != ContactRecords::none &&
        (packing.precision == Precision::mixed || packing.place != Place::host))
        throw std::invalid_argument(
            "what contacts dissipate is known in double precision, on no device");
    if (packing.is_rigid()) {
        if (ranks != nullptr && !ranks->alone())
            throw std::invalid_argument("several processes cannot share rigid contacts yet");
        if (records != ContactRecords::none)
            throw std::invalid_argument("what each rigid contact dissipates is not known yet");
        return make_rigid_packing_engine(packing, time_step);
    }
    if (packing.has_shapes()) {
        return engine_of(
            std::make_unique<ShapedBackend>(packing, time_step, threads, records, ranks));
    }
    return engine_of(std::make_unique<FastPackingEngine>(packing, time_step, threads, instructions,
                                                         sleep, ranks, records));
}

std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads, ranks::Communicator* ranks,
                                                   ContactRecords records) {
    return make_packing_engine(packing, time_step, threads, simd::instruction_sets().front(),
                               Sleep::yes, ranks, records);
}

std::size_t most_ranks(std::size_t particles) {
    return (particles + block_size - 1) / block_size;
}

}  // namespace beadwave::packing
