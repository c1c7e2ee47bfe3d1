// Ranks that are threads of one process, for tests of several ranks without MPI.
#pragma once

#include "ranks/communicator.hpp"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace beadwave::validation {

class ThreadRanks final : public ranks::Communicator {
  public:
    using Bytes = std::vector<std::byte>;

    /// Calls function(ranks) for each of `count` ranks at the same time; throws the exception of
    /// the first rank that failed itself.
    static void run(int count, const std::function<void(ranks::Communicator&)>& function) {
        Shared shared(count);
        std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
        std::vector<std::jthread> threads;
        for (int r = 0; r < count; ++r) {
            threads.emplace_back([&, r] {
                ThreadRanks own(shared, r);
                try {
                    function(own);
                } catch (const ranks::RankFailure&) {
                } catch (...) {
                    errors[static_cast<std::size_t>(r)] = std::current_exception();
                    own.fail(1, "failed");
                }
            });
        }
        threads.clear();
        for (const std::exception_ptr& error : errors) {
            if (error) std::rethrow_exception(error);
        }
    }

    int rank() const override { return rank_; }
    int count() const override { return shared_.count; }
    int on_this_node() const override { return shared_.count; }

    void start_exchange(std::vector<ranks::PeerBuffers> peers) override {
        peers_ = std::move(peers);
        for (const ranks::PeerBuffers& peer : peers_) {
            traffic_.halo_bytes += static_cast<std::int64_t>(sizeof(double) * peer.out.size());
            ++traffic_.halo_messages;
            put(peer.rank, peer.out);
        }
    }
    std::vector<ranks::PeerBuffers> finish_exchange() override {
        for (ranks::PeerBuffers& peer : peers_)
            take(peer.rank, peer.in);
        return std::exchange(peers_, {});
    }

