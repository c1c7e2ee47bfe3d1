#include "ranks/work_queue.hpp"

#include "ranks/on_threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace beadwave::ranks {
namespace {

/// The subject of a message: a piece by its number, or one of these.
using Piece = std::int64_t;
constexpr Piece none = -1;    // from a thread: no result yet; to a thread: no pieces left
constexpr Piece alive = -2;   // the rank is still working
constexpr Piece leaves = -3;  // the rank has finished

double time_of(const WorkQueue& queue) {
    if (queue.clock) return queue.clock();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

std::vector<std::byte> encode(Piece piece, const std::string& result = {}) {
    std::vector<std::byte> bytes(sizeof piece + result.size());
    std::memcpy(bytes.data(), &piece, sizeof piece);
    std::memcpy(bytes.data() + sizeof piece, result.data(), result.size());
    return bytes;
}

Piece piece_of(std::span<const std::byte> message) {
    Piece piece = none;
    std::memcpy(&piece, message.data(), std::min(message.size(), sizeof piece));
    return piece;
}

std::string result_of(std::span<const std::byte> message) {
    const auto result = message.subspan(sizeof(Piece));
    return {reinterpret_cast<const char*>(result.data()), result.size()};
}

/// Sends the result of the last piece to rank 0 and gets the next piece, until none is left.
/// Meanwhile reports to rank 0 that this rank is still working.
void serve(Communicator& ranks, int threads, const WorkQueue& queue) {
    std::mutex one_at_a_time;
    std::exception_ptr error;
    const auto guarded = [&](const auto& action) {
        try {
            action();
        } catch (...) {
            const std::lock_guard lock(one_at_a_time);
            error = std::current_exception();
        }
    };
    const auto serve_one = [&](std::size_t) {
        guarded([&] {
            Piece piece = none;
            std::string result;
            while (true) {
                {
                    const std::lock_guard lock(one_at_a_time);
                    ranks.send(0, encode(piece, result));
                    piece = piece_of(ranks.receive().bytes);
                }
                if (piece == none) return;
                result = queue.work(static_cast<std::size_t>(piece));
            }
        });
    };
    std::condition_variable_any ended;
    {
        std::jthread beat([&](const std::stop_token& stop) {
            guarded([&] {
                std::unique_lock lock(one_at_a_time);
                const auto pause = std::chrono::duration<double>(queue.timeout / 20.0);
                while (!ended.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); }))
                    ranks.send(0, encode(alive));
            });
        });
        for_each_on_threads(static_cast<std::size_t>(threads), threads, serve_one,
                            [](std::size_t) {});
    }
    if (error) std::rethrow_exception(error);
    ranks.send(0, encode(leaves));
}

/// Pieces that no thread has started.
class PendingPieces {
  public:
    explicit PendingPieces(const std::vector<std::size_t>& pieces)
        : left_(pieces.begin(), pieces.end()) {}

    Piece take() {
        const std::lock_guard lock(mutex_);
        if (left_.empty()) return none;
        const auto piece = static_cast<Piece>(left_.front());
        left_.pop_front();
        return piece;
    }
    void requeue(std::size_t piece) {
        const std::lock_guard lock(mutex_);
        left_.push_front(piece);
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        left_.clear();
    }

  private:
    std::mutex mutex_;
    std::deque<std::size_t> left_;
};

/// The state of the other ranks, on rank 0.
class Others {
  public:
    Others(Communicator& ranks, PendingPieces& pending, const WorkQueue& queue,
           std::atomic<std::size_t>& done)
        : ranks_(ranks), pending_(pending), queue_(queue), done_(done) {
        for (int rank = 1; rank < ranks.count(); ++rank)
            working_[rank] = {time_of(queue), {}};
    }

    /// Distributes pieces until all other ranks have finished or are lost.
    void serve() {
        constexpr double poll_interval = 0.1;  // [s]
        while (!working_.empty()) {
            auto message = ranks_.receive(poll_interval);
            for (; message; message = ranks_.receive(0.0))
                reply(*message);
            drop_lost_ranks();
            queue_.progress(done_);
        }
    }

  private:
    struct Other {
        double last_message;  // [s]
        std::set<std::size_t> pieces{};
    };

    void reply(const Message& message) {
        const auto found = working_.find(message.from);
        if (found == working_.end()) return;  // counted as lost: other ranks have its pieces
        Other& other = found->second;
        other.last_message = time_of(queue_);
        const Piece finished = piece_of(message.bytes);
        if (finished == alive) return;
        if (finished == leaves) {
            working_.erase(found);
            return;
        }
        if (finished != none) {
            const auto piece = static_cast<std::size_t>(finished);
            other.pieces.erase(piece);
            queue_.collect(piece, result_of(message.bytes));
            ++done_;
        }
        const Piece next = pending_.take();
        if (next != none) other.pieces.insert(static_cast<std::size_t>(next));
        ranks_.send(message.from, encode(next));
    }

    void drop_lost_ranks() {
        const double earliest = time_of(queue_) - queue_.timeout;
        for (auto other = working_.begin(); other != working_.end();) {
            if (other->second.last_message > earliest) {
                ++other;
                continue;
            }
            for (const std::size_t piece : other->second.pieces)
                pending_.requeue(piece);
            ranks_.give_up(other->first);
            queue_.rank_lost(other->first);
            other = working_.erase(other);
        }
    }

    Communicator& ranks_;
    PendingPieces& pending_;
    const WorkQueue& queue_;
    std::atomic<std::size_t>& done_;
    std::map<int, Other> working_;
};

}  // namespace

void run_work_queue(Communicator& ranks, const std::vector<std::size_t>& pieces, int threads,
                    const WorkQueue& queue) {
    const std::size_t count = pieces.size();
    if (ranks.alone()) {
        for_each_on_threads(
            count, threads, [&](std::size_t i) { queue.collect(pieces[i], queue.work(pieces[i])); },
            queue.progress);
        return;
    }
    std::int64_t here = 1;
    ranks.sum({&here, 1});  // timeouts count from when all ranks are here
    if (!ranks.first()) return serve(ranks, threads, queue);

    PendingPieces pending(pieces);
    std::atomic<std::size_t> done = 0;
    const auto run_own = [&] {
        for (Piece i = pending.take(); i != none; i = pending.take()) {
            const auto piece = static_cast<std::size_t>(i);
            queue.collect(piece, queue.work(piece));
            ++done;
        }
    };
    std::vector<std::jthread> team;
    struct Stop {  // if a rank has failed, no more pieces are started
        PendingPieces& pending;
        ~Stop() { pending.clear(); }
    };
    const Stop stop{pending};
    for (int i = 0; i + 1 < threads; ++i)
        team.emplace_back(run_own);
    Others(ranks, pending, queue, done).serve();
    // The remaining pieces are those on rank 0, and those of a rank that died after the others had
    // finished.
    for (int i = 0; i < threads; ++i)
        team.emplace_back(run_own);
    while (done < count) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        queue.progress(done);
    }
}

}  // namespace beadwave::ranks
