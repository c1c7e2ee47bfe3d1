// Communication between the processes (ranks) that share a run. A process that runs alone is one
// rank and sends nothing. Only src/ranks/mpi depends on MPI.
//
// Only one thread at a time may call these functions, except fail(). All ranks call the collective
// functions in the same order, with spans of the same length unless stated otherwise. Every
// function that waits throws RankFailure if another rank has failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace beadwave::ranks {

/// Another rank has failed and reported why; this rank only has to end.
class RankFailure : public std::runtime_error {
  public:
    RankFailure(int rank, int status, const std::string& what)
        : std::runtime_error(what), rank_(rank), status_(status) {}
    int rank() const { return rank_; }      ///< number of the rank that failed
    int status() const { return status_; }  ///< its exit status

  private:
    int rank_, status_;
};

/// Numbers to send to another rank and to receive from it: `in` has the length of what it sends.
struct PeerBuffers {
    int rank;
    std::vector<double> out, in;
};

/// What this rank has sent, and how long it has waited, since the start.
struct Traffic {
    std::int64_t halo_bytes = 0;     ///< sent in exchanges with neighbours
    std::int64_t halo_messages = 0;  ///< their number
    std::int64_t other_bytes = 0;
    double seconds = 0.0;  ///< in calls of this class
};

struct Message {
    int from;
    std::vector<std::byte> bytes;
};

class Communicator {
  public:
    virtual ~Communicator() = default;

    virtual int rank() const = 0;   ///< from 0
    virtual int count() const = 0;  ///< of all ranks
    virtual int on_this_node() const = 0;
    bool first() const { return rank() == 0; }
    bool alone() const { return count() == 1; }

    // Exchange with other ranks, each of which names this one too. Only one exchange may be in
    // progress. The buffers belong to it, and come back in the same order.
    virtual void start_exchange(std::vector<PeerBuffers> peers) = 0;
    virtual std::vector<PeerBuffers> finish_exchange() = 0;

    // A sum over all ranks that travels while this rank computes.
    virtual void start_sum(std::int64_t own) = 0;
    virtual std::int64_t finish_sum() = 0;

    // Collective functions.
    virtual void sum(std::span<std::int64_t> numbers) = 0;  ///< wraps around; all ranks get it
    virtual void largest(std::span<double> numbers) = 0;  ///< element by element; all ranks get it
    /// Sends the bytes of rank 0 to all ranks.
    virtual void broadcast(std::span<std::byte> bytes) = 0;
    /// One piece per rank, of any length. Empty on all ranks except rank 0.
    virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;
    /// One piece per rank, as gather() has it, but all ranks get all pieces.
    virtual std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte> own) = 0;

    /// Rank r has the numbers [begin[r], begin[r + 1]) of `all`; all ranks get all of them.
    virtual void share(std::span<double> all, std::span<const std::size_t> begin) = 0;

    // Point-to-point messages, for work queues.
    virtual void send(int to, std::span<const std::byte> bytes) = 0;
    /// The first message from any rank; none if no message arrives within `timeout` [s].
    virtual std::optional<Message> receive(double timeout) = 0;
    Message receive() { return *receive(std::numeric_limits<double>::infinity()); }
    /// Treats that rank as dead: neither the work nor the end of this rank waits for it.
    virtual void give_up(int rank) noexcept = 0;

    /// Reports once to all other ranks that this rank ends; every function in which they wait
    /// throws.
    virtual void fail(int status, const std::string& what) noexcept = 0;

    virtual Traffic traffic() const = 0;

    // The collective functions for numbers and texts.
    template <class Number>
    void broadcast(Number& number) {
        static_assert(std::is_trivially_copyable_v<Number>);
        broadcast(std::as_writable_bytes(std::span<Number, 1>(&number, 1)));
    }
    void broadcast(std::string& text);
    /// Whether `own` is true on any rank.
    bool any(bool own);
    /// The numbers of all ranks in their order; empty on all ranks except rank 0.
    template <class Number>
    std::vector<std::vector<Number>> gather_numbers(std::span<const Number> own) {
        return numbers_of<Number>(gather(std::as_bytes(own)));
    }
    template <class Number>
    std::vector<std::vector<Number>> gather_numbers_to_all(std::span<const Number> own) {
        return numbers_of<Number>(gather_to_all(std::as_bytes(own)));
    }

  private:
    template <class Number>
    static std::vector<std::vector<Number>> numbers_of(
        const std::vector<std::vector<std::byte>>& pieces) {
        static_assert(std::is_trivially_copyable_v<Number>);
        std::vector<std::vector<Number>> all;
        for (const std::vector<std::byte>& piece : pieces) {
            std::vector<Number>& numbers = all.emplace_back(piece.size() / sizeof(Number));
            std::span bytes = std::as_writable_bytes(std::span(numbers));
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = piece[i];
        }
        return all;
    }
};

/// The communicator of a process that runs alone.
std::unique_ptr<Communicator> serial_communicator();

/// The communicator of the processes that a launcher such as mpirun or srun has started; without a
/// launcher, serial_communicator(). Throws std::runtime_error if there is a launcher but this build
/// has no MPI or MPI does not work.
std::unique_ptr<Communicator> mpi_communicator();

/// Whether this build has MPI.
bool has_mpi();

/// Number of this process among those that a launcher has started; 0 without a launcher. Needs no
/// MPI.
int launched_rank();

}  // namespace beadwave::ranks
