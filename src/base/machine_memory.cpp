#include "base/machine_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace beadwave {

double machine_memory() {
    const double physical =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return physical;
    return std::min(physical, static_cast<double>(limit.rlim_cur));
}

}  // namespace beadwave
