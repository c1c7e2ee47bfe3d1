#include "modes/primitive_cell.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace beadwave::modes {
namespace {

using linear::Link;
using linear::PackingOperator;
using packing::Vec3;

std::array<double, 3> components(const Vec3& v) {
    return {v.x, v.y, v.z};
}

/// What tells one body from another: its mass, its radius and moments of its contacts.
using Signature = std::array<double, 17>;

std::vector<Signature> signatures_of(const PackingOperator& packing) {
    const std::size_t c = packing.components();
    std::vector<Signature> all(packing.body.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i][0] = packing.mass[i * c];
        all[i][1] = packing.radius[i];
        all[i][2] = packing.mass[i * c + c - 1];
    }
    const auto add = [&](std::uint32_t body, const Vec3& n, const Link& link) {
        if (body == Link::ground) return;
        Signature& s = all[body];
        const double k = link.normal_stiffness;
        const double moments[] = {k,
                                  link.sliding_stiffness,
                                  link.across,
                                  link.rolling_stiffness + link.twisting_stiffness,
                                  k * n.x,
                                  k * n.y,
                                  k * n.z,
                                  k * n.x * n.x,
                                  k * n.y * n.y,
                                  k * n.x * n.y,
                                  k * n.x * n.z,
                                  k * n.y * n.z,
                                  k * (n.x * n.x * n.x + n.y * n.y * n.y),
                                  k * (n.z * n.z * n.z + n.x * n.y * n.z)};
        for (std::size_t m = 0; m < std::size(moments); ++m)
            s[3 + m] += moments[m];
    };
    for (const Link& link : packing.links) {
        add(link.first, link.normal, link);
        add(link.second, -link.normal, link);
    }
    return all;
}

/// Equal to the rounding of the overlaps.
bool equal(const Signature& a, const Signature& b) {
    const double stiffness = std::max(a[3], b[3]);
    for (std::size_t m = 0; m < a.size(); ++m) {
        const double size = m < 3 ? std::fabs(a[m]) : stiffness;
        if (std::fabs(a[m] - b[m]) > 1e-6 * size) return false;
    }
    return true;
}

/// Finds bodies by their places in the periodic box.
class Places {
  public:
    explicit Places(const PackingOperator& packing) : packing_(packing) {
        period_ = components(packing.box.upper - packing.box.lower);
        spacing_ = *std::ranges::min_element(packing.radius);
        for (std::uint32_t i = 0; i < packing.position.size(); ++i)
            cells_.emplace(cell_of(components(packing.position[i])), i);
    }

    /// The body at a point, within a thousandth of a radius; ground: none.
    std::uint32_t at(const Vec3& point) const {
        const auto p = components(point);
        const auto cell = cell_of(p);
        for (int corner = 0; corner < 27; ++corner) {
            std::array<std::int64_t, 3> near{};
            int rest = corner;
            for (std::size_t a = 0; a < 3; ++a, rest /= 3) {
                near[a] = cell[a] + rest % 3 - 1;
                if (packing_.box.periodic[a]) near[a] = (near[a] + count(a)) % count(a);
            }
            const auto [first, last] = cells_.equal_range(near);
            for (auto i = first; i != last; ++i)
                if (length(point - packing_.position[i->second]) < 1e-3 * spacing_)
                    return i->second;
        }
        return Link::ground;
    }

    /// The length of a vector to the nearest image.
    double length(const Vec3& v) const {
        auto c = components(v);
        for (std::size_t a = 0; a < 3; ++a)
            if (packing_.box.periodic[a]) c[a] -= period_[a] * std::round(c[a] / period_[a]);
        return std::hypot(c[0], c[1], c[2]);
    }

