#include "jobs/subject.hpp"

extern "C" {
extern const int beadwave_registered_fit;
const int beadwave_registered_fit = 0;
}

namespace beadwave::jobs {
namespace {

const RegisterSubject fit({.name = "fit"});

}  // namespace
}  // namespace beadwave::jobs
