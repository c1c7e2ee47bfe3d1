#include "gradients/static_start.hpp"

#include "beadwave/running/run_error.hpp"
#include "gradients/law_kernel.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::gradients {
namespace {

/// Static stiffness [N/m] of each contact at its overlap, and the derivatives of its force by the
/// numbers of the law.
struct StaticSlopes {
    std::vector<double> stiffness;
    std::vector<std::vector<double>> by_law;
};

/// The law is asked twice: a contact that starts closed has been loaded to its overlap.
StaticSlopes static_slopes(const MotionNumbers& numbers, const std::vector<char>& wanted,
                           const laws::AnyLaw& law) {
    const std::size_t count = numbers.gap.size();
    const LawKernel& kernel = law_kernel(law.index());
    const std::vector<double> rest(count, 0.0);
    std::vector<double> overlap(count, 0.0), force(count, 0.0);
    std::vector<const double*> columns;
    for (const std::vector<double>& column : numbers.law)
        columns.push_back(column.data());
    for (std::size_t c = 0; c < count; ++c) {
        if (wanted[c] != 0) overlap[c] = -numbers.gap[c];
    }
    std::vector<std::vector<double>> memory(law.traits().memory_numbers, rest), loaded;
    const auto pointers = [](std::vector<std::vector<double>>& all) {
        std::vector<double*> to;
        for (std::vector<double>& column : all)
            to.push_back(column.data());
        return to;
    };
    kernel.respond({.count = count,
                    .law = columns.data(),
                    .overlap = overlap.data(),
                    .approach_speed = rest.data(),
                    .memory = pointers(memory).data(),
                    .force = force.data()});
    loaded = memory;
    StaticSlopes slopes{std::vector<double>(count, 0.0),
                        std::vector<std::vector<double>>(numbers.law.size(), rest)};
    std::vector<std::vector<double>> memory_bar(memory.size(), rest);
    std::vector<double> force_bar(wanted.begin(), wanted.end()), overlap_bar(rest), speed_bar(rest),
        blow(rest), before(rest);
    for (int time = 0; time < 2; ++time) {
        std::vector<double*> memory_pointers = pointers(loaded), memory_bars = pointers(memory_bar),
                             law_bars = pointers(slopes.by_law);
        kernel.reverse({.count = count,
                        .law = columns.data(),
                        .overlap = overlap.data(),
                        .approach_speed = rest.data(),
                        .memory = memory_pointers.data(),
                        .force_bar = force_bar.data(),
                        .energy_bar = nullptr,
                        .memory_bar = memory_bars.data(),
                        .overlap_bar = overlap_bar.data(),
                        .approach_speed_bar = speed_bar.data(),
                        .law_bar = law_bars.data(),
                        .time_step = 1.0,
                        .overlap_before = nullptr,
                        .approach_speed_before = nullptr,
                        .blow_bar = blow.data(),
                        .overlap_before_bar = before.data()});
        for (std::size_t c = 0; c < count; ++c)
            slopes.stiffness[c] += overlap_bar[c];
        for (std::vector<double>& column : loaded)
            column = rest;
        force_bar = rest;
    }
    return slopes;
}

}  // namespace

StaticStart::StaticStart(const std::optional<chain::StaticLoads>& loads,
                         const MotionNumbers& numbers, const laws::AnyLaw& law)
    : loads_(loads), law_(law) {
    if (loads_) last_load_ = last_force(forces(numbers), numbers);
}

std::vector<double> StaticStart::weights(const MotionNumbers& numbers) const {
    std::vector<double> weight(numbers.mass.size(), 0.0);
    if (!(loads_->gravity > 0.0)) return weight;
    weight = numbers.mass;
    for (const chain::Resonator& each : numbers.elements.resonators)
        weight[each.bead] += each.mass;
    for (double& each : weight)
        each *= loads_->gravity;
    if (loads_->first_is_fixed) weight[loads_->first] = 0.0;
    return weight;
}

