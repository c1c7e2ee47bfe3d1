// The processes that share a run: which one this is, and what they tell each other. Alone there is
// one rank, and nothing is sent. Only src/ranks/mpi knows how messages travel.
//
// All functions but fail() are for one thread at a time. Those under "together" are called by all
// ranks in the same order, with spans of the same length unless said otherwise. Any wait throws
// RankFailure where another rank has failed.
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

/// Another rank has failed and said why; this one only has to end.
class RankFailure : public std::runtime_error {
  public:
    RankFailure(int rank, int status, const std::string& what)
        : std::runtime_error(what), rank_(rank), status_(status) {}
    int rank() const { return rank_; }      ///< that failed
    int status() const { return status_; }  ///< exit status that it gave

  private:
    int rank_, status_;
};

/// What goes to a neighbour and what comes from it; of one length on both its sides.
struct Passage {
    std::span<const double> out;
    std::span<double> in;
};

/// What this rank has sent and waited for since the start.
struct Traffic {
    std::int64_t halo_bytes = 0;  ///< sent in exchanges with neighbours
    std::int64_t other_bytes = 0;
    double seconds = 0.0;  ///< in calls of this class
};

struct Letter {
    int from;
    std::vector<std::byte> bytes;
};

class Ranks {
  public:
    virtual ~Ranks() = default;

    virtual int rank() const = 0;   ///< from 0
    virtual int count() const = 0;  ///< of all
    virtual int on_this_node() const = 0;
    bool first() const { return rank() == 0; }
    bool alone() const { return count() == 1; }

    // Neighbours: rank - 1 and rank + 1. One exchange is in flight at a time; its spans hold still
    // meanwhile. Where there is no neighbour its passage is ignored.
    virtual void start_exchange(const Passage& left, const Passage& right) = 0;
    virtual void finish_exchange() = 0;

    // A sum over all ranks, on its way while this one computes.
    virtual void start_sum(std::int64_t own) = 0;
    virtual std::int64_t finish_sum() = 0;

    // Together.
    virtual void sum(std::span<std::int64_t> numbers) = 0;  ///< wrapping; the same on all
    virtual void largest(std::span<double> numbers) = 0;    ///< of each; the same on all
    /// Rank 0's numbers to all.
    virtual void broadcast(std::span<std::byte> bytes) = 0;
    /// One piece a rank, of any lengths; empty but on rank 0.
    virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;
    /// The same on all ranks.
    virtual std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte> own) = 0;

    // From one to one, for those who hand out work.
    virtual void send(int to, std::span<const std::byte> bytes) = 0;
    /// From whoever comes first; none where nothing comes for so long [s].
    virtual std::optional<Letter> receive(double patience) = 0;
    Letter receive() { return *receive(std::numeric_limits<double>::infinity()); }
    /// That rank is taken for dead: what this one does does not wait for it, nor does its end.
    virtual void give_up(int rank) noexcept = 0;

    /// Tells all others that this rank ends here, once; every wait of theirs throws.
    virtual void fail(int status, const std::string& what) noexcept = 0;

    virtual Traffic traffic() const = 0;

    // The same for numbers.
    template <class Number>
    void broadcast(Number& number) {
        static_assert(std::is_trivially_copyable_v<Number>);
        broadcast(std::as_writable_bytes(std::span<Number, 1>(&number, 1)));
    }
    void broadcast(std::string& text);
    /// Whether any rank says so.
    bool any(bool own);
    /// In order of ranks; empty but on rank 0.
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

/// A process that is alone.
std::unique_ptr<Ranks> one_rank();

/// The ranks that a launcher such as mpirun or srun has started this process among; one_rank() if
/// none has. Throws std::runtime_error where one has and this build knows no messages, or they do
/// not work.
std::unique_ptr<Ranks> launched_ranks();

}  // namespace beadwave::ranks
