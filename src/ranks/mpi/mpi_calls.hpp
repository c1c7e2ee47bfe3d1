// Calls of MPI that throw instead of returning a status.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace beadwave::ranks {

/// Length of one message, which MPI counts with an int.
inline constexpr std::size_t most_bytes = std::size_t{1} << 30;

/// Throws std::runtime_error "MPI cannot <doing>: <why>" if a call has failed.
inline void check(int code, const char* doing) {
    if (code == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    throw std::runtime_error(std::string("MPI cannot ") + doing + ": " +
                             std::string(text.data(), static_cast<std::size_t>(length)));
}

/// A communicator of all processes, whose errors check() reports.
inline MPI_Comm copy_of_world() {
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "start");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

inline int count_of(std::size_t bytes) {
    return static_cast<int>(bytes);
}

}  // namespace beadwave::ranks
