#include "jobs/hand_out.hpp"

#include "jobs/on_threads.hpp"

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

namespace beadwave::jobs {
namespace {

using Clock = std::chrono::steady_clock;

/// What a letter is about: a piece by its number, or one of these.
using Piece = std::int64_t;
constexpr Piece none = -1;   // from a thread: has made nothing yet; to it: there is nothing left
constexpr Piece alive = -2;  // the rank still works
constexpr Piece leaves = -3;

std::vector<std::byte> letter_of(Piece piece, const std::string& result = {}) {
    std::vector<std::byte> bytes(sizeof piece + result.size());
    std::memcpy(bytes.data(), &piece, sizeof piece);
    std::memcpy(bytes.data() + sizeof piece, result.data(), result.size());
    return bytes;
}

Piece piece_of(std::span<const std::byte> letter) {
    Piece piece = none;
    std::memcpy(&piece, letter.data(), std::min(letter.size(), sizeof piece));
    return piece;
}

std::string result_of(std::span<const std::byte> letter) {
    const auto result = letter.subspan(sizeof(Piece));
    return {reinterpret_cast<const char*>(result.data()), result.size()};
}

/// Asks rank 0 for a piece, with the result of the last one, until there are no more, and tells it
/// meanwhile that this rank still works.
void serve(ranks::Ranks& ranks, int threads, const Desk& desk) {
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
                    ranks.send(0, letter_of(piece, result));
                    piece = piece_of(ranks.receive().bytes);
                }
                if (piece == none) return;
                result = desk.work(static_cast<std::size_t>(piece));
            }
        });
    };
    std::condition_variable_any ended;
    {
        std::jthread beat([&](const std::stop_token& stop) {
            guarded([&] {
                std::unique_lock lock(one_at_a_time);
                const auto pause = std::chrono::duration<double>(desk.patience / 20.0);
                while (!ended.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); }))
                    ranks.send(0, letter_of(alive));
            });
        });
        for_each_on_threads(static_cast<std::size_t>(threads), threads, serve_one,
                            [](std::size_t) {});
    }
    if (error) std::rethrow_exception(error);
    ranks.send(0, letter_of(leaves));
}

/// Pieces that nobody has begun.
class Pile {
  public:
    explicit Pile(const std::vector<std::size_t>& pieces) : left_(pieces.begin(), pieces.end()) {}

    Piece take() {
        const std::lock_guard lock(mutex_);
        if (left_.empty()) return none;
        const auto piece = static_cast<Piece>(left_.front());
        left_.pop_front();
        return piece;
    }
    void put_back(std::size_t piece) {
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

/// The other ranks, as rank 0 sees them.
class Others {
  public:
    Others(ranks::Ranks& ranks, Pile& pile, const Desk& desk, std::atomic<std::size_t>& done)
        : ranks_(ranks), pile_(pile), desk_(desk), done_(done) {
        for (int rank = 1; rank < ranks.count(); ++rank)
            working_[rank] = {Clock::now(), {}};
    }

    /// Hands out until all have left or are lost.
    void serve() {
        constexpr double between_looks = 0.1;  // [s]
        while (!working_.empty()) {
            auto letter = ranks_.receive(between_looks);
            for (; letter; letter = ranks_.receive(0.0))
                answer(*letter);
            give_up_on_silent();
            desk_.watch(done_);
        }
    }

  private:
    struct Other {
        Clock::time_point heard;
        std::set<std::size_t> has{};
    };

    void answer(const ranks::Letter& letter) {
        const auto found = working_.find(letter.from);
        if (found == working_.end()) return;  // given up: others have its pieces
        Other& other = found->second;
        other.heard = Clock::now();
        const Piece finished = piece_of(letter.bytes);
        if (finished == alive) return;
        if (finished == leaves) {
            working_.erase(found);
            return;
        }
        if (finished != none) {
            const auto piece = static_cast<std::size_t>(finished);
            other.has.erase(piece);
            desk_.take(piece, result_of(letter.bytes));
            ++done_;
        }
        const Piece next = pile_.take();
        if (next != none) other.has.insert(static_cast<std::size_t>(next));
        ranks_.send(letter.from, letter_of(next));
    }

    void give_up_on_silent() {
        const auto earliest = Clock::now() - std::chrono::duration<double>(desk_.patience);
        for (auto other = working_.begin(); other != working_.end();) {
            if (other->second.heard > earliest) {
                ++other;
                continue;
            }
            for (const std::size_t piece : other->second.has)
                pile_.put_back(piece);
            ranks_.give_up(other->first);
            desk_.lost(other->first);
            other = working_.erase(other);
        }
    }

    ranks::Ranks& ranks_;
    Pile& pile_;
    const Desk& desk_;
    std::atomic<std::size_t>& done_;
    std::map<int, Other> working_;
};

}  // namespace

void hand_out(ranks::Ranks& ranks, const std::vector<std::size_t>& pieces, int threads,
              const Desk& desk) {
    const std::size_t count = pieces.size();
    if (ranks.alone()) {
        for_each_on_threads(
            count, threads, [&](std::size_t i) { desk.take(pieces[i], desk.work(pieces[i])); },
            desk.watch);
        return;
    }
    std::int64_t here = 1;
    ranks.sum({&here, 1});  // patience begins when all have come
    if (!ranks.first()) return serve(ranks, threads, desk);

    Pile pile(pieces);
    std::atomic<std::size_t> done = 0;
    const auto run_own = [&] {
        for (Piece i = pile.take(); i != none; i = pile.take()) {
            const auto piece = static_cast<std::size_t>(i);
            desk.take(piece, desk.work(piece));
            ++done;
        }
    };
    std::vector<std::jthread> team;
    struct Stop {  // where a rank has failed, nothing more is begun
        Pile& pile;
        ~Stop() { pile.clear(); }
    };
    const Stop stop{pile};
    for (int i = 0; i + 1 < threads; ++i)
        team.emplace_back(run_own);
    Others(ranks, pile, desk, done).serve();
    // What is left is what rank 0 works on, or what a rank had that died after the others left.
    for (int i = 0; i < threads; ++i)
        team.emplace_back(run_own);
    while (done < count) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        desk.watch(done);
    }
}

}  // namespace beadwave::jobs
