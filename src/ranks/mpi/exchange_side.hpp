// What the communicator over MPI does with one of the ranks of an exchange.
#pragma once

#include "mpi_calls.hpp"
#include "ranks/communicator.hpp"

#include <mpi.h>

#include <utility>

namespace beadwave::ranks {

/// The exchange with one rank. The buffers stay where they are until both requests are complete,
/// also if who started it is gone.
class ExchangeSide {
  public:
    ExchangeSide(MPI_Comm comm, PeerBuffers buffers) : buffers_(std::move(buffers)) {
        std::vector<double>&out = buffers_.out, &in = buffers_.in;
        const int rank = buffers_.rank;
        check(MPI_Irecv(in.data(), count_of(in.size()), MPI_DOUBLE, rank, 0, comm, &received_),
              "exchange halos");
        check(MPI_Isend(out.data(), count_of(out.size()), MPI_DOUBLE, rank, 0, comm, &sent_),
              "exchange halos");
    }

    // The caller waits for them, and then takes the buffers.
    MPI_Request sent() const { return sent_; }
    MPI_Request received() const { return received_; }
    PeerBuffers take() { return std::move(buffers_); }

  private:
    PeerBuffers buffers_;
    MPI_Request sent_ = MPI_REQUEST_NULL, received_ = MPI_REQUEST_NULL;
};

}  // namespace beadwave::ranks
