#include "packing/elements/unfelt_overlap.hpp"

#include "packing/build/particle_shapes.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/vector_length.hpp"
#include "packing/walls/mesh_place.hpp"
#include "packing/walls/wall_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace beadwave::packing {
namespace {

bool moves(const Wall& wall) {
    return length_of(wall.velocity) > 0.0 || wall.drive;
}

bool is_driven(const Packing& packing, std::size_t particle) {
    return packing.is_held(particle) && !packing.is_fixed(particle);
}

/// The deepest pair so far, and all pairs.
struct Deepest {
    double depth = 0.0, time = 0.0;
    std::string what{};
    std::set<std::pair<std::size_t, std::size_t>> pairs{};
};

class Search {
  public:
    explicit Search(const Packing& packing) : packing_(packing) {
        for (std::size_t i = 0; i < packing.particles(); ++i) {
            if (!packing.is_held(i)) continue;
            held_.push_back(i);
            radius_.push_back(packing.radius[i]);
            start_.push_back(packing.position[i]);
        }
        for (const DrivenParticle& each : packing.elements.driven) {
            if (!is_driven(packing, each.particle)) continue;
            const auto place = std::ranges::lower_bound(held_, each.particle) - held_.begin();
            driven_.emplace_back(static_cast<std::size_t>(place), each.motion);
        }
        for (const Wall& wall : packing.walls)
            closest_.emplace_back(wall, packing.box);
    }

    std::size_t held() const { return held_.size(); }
    /// Whether any two move against each other.
    bool any_moves() const {
        return !held_.empty() && (!driven_.empty() || std::ranges::any_of(packing_.walls, moves));
    }

    void look(double time) {
        const std::vector<Vec3> position = positions(time);
        const NeighbourList list = find_neighbours({.position = position,
                                                    .radius = radius_,
                                                    .walls = {},
                                                    .moved = {},
                                                    .box = packing_.box,
                                                    .skin = 0.0});
        const Vec3 period = packing_.box.upper - packing_.box.lower;
        for (std::size_t k = 0; k < list.pairs(); ++k) {
            const PairKey key = pair_key(list, held_.size(), k);
            const std::size_t i = held_[key.first], j = held_[key.second];
            if (packing_.is_fixed(i) && packing_.is_fixed(j)) continue;
            const Vec3 shift{key.image[0] * period.x, key.image[1] * period.y,
                             key.image[2] * period.z};
            const auto overlap = [&](const std::vector<Vec3>& at) {
                return radius_[key.first] + radius_[key.second] -
                       length_of(at[key.second] + shift - at[key.first]);
            };
            include(i, j, overlap(position), overlap(start_), time,
                    [&] { return fmt::format("particles {} and {}", i, j); });
        }
        for (std::size_t w = 0; w < packing_.walls.size(); ++w)
            look_at_wall(w, position, time);
    }

    const Deepest& deepest() const { return deepest_; }

  private:
    void look_at_wall(std::size_t w, const std::vector<Vec3>& position, double time) {
        const Wall& wall = packing_.walls[w];
        if (wall.load || wall.angular_velocity != 0.0) return;
        const Vec3 moved = wall_displacement(wall, time);
        for (std::size_t k = 0; k < held_.size(); ++k) {
            const std::size_t i = held_[k];
            if (packing_.is_fixed(i) && !moves(wall)) continue;
            const SurfacePoint now = closest_[w](position[k], moved);
            const double reach = reach_of(packing_, i, -now.normal);
            include(i, packing_.particles() + w, reach - now.distance,
                    reach - closest_[w](start_[k], {}).distance, time,
                    [&] { return fmt::format("particle {} and wall {}", i, w); });
        }
    }

    std::vector<Vec3> positions(double time) const {
        std::vector<Vec3> position = start_;
        for (const auto& [k, motion] : driven_) {
            const auto& along = packing_.elements.motions[motion].along;
            const auto add = [&](double& component, std::size_t axis) {
                if (along[axis]) component += along[axis]->displacement(time);
            };
            add(position[k].x, 0), add(position[k].y, 1), add(position[k].z, 2);
        }
        return position;
    }

    template <class What>
    void include(std::size_t first, std::size_t second, double overlap, double at_start,
                 double time, const What& what) {
        constexpr double touching_part = 1e-6;  // bodies that slide along each other just touch
        const double depth = overlap - std::max(at_start, 0.0);
        if (!(depth > touching_part * packing_.radius[first])) return;
        deepest_.pairs.emplace(first, second);
        if (!(depth > deepest_.depth)) return;
        deepest_.depth = depth;
        deepest_.time = time;
        deepest_.what = what();
    }

    const Packing& packing_;
    // By number among the held particles, those that driven_ moves in motion `second`.
    std::vector<std::size_t> held_;
    std::vector<double> radius_;
    std::vector<Vec3> start_;
    std::vector<std::pair<std::size_t, std::size_t>> driven_;
    std::vector<ClosestInBox> closest_;
    Deepest deepest_;
};

}  // namespace

std::optional<std::string> unfelt_overlap(const Packing& packing, double end) {
    if (packing.box.strain) return std::nullopt;
    Search search(packing);
    if (!search.any_moves()) return std::nullopt;
    // Fewer times for more particles: the search takes less than the first steps.
    const auto times =
        static_cast<int>(std::clamp(2e5 / static_cast<double>(search.held()), 16.0, 400.0));
    for (int k = 1; k <= times; ++k)
        search.look(end * k / times);
    const Deepest& deepest = search.deepest();
    if (deepest.pairs.empty()) return std::nullopt;
    return fmt::format(
        "{} are pushed {:.3g} m into each other until t = {:.3g} s and do not feel it{}: the "
        "motion "
        "of both is given, and such bodies exert no forces on each other. To feel the contact, let "
        "one of them be free, under a [[load]] or on a stiff [[foundation]]",
        deepest.what, deepest.depth, deepest.time,
        deepest.pairs.size() == 1 ? "" : fmt::format(" ({} such pairs)", deepest.pairs.size()));
}

}  // namespace beadwave::packing
