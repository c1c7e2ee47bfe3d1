#include "packing/elements/check_elements.hpp"

#include "packing/vector_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::packing {
namespace {

bool from_zero(double number) {
    return std::isfinite(number) && number >= 0.0;
}

const char* fault_of(const Spring& spring) {
    if (!from_zero(spring.stiffness)) return "stiffness is not a finite number, 0 or larger";
    if (!std::isfinite(spring.cubic)) return "cubic stiffness is not finite";
    if (!from_zero(spring.damping)) return "damping is not a finite number, 0 or larger";
    return nullptr;
}

/// Checks one list; `check` returns what is wrong with an element, or an empty text.
template <class Element, class Check>
std::string fault_in(std::string_view list, const std::vector<Element>& elements,
                     const Packing& packing, const Check& check) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const std::size_t particle = elements[k].particle;
        std::string wrong;
        if (particle >= packing.particles()) {
            wrong = fmt::format("there is no particle {}; expected 0 to {}", particle,
                                packing.particles() - 1);
        } else if (packing.is_fixed(particle)) {
            wrong = fixed_carrier(particle);
        } else {
            wrong = check(elements[k]);
        }
        if (!wrong.empty()) return fmt::format("{} {}: {}", list, k, wrong);
    }
    return {};
}

std::string fault_of_ends(const Packing& p, const Bond& bond) {
    if (bond.ends.has_value() != p.has_shapes())
        return "ends of the cement: expected those of both particles in a packing with shapes, and "
               "none between spheres";
    if (!bond.ends) return {};
    for (const CementEnd& end : *bond.ends) {
        const bool sizes = std::isnormal(end.depth) && end.depth > 0.0 &&
                           std::isnormal(end.radius) && end.radius > 0.0;
        if (!sizes || !std::isfinite(dot(end.place, end.place)))
            return "an end of the cement has a place that is not finite, or a depth or radius that "
                   "is not a finite number above 0";
    }
    return {};
}

std::string fault_of_bonds(const Packing& p) {
    const std::vector<Bond>& bonds = p.elements.bonds;
    if (bonds.empty()) return {};
    if (p.box.repeats())
        return "bond 0: bonds in a periodic box do not work yet; expected no periodic axis";
    if (p.has_line_contacts())
        return "bond 0: bonds of cylinders do not work yet; expected spheres";
    const auto above_zero = [](double number) { return number > 0.0; };
    std::set<std::pair<std::size_t, std::size_t>> bonded;
    for (std::size_t k = 0; k < bonds.size(); ++k) {
        const Bond& bond = bonds[k];
        const auto fault = [&]() -> std::string {
            const auto [low, high] = std::minmax({bond.first, bond.second});
            if (high >= p.particles())
                return fmt::format("there is no particle {}; expected 0 to {}", high,
                                   p.particles() - 1);
            if (low == high) return "joins a particle with itself";
            if (p.is_held(low) && p.is_held(high))
                return fmt::format("neither particle {} nor {} is free to move", low, high);
            // The balls of two clumps have one each.
            if (!bonded.emplace(low, high).second && !p.is_clump(low) && !p.is_clump(high))
                return fmt::format("particles {} and {} have a bond already", low, high);
            if (!above_zero(bond.radius_factor) || !std::isfinite(bond.radius_factor))
                return "radius factor is not a finite number above 0";
            if (!above_zero(bond.youngs_modulus) || !std::isfinite(bond.youngs_modulus))
                return "Young's modulus is not a finite number above 0";
            if (!above_zero(bond.stiffness_ratio) || !std::isfinite(bond.stiffness_ratio))
                return "stiffness ratio is not a finite number above 0";
            if (!above_zero(bond.tensile_strength) || !above_zero(bond.shear_strength))
                return "a strength is not above 0";
            return fault_of_ends(p, bond);
        }();
        if (!fault.empty()) return fmt::format("bond {}: {}", k, fault);
    }
    return {};
}

}  // namespace

Vec3 driven_velocity(const PrescribedMotion& motion, const Vec3& velocity, double time) {
    Vec3 result = velocity;
    for (std::size_t k = 0; k < 3; ++k) {
        if (motion.along[k]) result.*axes[k] = motion.along[k]->velocity(time);
    }
    return result;
}

