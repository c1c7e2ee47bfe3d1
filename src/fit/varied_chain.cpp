#include "fit/varied_chain.hpp"

#include "beadwave/running/simulation.hpp"
#include "fit/setting.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "running/chain_system.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace beadwave::fit {
namespace {

/// A difference formula of fourth order: the weights of the chains at value + offset.
struct Stencil {
    std::array<double, 5> offsets, weights;
};

/// Central, or one-sided next to a bound.
Stencil stencil(double value, double low, double high) {
    // With this step, rounding of the chain's numbers contributes 1e-12 of their scale.
    constexpr double part = 2e-4;
    double h = part * std::min(high - low, std::max(std::abs(value), 0.1 * (high - low)));
    h = std::exp2(std::round(std::log2(h)));  // value + h and value - h are exactly 2 h apart
    if (value - 2.0 * h >= low && value + 2.0 * h <= high) {
        const double w = 1.0 / (12.0 * h);
        return {{-2.0 * h, -h, 0.0, h, 2.0 * h}, {w, -8.0 * w, 0.0, 8.0 * w, -w}};
    }
    if (value + 2.0 * h > high) h = -h;
    const double w = 1.0 / (12.0 * h);
    return {{0.0, h, 2.0 * h, 3.0 * h, 4.0 * h},
            {-25.0 * w, 48.0 * w, -36.0 * w, 16.0 * w, -3.0 * w}};
}

bool same_ends(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isfinite(a[i]) != std::isfinite(b[i])) return false;
    }
    return true;
}

}  // namespace

std::string difference_in_kind(const chain::Chain& a, const chain::Chain& b) {
    if (a.beads() != b.beads()) return "the number of beads varies";
    if (a.contacts.first().index() != b.contacts.first().index()) return "the law varies";
    const bool same = same_ends(a.gap, b.gap) && a.left_fixed == b.left_fixed &&
                      a.right_fixed == b.right_fixed &&
                      a.left_drive.has_value() == b.left_drive.has_value() &&
                      a.right_drive.has_value() == b.right_drive.has_value();
    return same ? "" : "the boundaries vary";
}

VariedChain::VariedChain(const FitProblem& problem)
    : problem_(problem), document_(io::load_toml(problem.scenario, problem.overrides)) {}

bool VariedChain::is_chain() const {
    return !document_.root().has("body") && !document_.root().has("particles");
}

chain::Scenario VariedChain::scenario(std::span<const double> values) const {
    std::vector<std::string> settings;
    for (std::size_t k = 0; k < values.size(); ++k)
        settings.push_back(setting(problem_.keys[k], values[k]));
    return naming_bounds([&] {
        return io::read_chain(io::variant_of(document_, settings),
                              io::NamedFiles::relative_to(problem_.scenario))
            .scenario;
    });
}

chain::Chain VariedChain::chain(std::span<const double> values) const {
    return running::build_chain(scenario(values));
}

VariedChain::Ready VariedChain::at(std::span<const double> values) const {
    const chain::Scenario read = scenario(values);
    Ready ready{.chain = running::build_chain(read),
                .settings = running::settings_of(read),
                .time_step = {}};
    ready.time_step = running::choose_time_step(read, ready.chain);
    return ready;
}

VariedChain::Change VariedChain::change(const chain::Chain& own, std::vector<double> values,
                                        std::size_t k) const {
    const Stencil points = stencil(values[k], problem_.low[k], problem_.high[k]);
    Change change{dynamics::ChainNumbers(own), {}};
    change.numbers.clear();
    const double value = values[k];
    for (std::size_t j = 0; j < points.offsets.size(); ++j) {
        if (points.weights[j] == 0.0) continue;
        values[k] = value + points.offsets[j];
        const chain::Chain other = points.offsets[j] == 0.0 ? own : chain(values);
        change.obstacle = difference_in_kind(own, other);
        if (!change.obstacle.empty()) return change;
        change.numbers.add(dynamics::ChainNumbers(other), points.weights[j]);
    }
    return change;
}

VariedChain::Changing VariedChain::changing_at(std::span<const double> values) const {
    std::vector<double> ordinary(values.begin(), values.end());
    Changing all{at(ordinary), {}};
    std::size_t moved = 0;  // keys before this one have their final value
    for (std::size_t k = 0; k < ordinary.size();) {
        Change change = this->change(all.ready.chain, ordinary, k);
        if (change.obstacle.empty()) {
            all.changes.push_back(std::move(change.numbers));
            ++k;
            continue;
        }
        // A law may have separate code for one value, such as an exponent of 3/2. Next to that
        // value all variants of the law have the same numbers.
        if (k < moved) {
            throw running::RunError(fmt::format("no derivative by {} at {:g}: {}", problem_.keys[k],
                                                values[k], change.obstacle));
        }
        const double middle = 0.5 * (problem_.low[k] + problem_.high[k]);
        const double aside = 1e-12 * (problem_.high[k] - problem_.low[k]);
        ordinary[k] += values[k] > middle ? -aside : aside;
        all = {at(ordinary), {}};
        moved = k + 1;
        k = 0;
    }
    return all;
}

}  // namespace beadwave::fit
