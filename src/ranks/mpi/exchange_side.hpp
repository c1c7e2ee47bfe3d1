// What the communicator over MPI does with one of the ranks of an exchange.
#pragma once

#include "mpi_calls.hpp"
#include "ranks/communicator.hpp"
#include "ranks/message_buffer.hpp"

#include <mpi.h>

#include <algorithm>
#include <span>
#include <utility>

namespace beadwave::ranks {

/// The exchange with one rank. It has its own buffers, because an engine may be destroyed while its
/// last halos travel.
class ExchangeSide {
  public:
    void start(MPI_Comm comm, const PeerBuffers& peer) {
        const std::span<double> out = out_.of(peer.out.size()), in = in_.of(peer.in.size());
        std::ranges::copy(peer.out, out.begin());
        to_ = peer.in;
        check(MPI_Irecv(in.data(), count_of(in.size()), MPI_DOUBLE, peer.rank, 0, comm, &received_),
              "exchange halos");
        check(MPI_Isend(out.data(), count_of(out.size()), MPI_DOUBLE, peer.rank, 0, comm, &sent_),
              "exchange halos");
    }
    /// An exchange that this one has no part in.
    void pass() {
        to_ = {};
        if (sent_ != MPI_REQUEST_NULL || received_ != MPI_REQUEST_NULL) return;
        out_.of(0);
        in_.of(0);
    }
    /// The caller waits for it.
    MPI_Request take_sent() { return std::exchange(sent_, MPI_REQUEST_NULL); }
    MPI_Request take_received() { return std::exchange(received_, MPI_REQUEST_NULL); }
    /// After both requests: copies what has arrived.
    void finish() {
        std::ranges::copy(in_.numbers().first(to_.size()), to_.begin());
        to_ = {};
    }

  private:
    MessageBuffer out_, in_;
    std::span<double> to_;
    MPI_Request sent_ = MPI_REQUEST_NULL, received_ = MPI_REQUEST_NULL;
};

}  // namespace beadwave::ranks
