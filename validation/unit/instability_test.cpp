// The error of a run whose state stops being finite, and the samples that are kept.
#include "beadwave/running/simulation.hpp"
#include "running/chain_system.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace beadwave::validation::instability_test {

namespace {

constexpr double broken = std::numeric_limits<double>::quiet_NaN();

/// Three beads at rest; after step `last_good`, bead 1 and its contact with bead 2 are not finite.
class BreakingEngine final : public dynamics::Engine {
  public:
    explicit BreakingEngine(std::int64_t last_good) : last_good_(last_good) {}

    void advance(std::int64_t steps, dynamics::SensorTrace& trace) override {
        trace.resize_rows(static_cast<std::size_t>(steps));
        step_ += steps;
        if (step_ > last_good_) velocity_[1] = force_[2] = broken;
    }
    void sample(dynamics::SensorTrace& trace) const override { trace.resize_rows(1); }
    void kick(std::span<const stepping::BodyForce<double>>, stepping::HalfStep) override {}
    std::int64_t step() const override { return step_; }
    std::span<const double> displacement() const override { return displacement_; }
    std::span<const double> velocity() const override { return velocity_; }
    std::span<const double> contact_force() const override { return force_; }
    dynamics::Totals totals() const override { return {}; }
    int threads() const override { return 1; }
    std::optional<std::size_t> first_non_finite() const override {
        return step_ > last_good_ ? std::optional<std::size_t>(1) : std::nullopt;
    }
    void monitor_stability(double) override {}
    dynamics::StabilityLimits stability_limits() const override { return {}; }
    std::vector<dynamics::StateColumn> state() override { return {}; }
    void continue_at(std::int64_t step) override { step_ = step; }

  private:
    std::int64_t last_good_, step_ = 0;
    std::vector<double> displacement_ = {0, 0, 0}, velocity_ = {0, 0, 0}, force_ = {0, 0, 0, 0};
};

}  // namespace

TEST_CASE("an unstable run names step, bead and contact, and its samples up to there are kept") {
    chain::Scenario scenario;
    scenario.time.end = 1e-5;
    scenario.energy_interval = 1e-7;
    chain::Chain chain;
    chain.mass = {1.0, 1.0, 1.0};
    const stepping::TimeStep step{
        .step = 1e-8, .count = 1000, .shortest_contact = 0.0, .largest_speed = 1.0, .given = true};
    BreakingEngine engine(555);
    std::int64_t last = -1;
    running::Sinks sinks;
    sinks.energy = [&](auto at, auto, const auto&) { last = at; };
    std::string message;
    try {
        running::simulate(running::settings_of(scenario), chain, step, engine, sinks);
    } catch (const running::RunError& error) {
        message = error.what();
    }
    CHECK(message ==
          "unstable: bead 1 is no longer finite at step 560 (t = 5.6e-06 s), at contact 2, "
          "between beads 1 and 2; "
          "a smaller time.step than 1e-08 s may help");
    CHECK(last == 550);
}

}  // namespace beadwave::validation::instability_test