Vec3 driven_angular_velocity(const PrescribedMotion& motion, double time) {
    if (!motion.turning) return {};
    const std::array<stepping::Drive, 3>& angle = *motion.turning;
    return {angle[0].velocity(time), angle[1].velocity(time), angle[2].velocity(time)};
}

std::string fixed_carrier(std::size_t particle) {
    return fmt::format(
        "particle {} is fixed and cannot have it; expected a particle that is free to move",
        particle);
}

std::string driven_twice(std::size_t particle) {
    return fmt::format("particle {} is driven already", particle);
}

std::string fault_of_drive(const Packing& packing, std::size_t particle,
                           const PrescribedMotion& motion) {
    for (std::size_t k = 0; k < 3; ++k) {
        const double velocity = packing.velocity[particle].*axes[k];
        if (motion.along[k] && velocity != 0.0 && velocity != motion.along[k]->velocity(0.0)) {
            return fmt::format(
                "particle {} has a velocity of {:g} m/s along {} at the start; a driven particle "
                "moves as its drive says",
                particle, velocity, "xyz"[k]);
        }
    }
    const Vec3& spin = packing.angular_velocity[particle];
    if (motion.turning && spin != Vec3{} && spin != driven_angular_velocity(motion, 0.0)) {
        return fmt::format(
            "particle {} rotates at the start; a driven particle turns as its drive says",
            particle);
    }
    if (!motion.rotates && !motion.turning && spin != Vec3{}) {
        return fmt::format(
            "particle {} rotates at the start; expected rotates = true, or no angular velocity",
            particle);
    }
    return {};
}

std::string validate_elements(const Packing& p) {
    const Elements& all = p.elements;
    if (all.empty()) return {};
    if (p.box.strain)
        return "box: strains, and what particles carry cannot follow the strain; expected a box "
               "without strain";
    const auto text = [](const char* fault) { return fault != nullptr ? fault : std::string(); };
    if (std::string wrong = fault_in("foundation", all.foundations, p,
                                     [&](const Foundation& each) -> std::string {
                                         if (!from_zero(each.rotational_damping))
                                             return "rotational damping is not a finite number, 0 "
                                                    "or larger";
                                         return text(fault_of(each.spring));
                                     });
        !wrong.empty())
        return wrong;
    if (std::string wrong = fault_in("resonator", all.resonators, p,
                                     [&](const Resonator& each) -> std::string {
                                         if (!(std::isnormal(each.mass) && each.mass > 0.0))
                                             return "mass is not a finite number above 0";
                                         return text(fault_of(each.spring));
                                     });
        !wrong.empty())
        return wrong;
    if (std::string wrong = fault_in("load", all.loads, p,
                                     [&](const LoadedParticle& each) -> std::string {
                                         if (each.force >= all.forces.size())
                                             return "its force is not in the list";
                                         const ForceOverTime& force = all.forces[each.force];
                                         for (const stepping::ForceSignal& along : force) {
                                             if (!std::isfinite(along.largest()))
                                                 return "force is not finite";
                                         }
                                         if (p.dimension == 2 && force[2].largest() > 0.0)
                                             return "force points out of the plane z = 0";
                                         return {};
                                     });
        !wrong.empty())
        return wrong;
    if (std::string wrong = fault_of_bonds(p); !wrong.empty()) return wrong;
    std::vector<char> driven(p.particles());
    return fault_in("drive", all.driven, p, [&](const DrivenParticle& each) -> std::string {
        if (std::exchange(driven[each.particle], 1) != 0) return driven_twice(each.particle);
        if (each.motion >= all.motions.size()) return "its motion is not in the list";
        const PrescribedMotion& motion = all.motions[each.motion];
        if (p.dimension == 2 && motion.along[2] && motion.along[2]->largest_speed() > 0.0)
            return "moves out of the plane z = 0";
        if (motion.turning && motion.rotates)
            return "turns as prescribed, and is free to rotate; expected one of the two";
        if (motion.turning && p.dimension == 2 &&
            std::max((*motion.turning)[0].largest_speed(), (*motion.turning)[1].largest_speed()) >
                0.0)
            return "turns about an axis other than z";
        return {};
    });
}

}  // namespace beadwave::packing
