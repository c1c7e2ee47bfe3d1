#include "packing/flow/free_places.hpp"

#include "packing/neighbours/image_walk.hpp"
#include "packing/walls/wall_motion.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

FreePlaces::FreePlaces(const Packing& packing, const Pour& pour, std::span<const Vec3> moved,
                       const Edges& box, double time)
    : packing_(packing),
      pour_(pour),
      moved_(moved),
      time_(time),
      box_(LeastTilt(box).edges),
      largest_(packing.radius.largest(pour.first, pour.first + pour.count)) {
    for (const Wall& wall : packing.walls)
        closest_.emplace_back(wall, packing.box);
    constexpr std::int64_t most_cells = 1 << 18;
    const auto size = components(pour.region.upper - pour.region.lower);
    for (std::size_t a = 0; a < static_cast<std::size_t>(packing.dimension); ++a)
        count_[a] = static_cast<std::int64_t>(std::clamp(size[a] / (2.0 * largest_), 1.0, 1e4));
    while (count_[0] * count_[1] * count_[2] > most_cells) {
        std::int64_t& longest = *std::ranges::max_element(count_);
        longest = (longest + 1) / 2;
    }
    cells_.resize(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]));
}

std::int64_t FreePlaces::cell(double x, std::size_t axis) const {
    if (count_[axis] == 1) return 0;
    const auto lower = components(pour_.region.lower), upper = components(pour_.region.upper);
    const double part = (x - lower[axis]) / (upper[axis] - lower[axis]);
    const double last = static_cast<double>(count_[axis] - 1);
    return static_cast<std::int64_t>(
        std::clamp(part * static_cast<double>(count_[axis]), 0.0, last));
}

bool FreePlaces::occupy(const Vec3& centre, double radius) {
    if (!std::isfinite(centre.x) || !std::isfinite(centre.y) || !std::isfinite(centre.z))
        return false;
    const auto middle = components(0.5 * (pour_.region.lower + pour_.region.upper)),
               half = components(0.5 * (pour_.region.upper - pour_.region.lower));
    const auto range = [&](std::size_t a, double x, double length) -> ImageRange {
        const double most = std::floor((half[a] + radius + largest_) / length + 0.5);
        return {std::round((x - middle[a]) / length), -most, most};
    };
    bool near = false;
    visit_images(packing_.box, box_, centre, range, [&](const Vec3& image) {
        if (occupy_one(image, radius)) near = true;
    });
    return near;
}

bool FreePlaces::occupy_one(const Vec3& centre, double radius) {
    const double reach = radius + largest_;
    const auto at = components(centre), lower = components(pour_.region.lower),
               upper = components(pour_.region.upper);
    std::array<std::int64_t, 3> first{}, last{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(packing_.dimension); ++a) {
        if (at[a] + reach < lower[a] || at[a] - reach > upper[a]) return false;
        first[a] = cell(at[a] - reach, a);
        last[a] = cell(at[a] + reach, a);
    }
    for (std::int64_t k = first[2]; k <= last[2]; ++k) {
        for (std::int64_t j = first[1]; j <= last[1]; ++j) {
            for (std::int64_t i = first[0]; i <= last[0]; ++i)
                cells_[static_cast<std::size_t>((k * count_[1] + j) * count_[0] + i)].push_back(
                    {centre, radius});
        }
    }
    return true;
}

bool FreePlaces::is_free(const Vec3& centre, double radius) const {
    const std::int64_t at =
        (cell(centre.z, 2) * count_[1] + cell(centre.y, 1)) * count_[0] + cell(centre.x, 0);
    const auto apart = [&](const Sphere& other) {
        const Vec3 branch = other.centre - centre;
        const double reach = radius + other.radius;
        return dot(branch, branch) > reach * reach;
    };
    return std::ranges::all_of(cells_[static_cast<std::size_t>(at)], apart) &&
           is_free_of_walls(centre, radius);
}

bool FreePlaces::is_free_of_walls(const Vec3& centre, double radius) const {
    for (std::size_t w = 0; w < packing_.walls.size(); ++w) {
        const Wall& wall = packing_.walls[w];
        if (const Mesh* const mesh = wall.mesh(); mesh != nullptr && !packing_.box.repeats()) {
            const Vec3 place = mesh_turn(wall, time_).back(centre - mesh->point - moved_[w]);
            if (!mesh->surface->patches_near(place, radius).empty()) return false;
            continue;
        }
        if (!(closest_[w](centre, moved_[w]).distance > radius)) return false;
    }
    return true;
}

std::optional<Vec3> FreePlaces::find(double radius, std::size_t number, std::int64_t step,
                                     std::uint64_t attempts) const {
    const r123::Philox4x64 generator;
    const Vec3 size = pour_.region.upper - pour_.region.lower;
    for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
        const auto bits = generator({{number, static_cast<std::uint64_t>(step), attempt, 0}},
                                    {{pour_.seed, pour_.first}});
        const auto within = [&](double lower, double width, std::uint64_t random) {
            const double uniform = (static_cast<double>(random >> 11) + 0.5) * 0x1p-53;
            return lower + radius + (width - 2.0 * radius) * uniform;
        };
        const Vec3 centre{
            within(pour_.region.lower.x, size.x, bits[0]),
            within(pour_.region.lower.y, size.y, bits[1]),
            packing_.dimension == 2 ? 0.0 : within(pour_.region.lower.z, size.z, bits[2])};
        if (is_free(centre, radius)) return centre;
    }
    return std::nullopt;
}

}  // namespace beadwave::packing
