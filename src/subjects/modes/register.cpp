#include "jobs/subject.hpp"

extern "C" {
extern const int beadwave_registered_modes;
const int beadwave_registered_modes = 0;
}

namespace beadwave::jobs {
namespace {

const RegisterSubject modes({.name = "modes"});

}  // namespace
}  // namespace beadwave::jobs
