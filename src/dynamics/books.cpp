#include "dynamics/books.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

namespace beadwave::dynamics {
namespace {

/// Below this many blocks, waiting for the other threads costs more than they help.
constexpr std::size_t fewest_shared_blocks = 128;

/// The first bead of which a parameter, or one of the contact to its left, is no number. Infinite
/// ones may be meant: a gap that never closes, a force without a limit.
std::optional<std::size_t> first_without_number(const chain::Chain& chain) {
    const auto law_has_numbers = [&](std::size_t contact) {
        return std::visit(
            [](const auto& law) {
                bool numbers = true;
                laws::to_fields(law, [&](std::size_t, double value) {
                    numbers = numbers && !std::isnan(value);
                });
                return numbers;
            },
            chain.contacts.at(contact));
    };
    const std::size_t n = chain.beads();
    for (std::size_t i = 0; i <= n; ++i) {
        const bool contact = std::isinf(chain.gap[i]) ||
                             (!std::isnan(chain.gap[i]) &&
                              ((i > 0 && chain.contacts.kind(i) == chain.contacts.kind(i - 1)) ||
                               law_has_numbers(i)));
        const bool bead = i == n || std::isfinite(chain.mass[i]);
        if (!contact || !bead) return std::min(i, n - 1);
    }
    return std::nullopt;
}

}  // namespace

EngineWithBooks::EngineWithBooks(const chain::Chain& chain, double time_step)
    : n_(chain.beads()),
      dt_(time_step),
      left_wall_(chain.left_drive, time_step),
      right_wall_(chain.right_drive, time_step),
      gravity_(chain.gravity),
      loads_(chain.loads),
      built_broken_(first_without_number(chain)),
      block_sums_(n_ / sum_block + 1),
      stale_(block_sums_.size(), true) {}

void EngineWithBooks::open_books(StatePointers state) {
    state_ = std::move(state);
    const Sums start = sums();
    initial_stored_ = start.stored;
    initial_power_ = start.power;
}

void EngineWithBooks::take_up(std::int64_t step) {
    step_ = step;
    std::ranges::fill(stale_, char{true});
    restored_broken_ = broken_bead();
}

void EngineWithBooks::moved(std::size_t begin, std::size_t end) const {
    // The force of the first bead's contact is also the bead's before it.
    const std::size_t first = (begin - std::min<std::size_t>(begin, 1)) / sum_block;
    const std::size_t last = std::min(end / sum_block, stale_.size() - 1);
    for (std::size_t block = first; block <= last; ++block)
        stale_[block] = true;
}

void EngineWithBooks::sample(SensorTrace& trace) const {
    trace.resize_rows(1);
    for (std::size_t s = 0; s < trace.beads.size(); ++s)
        record(trace, 0, s, trace.beads[s]);
}

EngineWithBooks::Sums EngineWithBooks::block_sums(std::size_t begin) const {
    const std::size_t end = std::min(begin + sum_block, n_);
    const std::size_t contact_end = std::min(begin + sum_block, n_ + 1);
    const double* const u = state_.displacement;
    const double* const v = state_.velocity;
    std::array<double, sum_block> mass, approach, energy;
    masses(begin, end, mass.data());
    for (std::size_t c = std::max<std::size_t>(begin, 1); c < end; ++c)
        approach[c - begin] = u[c - 1] - u[c];
    if (begin == 0) approach[0] = left_wall_.displacement(step_) - u[0];
    if (contact_end > end) approach[end - begin] = u[n_ - 1] - right_wall_.displacement(step_);
    stored_energies(begin, contact_end, approach.data(), energy.data());

    // All in one loop: the next number of a sum waits four cycles for the one before.
    double kinetic = 0.0, momentum = 0.0, stored = 0.0, moment = 0.0, given = 0.0, power = 0.0;
    const auto add = [&](auto dissipates) {
        const double* const powers = state_.power;
        const double* const force = state_.force;
        for (std::size_t i = begin; i < end; ++i) {
            const double m = mass[i - begin];
            stored += energy[i - begin];
            kinetic += 0.5 * m * v[i] * v[i];
            momentum += m * v[i];
            moment += m * u[i];
            if constexpr (dissipates) {
                given += powers[i];
                power += (force[i] - force[i + 1]) * v[i];
            }
        }
    };
    if (state_.power == nullptr) {
        add(std::false_type{});
    } else {
        add(std::true_type{});
    }
    if (contact_end > end) stored += energy[end - begin];
    return {.kinetic = kinetic,
            .momentum = momentum,
            .stored = stored,
            .moment = moment,
            .given = given,
            .power = power};
}

EngineWithBooks::Sums EngineWithBooks::sums() const {
    const std::size_t blocks = stale_.size();
    const auto renew = [&](std::size_t block) {
        if (!stale_[block]) return;
        block_sums_[block] = block_sums(block * sum_block);
        stale_[block] = false;
    };
    const auto stale = static_cast<std::size_t>(std::ranges::count(stale_, char{true}));
#pragma omp parallel for schedule(guided) \
    num_threads(threads()) if (threads() > 1 && stale >= fewest_shared_blocks)
    for (std::size_t block = 0; block < blocks; ++block)
        renew(block);
    const auto total = [&](double Sums::*sum) {
        BlockTotal all;
        for (const Sums& block : block_sums_)
            all.add(block.*sum);
        return all.value();
    };
    return {.kinetic = total(&Sums::kinetic),
            .momentum = total(&Sums::momentum),
            .stored = total(&Sums::stored),
            .moment = total(&Sums::moment),
            .given = total(&Sums::given),
            .power = total(&Sums::power)};
}

Totals EngineWithBooks::totals() const {
    const Sums now = sums();
    const double wall_work = left_wall_.work() + right_wall_.work();
    Totals totals{};
    totals.kinetic = now.kinetic;
    totals.momentum = now.momentum;
    totals.stored = now.stored;
    if (state_.power != nullptr) {
        const double given = dt_ * (now.given - 0.5 * now.power + 0.5 * initial_power_);
        // The contacts' work on the driven walls is what these do on the chain, taken away.
        totals.dissipated = wall_work - given - (totals.stored - initial_stored_);
    }
    totals.external_work = wall_work;
    if (gravity_ != 0.0) totals.external_work += gravity_ * now.moment;
    for (const chain::Load& load : loads_)
        totals.external_work += load.force * state_.displacement[load.bead];
    return totals;
}

std::optional<std::size_t> EngineWithBooks::first_non_finite() const {
    if (built_broken_) return built_broken_;
    if (restored_broken_) return restored_broken_;
    return may_be_broken() ? broken_bead() : std::nullopt;
}

std::optional<std::size_t> EngineWithBooks::broken_bead() const {
    const auto bead_is_finite = [&](std::size_t i) {
        return std::isfinite(state_.displacement[i]) && std::isfinite(state_.velocity[i]) &&
               std::isfinite(state_.gain[i]) &&
               (state_.power == nullptr || std::isfinite(state_.power[i]));
    };
    for (std::size_t i = 0; i <= n_; ++i) {
        const bool contact = std::isfinite(state_.force[i]) &&
                             std::ranges::all_of(state_.memory, [&](const double* column) {
                                 return std::isfinite(column[i]);
                             });
        if (!contact || (i < n_ && !bead_is_finite(i))) return std::min(i, n_ - 1);
    }
    return std::nullopt;
}

std::vector<StateColumn> EngineWithBooks::state() {
    std::vector<StateColumn> columns = {{"displacement", {state_.displacement, n_}},
                                        {"velocity", {state_.velocity, n_}},
                                        {"gain", {state_.gain, n_}},
                                        {"contact_force", {state_.force, n_ + 1}},
                                        {"initial_stored", {&initial_stored_, 1}},
                                        {"initial_power", {&initial_power_, 1}}};
    if (state_.power != nullptr) columns.push_back({"power", {state_.power, n_}});
    for (std::size_t k = 0; k < state_.memory.size(); ++k)
        columns.push_back({"memory_" + std::to_string(k), {state_.memory[k], n_ + 1}});
    add_columns(columns);
    if (left_wall_.moves()) columns.push_back({"left_wall_work", left_wall_.work_numbers()});
    if (right_wall_.moves()) columns.push_back({"right_wall_work", right_wall_.work_numbers()});
    return columns;
}

}  // namespace beadwave::dynamics
