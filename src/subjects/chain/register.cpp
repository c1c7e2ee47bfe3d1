#include "jobs/read_job.hpp"
#include "jobs/subject.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/chain/chain_units.hpp"

#include <fmt/format.h>

extern "C" {
extern const int beadwave_registered_chain;
const int beadwave_registered_chain = 0;
}

namespace beadwave::jobs {
namespace {

std::unique_ptr<Job> make_job(JobInput input) {
    io::ReadScenario read = io::read_chain(std::move(input.document), std::move(input.files));
    if (input.ranks != nullptr) require_same_files(*input.ranks, read.scenario.file_texts);
    const auto doubt = io::chain_units(read.scenario);
    try {
        return std::make_unique<ChainJob>(std::move(read), input.ranks, input.time_step);
    } catch (const InputError& error) {
        if (!doubt) throw;
        throw InputError(fmt::format("{}; {}", error.what(), *doubt));
    }
}

const RegisterSubject chain({.name = "chain", .keys = io::chain_keys, .make_job = make_job});

}  // namespace
}  // namespace beadwave::jobs
