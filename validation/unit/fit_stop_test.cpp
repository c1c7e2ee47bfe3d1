// A fit that is told to stop.

#include "beadwave/running/simulation.hpp"
#include "history_fixture.hpp"
#include "subjects/fit/fit_laws.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <limits>

namespace beadwave::validation::fit_stop_test {

namespace {

/// Stops from one of its calls on.
class StopAt : public jobs::ProgressCallback {
  public:
    explicit StopAt(std::int64_t call) : call_(call) {}
    bool stop() override { return ++calls_ >= call_; }
    std::int64_t calls() const { return calls_; }

  private:
    std::int64_t call_;
    std::atomic<std::int64_t> calls_ = 0;
};

constexpr const char* scenario = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7970
[[segment]]
beads = 1
radius = 2.38e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = 3
radius = 2.38e-3
material = "steel"
[law]
name = "hertz"
[time]
end = 3e-5
step = 1e-7
[sensors]
beads = [2]
interval = 1e-6
)";

}  // namespace

TEST_CASE("a fit that is stopped while it scores its starts makes no further runs") {
    const history_fixture::TemporaryFolder folder;
    std::ofstream(folder / "chain.toml") << scenario;
    std::ofstream table(folder / "lab.csv");
    table << "time (s),bead 2 (N)\n";
    for (int i = 0; i <= 30; ++i)
        table << fmt::format("{}e-6,{}\n", i, 200.0 * std::exp(-0.05 * (i - 18) * (i - 18)));
    table.close();
    tasks::FitRequest request{};
    request.scenario = folder / "chain.toml";
    request.measured = folder / "lab.csv";
    request.bounds = {"segment.0.velocity=0.1:3"};
    request.threads = 2;

    StopAt never(std::numeric_limits<std::int64_t>::max());
    tasks::fit_laws(request, never);  // all that precedes the scores, and more
    request.multistart = 20'000;
    const std::int64_t in_scores = never.calls() + 100;
    StopAt soon(in_scores);
    CHECK_THROWS_AS(tasks::fit_laws(request, soon), running::RunError);
    CHECK(soon.calls() >= in_scores);
    CHECK(soon.calls() < in_scores + 100);  // the runs that had started
}

}  // namespace beadwave::validation::fit_stop_test
