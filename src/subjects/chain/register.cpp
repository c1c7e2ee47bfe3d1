#include "jobs/read_job.hpp"
#include "jobs/subject.hpp"
#include "subjects/chain/chain_job.hpp"

extern "C" {
extern const int beadwave_registered_chain;
const int beadwave_registered_chain = 0;
}

namespace beadwave::jobs {
namespace {

std::unique_ptr<Job> make_job(JobInput input) {
    io::ReadScenario read = io::read_chain(std::move(input.document), std::move(input.files));
    if (input.ranks != nullptr) require_same_files(*input.ranks, read.scenario.file_texts);
    return std::make_unique<ChainJob>(std::move(read), input.ranks, input.time_step);
}

const RegisterSubject chain({.name = "chain", .keys = io::chain_keys, .make_job = make_job});

}  // namespace
}  // namespace beadwave::jobs
