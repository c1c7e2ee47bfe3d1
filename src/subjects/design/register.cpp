#include "jobs/subject.hpp"

extern "C" {
extern const int beadwave_registered_design;
const int beadwave_registered_design = 0;
}

namespace beadwave::jobs {
namespace {

const RegisterSubject design({.name = "design"});

}  // namespace
}  // namespace beadwave::jobs
