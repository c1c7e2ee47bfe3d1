#include "list_travel.hpp"

#include "packing/vector_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::packing {
namespace {

/// With meshes not: what a contact remembers at a seam depends on when lists are built.
bool may_reach_further(const Packing& packing) {
    return may_leave_out_pairs(packing) && !packing.box.strain &&
           std::ranges::none_of(packing.walls, [](const Wall& wall) { return wall.mesh(); });
}

}  // namespace

ListTravel::ListTravel(const Packing& packing, double time_step)
    : far(may_reach_further(packing), time_step, skin_of(packing), packing.radius.smallest()),
      skin_(skin_of(packing)),
      reach_(2.0 * packing.radius.largest() + skin_) {}

void ListTravel::include(const BlockShare& share) {
    all_ = next_.front();
    for (const Extent& of_block : next_)
        all_.include(of_block);
    farthest_ = *std::ranges::max_element(next_farthest_);
    if (share.shared()) share_with_ranks(share.ranks());
}

void ListTravel::share_with_ranks(ranks::Communicator& ranks) {
    // A component that is not finite counts on no rank: the run is about to fail.
    const auto known = [](double x) {
        return std::isnan(x) ? -std::numeric_limits<double>::infinity() : x;
    };
    std::array<double, 7> most{};
    for (std::size_t k = 0; k < 3; ++k) {
        most[k] = known(-all_.lowest[k]);
        most[3 + k] = known(all_.highest[k]);
    }
    most[6] = known(farthest_);
    ranks.largest(most);
    farthest_ = most[6];
    for (std::size_t k = 0; k < 3; ++k) {
        all_.lowest[k] = -most[k];
        all_.highest[k] = most[3 + k];
    }
}

/// Two bodies cannot approach by more than the largest difference of two displacements.
double ListTravel::largest_difference(const ListWalls& walls) const {
    Extent all = all_;
    double turned = 0.0;  // of a wall that turns: with its own way
    for (std::size_t w = 0; w < walls.count(); ++w) {
        const Vec3 u = walls.moved(w);
        all.include({{u.x, u.y, u.z}, {u.x, u.y, u.z}});
        if (const double by = walls.turned(w); by > 0.0)
            turned = std::max(turned, length_of(u) + by);
    }
    double moved = all.diagonal();
    if (turned > 0.0) moved = std::max(moved, all_.longest() + turned);
    if (far.any()) {
        // A fast one and another may have come closer by the reach and what the other has moved.
        moved = std::max({moved, all.longest(), turned, skin_ + farthest_});
    }
    return moved;
}

std::array<double, 6> ListTravel::corners() const {
    std::array<double, 6> corners;
    std::ranges::copy(all_.lowest, corners.begin());
    std::ranges::copy(all_.highest, corners.begin() + 3);
    return corners;
}

void ListTravel::restore(std::int64_t lists, std::span<const double> corners) {
    lists_ = lists;
    std::copy_n(corners.begin(), 3, all_.lowest.begin());
    std::copy_n(corners.begin() + 3, 3, all_.highest.begin());
}

}  // namespace beadwave::packing
