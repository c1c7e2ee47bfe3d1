// The three edges of a periodic box that may be tilted, as the columns of a matrix H: a = (xx, 0,
// 0), b = (xy, yy, 0), c = (xz, yz, zz). The image n of a point is at H n from it. Along an axis
// that is not periodic the edge is 1 and no image is used.
#pragma once

#include "packing/packing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace beadwave::packing {

inline std::array<double, 3> components(const Vec3& v) {
    return {v.x, v.y, v.z};
}

/// Also for what has the shape of such a matrix: its change, its rate, the forces on the edges.
struct Edges {
    static constexpr std::size_t numbers = 6;
    static constexpr std::array<std::size_t, numbers> row{0, 1, 2, 0, 0, 1},
        column{0, 1, 2, 1, 2, 2};

    std::array<double, numbers> of{};  ///< xx, yy, zz, xy, xz, yz [m]

    /// H n.
    Vec3 times(const Vec3& n) const {
        return {of[0] * n.x + of[3] * n.y + of[4] * n.z, of[1] * n.y + of[5] * n.z, of[2] * n.z};
    }
    Vec3 shift(const std::array<std::int32_t, 3>& image) const {
        return times({static_cast<double>(image[0]), static_cast<double>(image[1]),
                      static_cast<double>(image[2])});
    }
    /// H^-1 r: the place in fractions of the edges.
    Vec3 fractions(const Vec3& r) const {
        const double z = r.z / of[2], y = (r.y - of[5] * z) / of[1];
        return {(r.x - of[3] * y - of[4] * z) / of[0], y, z};
    }
    /// H^-1, of the same shape.
    Edges inverse() const {
        Edges made;
        const auto& e = of;
        made.of = {1.0 / e[0],
                   1.0 / e[1],
                   1.0 / e[2],
                   -e[3] / (e[0] * e[1]),
                   (e[3] * e[5] - e[4] * e[1]) / (e[0] * e[1] * e[2]),
                   -e[5] / (e[1] * e[2])};
        return made;
    }
    bool is_tilted() const { return of[3] != 0.0 || of[4] != 0.0 || of[5] != 0.0; }

    /// The distances between opposite faces [m].
    std::array<double, 3> widths() const {
        const Vec3 x = fractions({1, 0, 0}), y = fractions({0, 1, 0}), z = fractions({0, 0, 1});
        return {1.0 / std::sqrt(x.x * x.x + y.x * y.x + z.x * z.x),
                1.0 / std::sqrt(y.y * y.y + z.y * z.y), 1.0 / std::abs(z.z)};
    }

    static Edges of_box(const Box& box) {
        const Vec3 edge = box.upper - box.lower;
        Edges edges;
        edges.of = {box.periodic[0] ? edge.x : 1.0, box.periodic[1] ? edge.y : 1.0,
                    box.periodic[2] ? edge.z : 1.0};
        return edges;
    }
};

inline Edges operator+(const Edges& a, const Edges& b) {
    Edges sum;
    for (std::size_t k = 0; k < Edges::numbers; ++k)
        sum.of[k] = a.of[k] + b.of[k];
    return sum;
}
inline Edges operator*(double s, const Edges& a) {
    Edges product;
    for (std::size_t k = 0; k < Edges::numbers; ++k)
        product.of[k] = s * a.of[k];
    return product;
}

/// Adds the force on the image n of a particle to those on the edges: the products of its
/// components and those of n.
inline void add_to_edges(Edges& edges, const Vec3& force, const std::array<std::int32_t, 3>& n) {
    const std::array<double, 3> f = components(force);
    for (std::size_t k = 0; k < Edges::numbers; ++k)
        edges.of[k] += f[Edges::row[k]] * n[Edges::column[k]];
}

/// The lattice of a box with the least tilt, at most half an edge: its edges are sums of edges of
/// the box, so its images are images of the box.
struct LeastTilt {
    Edges edges;
    std::int32_t xy = 0, xz = 0, yz = 0;  ///< b' = b - xy a, c' = c - yz b' - xz a

    explicit LeastTilt(const Edges& given) : edges(given) {
        const auto reduce = [](double& tilt, double edge) {
            const double whole = std::round(tilt / edge);
            tilt -= whole * edge;
            return static_cast<std::int32_t>(whole);
        };
        auto& e = edges.of;
        xy = reduce(e[3], e[0]);
        yz = reduce(e[5], e[1]);
        e[4] -= yz * e[3];
        xz = reduce(e[4], e[0]);
    }

    /// The image of the box that is this image of the lattice with the least tilt.
    std::array<std::int32_t, 3> of_box(const std::array<std::int32_t, 3>& n) const {
        return {n[0] - xy * n[1] + (yz * xy - xz) * n[2], n[1] - yz * n[2], n[2]};
    }
};

}  // namespace beadwave::packing
