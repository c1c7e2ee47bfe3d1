// A work queue over ranks that are threads: each piece is computed and collected once, even if a
// rank dies.

#include "ranks/work_queue.hpp"

#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace beadwave::validation::work_queue_test {

namespace {

/// A rank whose messages pass through a test.
class Watched : public ranks::Communicator {
  public:
    explicit Watched(ranks::Communicator& living) : living_(living) {}

    int rank() const override { return living_.rank(); }
    int count() const override { return living_.count(); }
    int on_this_node() const override { return living_.on_this_node(); }
    void start_exchange(std::vector<ranks::PeerBuffers>) override {}
    std::vector<ranks::PeerBuffers> finish_exchange() override { return {}; }
    void start_sum(std::int64_t) override {}
    std::int64_t finish_sum() override { return 0; }
    void sum(std::span<std::int64_t> numbers) override { living_.sum(numbers); }
    void largest(std::span<double>) override {}
    void broadcast(std::span<std::byte>) override {}
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte>) override { return {}; }
    std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte>) override {
        return {};
    }
    void share(std::span<double>, std::span<const std::size_t>) override {}
    void send(int to, std::span<const std::byte> bytes) override { living_.send(to, bytes); }
    std::optional<ranks::Message> receive(double timeout) override {
        return living_.receive(timeout);
    }
    void give_up(int) noexcept override {}
    void fail(int, const std::string&) noexcept override {}
    ranks::Traffic traffic() const override { return {}; }

  protected:
    ranks::Communicator& living_;
};

/// A rank that dies after sending `messages` messages.
class Dying final : public Watched {
  public:
    Dying(ranks::Communicator& living, int messages, std::atomic<bool>& dead)
        : Watched(living), left_(messages), dead_(dead) {}

    void send(int to, std::span<const std::byte> bytes) override {
        if (left_-- <= 0) {
            dead_ = true;
            dead_.notify_all();
            throw ranks::RankFailure(rank(), 1, "killed");
        }
        Watched::send(to, bytes);
    }

  private:
    int left_;
    std::atomic<bool>& dead_;
};

/// Rank 0, with the time that it sees: when rank 2 is dead, the time passes with each message of
/// rank 1, and when rank 1 has left, with each look for messages. So rank 1 always has just sent
/// one, however slow it is.
class First final : public Watched {
  public:
    First(ranks::Communicator& living, const std::atomic<bool>& dead)
        : Watched(living), dead_(dead) {}

    std::optional<ranks::Message> receive(double timeout) override {
        std::optional<ranks::Message> message = Watched::receive(timeout);
        constexpr std::int64_t leaves = -3;  // see work_queue.cpp
        std::int64_t subject = 0;
        if (message && message->from == 1) {
            std::memcpy(&subject, message->bytes.data(), sizeof subject);
            one_has_left_ = subject == leaves;
        }
        if (dead_ && (one_has_left_ || (message && message->from == 1))) time_ += tick;
        return message;
    }
    double time() const { return time_; }

    static constexpr double tick = 1.0;

  private:
    const std::atomic<bool>& dead_;
    double time_ = 0.0;
    bool one_has_left_ = false;
};

std::vector<std::size_t> numbered(std::size_t count) {
    std::vector<std::size_t> pieces(count);
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    return pieces;
}

/// What rank 0 collects: each piece, and how often.
struct Taken {
    std::mutex mutex{};
    std::map<std::size_t, std::vector<std::string>> results{};
    void operator()(std::size_t piece, const std::string& result) {
        const std::lock_guard lock(mutex);
        results[piece].push_back(result);
    }
};

void check_all_once(const Taken& taken, std::size_t count) {
    REQUIRE(taken.results.size() == count);
    for (const auto& one : taken.results) {
        CAPTURE(one.first);
        REQUIRE(one.second.size() == 1);
        CHECK(one.second.front() == "piece " + std::to_string(one.first));
    }
}

std::string made(std::size_t piece) {
    std::this_thread::yield();
    return "piece " + std::to_string(piece);
}

}  // namespace

TEST_CASE("every piece is distributed once, for any number of ranks and threads") {
    constexpr std::size_t count = 40;
    for (const int ranks : {1, 2, 3}) {
        for (const int threads : {1, 3}) {
            CAPTURE(ranks);
            CAPTURE(threads);
            Taken taken;
            ThreadRanks::run(ranks, [&](ranks::Communicator& own) {
                ranks::run_work_queue(own,
                                      own.first() ? numbered(count) : std::vector<std::size_t>{},
                                      threads, {.work = made, .collect = std::ref(taken)});
            });
            check_all_once(taken, count);
        }
    }
}

TEST_CASE("if a rank dies, other ranks repeat only its current pieces") {
    constexpr std::size_t count = 40;
    constexpr double timeout = 4.0 * First::tick;
    // It dies while it requests the first piece, and with several pieces done. The others wait with
    // their second piece until then: otherwise they could compute all pieces before.
    for (const int messages : {0, 1, 5, 12}) {
        CAPTURE(messages);
        Taken taken;
        std::atomic<int> lost = 0;
        std::atomic<bool> dead = false;
        ThreadRanks::run(3, [&](ranks::Communicator& own) {
            std::atomic<int> computed = 0;
            First first(own, dead);
            ranks::WorkQueue queue{.work =
                                       [&](std::size_t piece) {
                                           if (own.rank() != 2 && computed++ > 0) dead.wait(false);
                                           return made(piece);
                                       },
                                   .collect = std::ref(taken),
                                   .rank_lost =
                                       [&](int rank) {
                                           CHECK(rank == 2);
                                           ++lost;
                                       },
                                   .timeout = timeout};
            if (own.first()) queue.clock = [&] { return first.time(); };
            Dying dying(own, messages, dead);
            ranks::Communicator& as = own.rank() == 2 ? static_cast<ranks::Communicator&>(dying)
                                      : own.first()   ? static_cast<ranks::Communicator&>(first)
                                                      : own;
            ranks::run_work_queue(as, own.first() ? numbered(count) : std::vector<std::size_t>{}, 1,
                                  queue);
        });
        check_all_once(taken, count);
        CHECK(lost == 1);
    }
}

}  // namespace beadwave::validation::work_queue_test
