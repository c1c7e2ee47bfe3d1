#include "jobs/subject.hpp"

extern "C" {
extern const int beadwave_registered_gradients;
const int beadwave_registered_gradients = 0;
}

namespace beadwave::jobs {
namespace {

const RegisterSubject gradients({.name = "gradients"});

}  // namespace
}  // namespace beadwave::jobs
