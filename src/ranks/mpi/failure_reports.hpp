// How a rank over MPI reports that it ends, and how all processes end then.
#pragma once

#include "mpi_calls.hpp"
#include "ranks/communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <thread>

namespace beadwave::ranks {

class FailureReports {
  public:
    /// After the start of MPI; `first`: this is rank 0.
    void start(bool first) {
        first_ = first;
        reports_ = copy_of_world();
    }
    void free() { MPI_Comm_free(&reports_); }

    bool failed() const { return failed_; }  ///< whether this rank has reported

    /// Rank 0 reports what happened and ends all processes.
    void fail(int status, const std::string& what) noexcept {
        if (failed_) return;
        failed_ = true;
        status_ = status;
        if (first_) return;
        try {
            what_ = what;
            std::string message(sizeof status, '\0');
            std::memcpy(message.data(), &status, sizeof status);
            message += what;
            MPI_Request request;
            MPI_Isend(message.data(), count_of(message.size()), MPI_CHAR, 0, 0, reports_, &request);
            const auto last = std::chrono::steady_clock::now() + timeout_for_others;
            for (int sent = 0; sent == 0 && std::chrono::steady_clock::now() < last;)
                MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
        } catch (const std::exception&) {  // end_all() ends the process
        }
    }

    /// Throws RankFailure on rank 0 if another rank has reported.
    void check() {
        if (!first_ || failed_) return;
        if (failure_) throw RankFailure(*failure_);  // the next wait cannot succeed either
        MPI_Status status;
        int arrived = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, reports_, &arrived, &status);
        if (arrived == 0) return;
        int size = 0;
        MPI_Get_count(&status, MPI_CHAR, &size);
        std::string message(static_cast<std::size_t>(size), '\0');
        MPI_Recv(message.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, reports_, MPI_STATUS_IGNORE);
        int exit_status = 1;
        std::memcpy(&exit_status, message.data(), std::min(message.size(), sizeof exit_status));
        failure_.emplace(status.MPI_SOURCE, exit_status, message.substr(sizeof exit_status));
        throw RankFailure(*failure_);
    }

    /// Rank 0 ends all processes. If rank 0 has ended or is busy, another rank does so and prints
    /// why. MPI_Finalize cannot be used, because it would wait for lost ranks.
    [[noreturn]] void end_all() const {
        if (!first_) {
            std::this_thread::sleep_for(timeout_for_others);
            if (failed_) std::fprintf(stderr, "beadwave: %s\n", what_.c_str());
        }
        const int status = failed_ ? status_ : 0;
        MPI_Abort(MPI_COMM_WORLD, status);
        std::_Exit(status);
    }

  private:
    static constexpr std::chrono::seconds timeout_for_others{10};

    MPI_Comm reports_ = MPI_COMM_NULL;
    bool first_ = false, failed_ = false;
    int status_ = 1;
    std::string what_;                    // error of this rank, if it is not rank 0
    std::optional<RankFailure> failure_;  // the first failure, on rank 0
};

}  // namespace beadwave::ranks