  private:
    std::int64_t count(std::size_t axis) const {
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(period_[axis] / spacing_));
    }
    std::array<std::int64_t, 3> cell_of(const std::array<double, 3>& p) const {
        std::array<std::int64_t, 3> cell{};
        for (std::size_t a = 0; a < 3; ++a) {
            if (packing_.box.periodic[a]) {
                const double part = p[a] / period_[a];
                cell[a] = static_cast<std::int64_t>((part - std::floor(part)) *
                                                    static_cast<double>(count(a))) %
                          count(a);
            } else {
                cell[a] = static_cast<std::int64_t>(std::floor(p[a] / spacing_));
            }
        }
        return cell;
    }

    const PackingOperator& packing_;
    std::array<double, 3> period_{};
    double spacing_;
    std::multimap<std::array<std::int64_t, 3>, std::uint32_t> cells_;
};

/// Whether the packing moved by `shift` is the packing; looks at the bodies in this order.
bool repeats(const PackingOperator& packing, const std::vector<Signature>& signatures,
             const Places& places, const std::vector<std::uint32_t>& order, const Vec3& shift) {
    for (const std::uint32_t i : order) {
        const std::uint32_t j = places.at(packing.position[i] + shift);
        if (j == Link::ground || !equal(signatures[i], signatures[j])) return false;
    }
    return true;
}

/// Bodies that look alike, and the number of the rarest kind. Empty: there are more kinds than
/// `most`.
struct Kinds {
    std::vector<std::uint32_t> kind;  ///< of each body
    std::uint32_t rarest = 0;
};
Kinds kinds_of(const std::vector<Signature>& signatures, std::size_t most) {
    Kinds kinds;
    std::vector<const Signature*> first;
    std::vector<std::size_t> count;
    for (const Signature& s : signatures) {
        std::size_t k = 0;
        while (k < first.size() && !equal(s, *first[k]))
            ++k;
        if (k == first.size()) {
            if (k == most) return {};
            first.push_back(&s);
            count.push_back(0);
        }
        ++count[k];
        kinds.kind.push_back(static_cast<std::uint32_t>(k));
    }
    kinds.rarest = static_cast<std::uint32_t>(std::ranges::min_element(count) - count.begin());
    return kinds;
}

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
    return dot(a, cross(b, c));
}

}  // namespace

std::array<Vec3, 3> reciprocal(const std::array<Vec3, 3>& basis) {
    const double scale = 1.0 / determinant(basis[0], basis[1], basis[2]);
    return {cross(basis[1], basis[2]) * scale, cross(basis[2], basis[0]) * scale,
            cross(basis[0], basis[1]) * scale};
}

std::array<Vec3, 3> PrimitiveCell::basis(const packing::Box& box) const {
    std::array<Vec3, 3> basis{};
    std::size_t k = 0;
    for (const Vec3& v : vectors)
        basis[k++] = v;
    for (std::size_t a = 0; a < 3 && k < 3; ++a) {
        if (box.periodic[a]) continue;
        basis[k++] = {a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0};
    }
    return basis;
}

