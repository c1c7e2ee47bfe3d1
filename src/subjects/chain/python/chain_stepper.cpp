#include "subjects/chain/python/chain_stepper.hpp"

#include "dynamics/tiled_engine.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "jobs/threads.hpp"
#include "subjects/chain/python/array_chain.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::python {
namespace {

std::span<double> column_named(std::span<const dynamics::StateColumn> columns, const char* name) {
    for (const dynamics::StateColumn& column : columns) {
        if (column.name == name) return column.values;
    }
    return {};
}

}  // namespace

stepping::ExternalForce<double> chain_force(const std::vector<std::size_t>& beads,
                                            const py::object& function) {
    return {beads, [reference = weakly(function)](double time, auto displacement, auto velocity,
                                                  std::span<double> force) {
                call(reference, time, displacement, velocity, force, 1);
            }};
}

ChainStepper::ChainStepper(std::shared_ptr<jobs::ChainJob> job, int threads)
    : Stepper(std::move(job)) {
    ProgressCallback callback{py::none()};
    const chain::Chain& chain = job_->system();
    unlocked(callback, [&] {
        const int started =
            jobs::start_threads(threads, dynamics::worthwhile_threads(chain.beads()), callback);
        auto engine = std::make_unique<dynamics::ForcedEngine>(
            running::make_engine(chain, job_->settings(), job_->time_step(), started),
            job_->time_step());
        engine_ = engine.get();
        start_ = engine_->totals();
        system_ = std::make_unique<running::SteppedChain>(
            chain, job_->settings(), as_given(job_->first_step()), std::move(engine));
    });
}

std::span<double> ChainStepper::open() {
    return turns_.take([&]() -> std::span<double> {
        refuse("state");
        const std::span<double> velocity = column_named(engine_->state(), "velocity");
        before_.assign(velocity.begin(), velocity.end());
        open_ = true;
        return velocity;
    });
}

void ChainStepper::close() {
    turns_.take([&] { continue_from_written(); });
}

void ChainStepper::continue_from_written() {
    open_ = false;
    const chain::Chain& chain = job_->system();
    const std::vector<dynamics::StateColumn> columns = engine_->state();
    const std::span<double> velocity = column_named(columns, "velocity");
    for (std::size_t i = 0; i < velocity.size(); ++i) {
        const double written = velocity[i];
        const double held = chain.is_driven(i) ? before_[i] : 0.0;
        if (std::isfinite(written) && !(chain.is_held(i) && written != held)) continue;
        std::ranges::copy(before_, velocity.begin());
        throw InputError(fmt::format("state: the velocity of bead {} is {}; expected a number{}", i,
                                     written,
                                     chain.is_driven(i)  ? ", unchanged for a driven bead"
                                     : chain.is_fixed(i) ? ", 0 for a bead that is held fixed"
                                                         : ""));
    }
    const std::span<double> power = column_named(columns, "power");  // empty: nothing dissipates
    const std::span<const double> force = engine_->contact_force();
    const std::span<double> element_power = column_named(columns, "element_power");
    const std::span<double> element_force = column_named(columns, "element_force");
    for (std::size_t i = 0; i < velocity.size(); ++i) {
        const double change = velocity[i] - before_[i];
        engine_->add_written_energy(0.5 * chain.mass[i] * change * (velocity[i] + before_[i]));
        // The trapezoidal sum of the contacts' power has half of this step before the change and
        // half after it.
        if (!power.empty()) power[i] += 0.5 * (force[i] - force[i + 1]) * change;
        if (!element_power.empty()) element_power[i] += 0.5 * element_force[i] * change;
    }
    engine_->continue_at(engine_->step());
    engine_->evaluate_forces();
}

void ChainStepper::describe(io::SystemState& state) const {
    if (const auto* arrays = dynamic_cast<const ArrayChainJob*>(job_.get())) {
        state.text = arrays->toml();
        state.arrays = arrays->arrays();
    }
}

void ChainStepper::restore(const io::SystemState& state) {
    check_state_of(state, chain::fingerprint(job_->system()), job_->time_step());
    for (const dynamics::StateColumn& column : engine_->state()) {
        std::ranges::copy(column_of(state, column.name, column.values.size()),
                          column.values.begin());
    }
    engine_->continue_at(state.step);
    restore_ledger(state);
}

}  // namespace beadwave::python
