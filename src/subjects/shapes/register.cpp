#include "jobs/subject.hpp"
#include "subjects/shapes/shape_collision.hpp"

extern "C" {
extern const int beadwave_registered_shapes;
const int beadwave_registered_shapes = 0;
}

namespace beadwave::jobs {
namespace {

const RegisterSubject shapes({.name = "shapes",
                              .keys = io::shape_case_keys,
                              .collide = collide_shapes});

}  // namespace
}  // namespace beadwave::jobs
