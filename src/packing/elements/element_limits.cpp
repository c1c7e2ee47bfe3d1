#include "packing/elements/element_limits.hpp"

#include "packing/build/particle_shapes.hpp"
#include "packing/elements/bond_stepper.hpp"
#include "packing/vector_length.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace beadwave::packing {
namespace {

double largest(const ForceOverTime& force) {
    return std::hypot(force[0].largest(), force[1].largest(), force[2].largest());
}

double shortest(const ForceOverTime& force) {
    return std::min({force[0].period(), force[1].period(), force[2].period()});
}

/// The diagonal of the box around all particles [m].
double extent(const Packing& p) {
    Vec3 lower = p.position[0], upper = lower;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        for (double Vec3::*k : axes) {
            lower.*k = std::min(lower.*k, p.position[i].*k - p.radius[i]);
            upper.*k = std::max(upper.*k, p.position[i].*k + p.radius[i]);
        }
    }
    return length_of(upper - lower);
}

}  // namespace

void include_elements(stepping::Shortest& shortest, const Packing& packing) {
    const Elements& elements = packing.elements;
    if (elements.foundations.empty() && elements.resonators.empty() && elements.bonds.empty())
        return;
    struct OfParticle {
        double stiffness = 0.0, damping = 0.0, drag = 0.0, inner = 0.0, inner_damping = 0.0;
        double bonds = 0.0;  // over mass
    };
    std::vector<OfParticle> all(packing.particles());
    for (const Foundation& each : elements.foundations) {
        OfParticle& of = all[each.particle];
        of.stiffness += each.spring.stiffness;
        of.damping += each.spring.damping;
        of.drag += each.rotational_damping;
    }
    for (const Resonator& each : elements.resonators) {
        OfParticle& of = all[each.particle];
        of.stiffness += each.spring.stiffness;
        of.damping += each.spring.damping;
        of.inner = std::max(of.inner, each.spring.stiffness / each.mass);
        of.inner_damping = std::max(of.inner_damping, each.spring.damping / each.mass);
    }
    for (const Bond& bond : elements.bonds) {
        for (const std::size_t particle : {bond.first, bond.second})
            all[particle].bonds += bond_limit(packing, bond, particle);
    }
    double square = 0.0, damping = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const OfParticle& of = all[i];
        const bool held = packing.is_held(i);
        const double by_mass = held ? 0.0 : 1.0 / packing.mass[i];
        square = std::max(square, of.stiffness * by_mass + of.inner + of.bonds);
        damping = std::max({damping, of.damping * by_mass + of.inner_damping,
                            held ? 0.0 : of.drag / least_moment(packing, i)});
    }
    shortest.pulls(square, square);
    shortest.drags(damping);
}

double turning_speed(const PrescribedMotion& motion) {
    double turns = 0.0;
    for (std::size_t k = 0; motion.turning && k < 3; ++k)
        turns = std::hypot(turns, (*motion.turning)[k].largest_speed());
    return turns;
}

double driven_speed(const Packing& packing) {
    double fastest = 0.0;
    const Elements& elements = packing.elements;
    for (const DrivenParticle& each : elements.driven) {
        const PrescribedMotion& motion = elements.motions[each.motion];
        double square = 0.0;
        for (const auto& along : motion.along) {
            const double speed = along ? along->largest_speed() : 0.0;
            square += speed * speed;
        }
        fastest = std::max(
            fastest, std::sqrt(square) + packing.radius[each.particle] * turning_speed(motion));
    }
    return fastest;
}

double speed_by_loads(const Packing& packing, double end) {
    const Elements& elements = packing.elements;
    if (elements.loads.empty()) return 0.0;
    std::vector<double> force(packing.particles()), pushes(packing.particles()),
        drag(packing.particles());
    for (const LoadedParticle& each : elements.loads) {
        const ForceOverTime& of = elements.forces[each.force];
        force[each.particle] += largest(of);
        pushes[each.particle] = std::max(pushes[each.particle], std::min(0.25 * shortest(of), end));
    }
    for (const Foundation& each : elements.foundations)
        drag[each.particle] += each.spring.damping;
    const double way = extent(packing);
    double fastest = 0.0;
    for (std::size_t i = 0; i < force.size(); ++i) {
        if (force[i] == 0.0 || packing.is_held(i)) continue;
        const double acceleration = force[i] / packing.mass[i];
        double speed = std::min(acceleration * pushes[i], std::sqrt(2.0 * acceleration * way));
        if (drag[i] > 0.0) speed = std::min(speed, force[i] / drag[i]);
        fastest = std::max(fastest, speed);
    }
    return fastest;
}

DrivePeriod shortest_period(const Elements& elements) {
    DrivePeriod found;
    const auto include = [&](double period, const char* what) {
        if (period < found.period) found = {period, what};
    };
    for (const PrescribedMotion& motion : elements.motions) {
        for (const auto& along : motion.along) {
            if (along) include(along->period(), "a driven particle");
        }
        for (std::size_t k = 0; motion.turning && k < 3; ++k)
            include((*motion.turning)[k].period(), "a driven particle");
    }
    for (const ForceOverTime& force : elements.forces)
        include(shortest(force), "a load over time");
    return found;
}

}  // namespace beadwave::packing
