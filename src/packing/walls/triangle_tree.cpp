#include "packing/walls/triangle_tree.hpp"

#include "packing/vector_length.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

std::array<double, 3> parts(const Vec3& v) {
    return {v.x, v.y, v.z};
}

/// The point of the stretch from a to b that is closest.
Vec3 on_stretch(const Vec3& a, const Vec3& b, const Vec3& from) {
    const Vec3 along = b - a;
    const double part = std::clamp(dot(from - a, along) / dot(along, along), 0.0, 1.0);
    return part < 1.0 ? a + part * along : b;
}

}  // namespace

Triangle::Triangle(const std::array<Vec3, 3>& corners) : corner(corners), normal{} {
    // In units of the longer edge, so that no square is too small or too large.
    const Vec3 first = corner[1] - corner[0], second = corner[2] - corner[0];
    const double size = std::max({std::abs(first.x), std::abs(first.y), std::abs(first.z),
                                  std::abs(second.x), std::abs(second.y), std::abs(second.z)});
    const Vec3 across = cross((1.0 / size) * first, (1.0 / size) * second);
    normal = (1.0 / length_of(across)) * across;
}

NearestPoint nearest_point(const Triangle& t, const Vec3& from) {
    bool inside = true;
    for (std::size_t k = 0; inside && k < 3; ++k) {
        const Vec3 &a = t.corner[k], &b = t.corner[(k + 1) % 3];
        inside = dot(cross(b - a, from - a), t.normal) >= 0.0;
    }
    NearestPoint nearest;
    if (inside) {
        const double height = dot(t.normal, from - t.corner[0]);
        nearest.normal = height < 0.0 ? -t.normal : t.normal;
        nearest.distance = std::abs(height);
        nearest.point = from - height * t.normal;
        return nearest;
    }
    nearest.on_edge = true;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 point = on_stretch(t.corner[k], t.corner[(k + 1) % 3], from);
        const double squared = dot(from - point, from - point);
        if (!(squared < least)) continue;
        least = squared;
        nearest.point = point;
    }
    nearest.distance = std::sqrt(least);
    nearest.normal = least > 0.0 ? (1.0 / nearest.distance) * (from - nearest.point) : t.normal;
    return nearest;
}

void Bounds3::include(const Vec3& p) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
}

double Bounds3::squared_distance(const Vec3& p) const {
    const double x = std::max({lower.x - p.x, 0.0, p.x - upper.x});
    const double y = std::max({lower.y - p.y, 0.0, p.y - upper.y});
    const double z = std::max({lower.z - p.z, 0.0, p.z - upper.z});
    return x * x + y * y + z * z;
}

TriangleTree::TriangleTree(std::span<const Triangle> all, std::vector<std::uint32_t> numbers)
    : number_(std::move(numbers)) {
    node_.reserve(number_.size());
    build(all, 0, static_cast<std::uint32_t>(number_.size()));
}

void TriangleTree::build(std::span<const Triangle> all, std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t most_in_leaf = 4;
    const Vec3 first = all[number_[begin]].corner[0];
    Bounds3 box{first, first};
    for (std::uint32_t k = begin; k < end; ++k) {
        for (const Vec3& corner : all[number_[k]].corner)
            box.include(corner);
    }
    const std::size_t at = node_.size();
    const bool leaf = end - begin <= most_in_leaf;
    node_.push_back({box, 0, begin, leaf ? end : begin});
    if (!leaf) {
        const auto width = parts(box.upper - box.lower);
        const auto axis = static_cast<std::size_t>(std::ranges::max_element(width) - width.begin());
        const auto middle = [&](std::uint32_t number) {
            const auto& c = all[number].corner;
            return std::pair(parts(c[0] + c[1] + c[2])[axis], number);
        };
        const std::uint32_t half = begin + (end - begin) / 2;
        std::ranges::nth_element(number_.begin() + begin, number_.begin() + half,
                                 number_.begin() + end, {}, middle);
        build(all, begin, half);
        build(all, half, end);
    }
    node_[at].next = static_cast<std::uint32_t>(node_.size());
}

NearestPoint TriangleTree::nearest(std::span<const Triangle> all, const Vec3& from, double within,
                                   std::size_t* tests) const {
    NearestPoint best;
    double limit = within * within;
    const auto look = [&](std::uint32_t number) {
        // Boxes of thin triangles that lie across the axes contain many places far from them. The
        // plane of such a triangle is often too far already; the margin is for rounding.
        const double height = dot(all[number].normal, from - all[number].corner[0]);
        if (height * height > (1.0 + 1e-6) * limit) return;
        NearestPoint here = nearest_point(all[number], from);
        if (tests != nullptr) ++*tests;
        here.triangle = number;
        const bool nearer = here.distance < best.distance ||
                            (here.distance == best.distance && number < best.triangle);
        if (!(here.distance < within && nearer)) return;
        best = here;
        limit = here.distance * here.distance * (1.0 + 1e-12);  // an equal one has to be seen
    };
    // The nearer child first: what is on the stack is looked at only if it can still be nearer.
    struct Later {
        std::uint32_t node;
        double squared;
    };
    std::array<Later, 64> later;
    std::size_t waiting = 0;
    const auto distance = [&](std::uint32_t node) {
        return node_[node].box.squared_distance(from);
    };
    later[waiting++] = {0, distance(0)};
    while (waiting > 0) {
        const Later next = later[--waiting];
        if (!(next.squared <= limit)) continue;
        const Node& node = node_[next.node];
        for (std::uint32_t k = node.begin; k < node.end; ++k)
            look(number_[k]);
        if (node.begin < node.end) continue;
        const std::uint32_t one = next.node + 1, two = node_[one].next;
        Later near{one, distance(one)}, far{two, distance(two)};
        if (far.squared < near.squared) std::swap(near, far);
        later[waiting++] = far;
        later[waiting++] = near;
    }
    return best;
}

}  // namespace beadwave::packing
