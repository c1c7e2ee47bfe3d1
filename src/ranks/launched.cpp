#include "ranks/ranks.hpp"

#ifdef BEADWAVE_MPI_BUILT
#include "load_module.hpp"
#endif

#include <cstdlib>
#include <string>

namespace beadwave::ranks {
namespace {

/// How many processes a launcher says that it has started; 1 if none has.
int launched_processes() {
    // Open MPI, the PMI of MPICH and others, and Slurm's srun; a batch script itself is one
    // process, whatever Slurm has set aside for its steps.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
        if (const char* const value = std::getenv(name)) return std::atoi(value);
    }
    const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return tasks != nullptr && std::getenv("PMIX_RANK") != nullptr ? std::atoi(tasks) : 1;
}

}  // namespace

std::unique_ptr<Ranks> launched_ranks() {
    if (launched_processes() <= 1) return one_rank();
#ifdef BEADWAVE_MPI_BUILT
    static void* const function = load_module({.purpose = "several processes",
                                               .from_program = BEADWAVE_MPI_FROM_PROGRAM,
                                               .built = BEADWAVE_MPI_BUILT,
                                               .function = "beadwave_mpi_ranks"});
    return std::unique_ptr<Ranks>(reinterpret_cast<Ranks* (*)()>(function)());
#else
    throw std::runtime_error("started as one of " + std::to_string(launched_processes()) +
                             " processes, but built without MPI; build it with "
                             "-DBEADWAVE_MPI=ON, or start one process");
#endif
}

}  // namespace beadwave::ranks
