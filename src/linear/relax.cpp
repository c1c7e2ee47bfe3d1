// Static equilibrium of a packing without friction: Newton's method, each step by conjugate
// gradients and shortened until the net forces fall.

#include "beadwave/input_error.hpp"
#include "linear/static_links.hpp"
#include "packing/vector_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::linear {
namespace {

using packing::Packing;
using Field = std::vector<Vec3>;

double product(const Field& a, const Field& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += dot(a[i], b[i]);
    return sum;
}

/// The change of the contacts' forces on the particles by displacements u, negative.
Field stiffness_times(const Packing& packing, const std::vector<Link>& links, const Field& u) {
    Field result(u.size());
    for (const Link& link : links) {
        const Vec3 du = (link.second == Link::ground ? Vec3{} : u[link.second]) - u[link.first];
        const double along = dot(du, link.normal);
        const Vec3 pull = (link.normal_stiffness * along) * link.normal +
                          link.across * (du - along * link.normal);
        result[link.first] += -pull;
        if (link.second != Link::ground) result[link.second] += pull;
    }
    for (std::size_t i = 0; i < u.size(); ++i)
        if (packing.is_fixed(i)) result[i] = {};
    return result;
}

/// The displacement that removes the net forces of the linear packing; stops early along
/// directions without stiffness.
Field newton_step(const Packing& packing, const std::vector<Link>& links, const Field& net) {
    Field step(net.size()), rest = net, direction = net;
    double size = product(rest, rest);
    const double enough = 1e-24 * size;
    double steepest = 0.0;
    for (std::size_t round = 0; round < 20 * net.size() + 100 && size > enough; ++round) {
        const Field pulled = stiffness_times(packing, links, direction);
        const double curvature = product(direction, pulled);
        const double slope = curvature / product(direction, direction);
        steepest = std::max(steepest, slope);
        if (slope <= 1e-9 * steepest) break;
        const double length = size / curvature;
        for (std::size_t i = 0; i < step.size(); ++i) {
            step[i] += length * direction[i];
            rest[i] += -length * pulled[i];
        }
        const double next = product(rest, rest);
        for (std::size_t i = 0; i < step.size(); ++i)
            direction[i] = rest[i] + (next / size) * direction[i];
        size = next;
    }
    return step;
}

std::size_t largest_at(const Field& field) {
    const auto at = std::ranges::max_element(field, {}, [](const Vec3& v) { return dot(v, v); });
    return static_cast<std::size_t>(at - field.begin());
}

}  // namespace

double relax(Packing& packing, const std::string& name) {
    const Field start = packing.position;
    std::vector<std::string> ignored;
    std::vector<Link> links = static_links(packing, name, ignored);
    constexpr int most_steps = 100;
    for (int round = 0; round < most_steps; ++round) {
        const Field net = net_forces(packing, links);
        const double size = std::sqrt(product(net, net));
        const double net_largest = packing::length_of(net[largest_at(net)]);
        if (net_largest <= 1e-10 * largest_force(links)) break;
        const Field step = newton_step(packing, links, net);
        double part = 1.0;
        const Field before = packing.position;
        bool better = false;
        for (int half = 0; half < 20 && !better; ++half, part *= 0.5) {
            for (std::size_t i = 0; i < step.size(); ++i)
                packing.position[i] = before[i] + part * step[i];
            links = static_links(packing, name, ignored);
            const Field now = net_forces(packing, links);
            better = std::sqrt(product(now, now)) < size && !links.empty();
        }
        if (better) continue;
        packing.position = before;
        links = static_links(packing, name, ignored);
        if (net_largest <= 1e-6 * largest_force(links)) break;  // rounding of the positions
        const std::size_t worst = largest_at(net);
        throw InputError(fmt::format(
            "{}: the packing has no static equilibrium nearby: a net force of {:.3g} N is left on "
            "particle {}, beside contact forces up to {:.3g} N; expected a packing at rest, such "
            "as the last snapshot of a run that has settled",
            name, net_largest, worst, largest_force(links)));
    }
    double farthest = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i)
        farthest = std::max(farthest, packing::length_of(packing.position[i] - start[i]));
    return farthest;
}

}  // namespace beadwave::linear
