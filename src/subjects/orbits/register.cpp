#include "jobs/subject.hpp"

extern "C" {
extern const int beadwave_registered_orbits;
const int beadwave_registered_orbits = 0;
}

namespace beadwave::jobs {
namespace {

const RegisterSubject orbits({.name = "orbits"});

}  // namespace
}  // namespace beadwave::jobs
