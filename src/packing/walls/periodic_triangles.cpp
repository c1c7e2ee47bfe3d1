#include "packing/walls/periodic_triangles.hpp"

#include "packing/vector_length.hpp"

#include <unordered_map>

namespace beadwave::packing {
namespace {

/// Corners by their places, to find one near another.
class CornerIndex {
  public:
    explicit CornerIndex(double near) : near_(near) {}

    void add(const Vec3& corner) { cells_[key(cell(corner))].push_back(corner); }
    const Vec3* find(const Vec3& place) const {
        const std::array<std::int64_t, 3> at = cell(place);
        for (std::int64_t k = 0; k < 27; ++k) {
            const auto cells =
                cells_.find(key({at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1}));
            if (cells == cells_.end()) continue;
            for (const Vec3& corner : cells->second)
                if (length_of(corner - place) <= near_) return &corner;
        }
        return nullptr;
    }

  private:
    std::array<std::int64_t, 3> cell(const Vec3& v) const {
        return {std::llround(v.x / near_), std::llround(v.y / near_), std::llround(v.z / near_)};
    }
    static std::uint64_t key(const std::array<std::int64_t, 3>& at) {
        std::uint64_t sum = 0;
        for (const std::int64_t x : at)
            sum = (sum ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL;
        return sum;
    }

    double near_;
    std::unordered_map<std::uint64_t, std::vector<Vec3>> cells_;
};

}  // namespace

std::vector<Image> images_of(const Box& box) {
    std::vector<Image> all;
    const auto reach = [&](std::size_t a) { return box.periodic[a] ? 1 : 0; };
    for (std::int32_t x = -reach(0); x <= reach(0); ++x) {
        for (std::int32_t y = -reach(1); y <= reach(1); ++y) {
            for (std::int32_t z = -reach(2); z <= reach(2); ++z)
                all.push_back({x, y, z});
        }
    }
    return all;
}

MeshExtent extent_of(const std::vector<Corners>& triangles) {
    MeshExtent all;
    for (const Corners& triangle : triangles) {
        for (const Vec3& corner : triangle)
            all.include(corner);
    }
    return all;
}

void join_sides(std::vector<Corners>& triangles, const Box& box, const Rounding& rounding) {
    const MeshExtent extent = extent_of(triangles);
    double size = 0.0;
    for (std::size_t a = 0; a < 3; ++a)
        size = std::max(size, extent.upper[a] - extent.lower[a]);
    const auto period = periods_of(box);
    for (std::size_t a = 0; a < 3; ++a) {
        if (!box.periodic[a]) continue;
        const Vec3 shift{a == 0 ? rounding(period[0]) : 0.0, a == 1 ? rounding(period[1]) : 0.0,
                         a == 2 ? rounding(period[2]) : 0.0};
        CornerIndex index(2e-6 * size);  // as TriangleSurface has it
        for (const Corners& triangle : triangles) {
            for (const Vec3& corner : triangle)
                index.add(corner);
        }
        for (Corners& triangle : triangles) {
            for (Vec3& corner : triangle)
                if (const Vec3* const other = index.find(corner - shift)) corner = *other + shift;
        }
    }
}

std::vector<Corners> copies_of(const std::vector<Corners>& triangles, const Box& box,
                               const Rounding& rounding) {
    const auto period = periods_of(box);
    std::vector<Corners> all;
    for (const Image& image : images_of(box)) {
        const Vec3 shift{image[0] * rounding(period[0]), image[1] * rounding(period[1]),
                         image[2] * rounding(period[2])};
        for (Corners triangle : triangles) {
            for (Vec3& corner : triangle)
                corner += shift;
            all.push_back(triangle);
        }
    }
    return all;
}

}  // namespace beadwave::packing
