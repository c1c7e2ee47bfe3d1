// An engine that counts steps without moving anything. It is enough to read a checkpoint, and needs
// no kernels.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::validation {

class StillEngine final : public dynamics::Engine {
  public:
    explicit StillEngine(const chain::Chain& chain)
        : displacement_(chain.beads()), velocity_(chain.velocity), force_(chain.beads() + 1) {}

    void advance(std::int64_t steps, dynamics::SensorTrace& trace) override {
        trace.resize_rows(static_cast<std::size_t>(steps));
        step_ += steps;
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
        const auto bad =
            std::ranges::find_if(velocity_, [](double v) { return !std::isfinite(v); });
        if (bad == velocity_.end()) return std::nullopt;
        return static_cast<std::size_t>(bad - velocity_.begin());
    }
    void monitor_stability(double) override {}
    dynamics::StabilityLimits stability_limits() const override { return {}; }
    std::vector<dynamics::StateColumn> state() override {
        return {{"displacement", displacement_}, {"velocity", velocity_}, {"force", force_}};
    }
    void continue_at(std::int64_t step) override { step_ = step; }

  private:
    std::int64_t step_ = 0;
    std::vector<double> displacement_, velocity_, force_;
};

}  // namespace beadwave::validation
