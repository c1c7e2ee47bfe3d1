#include "gradients/steps.hpp"

#include "simd/clones.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::gradients {
namespace {

/// Moves the beads: half-step velocity, displacement, and the predicted full-step velocity.
BEADWAVE_CLONES void drift(std::size_t n, double dt, const double* __restrict velocity,
                           const double* __restrict change, double* __restrict half,
                           double* __restrict displacement, double* __restrict predicted) {
    for (std::size_t i = 0; i < n; ++i) {
        half[i] = velocity[i] + change[i];
        displacement[i] += dt * half[i];
        predicted[i] = half[i] + change[i];
    }
}

/// Differences between the numbers of bead c - 1, at c, and of bead c, at c + 1.
BEADWAVE_CLONES void differences(std::size_t contacts, const double* __restrict of_beads,
                                 const double* __restrict less, double* __restrict result) {
    for (std::size_t c = 0; c < contacts; ++c)
        result[c] = of_beads[c] - of_beads[c + 1] - less[c];
}
BEADWAVE_CLONES void differences(std::size_t contacts, const double* __restrict of_beads,
                                 double* __restrict result) {
    for (std::size_t c = 0; c < contacts; ++c)
        result[c] = of_beads[c] - of_beads[c + 1];
}

BEADWAVE_CLONES void kick_beads(std::size_t n, const double* __restrict force,
                                const double* __restrict body_force, const double* __restrict kick,
                                const double* __restrict half, double* __restrict change,
                                double* __restrict velocity) {
    for (std::size_t i = 0; i < n; ++i) {
        change[i] = (force[i] - force[i + 1] + body_force[i]) * kick[i];
        velocity[i] = half[i] + change[i];
    }
}

}  // namespace

Steps::Steps(const chain::Chain& chain, const MotionNumbers& numbers, double time_step)
    : n_(chain.beads()),
      dt_(time_step),
      numbers_(numbers),
      kernel_(law_kernel(chain.contacts.first().index())),
      left_wall_(numbers.left_drive, time_step),
      right_wall_(numbers.right_drive, time_step),
      carried_(chain, numbers, time_step),
      kick_(n_),
      body_force_(n_),
      place_(n_ + 2, 0.0),
      predicted_(n_ + 2, 0.0),
      half_(n_, 0.0),
      overlap_(n_ + 1, 0.0),
      approach_speed_(n_ + 1, 0.0),
      force_(n_ + 1, 0.0) {
    for (std::size_t i = 0; i < n_; ++i) {
        kick_[i] = chain.is_held(i) ? 0.0 : 0.5 * dt_ * (1.0 / numbers_.mass[i]);
        body_force_[i] = numbers_.mass[i] * numbers_.gravity + numbers_.load[i];
    }
    for (const std::vector<double>& column : numbers_.law)
        law_.push_back(column.data());
    state_.velocity_change.resize(n_);
    state_.memory.resize(chain.contacts.first().traits().memory_numbers);
    start();
}

ForwardContacts Steps::view(std::vector<std::vector<double>>& memory) const {
    memory_pointers_.clear();
    for (std::vector<double>& column : memory)
        memory_pointers_.push_back(column.data());
    return {.count = n_ + 1,
            .law = law_.data(),
            .overlap = overlap_.data(),
            .approach_speed = approach_speed_.data(),
            .memory = memory_pointers_.data(),
            .force = const_cast<double*>(force_.data())};
}

void Steps::respond() {
    differences(n_ + 1, place_.data(), numbers_.gap.data(), overlap_.data());
    if (kernel_.uses_speed) differences(n_ + 1, predicted_.data(), approach_speed_.data());
    kernel_.respond(view(state_.memory));
}

void Steps::place_walls() {
    place_.front() = left_wall_.displacement(state_.step);
    predicted_.front() = left_wall_.velocity(state_.step);
    place_.back() = right_wall_.displacement(state_.step);
    predicted_.back() = right_wall_.velocity(state_.step);
}

void Steps::place_driven() {
    for (const chain::DrivenBead& each : numbers_.elements.driven) {
        const double time = static_cast<double>(state_.step) * dt_;
        place_[each.bead + 1] = each.motion.displacement(time);
        predicted_[each.bead + 1] = each.motion.velocity(time);
    }
}

const std::vector<double>& Steps::external(StepRecord* record) {
    if (carried_.empty()) return body_force_;
    external_ = body_force_;
    const std::span<const double> beads(place_.data() + 1, n_), speeds(predicted_.data() + 1, n_);
    carried_.step(state_.inner, beads, speeds, state_.step, external_,
                  record != nullptr ? &record->carried : nullptr);
    if (record != nullptr) record->external = external_;
    return external_;
}

void Steps::start(StepRecord* record) {
    state_.step = 0;
    std::ranges::fill(place_, 0.0);
    state_.velocity = numbers_.velocity;
    for (const chain::DrivenBead& each : numbers_.elements.driven)
        state_.velocity[each.bead] = each.motion.velocity(0.0);
    std::ranges::copy(state_.velocity, predicted_.begin() + 1);
    predicted_.front() = left_wall_.velocity(0);
    predicted_.back() = right_wall_.velocity(0);
    for (std::vector<double>& column : state_.memory)
        column.assign(n_ + 1, 0.0);
    // Twice: a contact that starts closed has been loaded to its overlap.
    respond();
    if (record != nullptr) record->memory = state_.memory;
    respond();
    if (record != nullptr) {
        record->overlap = overlap_;
        record->approach_speed = approach_speed_;
        record->force = force_;
    }
    external_ = body_force_;
    if (!carried_.empty()) carried_.start(state_.inner, state_.velocity, external_);
    if (record != nullptr) record->external = external_;
    for (std::size_t i = 0; i < n_; ++i)
        state_.velocity_change[i] = (force_[i] - force_[i + 1] + external_[i]) * kick_[i];
}

void Steps::advance(StepRecord* record, bool velocities) {
    ++state_.step;
    drift(n_, dt_, state_.velocity.data(), state_.velocity_change.data(), half_.data(),
          place_.data() + 1, predicted_.data() + 1);
    place_walls();
    place_driven();
    if (record != nullptr) record->memory = state_.memory;
    respond();
    kick_beads(n_, force_.data(), external(record).data(), kick_.data(), half_.data(),
               state_.velocity_change.data(), state_.velocity.data());
    for (const chain::DrivenBead& each : numbers_.elements.driven)
        state_.velocity[each.bead] = predicted_[each.bead + 1];
    if (record == nullptr) return;
    record->overlap = overlap_;
    record->force = force_;
    if (kernel_.uses_speed) record->approach_speed = approach_speed_;
    if (velocities) record->velocity = state_.velocity;
}

void Steps::save(State& state) const {
    state = state_;
    state.displacement.assign(place_.begin() + 1, place_.end() - 1);
}

void Steps::restore(const State& state) {
    state_ = state;
    std::ranges::copy(state.displacement, place_.begin() + 1);
}

std::vector<double> Steps::stored_energy() const {
    std::vector<double> energy(n_ + 1);
    auto memory = state_.memory;
    kernel_.stored_energy(view(memory), energy.data());
    return energy;
}

bool Steps::finite() const {
    return std::ranges::all_of(place_, [](double x) { return std::isfinite(x); }) &&
           std::ranges::all_of(state_.velocity, [](double x) { return std::isfinite(x); });
}

}  // namespace beadwave::gradients