std::vector<double> StaticStart::forces(const MotionNumbers& numbers) const {
    std::vector<double> force(numbers.gap.size(), 0.0);
    const std::vector<double> weight = weights(numbers);
    double carried = numbers.precompression;
    for (std::size_t c = loads_->first; c <= loads_->last_contact; ++c) {
        if (c > loads_->first) carried += weight[c - 1];
        if (carries(c)) force[c] = carried;
    }
    return force;
}

double StaticStart::last_force(const std::vector<double>& forces,
                               const MotionNumbers& numbers) const {
    const std::size_t c = loads_->last_contact;
    return carries(c) ? forces[c] : numbers.precompression;
}

std::vector<char> StaticStart::follows(const MotionNumbers& numbers) const {
    std::vector<char> all(numbers.gap.size(), 0);
    if (!loads_) return all;
    const std::vector<double> force = forces(numbers);
    for (std::size_t c = 0; c < all.size(); ++c)
        all[c] = force[c] > 0.0 ? 1 : 0;
    return all;
}

void StaticStart::apply(MotionNumbers& numbers) const {
    if (!loads_) return;
    const std::vector<double> force = forces(numbers);
    const std::vector<char> closed = follows(numbers);
    laws::AnyLaw law = law_;
    for (std::size_t c = loads_->first_contact; c <= loads_->last_contact; ++c) {
        if (closed[c] == 0) continue;
        for (std::size_t k = 0; k < numbers.law.size(); ++k)
            law.numbers()[k] = numbers.law[k][c];
        const double overlap = laws::overlap_at_force(law, force[c]);
        if (!std::isfinite(overlap)) {
            throw running::RunError(
                fmt::format("contact {} cannot carry {:.6g} N under this law", c, force[c]));
        }
        numbers.gap[c] = -overlap;
    }
    if (loads_->loads_first)
        numbers.load[loads_->first] += numbers.precompression - loads_->squeeze;
    if (loads_->loads_last) numbers.load[loads_->last] -= last_force(force, numbers) - last_load_;
}

void StaticStart::reverse(const MotionNumbers& numbers, MotionNumbers& bars) const {
    if (!loads_) return;
    const std::vector<char> closed = follows(numbers);
    const StaticSlopes slopes = static_slopes(numbers, closed, law_);
    std::vector<double> force_bar(closed.size(), 0.0);
    for (std::size_t c = 0; c < closed.size(); ++c) {
        if (closed[c] == 0) continue;
        const double per_force = bars.gap[c] / slopes.stiffness[c];
        force_bar[c] = -per_force;
        for (std::size_t k = 0; k < bars.law.size(); ++k)
            bars.law[k][c] += per_force * slopes.by_law[k][c];
        bars.gap[c] = 0.0;
    }
    if (loads_->loads_first) bars.precompression += bars.load[loads_->first];
    if (loads_->loads_last) {
        const std::size_t c = loads_->last_contact;
        (carries(c) ? force_bar[c] : bars.precompression) -= bars.load[loads_->last];
    }
    // From the last contact on: the sum over all contacts that carry a weight.
    std::vector<double> weight_bar(numbers.mass.size(), 0.0);
    double sum = 0.0;
    for (std::size_t c = loads_->last_contact + 1; c-- > loads_->first;) {
        sum += force_bar[c];
        if (c > loads_->first) weight_bar[c - 1] = sum;
    }
    bars.precompression += sum;
    if (loads_->first_is_fixed) weight_bar[loads_->first] = 0.0;
    for (std::size_t i = 0; i < weight_bar.size(); ++i)
        bars.mass[i] += loads_->gravity * weight_bar[i];
    for (std::size_t k = 0; k < numbers.elements.resonators.size(); ++k) {
        bars.elements.resonators[k].mass +=
            loads_->gravity * weight_bar[numbers.elements.resonators[k].bead];
    }
}

}  // namespace beadwave::gradients
