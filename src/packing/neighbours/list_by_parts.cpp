#include "packing/neighbours/list_by_parts.hpp"

#include "packing/vector_length.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace beadwave::packing {
namespace {

/// Slabs of equal width across an axis.
struct Slabs {
    std::size_t axis = 0, count = 1;
    double lower = 0.0, width = 1.0;  ///< of all slabs together [m]
    bool repeat = false;              ///< behind the last one comes the first

    /// The place in the slabs [in their widths], from 0 up to `count`.
    double place(const Vec3& position) const {
        double part = (position.*axes[axis] - lower) / width;
        if (repeat) part -= std::floor(part);
        return std::clamp(part, 0.0, 1.0) * static_cast<double>(count);
    }
    std::size_t of(const Vec3& position) const {
        return std::min(static_cast<std::size_t>(place(position)), count - 1);
    }
    /// How far a place is outside of a slab [in widths].
    double outside(double place, std::size_t slab) const {
        const auto begin = static_cast<double>(slab), all = static_cast<double>(count);
        const auto from = [&](double at) { return std::max({begin - at, at - begin - 1.0, 0.0}); };
        return repeat ? std::min({from(place), from(place - all), from(place + all)}) : from(place);
    }
};

/// One slab if the packing is small.
Slabs slabs_of(const Packing& packing, double reach, std::size_t most) {
    const std::size_t n = packing.particles();
    if (n <= most) return {};
    Vec3 lower = packing.position[0], upper = lower;
    for (const Vec3& p : packing.position) {
        lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
        upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
    }
    Slabs slabs{.width = 0.0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool repeat = packing.box.periodic[axis];
        const double from = (repeat ? packing.box.lower : lower).*axes[axis],
                     width = (repeat ? packing.box.upper : upper).*axes[axis] - from;
        if (width > slabs.width) slabs = {axis, 1, from, width, repeat};
    }
    const double widest = slabs.width / (2.0 * reach);
    if (!(widest >= 3.0)) return {};     // a slab has two neighbours
    constexpr double most_slabs = 16.0;  // all particles are looked at for each
    slabs.count = static_cast<std::size_t>(std::min(
        {widest, std::ceil(static_cast<double>(n) / static_cast<double>(most)), most_slabs}));
    return slabs.count < 3 ? Slabs{} : slabs;
}

/// Gives the bodies of a list the numbers that they have among all, and leaves out the pairs of
/// which a slab has no particle. `id`: of each particle in the list; `own`: the slab has it.
NeighbourList numbered(NeighbourList list, const std::vector<std::uint32_t>& id,
                       const std::vector<char>& own, std::size_t particles) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < list.pairs(); ++k) {
        const std::uint32_t first = list.first[k], second = list.second[k];
        const bool ghost = second >= id.size();
        const std::uint32_t of = ghost ? list.ghosts[second - id.size()].of : second;
        if (own[first] == 0 && own[of] == 0) continue;
        list.first[kept] = id[first];
        list.second[kept++] =
            ghost ? static_cast<std::uint32_t>(particles + (second - id.size())) : id[second];
    }
    list.first.resize(kept);
    list.second.resize(kept);
    for (Ghost& ghost : list.ghosts)
        ghost.of = id[ghost.of];
    return list;
}

}  // namespace

void visit_neighbours(const Packing& packing, std::span<const Vec3> moved,
                      const std::function<void(const ListPart&)>& visit, std::size_t most) {
    const double skin = skin_of(packing);
    const double reach = 2.0 * *std::ranges::max_element(packing.radius) + skin;
    const Slabs slabs = slabs_of(packing, reach, most);
    const std::vector<char> held = packing.held(), waiting = packing.waiting();
    const double margin = reach * (1.0 + 1e-9) / slabs.width * static_cast<double>(slabs.count);
    for (std::size_t slab = 0; slab < slabs.count; ++slab) {
        ListPart part;
        std::vector<std::uint32_t> id;
        std::vector<Vec3> position;
        std::vector<double> radius;
        std::vector<char> own, fixed, absent;
        for (std::size_t i = 0; i < packing.particles(); ++i) {
            const Vec3 place = packing.position[i];
            const bool is_own = slabs.count == 1 || slabs.of(place) == slab;
            if (!is_own && slabs.outside(slabs.place(place), slab) > margin) continue;
            id.push_back(static_cast<std::uint32_t>(i));
            if (is_own) part.own.push_back(id.back());
            own.push_back(is_own ? 1 : 0);
            position.push_back(place);
            radius.push_back(packing.radius[i]);
            if (!held.empty()) fixed.push_back(held[i]);
            if (!waiting.empty()) absent.push_back(waiting[i]);
        }
        part.list = numbered(find_neighbours({.position = position,
                                              .radius = radius,
                                              .walls = packing.walls,
                                              .moved = moved,
                                              .box = packing.box,
                                              .skin = skin,
                                              .fixed = fixed,
                                              .absent = absent}),
                             id, own, packing.particles());
        visit(part);
    }
}

}  // namespace beadwave::packing