std::optional<PrimitiveCell> primitive_cell(const PackingOperator& packing,
                                            std::size_t most_bodies) {
    const std::vector<Signature> signatures = signatures_of(packing);
    const Kinds kinds = kinds_of(signatures, most_bodies);
    if (kinds.kind.empty()) return std::nullopt;
    const Places places(packing);
    // The bodies of the rarest kind come first: around a defect nothing repeats.
    std::vector<std::uint32_t> order(packing.position.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_partition(order.begin(), order.end(),
                          [&](std::uint32_t i) { return kinds.kind[i] == kinds.rarest; });
    const auto period = components(packing.box.upper - packing.box.lower);
    const std::size_t axes =
        static_cast<std::size_t>(std::ranges::count(packing.box.periodic, true));

    // Candidates: from a body to those like it, and the box's own periods; shortest first.
    std::vector<Vec3> candidates;
    const Vec3& origin = packing.position[order[0]];
    for (const std::uint32_t j : order) {
        if (kinds.kind[j] != kinds.rarest) break;
        if (j == order[0]) continue;
        auto t = components(packing.position[j] - origin);
        bool along = true;
        for (std::size_t a = 0; a < 3; ++a) {
            if (packing.box.periodic[a]) {
                t[a] -= period[a] * std::round(t[a] / period[a]);
            } else if (std::fabs(t[a]) > 1e-3 * packing.radius[0]) {
                along = false;
            } else {
                t[a] = 0.0;
            }
        }
        if (along) candidates.push_back({t[0], t[1], t[2]});
    }
    for (std::size_t a = 0; a < 3; ++a) {
        if (!packing.box.periodic[a]) continue;
        candidates.push_back(
            {a == 0 ? period[0] : 0.0, a == 1 ? period[1] : 0.0, a == 2 ? period[2] : 0.0});
    }
    std::ranges::stable_sort(candidates, {}, [](const Vec3& v) { return dot(v, v); });
    PrimitiveCell cell;
    for (const Vec3& t : candidates) {
        if (cell.vectors.size() == axes) break;
        std::vector<Vec3> with = cell.vectors;
        with.push_back(t);
        // Independent of those chosen before: a part perpendicular to them.
        Vec3 rest = t;
        std::vector<Vec3> orthogonal;
        for (Vec3 v : cell.vectors) {
            for (const Vec3& o : orthogonal)
                v = v - (dot(v, o) / dot(o, o)) * o;
            orthogonal.push_back(v);
        }
        for (const Vec3& o : orthogonal)
            rest = rest - (dot(rest, o) / dot(o, o)) * o;
        if (dot(rest, rest) < 1e-6 * dot(t, t)) continue;
        if (repeats(packing, signatures, places, order, t)) cell.vectors = with;
    }

    // Bodies that differ by lattice vectors share a place.
    const auto basis = cell.basis(packing.box);
    const std::array<Vec3, 3> inverse = reciprocal(basis);
    const auto same_place = [&](std::uint32_t i, std::uint32_t j) {
        const Vec3 d = packing.position[i] - packing.position[j];
        for (std::size_t k = 0; k < 3; ++k) {
            const double part = dot(inverse[k], d);
            const double left = k < axes ? part - std::round(part) : part;
            if (std::fabs(left) * std::sqrt(dot(basis[k], basis[k])) > 2e-3 * packing.radius[i])
                return false;
        }
        return equal(signatures[i], signatures[j]);
    };
    std::vector<std::uint32_t> place_of(packing.position.size());
    for (std::uint32_t i = 0; i < packing.position.size(); ++i) {
        std::uint32_t place = 0;
        while (place < cell.bodies.size() && !same_place(i, cell.bodies[place]))
            ++place;
        if (place == cell.bodies.size()) {
            if (place == most_bodies) return std::nullopt;
            cell.bodies.push_back(i);
        }
        place_of[i] = place;
    }
    const Vec3 edges = packing.box.upper - packing.box.lower;
    const auto in_cell = [&](std::uint32_t body) {
        return body != Link::ground && cell.bodies[place_of[body]] == body;
    };
    for (const Link& link : packing.links) {
        if (link.first == Link::ground || link.second == Link::ground) {
            const std::uint32_t body = link.first == Link::ground ? link.second : link.first;
            if (in_cell(body))
                cell.contacts.push_back({link, 1.0, place_of[body], place_of[body], {}});
            continue;
        }
        const double share =
            0.5 * (in_cell(link.first) ? 1.0 : 0.0) + 0.5 * (in_cell(link.second) ? 1.0 : 0.0);
        if (share == 0.0) continue;
        const Vec3 branch =
            packing.position[link.second] - packing.position[link.first] +
            Vec3{link.image[0] * edges.x, link.image[1] * edges.y, link.image[2] * edges.z};
        cell.contacts.push_back({link, share, place_of[link.first], place_of[link.second], branch});
    }
    return cell;
}

}  // namespace beadwave::modes
