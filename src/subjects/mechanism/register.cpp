#include "jobs/subject.hpp"
#include "subjects/mechanism/mechanism_job.hpp"

extern "C" {
extern const int beadwave_registered_mechanism;
const int beadwave_registered_mechanism = 0;
}

namespace beadwave::jobs {
namespace {

std::unique_ptr<Job> make_job(JobInput input) {
    return std::make_unique<MechanismJob>(
        io::read_mechanism(std::move(input.document), std::move(input.files)));
}

const RegisterSubject mechanism(
    {.name = "mechanism", .keys = io::mechanism_keys, .make_job = make_job, .shareable = false});

}  // namespace
}  // namespace beadwave::jobs
