// Pieces of work over ranks that are threads: each is made once and taken, whoever dies.

#include "jobs/hand_out.hpp"

#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace beadwave;
using namespace beadwave::validation;

namespace {

/// A rank whose letters are lost from the one after `letters` on, its process with them.
class Dying final : public ranks::Ranks {
  public:
    Dying(ranks::Ranks& living, int letters) : living_(living), left_(letters) {}

    int rank() const override { return living_.rank(); }
    int count() const override { return living_.count(); }
    int on_this_node() const override { return living_.on_this_node(); }
    void start_exchange(const ranks::Passage&, const ranks::Passage&) override {}
    void finish_exchange() override {}
    void start_sum(std::int64_t) override {}
    std::int64_t finish_sum() override { return 0; }
    void sum(std::span<std::int64_t> numbers) override { living_.sum(numbers); }
    void largest(std::span<double>) override {}
    void broadcast(std::span<std::byte>) override {}
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte>) override { return {}; }
    std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte>) override {
        return {};
    }
    void send(int to, std::span<const std::byte> bytes) override {
        if (left_-- <= 0) throw ranks::RankFailure(rank(), 1, "killed");
        living_.send(to, bytes);
    }
    std::optional<ranks::Letter> receive(double patience) override {
        return living_.receive(patience);
    }
    void give_up(int) noexcept override {}
    void fail(int, const std::string&) noexcept override {}
    ranks::Traffic traffic() const override { return {}; }

  private:
    ranks::Ranks& living_;
    int left_;
};

std::vector<std::size_t> numbered(std::size_t count) {
    std::vector<std::size_t> pieces(count);
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    return pieces;
}

/// What rank 0 takes: each piece, and how often.
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
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return "piece " + std::to_string(piece);
}

}  // namespace

TEST_CASE("every piece is handed out once, to any ranks and threads") {
    constexpr std::size_t count = 40;
    for (const int ranks : {1, 2, 3}) {
        for (const int threads : {1, 3}) {
            CAPTURE(ranks);
            CAPTURE(threads);
            Taken taken;
            ThreadRanks::run(ranks, [&](ranks::Ranks& own) {
                jobs::hand_out(own, own.first() ? numbered(count) : std::vector<std::size_t>{},
                               threads, {.work = made, .take = std::ref(taken)});
            });
            check_all_once(taken, count);
        }
    }
}

TEST_CASE("a rank that dies costs what it was working on, which others make") {
    constexpr std::size_t count = 40;
    constexpr double patience = 0.5;  // [s]
    // It dies while it asks for the first piece, with a piece in hand, and with the last ones: the
    // others have long left then.
    for (const int letters : {0, 1, 5, 12}) {
        CAPTURE(letters);
        Taken taken;
        std::atomic<int> lost = 0;
        ThreadRanks::run(3, [&](ranks::Ranks& own) {
            const jobs::Desk desk{.work = made,
                                  .take = std::ref(taken),
                                  .lost =
                                      [&](int rank) {
                                          CHECK(rank == 2);
                                          ++lost;
                                      },
                                  .patience = patience};
            Dying dying(own, letters);
            ranks::Ranks& as = own.rank() == 2 ? static_cast<ranks::Ranks&>(dying) : own;
            jobs::hand_out(as, own.first() ? numbered(count) : std::vector<std::size_t>{}, 1, desk);
        });
        check_all_once(taken, count);
        CHECK(lost == 1);
    }
}
