#include "fit/varied_chain.hpp"

#include "beadwave/running/simulation.hpp"
#include "fit/setting.hpp"
#include "running/chain_system.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace beadwave::fit {
namespace {

/// A difference formula of fourth order: the weights of the chains at value + offset.
struct ChainStencil {
    std::array<double, 5> offsets, weights;
};

/// The formulas within the bounds: central, from below, from above.
std::vector<ChainStencil> stencils(double value, double low, double high) {
    // With this step, rounding of the chain's numbers contributes 1e-12 of their scale.
    constexpr double part = 2e-4;
    double h = part * std::min(high - low, std::max(std::abs(value), 0.1 * (high - low)));
    h = std::exp2(std::round(std::log2(h)));  // value + h and value - h are exactly 2 h apart
    const double w = 1.0 / (12.0 * h);
    std::vector<ChainStencil> all;
    if (value - 2.0 * h >= low && value + 2.0 * h <= high)
        all.push_back({{-2.0 * h, -h, 0.0, h, 2.0 * h}, {w, -8.0 * w, 0.0, 8.0 * w, -w}});
    for (const double side : {-h, h}) {
        if (value + 4.0 * side < low || value + 4.0 * side > high) continue;
        const double v = 1.0 / (12.0 * side);
        all.push_back({{0.0, side, 2.0 * side, 3.0 * side, 4.0 * side},
                       {-25.0 * v, 48.0 * v, -36.0 * v, 16.0 * v, -3.0 * v}});
    }
    return all;
}

/// The largest fourth difference of a list of numbers, relative to the change of the numbers over
/// one step. A smooth function leaves rounding; a jump or a kink between the points is of order 1.
double roughness(const dynamics::ChainNumbers& own, const dynamics::ChainNumbers& fourth,
                 const dynamics::ChainNumbers& slope, double step) {
    constexpr double rounding = 1e-10;  // changes below this, relative to the number, are rounding
    double largest = 0.0;
    const auto numbers = own.columns(), differences = fourth.columns(), slopes = slope.columns();
    for (std::size_t k = 0; k < slopes.size(); ++k) {
        double difference = 0.0, change = 0.0, size = 0.0;
        for (std::size_t i = 0; i < slopes[k]->size(); ++i) {
            const double number = (*numbers[k])[i];
            if (!std::isfinite(number)) continue;
            size = std::max(size, std::abs(number));
            difference = std::max(difference, std::abs((*differences[k])[i]));
            change = std::max(change, std::abs((*slopes[k])[i] * step));
        }
        if (change > rounding * size) largest = std::max(largest, difference / change);
    }
    return largest;
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
    const std::string carried = dynamics::difference_in_elements(a.elements, b.elements);
    if (!carried.empty()) return carried;
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

io::TomlDocument VariedChain::variant(const io::TomlDocument& document, std::size_t first,
                                      std::span<const double> values) const {
    std::vector<std::string> settings;
    for (std::size_t k = 0; k < values.size(); ++k)
        settings.push_back(setting(problem_.keys[first + k], values[k]));
    return naming_bounds([&] { return io::variant_of(document, settings); });
}

chain::Scenario VariedChain::scenario(io::TomlDocument document) const {
    return naming_bounds([&] {
        return io::read_chain_variant(std::move(document),
                                      io::NamedFiles::relative_to(problem_.scenario));
    });
}

chain::Chain VariedChain::chain(std::span<const double> values) const {
    return running::build_chain(scenario(variant(document_, 0, values)));
}

VariedChain::Ready VariedChain::at(std::span<const double> values) const {
    const chain::Scenario read = scenario(variant(document_, 0, values));
    Ready ready{.chain = running::build_chain(read),
                .settings = running::settings_of(read),
                .time_step = {}};
    ready.time_step = running::choose_time_step(read, ready.chain);
    return ready;
}

VariedChain::Change VariedChain::change(const chain::Chain& own, const io::TomlDocument& document,
                                        double value, std::size_t k) const {
    constexpr std::array<double, 5> fourth_difference{1.0, -4.0, 6.0, -4.0, 1.0};
    // A number that is assembled from pieces, as the hysteresis factor of `yu`, may jump a little
    // from one piece to the next. There the points on one side alone give the derivative.
    constexpr double smooth = 1e-4;
    Change best{dynamics::ChainNumbers(own), {}};
    double least = std::numeric_limits<double>::infinity();
    const auto chain_at = [&](double place) {
        return running::build_chain(scenario(variant(document, k, {&place, 1})));
    };
    for (const ChainStencil& points : stencils(value, problem_.low[k], problem_.high[k])) {
        Change change{dynamics::ChainNumbers(own), {}};
        change.numbers.clear();
        dynamics::ChainNumbers fourth = change.numbers;
        for (std::size_t j = 0; j < points.offsets.size() && change.obstacle.empty(); ++j) {
            const double offset = points.offsets[j];
            const chain::Chain other = offset == 0.0 ? own : chain_at(value + offset);
            change.obstacle = difference_in_kind(own, other);
            const dynamics::ChainNumbers numbers(other);
            if (!change.obstacle.empty()) break;
            fourth.add(numbers, fourth_difference[j]);
            if (points.weights[j] != 0.0) change.numbers.add(numbers, points.weights[j]);
        }
        if (!change.obstacle.empty()) return change;
        const double rough = roughness(dynamics::ChainNumbers(own), fourth, change.numbers,
                                       points.offsets[4] - points.offsets[3]);
        if (rough < least) {
            least = rough;
            best = std::move(change);
        }
        if (least < smooth) break;
    }
    return best;
}

VariedChain::Changing VariedChain::changing_at(std::span<const double> values) const {
    std::vector<double> ordinary(values.begin(), values.end());
    Changing all{at(ordinary), {}};
    io::TomlDocument document = variant(document_, 0, ordinary);
    std::size_t moved = 0;  // keys before this one have their final value
    for (std::size_t k = 0; k < ordinary.size();) {
        Change change = this->change(all.ready.chain, document, ordinary[k], k);
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
        document = variant(document_, 0, ordinary);
        moved = k + 1;
        k = 0;
    }
    return all;
}

}  // namespace beadwave::fit
