#include "packing/build/particle_shapes.hpp"

#include "scenario/hash.hpp"
#include "shapes/rigid_motion.hpp"

#include <Random123/boxmuller.hpp>
#include <Random123/philox.h>

#include <algorithm>

namespace beadwave::packing {

shapes::Quaternion random_orientation(std::uint64_t seed, std::uint64_t number) {
    // Not the stream of radii and places.
    scenario::Hash key;
    key.add(std::string_view("orientation"));
    key.add(seed);
    const r123::Philox2x64 generator;
    const auto draw = [&](std::uint64_t half) {
        const auto bits = generator({{number, half}}, {{key.sum()}});
        return r123::boxmuller(bits[0], bits[1]);
    };
    const auto first = draw(0), second = draw(1);
    return shapes::normalised({first.x, first.y, second.x, second.y});
}

shapes::Ellipsoid ellipsoid_of(const Packing& packing, std::size_t particle) {
    return {.semi_axes = packing.semi_axes[particle],
            .centre = packing.position[particle],
            .orientation = packing.orientation[particle]};
}

shapes::Superellipsoid shape_of(const Packing& packing, std::size_t particle) {
    return {ellipsoid_of(packing, particle),
            packing.exponents.empty() ? shapes::Exponents{} : packing.exponents[particle]};
}

double reach_of(const Packing& packing, std::size_t particle, const Vec3& n) {
    if (!packing.has_shapes()) return packing.radius[particle];
    if (packing.is_clump(particle))
        return packing.clumps[particle]->reach(to_body(packing.orientation[particle], n));
    return reach(shape_of(packing, particle), n);
}

double smallest_size(const Packing& packing, std::size_t particle) {
    if (!packing.has_shapes()) return packing.radius[particle];
    if (packing.is_clump(particle)) return packing.clumps[particle]->smallest_radius();
    const Vec3& axes = packing.semi_axes[particle];
    return std::min({axes.x, axes.y, axes.z});
}

Vec3 principal_moments(const Packing& packing, std::size_t particle) {
    if (!packing.has_shapes()) {
        const double moment = packing.inertia[particle];
        return {moment, moment, moment};
    }
    if (packing.is_clump(particle))
        return packing.mass[particle] * packing.clumps[particle]->inertia;
    return shapes::moments(shape_of(packing, particle), packing.mass[particle]);
}

double least_moment(const Packing& packing, std::size_t particle) {
    const Vec3 moments = principal_moments(packing, particle);
    return std::min({moments.x, moments.y, moments.z});
}

shapes::Inertia inertia_of(const Packing& packing, std::size_t particle,
                           const shapes::Quaternion& orientation) {
    return {.moments = principal_moments(packing, particle),
            .axes = packing.is_clump(particle) ? orientation * packing.clumps[particle]->axes
                                               : orientation};
}

shapes::Inertia inertia_of(const Packing& packing, std::size_t particle) {
    return inertia_of(
        packing, particle,
        packing.has_shapes() ? normalised(packing.orientation[particle]) : shapes::Quaternion{});
}

double rotational_energy(const Packing& packing, std::size_t particle,
                         const shapes::Quaternion& orientation, const Vec3& angular_velocity) {
    return inertia_of(packing, particle, orientation).energy(angular_velocity);
}

}  // namespace beadwave::packing
