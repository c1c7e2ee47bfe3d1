#include "modes/lowest_modes.hpp"

#include "beadwave/input_error.hpp"
#include "modes/lowest_subspace.hpp"
#include "modes/packing_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace beadwave::modes {
namespace {

using packing::Vec3;

/// The packing without the bodies that touch nothing; `kept`: the others.
linear::PackingOperator connected(const linear::PackingOperator& packing,
                                  std::vector<std::size_t>& kept) {
    const std::size_t c = packing.components();
    constexpr std::uint32_t ground = linear::Link::ground;
    std::vector<char> touched(packing.body.size());
    for (const linear::Link& link : packing.links)
        for (const std::uint32_t body : {link.first, link.second})
            if (body != ground) touched[body] = 1;
    linear::PackingOperator rest;
    rest.dimension = packing.dimension;
    rest.rotates = packing.rotates;
    rest.links = packing.links;
    rest.box = packing.box;
    std::vector<std::uint32_t> index(packing.body.size(), ground);
    for (std::size_t i = 0; i < packing.body.size(); ++i) {
        if (touched[i] == 0) continue;
        index[i] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(i);
        rest.body.push_back(packing.body[i]);
        rest.radius.push_back(packing.radius[i]);
        rest.position.push_back(packing.position[i]);
        for (std::size_t k = 0; k < c; ++k)
            rest.mass.push_back(packing.mass[i * c + k]);
    }
    for (linear::Link& link : rest.links)
        for (std::uint32_t* body : {&link.first, &link.second})
            if (*body != ground) *body = index[*body];
    return rest;
}

/// The modes of all bodies from those of the connected ones.
Modes with_loose(const linear::PackingOperator& packing, const std::vector<std::size_t>& kept,
                 std::size_t loose, const Modes& of_connected) {
    const std::size_t c = packing.components(), n = packing.size();
    Modes modes{.rigid = loose + of_connected.rigid,
                .unstable = of_connected.unstable,
                .freedoms = n,
                .warnings = of_connected.warnings};
    std::vector<char> is_kept(packing.body.size());
    for (const std::size_t body : kept)
        is_kept[body] = 1;
    std::vector<double> shape(n);
    for (std::size_t i = 0; i < n && modes.frequency.size() < loose; ++i) {
        if (is_kept[i / c] != 0) continue;
        shape[i] = 1.0;
        add_shape(packing, shape.data(), modes);
        shape[i] = 0.0;
        modes.frequency.push_back(0.0);
    }
    for (std::size_t k = 0; k < of_connected.frequency.size(); ++k) {
        for (std::size_t j = 0; j < kept.size() * c; ++j) {
            const std::size_t i = kept[j / c] * c + j % c;
            shape[i] =
                of_connected.shape[k * kept.size() * c + j].real() * std::sqrt(packing.mass[i]);
        }
        add_shape(packing, shape.data(), modes);
        modes.frequency.push_back(of_connected.frequency[k]);
    }
    return modes;
}

/// The part of the spectrum of omega^2 that holds the `count` lowest waves of an elastic body of
/// this shape, with some room. A wave has a multiple of half a wave length along each side, at
/// least of the size of a particle: along thin sides there is only one.
double share_of_spectrum(const linear::PackingOperator& packing, std::size_t count) {
    Vec3 low = packing.position[0], high = low;
    double diameter = 0.0;
    for (std::size_t i = 0; i < packing.body.size(); ++i) {
        const Vec3& r = packing.position[i];
        low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
        high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
        diameter += 2.0 * packing.radius[i] / static_cast<double>(packing.body.size());
    }
    const Vec3 size = (high - low) * (1.0 / diameter) + Vec3{1.0, 1.0, 1.0};
    // `part`: the largest wave number over that of the shortest wave.
    const auto waves = [&](double part) {
        return packing.dimension * std::max(1.0, size.x * part) * std::max(1.0, size.y * part) *
               std::max(1.0, size.z * part);
    };
    const double wanted = std::max(static_cast<double>(count), 2.0 * packing.dimension);
    double part = 1.0;
    while (part > 1e-4 && waves(part) > wanted)
        part *= 0.97;
    return std::clamp(2.0 * part * part, 1e-7, 0.2);
}

Modes solve_connected(const linear::PackingOperator& packing, std::size_t count, int threads,
                      const std::string& name, const Stop& stop) {
    const std::size_t n = packing.size();
    if (n < 2 * count + 40) {
        throw InputError(
            fmt::format("{}: {} freedoms are too few for the lowest {} modes alone; "
                        "expected all modes, or fewer",
                        name, n, count));
    }
    PanelProduct product(packing, threads);
    const LowestSubspace found =
        find_lowest(product, count, share_of_spectrum(packing, count), stop);
    Modes modes{.freedoms = n};
    modes.shape.reserve(count * n);
    const double zero = 1e-11 * found.highest;
    double worst = 0.0;
    std::vector<double> shape(n);
    for (std::size_t k = 0; k < count; ++k) {
        const double square = found.values[k], residual = found.residuals[k];
        modes.frequency.push_back(square > zero ? std::sqrt(square) / (2.0 * std::numbers::pi)
                                                : 0.0);
        if (square <= zero) ++modes.rigid;
        if (square < -zero) ++modes.unstable;
        // The error of a frequency is of second order in the residual.
        if (square > zero) worst = std::max(worst, residual / square);
        for (std::size_t i = 0; i < n; ++i)
            shape[i] = found.number(k, i);
        add_shape(packing, shape.data(), modes);
    }
    if (!found.converged || worst > 1e-4) {
        modes.warnings.push_back(
            fmt::format("the lowest {} modes did not converge fully: some may be missing, and the "
                        "residuals are up to {:.2g} of omega squared",
                        count, worst));
    }
    if (modes.unstable > 0) {
        modes.warnings.push_back(
            fmt::format("{} modes grow under the static load: the packing buckles; their "
                        "frequencies are listed as 0",
                        modes.unstable));
    }
    return modes;
}

}  // namespace

Modes solve_lowest(const linear::PackingOperator& packing, std::size_t count, int threads,
                   const std::string& name, const Stop& stop) {
    std::vector<std::size_t> kept;
    const linear::PackingOperator rest = connected(packing, kept);
    const std::size_t loose =
        std::min(count, packing.components() * (packing.body.size() - kept.size()));
    Modes found;
    if (loose < count) found = solve_connected(rest, count - loose, threads, name, stop);
    Modes modes = kept.size() == packing.body.size() ? std::move(found)
                                                     : with_loose(packing, kept, loose, found);
    modes.warnings.insert(modes.warnings.begin(), packing.warnings.begin(), packing.warnings.end());
    if (packing.damped())
        add_first_order_damping(packing, "damped modes are computed with all modes only", modes);
    return modes;
}

}  // namespace beadwave::modes
