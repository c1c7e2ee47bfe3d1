// The communicator over MPI, in the module that is loaded if a launcher has started several
// processes.

#include "exchange_side.hpp"
#include "failure_reports.hpp"
#include "mpi_calls.hpp"
#include "ranks/communicator.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::ranks {
namespace {

using Clock = std::chrono::steady_clock;

class MpiCommunicator final : public Communicator {
  public:
    MpiCommunicator() {
        int provided = 0, started = 0;
        check(MPI_Initialized(&started), "start");
        if (started != 0) {  // by another library of the process, which also ends it
            check(MPI_Query_thread(&provided), "start");
        } else {
            check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "start");
            finalizes_ = true;
        }
        if (provided < MPI_THREAD_SERIALIZED)
            throw std::runtime_error(
                "this MPI does not support calls from several threads one after another");
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
        for (MPI_Comm* comm : {&halos_, &sums_, &all_, &messages_})
            *comm = copy_of_world();
        reports_.start(first());
        MPI_Comm node;
        check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
              "start");
        MPI_Comm_size(node, &on_this_node_);
        MPI_Comm_free(&node);
    }

    ~MpiCommunicator() override {
        int ended = 0;
        if (MPI_Finalized(&ended) != MPI_SUCCESS || ended != 0) return;
        if (reports_.failed() || lost_) reports_.end_all();
        for (MPI_Comm* comm : {&halos_, &sums_, &all_, &messages_})
            MPI_Comm_free(comm);
        reports_.free();
        if (finalizes_) MPI_Finalize();
    }

    int rank() const override { return rank_; }
    int count() const override { return count_; }
    int on_this_node() const override { return on_this_node_; }

    void start_exchange(std::vector<PeerBuffers> peers) override {
        const Timer timer(*this);
        std::ranges::move(sides_, std::back_inserter(left_behind_));
        sides_.clear();
        for (PeerBuffers& peer : peers) {
            traffic_.halo_bytes += static_cast<std::int64_t>(sizeof(double) * peer.out.size());
            ++traffic_.halo_messages;
            sides_.emplace_back(halos_, std::move(peer));
        }
    }
    std::vector<PeerBuffers> finish_exchange() override {
        const Timer timer(*this);
        std::vector<MPI_Request> requests;
        for (const ExchangeSide& side : sides_) {
            requests.push_back(side.sent());
            requests.push_back(side.received());
        }
        wait(requests, "exchange halos");
        std::vector<PeerBuffers> peers;
        for (ExchangeSide& side : sides_)
            peers.push_back(side.take());
        sides_.clear();
        return peers;
    }

    void start_sum(std::int64_t own) override {
        const Timer timer(*this);
        own_ = own;
        count_other(sizeof own);
        check(MPI_Iallreduce(&own_, &sum_, 1, MPI_INT64_T, MPI_SUM, sums_, &summing_), "add up");
    }
    std::int64_t finish_sum() override {
        const Timer timer(*this);
        wait({&summing_, 1}, "add up");
        return sum_;
    }

    void sum(std::span<std::int64_t> numbers) override {
        const Timer timer(*this);
        count_other(numbers.size_bytes());
        collect("add up", [&](MPI_Request* request) {
            return MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), count_of(numbers.size()),
                                  MPI_INT64_T, MPI_SUM, all_, request);
        });
    }
    void largest(std::span<double> numbers) override {
        const Timer timer(*this);
        count_other(numbers.size_bytes());
        collect("find the largest", [&](MPI_Request* request) {
            return MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), count_of(numbers.size()),
                                  MPI_DOUBLE, MPI_MAX, all_, request);
        });
    }
    void broadcast(std::span<std::byte> bytes) override {
        const Timer timer(*this);
        if (first()) count_other(bytes.size());
        while (!bytes.empty()) {
            const std::span<std::byte> part = bytes.first(std::min(bytes.size(), most_bytes));
            collect("broadcast", [&](MPI_Request* request) {
                return MPI_Ibcast(part.data(), count_of(part.size()), MPI_BYTE, 0, all_, request);
            });
            bytes = bytes.subspan(part.size());
        }
    }

    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
        const Timer timer(*this);
        std::vector<std::vector<std::byte>> pieces;
        if (!first()) {
            std::uint64_t size = own.size();
            send_bytes(0, std::as_bytes(std::span(&size, 1)), all_);
            send_bytes(0, own, all_);
            return pieces;
        }
        pieces.emplace_back(own.begin(), own.end());
        for (int from = 1; from < count_; ++from) {
            std::uint64_t size = 0;
            receive_bytes(from, std::as_writable_bytes(std::span(&size, 1)), all_);
            receive_bytes(from, pieces.emplace_back(size), all_);
        }
        return pieces;
    }

    std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte> own) override {
        const Timer timer(*this);
        const int size = count_of(own.size());
        std::vector<int> sizes(static_cast<std::size_t>(count_));
        collect("gather", [&](MPI_Request* request) {
            return MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, all_, request);
        });
        std::vector<int> places;
        std::int64_t end = 0;
        for (const int piece : sizes) {
            places.push_back(static_cast<int>(end));
            end += piece;
        }
        if (end > static_cast<std::int64_t>(most_bytes))
            throw std::length_error("too much for every rank to hold");
        std::vector<std::byte> all(static_cast<std::size_t>(end));
        count_other(own.size());
        collect("gather", [&](MPI_Request* request) {
            return MPI_Iallgatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(),
                                   places.data(), MPI_BYTE, all_, request);
        });
        std::vector<std::vector<std::byte>> pieces;
        for (std::size_t r = 0; r < sizes.size(); ++r)
            pieces.emplace_back(all.begin() + places[r], all.begin() + places[r] + sizes[r]);
        return pieces;
    }

    void share(std::span<double> all, std::span<const std::size_t> begin) override {
        const Timer timer(*this);
        std::vector<int> sizes, places;
        for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
            sizes.push_back(count_of(begin[r + 1] - begin[r]));
            places.push_back(count_of(begin[r]));
        }
        if (all.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw std::length_error("too much for every rank to hold");
        count_other(sizeof(double) *
                    static_cast<std::size_t>(sizes[static_cast<std::size_t>(rank_)]));
        collect("gather", [&](MPI_Request* request) {
            return MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), sizes.data(),
                                   places.data(), MPI_DOUBLE, all_, request);
        });
    }

    void send(int to, std::span<const std::byte> bytes) override {
        const Timer timer(*this);
        std::uint64_t size = bytes.size();
        send_bytes(to, std::as_bytes(std::span(&size, 1)), messages_);
        send_bytes(to, bytes, messages_);
    }

    std::optional<Message> receive(double timeout) override {
        const Timer timer(*this);
        const auto began = Clock::now();
        MPI_Status status;
        int arrived = 0;
        const PollPause pause(*this);
        while (true) {
            check(MPI_Iprobe(MPI_ANY_SOURCE, 0, messages_, &arrived, &status), "receive");
            if (arrived != 0) break;
            if (std::chrono::duration<double>(Clock::now() - began).count() > timeout)
                return std::nullopt;
            pause();
        }
        std::uint64_t size = 0;
        receive_bytes(status.MPI_SOURCE, std::as_writable_bytes(std::span(&size, 1)), messages_);
        Message message{.from = status.MPI_SOURCE, .bytes = std::vector<std::byte>(size)};
        receive_bytes(message.from, message.bytes, messages_);
        return message;
    }

    void fail(int status, const std::string& what) noexcept override {
        reports_.fail(status, what);
    }

    void give_up(int /*rank*/) noexcept override { lost_ = true; }

    Traffic traffic() const override { return traffic_; }

  private:
    class Timer {
      public:
        explicit Timer(MpiCommunicator& ranks) : ranks_(ranks) {}
        ~Timer() {
            ranks_.traffic_.seconds += std::chrono::duration<double>(Clock::now() - began_).count();
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

      private:
        MpiCommunicator& ranks_;
        Clock::time_point began_ = Clock::now();
    };

    /// The pause that a wait makes between two polls.
    class PollPause {
      public:
        explicit PollPause(MpiCommunicator& ranks) : ranks_(ranks) {}
        void operator()() const {
            constexpr int polls_before_yield = 100;
            if (++polls_ % polls_before_yield != 0) return;
            ranks_.reports_.check();
            ::sched_yield();
        }

      private:
        MpiCommunicator& ranks_;
        mutable int polls_ = 0;
    };

    void wait(std::span<MPI_Request> requests, const char* doing) {
        const PollPause pause(*this);
        for (int done = 0; done == 0;) {
            check(
                MPI_Testall(count_of(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
                doing);
            if (done == 0) pause();
        }
    }

    template <class Start>
    void collect(const char* doing, const Start& start) {
        MPI_Request request;
        check(start(&request), doing);
        wait({&request, 1}, doing);
    }

    void send_bytes(int to, std::span<const std::byte> bytes, MPI_Comm comm) {
        count_other(bytes.size());
        while (!bytes.empty()) {
            const auto part = bytes.first(std::min(bytes.size(), most_bytes));
            collect("send", [&](MPI_Request* request) {
                return MPI_Isend(part.data(), count_of(part.size()), MPI_BYTE, to, 0, comm,
                                 request);
            });
            bytes = bytes.subspan(part.size());
        }
    }
    void receive_bytes(int from, std::span<std::byte> bytes, MPI_Comm comm) {
        while (!bytes.empty()) {
            const auto part = bytes.first(std::min(bytes.size(), most_bytes));
            collect("receive", [&](MPI_Request* request) {
                return MPI_Irecv(part.data(), count_of(part.size()), MPI_BYTE, from, 0, comm,
                                 request);
            });
            bytes = bytes.subspan(part.size());
        }
    }

    void count_other(std::size_t bytes) {
        traffic_.other_bytes += static_cast<std::int64_t>(bytes);
    }

    int rank_ = 0, count_ = 1, on_this_node_ = 1;
    MPI_Comm halos_, sums_, all_, messages_;
    FailureReports reports_;
    std::vector<ExchangeSide> sides_;        // of the exchange in progress
    std::vector<ExchangeSide> left_behind_;  // of those that nobody finished, after a failure
    std::int64_t own_ = 0, sum_ = 0;
    MPI_Request summing_ = MPI_REQUEST_NULL;
    Traffic traffic_;
    bool lost_ = false, finalizes_ = false;
};

}  // namespace
}  // namespace beadwave::ranks

/// Makes a new beadwave::ranks::Communicator; throws std::runtime_error.
extern "C" beadwave::ranks::Communicator* beadwave_mpi_communicator() {
    return std::make_unique<beadwave::ranks::MpiCommunicator>().release();
}
