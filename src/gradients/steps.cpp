#include "gradients/steps.hpp"

#include "simd/clones.hpp"
#include "stepping/drift.hpp"

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

/// For laws that do not use the speed, after stepping::drift(): the velocity is the half-step
/// velocity until then.
BEADWAVE_CLONES void kick_halves(std::size_t n, const double* __restrict force,
                                 const double* __restrict body_force, const double* __restrict kick,
                                 double* __restrict change, double* __restrict velocity) {
    for (std::size_t i = 0; i < n; ++i) {
        change[i] = (force[i] - force[i + 1] + body_force[i]) * kick[i];
        velocity[i] += change[i];
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
      may_rest_(false),
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
    may_rest_ = carried_.empty() && !numbers_.right_drive &&
                std::ranges::all_of(body_force_, [](double force) { return force == 0.0; });
    for (const std::vector<double>& column : numbers_.law)
        law_.push_back(column.data());
    state_.velocity_change.resize(n_);
    state_.memory.resize(chain.contacts.first().traits().memory_numbers);
    start();
}

ForwardContacts Steps::view(std::vector<std::vector<double>>& memory, std::size_t contacts) const {
    memory_pointers_.clear();
    for (std::vector<double>& column : memory)
        memory_pointers_.push_back(column.data());
    return {.count = contacts,
            .law = law_.data(),
            .overlap = overlap_.data(),
            .approach_speed = approach_speed_.data(),
            .memory = memory_pointers_.data(),
            .force = const_cast<double*>(force_.data())};
}

void Steps::respond(std::size_t contacts) {
    differences(contacts, place_.data(), numbers_.gap.data(), overlap_.data());
    if (kernel_.uses_speed) differences(contacts, predicted_.data(), approach_speed_.data());
    kernel_.respond(view(state_.memory, contacts));
}

/// The last of the active beads is at rest: its right neighbour stays so in the next step.
void Steps::find_active() {
    std::size_t& active = state_.active;
    const auto rests = [&](std::size_t i) {
        return place_[i + 1] == 0.0 && state_.velocity[i] == 0.0 &&
               state_.velocity_change[i] == 0.0;
    };
    if (active < n_ && !rests(active - 1)) active = std::min(n_, active + active_lot);
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
    respond(n_ + 1);
    if (record != nullptr) record->memory = state_.memory;
    respond(n_ + 1);
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
    state_.active = n_;
    if (record != nullptr) record->active = n_;
    if (!may_rest_) return;
    std::size_t moving = n_;
    const auto rests = [&](std::size_t i) {
        return overlap_[i + 1] <= 0.0 && force_[i + 1] == 0.0 && state_.velocity[i] == 0.0 &&
               state_.velocity_change[i] == 0.0;
    };
    while (moving > 0 && rests(moving - 1))
        --moving;
    state_.active = std::min(n_, moving + active_lot);
}

void Steps::advance(StepRecord* record, bool velocities) {
    ++state_.step;
    const std::size_t n = state_.active, acting = contacts(n);
    const bool halves = carried_.empty() && !kernel_.uses_speed;
    if (halves) {
        stepping::drift(n, dt_, state_.velocity_change.data(), state_.velocity.data(),
                        place_.data() + 1);
    } else {
        drift(n, dt_, state_.velocity.data(), state_.velocity_change.data(), half_.data(),
              place_.data() + 1, predicted_.data() + 1);
    }
    place_walls();
    place_driven();
    const auto copy = [](const std::vector<double>& from, std::size_t count,
                         std::vector<double>& to) {
        to.assign(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
    };
    if (record != nullptr) {
        record->active = n;
        record->memory.resize(state_.memory.size());
        for (std::size_t k = 0; k < state_.memory.size(); ++k)
            copy(state_.memory[k], acting, record->memory[k]);
    }
    respond(acting);
    if (halves) {
        kick_halves(n, force_.data(), body_force_.data(), kick_.data(),
                    state_.velocity_change.data(), state_.velocity.data());
    } else {
        kick_beads(n, force_.data(), external(record).data(), kick_.data(), half_.data(),
                   state_.velocity_change.data(), state_.velocity.data());
    }
    for (const chain::DrivenBead& each : numbers_.elements.driven)
        state_.velocity[each.bead] = predicted_[each.bead + 1];
    find_active();
    if (record == nullptr) return;
    // The next step may read a lot more of them.
    const std::size_t known = std::min(n_ + 1, acting + active_lot + 1);
    copy(overlap_, known, record->overlap);
    copy(force_, known, record->force);
    if (kernel_.uses_speed) copy(approach_speed_, known, record->approach_speed);
    if (velocities) record->velocity = state_.velocity;
}

void Steps::save(State& state) const {
    state = state_;
    state.displacement.assign(place_.begin() + 1, place_.end() - 1);
}

void Steps::restore(const State& state) {
    state_ = state;
    std::ranges::copy(state.displacement, place_.begin() + 1);
    // Contacts of beads at rest, which the next step reads without asking their law.
    for (std::size_t c = contacts(state_.active); c <= n_; ++c) {
        overlap_[c] = 0.0 - numbers_.gap[c];
        approach_speed_[c] = force_[c] = 0.0;
    }
}

std::vector<double> Steps::stored_energy() const {
    std::vector<double> energy(n_ + 1);
    auto memory = state_.memory;
    kernel_.stored_energy(view(memory, n_ + 1), energy.data());
    return energy;
}

bool Steps::finite() const {
    return std::ranges::all_of(place_, [](double x) { return std::isfinite(x); }) &&
           std::ranges::all_of(state_.velocity, [](double x) { return std::isfinite(x); });
}

}  // namespace beadwave::gradients
