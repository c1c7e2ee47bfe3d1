#include "packing/neighbours/list_by_parts.hpp"

#include "packing/share_of_rank.hpp"
#include "packing/vector_length.hpp"
#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace beadwave::packing {
namespace {

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

double ListParts::Slabs::place(const Vec3& position) const {
    double part = (position.*axes[axis] - lower) / width;
    if (repeat) part -= std::floor(part);
    return std::clamp(part, 0.0, 1.0) * static_cast<double>(count);
}

double ListParts::Slabs::outside(double place, std::size_t slab) const {
    const auto begin = static_cast<double>(slab), all = static_cast<double>(count);
    const auto from = [&](double at) { return std::max({begin - at, at - begin - 1.0, 0.0}); };
    return repeat ? std::min({from(place), from(place - all), from(place + all)}) : from(place);
}

ListParts::Slabs ListParts::slabs_of(const Packing& packing, double reach, std::size_t most,
                                     ranks::Communicator* ranks) {
    const std::size_t n = packing.particles();
    if (n <= most) return {};
    const Vec3 first = packing.position[0];
    std::array<double, 6> farthest{-first.x, -first.y, -first.z, first.x, first.y, first.z};
    const NumberRange own = share_of_rank(n, ranks);
    for (std::size_t i = own.begin; i < own.end; ++i) {
        const Vec3 p = packing.position[i];
        const double along[] = {-p.x, -p.y, -p.z, p.x, p.y, p.z};
        for (std::size_t k = 0; k < farthest.size(); ++k)
            farthest[k] = std::max(farthest[k], along[k]);
    }
    if (ranks != nullptr) ranks->largest(farthest);
    const Vec3 lower{-farthest[0], -farthest[1], -farthest[2]},
        upper{farthest[3], farthest[4], farthest[5]};
    Slabs slabs{.width = 0.0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool repeat = packing.box.periodic[axis];
        const double from = (repeat ? packing.box.lower : lower).*axes[axis],
                     width = (repeat ? packing.box.upper : upper).*axes[axis] - from;
        if (width > slabs.width) slabs = {axis, 1, from, width, repeat};
    }
    const double widest = slabs.width / (2.0 * reach);
    if (!(widest >= 3.0)) return {};  // a slab has two neighbours
    slabs.count = static_cast<std::size_t>(
        std::min(widest, std::ceil(static_cast<double>(n) / static_cast<double>(most))));
    return slabs.count < 3 ? Slabs{} : slabs;
}

ListParts::ListParts(const Packing& packing, double skin, ranks::Communicator* ranks,
                     std::size_t most)
    : packing_(packing), skin_(skin) {
    const double reach = 2.0 * packing.radius.largest() + skin;
    slabs_ = slabs_of(packing, reach, most, ranks);
    const std::size_t count = slabs_.count;
    const NumberRange own = share_of_rank(count, ranks);
    first_slab_ = own.begin;
    members_.resize(own.end - own.begin);
    if (count == 1) return;
    const double margin = reach * (1.0 + 1e-9) / slabs_.width * static_cast<double>(count);
    const auto each_slab = [&](std::size_t i, const auto& visit) {
        const double place = slabs_.place(packing.position[i]);
        const std::size_t in = slabs_.of(place);
        // A slab is wider than the margin, so that those beside it are all that may be near.
        for (const std::size_t slab :
             {in, in + 1 < count ? in + 1 : 0, in > 0 ? in - 1 : count - 1}) {
            if (slab == in || slabs_.outside(place, slab) <= margin) visit(slab);
        }
    };
    const auto add = [&](std::size_t i) {
        each_slab(i, [&](std::size_t slab) {
            if (slab >= own.begin && slab < own.end)
                members_[slab - own.begin].push_back(static_cast<std::uint32_t>(i));
        });
    };
    const NumberRange seen = share_of_rank(packing.particles(), ranks);
    if (ranks == nullptr) {
        for (std::size_t i = seen.begin; i < seen.end; ++i)
            add(i);
        return;
    }
    ranks::NumberLists out(static_cast<std::size_t>(ranks->count()));
    for (std::size_t i = seen.begin; i < seen.end; ++i) {
        const auto number = static_cast<double>(i);
        each_slab(i, [&](std::size_t slab) {
            std::vector<double>& to = out[rank_with(slab, count, ranks->count())];
            if (to.empty() || to.back() != number) to.push_back(number);
        });
    }
    const auto rank = static_cast<std::size_t>(ranks->rank());
    std::vector<double> kept = std::exchange(out[rank], {});
    ranks::NumberLists in = ranks::exchange_lists(*ranks, std::move(out));
    in[rank] = std::move(kept);
    for (const std::vector<double>& numbers : in) {
        for (const double number : numbers)
            add(static_cast<std::size_t>(number));
    }
}

void ListParts::visit(std::span<const Vec3> moved,
                      const std::function<void(const ListPart&)>& visit) const {
    for (std::size_t k = 0; k < members_.size(); ++k) {
        ListPart part;
        std::vector<std::uint32_t> id = members_[k];
        if (slabs_.count == 1) {
            id.resize(packing_.particles());
            std::iota(id.begin(), id.end(), 0U);
        }
        std::vector<Vec3> position;
        std::vector<double> radius;
        std::vector<char> own, fixed, absent;
        for (const std::uint32_t i : id) {
            position.push_back(packing_.position[i]);
            radius.push_back(packing_.radius[i]);
            const bool is_own =
                slabs_.count == 1 || slabs_.of(slabs_.place(position.back())) == first_slab_ + k;
            own.push_back(is_own ? 1 : 0);
            if (is_own) part.own.push_back(i);
            if (packing_.may_be_held()) fixed.push_back(packing_.is_held(i) ? 1 : 0);
            if (!packing_.pours.empty()) absent.push_back(packing_.waits(i) ? 1 : 0);
        }
        part.list = numbered(find_neighbours({.position = position,
                                              .radius = radius,
                                              .walls = packing_.walls,
                                              .moved = moved,
                                              .box = packing_.box,
                                              .skin = skin_,
                                              .fixed = fixed,
                                              .absent = absent}),
                             id, own, packing_.particles());
        visit(part);
    }
}

}  // namespace beadwave::packing