    void start_sum(std::int64_t own) override { own_ = own; }
    std::int64_t finish_sum() override {
        sum({&own_, 1});
        return own_;
    }
    void sum(std::span<std::int64_t> numbers) override {
        const Reduction of_all(*this, numbers.size_bytes());
        const auto all = gather_numbers_to_all<std::int64_t>(numbers);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            std::uint64_t sum = 0;  // wraps around
            for (const auto& theirs : all)
                sum += static_cast<std::uint64_t>(theirs[i]);
            numbers[i] = static_cast<std::int64_t>(sum);
        }
    }
    void largest(std::span<double> numbers) override {
        const Reduction of_all(*this, numbers.size_bytes());
        for (const auto& theirs : gather_numbers_to_all<double>(numbers)) {
            for (std::size_t i = 0; i < numbers.size(); ++i)
                numbers[i] = std::max(numbers[i], theirs[i]);
        }
    }
    void broadcast(std::span<std::byte> bytes) override {
        const Bytes of_first = gather_to_all(bytes).front();
        std::copy(of_first.begin(), of_first.end(), bytes.begin());
    }
    std::vector<Bytes> gather(std::span<const std::byte> own) override {
        std::vector<Bytes> all = gather_to_all(own);
        if (!first()) all.clear();
        return all;
    }
    std::vector<Bytes> gather_to_all(std::span<const std::byte> own) override {
        std::unique_lock lock(shared_.mutex);
        shared_.pieces[static_cast<std::size_t>(rank_)].assign(own.begin(), own.end());
        meet(lock);
        std::vector<Bytes> all = shared_.pieces;
        meet(lock);
        traffic_.other_bytes += static_cast<std::int64_t>(own.size());
        for (const Bytes& piece : all)
            received_ += static_cast<std::int64_t>(piece.size());
        return all;
    }
    void share(std::span<double> all, std::span<const std::size_t> begin) override {
        const auto own = static_cast<std::size_t>(rank_);
        const auto pieces = gather_numbers_to_all<double>(
            std::span<const double>(all).subspan(begin[own], begin[own + 1] - begin[own]));
        for (std::size_t r = 0; r < pieces.size(); ++r)
            std::ranges::copy(pieces[r], all.begin() + static_cast<std::ptrdiff_t>(begin[r]));
    }
    void send(int to, std::span<const std::byte> bytes) override {
        const std::lock_guard lock(shared_.mutex);
        shared_.messages[to].push_back({rank_, {bytes.begin(), bytes.end()}});
        shared_.news.notify_all();
    }
    std::optional<ranks::Message> receive(double timeout) override {
        std::unique_lock lock(shared_.mutex);
        auto& messages = shared_.messages[rank_];
        const auto came = [&] { return !messages.empty(); };
        if (std::isinf(timeout)) {
            wait(lock, came);
        } else if (!shared_.news.wait_for(lock, std::chrono::duration<double>(timeout), came)) {
            return std::nullopt;
        }
        ranks::Message message = std::move(messages.front());
        messages.pop_front();
        return message;
    }
    void give_up(int) noexcept override {}
    void fail(int, const std::string&) noexcept override {
        const std::lock_guard lock(shared_.mutex);
        shared_.failed = rank_;
        shared_.news.notify_all();
    }
    ranks::Traffic traffic() const override { return traffic_; }
    /// Bytes that have come to this rank, with what it gathered of itself; of a reduction the
    /// result.
    std::int64_t received() const { return received_; }

  private:
    struct Shared {
        explicit Shared(int ranks) : count(ranks), pieces(static_cast<std::size_t>(ranks)) {}
        int count;
        std::mutex mutex;
        std::condition_variable news;
        int failed = -1;
        std::map<std::pair<int, int>, std::deque<std::vector<double>>> halos;  // from, to
        std::map<int, std::deque<ranks::Message>> messages;
        std::vector<Bytes> pieces;
        int here = 0;  // ranks that have arrived at a barrier
        int meetings = 0;
    };

    /// A reduction, which is gathered here, counts as its result.
    class Reduction {
      public:
        Reduction(ThreadRanks& ranks, std::size_t bytes)
            : ranks_(ranks), received_(ranks.received_ + static_cast<std::int64_t>(bytes)) {}
        ~Reduction() { ranks_.received_ = received_; }
        Reduction(const Reduction&) = delete;
        Reduction& operator=(const Reduction&) = delete;

      private:
        ThreadRanks& ranks_;
        std::int64_t received_;
    };

    ThreadRanks(Shared& shared, int rank) : shared_(shared), rank_(rank) {}

    template <class Ready>
    void wait(std::unique_lock<std::mutex>& lock, const Ready& ready) {
        shared_.news.wait(lock, [&] { return ready() || shared_.failed >= 0; });
        if (!ready()) throw ranks::RankFailure(shared_.failed, 1, "another rank failed");
    }
    void meet(std::unique_lock<std::mutex>& lock) {
        const int meeting = shared_.meetings;
        if (++shared_.here == shared_.count) {
            shared_.here = 0;
            ++shared_.meetings;
            shared_.news.notify_all();
        }
        wait(lock, [&] { return shared_.meetings != meeting; });
    }
    void put(int to, std::span<const double> numbers) {
        const std::lock_guard lock(shared_.mutex);
        shared_.halos[{rank_, to}].emplace_back(numbers.begin(), numbers.end());
        shared_.news.notify_all();
    }
    void take(int from, std::span<double> numbers) {
        std::unique_lock lock(shared_.mutex);
        auto& queue = shared_.halos[{from, rank_}];
        wait(lock, [&] { return !queue.empty(); });
        if (queue.front().size() != numbers.size())
            throw std::logic_error("the two sides of a halo have different lengths");
        received_ += static_cast<std::int64_t>(numbers.size_bytes());
        std::copy(queue.front().begin(), queue.front().end(), numbers.begin());
        queue.pop_front();
    }

    Shared& shared_;
    int rank_;
    std::vector<ranks::PeerBuffers> peers_;
    std::int64_t own_ = 0, received_ = 0;
    ranks::Traffic traffic_;
};

}  // namespace beadwave::validation
