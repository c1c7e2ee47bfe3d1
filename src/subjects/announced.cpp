// The rows that announce the subjects, built or not, in the order of lists. A scenario that has no
// table of another subject is a chain.
#include "jobs/subject.hpp"

// A program that links this library links this file: see beadwave_registered in CMake.
extern "C" {
extern const int beadwave_registered_announced;
const int beadwave_registered_announced = 0;
}

namespace beadwave::jobs {
namespace {

constexpr Announcement all[] = {
    {.name = "chain", .plural = "chains", .table = "segment", .command = {}},
    {.name = "packing", .plural = "packings", .table = "particles", .command = {}},
    {.name = "mechanism", .plural = "mechanisms", .table = "body", .command = {}},
    {.name = "fit", .plural = "fits", .table = {}, .command = "fit"},
    {.name = "modes", .plural = "modes", .table = {}, .command = "modes"},
    {.name = "gradients", .plural = "gradients", .table = {}, .command = "gradient"},
    {.name = "design", .plural = "designs", .table = {}, .command = "design"},
    {.name = "orbits", .plural = "orbits", .table = {}, .command = "orbit"},
    {.name = "shapes",
     .plural = "shapes of bodies",
     .table = {},
     .command = {},
     .collides = "body"},
};
const AnnounceSubjects announce(all);

}  // namespace
}  // namespace beadwave::jobs
