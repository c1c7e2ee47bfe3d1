#include "orbits/first_shape.hpp"

#include "beadwave/input_error.hpp"
#include "linear/chain_operator.hpp"
#include "modes/chain_modes.hpp"
#include "modes/lapack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace beadwave::orbits {
namespace {

/// The lowest mode above the frequency that is no surface mode; otherwise the highest mode.
std::size_t chosen_mode(const modes::Modes& modes, double frequency) {
    for (std::size_t k = modes.rigid; k < modes.frequency.size(); ++k) {
        const bool spread = modes.freedoms < 10 || modes.participation_ratio.empty() ||
                            modes.participation_ratio[k] > 0.1;
        if (spread && modes.frequency[k] >= frequency) return k;
    }
    return modes.frequency.size() - 1;
}

/// The places of the freedoms of the linear chain among those of the map; none: it has no part.
std::vector<std::size_t> places(const linear::ChainOperator& linear, const Search& search) {
    const PeriodMap& map = *search.map;
    std::vector<std::size_t> freedom(search.chain.beads() + search.chain.elements.resonators.size(),
                                     none);
    for (std::size_t i = 0; i < map.freedoms(); ++i)
        freedom[map.body()[i]] = i;
    std::vector<std::size_t> place;
    for (const std::size_t bead : linear.bead)
        place.push_back(freedom[bead]);
    const auto& resonators = search.chain.elements.resonators;
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < resonators.size(); ++k)
        if (!search.chain.is_held(resonators[k].bead)) order.push_back(k);
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return resonators[k].bead; });
    for (const std::size_t k : order)
        place.push_back(freedom[search.chain.beads() + k]);
    return place;
}

/// The chain with every contact that can close under the same load.
chain::Chain squeezed(const chain::Chain& chain, const std::string& name) {
    chain::Chain loaded = chain;
    const std::size_t n = chain.beads();
    if (!std::isfinite(chain.gap[0]) || !std::isfinite(chain.gap[n])) {
        throw InputError(fmt::format(
            "{}: the chain is loose and has a free end, so that its beads fly apart; orbits need "
            "precompression.force, or walls at both ends",
            name));
    }
    const double small = 1e-4 * *std::ranges::min_element(chain.radius);
    const double force = laws::first_loading_force(chain.contacts.at(0), small);
    for (std::size_t c = 0; c <= n; ++c)
        loaded.gap[c] = -laws::overlap_at_force(chain.contacts.at(c), force);
    return loaded;
}

}  // namespace

FirstShape first_shape_of(const Search& search) {
    PeriodMap& map = *search.map;
    const std::size_t n = map.freedoms();
    // One step from rest, so short that the force is that of the start.
    const double step = 1e-5 / search.frequency;
    Tangent tangent{Matrix(n, n), Matrix(n, n)};
    for (std::size_t i = 0; i < n; ++i)
        tangent.displacement(i, i) = 1.0;
    State state = map.rest();
    map.run(state, step, 1, &tangent);
    std::vector<double> matrix(n * n);  // M^(-1/2) K M^(-1/2)
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            matrix[i * n + j] =
                -tangent.velocity(i, j) / step * std::sqrt(map.mass(i) / map.mass(j));
    const std::vector<double> squares = modes::lapack::symmetric(matrix, n);
    const auto frequency = [&](std::size_t k) {
        return std::sqrt(std::max(squares[k], 0.0)) / (2.0 * std::numbers::pi);
    };
    const auto spread = [&](std::size_t k) {
        double fourth = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            fourth += std::pow(matrix[k * n + i], 4.0);
        return 1.0 / (static_cast<double>(n) * fourth) > 0.1;
    };
    std::size_t mode = 0;
    while (mode + 1 < n && !(frequency(mode) >= search.frequency && spread(mode)))
        ++mode;
    FirstShape first{.displacement = std::vector<double>(n),
                     .frequency = frequency(mode),
                     .small = true,
                     .what = fmt::format("mode {} of the middle of the chain, at {:.6g} Hz", mode,
                                         frequency(mode))};
    for (std::size_t i = 0; i < n; ++i)
        first.displacement[i] = matrix[mode * n + i] / std::sqrt(map.mass(i));
    const double size = 5e-4 * typical_length(search.chain, map) / largest(first.displacement);
    for (double& u : first.displacement)
        u *= size;
    return first;
}

FirstShape first_shape(const Search& search) {
    const chain::Chain& chain = search.chain;
    const bool loose = std::ranges::none_of(chain.gap, [](double gap) { return gap < 0.0; }) &&
                       chain.elements.pair_forces.empty() && chain.elements.bonds.empty();
    const linear::ChainOperator linear =
        linear::linearise(loose ? squeezed(chain, search.name) : chain, search.name);
    const modes::Modes modes = modes::solve(linear);
    if (modes.shape.empty()) {
        throw InputError(
            fmt::format("{}: {} freedoms are too many for shapes of modes; expected "
                        "at most {}",
                        search.name, linear.freedoms(), modes::most_with_shapes));
    }
    const std::size_t count = modes.frequency.size();
    if (search.mode && *search.mode >= count) {
        throw InputError(fmt::format("{}: --guess mode:{}: the chain has the modes 0 to {}",
                                     search.name, *search.mode, count - 1));
    }
    const std::size_t mode = search.mode ? *search.mode
                             : loose     ? 0
                                         : chosen_mode(modes, search.frequency);
    if (mode < modes.rigid) {
        throw InputError(fmt::format(
            "{}: --guess mode:{} has the frequency 0: the chain moves as a whole; expected a mode "
            "from {}",
            search.name, mode, modes.rigid));
    }
    FirstShape first{
        .displacement = std::vector<double>(search.map->freedoms()),
        .frequency = modes.frequency[mode],
        .small = !loose,
        .what = loose ? fmt::format("mode {} of the chain under load", mode)
                      : fmt::format("mode {} at {:.6g} Hz", mode, modes.frequency[mode])};
    double size = 5e-4 * typical_length(chain, *search.map);
    if (loose) {
        // Far above the gaps, where the frequency grows as amplitude^(1/4); the frequency is that
        // of a load whose overlap is a tenth of the amplitude.
        const double widest = *std::ranges::max_element(chain.gap);
        size = std::max(1e-3 * *std::ranges::min_element(chain.radius), 100.0 * widest);
        first.frequency *= std::pow(size / (1e-3 * *std::ranges::min_element(chain.radius)), 0.25);
    }
    const std::vector<std::size_t> place = places(linear, search);
    double most = 0.0;
    for (std::size_t i = 0; i < place.size(); ++i)
        most = std::max(most, std::fabs(modes.shape[mode * modes.freedoms + i].real()));
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] == none) continue;
        first.displacement[place[i]] = size / most * modes.shape[mode * modes.freedoms + i].real();
    }
    return first;
}

}  // namespace beadwave::orbits
