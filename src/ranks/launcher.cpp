#include "ranks/communicator.hpp"

#ifdef BEADWAVE_MPI_BUILT
#include "base/load_module.hpp"
#endif

#include <cstdlib>
#include <string>

namespace beadwave::ranks {
namespace {

/// Number of processes that a launcher has started; 1 without a launcher.
int launched_processes() {
    // Open MPI, the PMI of MPICH and others, and Slurm's srun. A batch script itself is one
    // process, whatever Slurm has reserved for its steps.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
        if (const char* const value = std::getenv(name)) return std::atoi(value);
    }
    const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return tasks != nullptr && std::getenv("PMIX_RANK") != nullptr ? std::atoi(tasks) : 1;
}

}  // namespace

bool has_mpi() {
#ifdef BEADWAVE_MPI_BUILT
    return true;
#else
    return false;
#endif
}

int launched_rank() {
    if (launched_processes() <= 1) return 0;
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MPI_LOCALRANKID"}) {
        if (const char* const value = std::getenv(name)) return std::atoi(value);
    }
    return 0;
}

std::unique_ptr<Communicator> mpi_communicator() {
    if (launched_processes() <= 1) return serial_communicator();
#ifdef BEADWAVE_MPI_BUILT
    static void* const function = load_module({.purpose = "several processes",
                                               .from_program = BEADWAVE_MPI_FROM_PROGRAM,
                                               .built = BEADWAVE_MPI_BUILT,
                                               .function = "beadwave_mpi_communicator"});
    return std::unique_ptr<Communicator>(reinterpret_cast<Communicator* (*)()>(function)());
#else
    throw std::runtime_error("started as one of " + std::to_string(launched_processes()) +
                             " processes, but built without MPI; build it with "
                             "-DBEADWAVE_MPI=ON, or start one process");
#endif
}

}  // namespace beadwave::ranks
