#include "jobs/read_job.hpp"
#include "jobs/subject.hpp"
#include "subjects/packing/packing_job.hpp"
#include "subjects/packing/packing_units.hpp"

#include <fmt/format.h>

extern "C" {
extern const int beadwave_registered_packing;
const int beadwave_registered_packing = 0;
}

namespace beadwave::jobs {
namespace {

std::unique_ptr<Job> make_job(JobInput input) {
    io::ReadPacking read = io::read_packing(std::move(input.document), std::move(input.files));
    if (input.ranks != nullptr) require_same_files(*input.ranks, read.scenario.file_texts);
    const auto doubt = io::packing_units(read.scenario);
    try {
        return std::make_unique<PackingJob>(std::move(read), input.ranks);
    } catch (const InputError& error) {
        if (!doubt) throw;
        throw InputError(fmt::format("{}; {}", error.what(), *doubt));
    }
}

const RegisterSubject packing(
    {.name = "packing", .keys = io::packing_keys, .make_job = make_job, .devices = true});

}  // namespace
}  // namespace beadwave::jobs
