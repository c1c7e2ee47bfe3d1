#include "packing/state/fingerprint.hpp"

#include "laws/tangential/sliding_coefficient.hpp"
#include "scenario/hash.hpp"

#include <type_traits>
#include <variant>

namespace beadwave::packing {
namespace {

using scenario::Hash;

void add(Hash& hash, const Vec3& v) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
}

void add(Hash& hash, const ParticleColumn<Vec3>& vectors) {
    for (const Vec3& v : vectors)
        add(hash, v);
}

void add(Hash& hash, const ParticleColumn<double>& numbers) {
    hash.add(std::uint64_t{numbers.size()});
    for (const double number : numbers)
        hash.add(number);
}

void add(Hash& hash, const laws::Settings& law) {
    hash.add(law.name);
    for (const auto& [name, value] : law.values) {
        hash.add(name);
        std::visit([&](const auto& given) { hash.add(given); }, value);
    }
    for (const auto& [name, text] : law.file_texts) {
        hash.add(name);
        hash.add(text);
    }
}

void add(Hash& hash, const laws::Friction& friction) {
    hash.add(static_cast<std::uint64_t>(friction.law));
    for (const double number : {friction.coefficient, friction.stiffness, friction.damping})
        hash.add(number);
    // Without them the hash stays that of earlier versions.
    if (laws::depends_on_slip_speed(friction)) {
        for (const double number :
             {friction.stribeck_speed, friction.stribeck_exponent, friction.viscous_coefficient})
            hash.add(number);
    }
    if (!friction.has_relative_damping() && !friction.static_coefficient) return;
    for (const double number :
         {friction.damping_ratio, friction.damping_factor, friction.normal_damping_factor,
          friction.static_coefficient.value_or(friction.coefficient)})
        hash.add(number);
}

void add(Hash& hash, const laws::Rolling& rolling) {
    for (const double number :
         {rolling.coefficient, rolling.twisting_coefficient, rolling.damping_ratio})
        hash.add(number);
}

void add(Hash& hash, const PairSettings& pair) {
    for (const std::size_t species : pair.species)
        hash.add(std::uint64_t{species});
    add(hash, pair.law);
    add(hash, pair.friction);
    add(hash, pair.rolling);
}

void add(Hash& hash, const Spring& spring) {
    for (const double number : {spring.stiffness, spring.cubic, spring.damping})
        hash.add(number);
}

void add(Hash& hash, const stepping::Drive& drive) {
    for (const double number : drive.numbers())
        hash.add(number);
}

void add(Hash& hash, const Elements& elements) {
    for (const Foundation& each : elements.foundations) {
        hash.add(std::uint64_t{each.particle});
        add(hash, each.spring);
        hash.add(each.rotational_damping);
    }
    for (const Resonator& each : elements.resonators) {
        hash.add(std::uint64_t{each.particle});
        hash.add(each.mass);
        add(hash, each.spring);
    }
    for (const LoadedParticle& each : elements.loads) {
        hash.add(std::uint64_t{each.particle});
        for (const stepping::ForceSignal& along : elements.forces[each.force]) {
            for (const double number : along.numbers())
                hash.add(number);
        }
    }
    for (const Bond& each : elements.bonds) {
        hash.add(std::uint64_t{each.first} + (std::uint64_t{each.second} << 32));
        for (const double number : {each.radius_factor, each.youngs_modulus, each.stiffness_ratio,
                                    each.tensile_strength, each.shear_strength})
            hash.add(number);
        if (!each.ends) continue;
        for (const CementEnd& end : *each.ends) {
            add(hash, end.place);
            hash.add(end.depth);
            hash.add(end.radius);
        }
    }
    for (const DrivenParticle& each : elements.driven) {
        const PrescribedMotion& motion = elements.motions[each.motion];
        hash.add(std::uint64_t{each.particle} + (std::uint64_t{motion.rotates} << 32));
        for (const auto& along : motion.along) {
            hash.add(std::uint64_t{along.has_value()});
            if (along) add(hash, *along);
        }
        for (std::size_t k = 0; motion.turning && k < 3; ++k)
            add(hash, (*motion.turning)[k]);
    }
}

void add(Hash& hash, const Region& region) {
    add(hash, region.lower);
    add(hash, region.upper);
}

void add(Hash& hash, const Pour& pour) {
    for (const std::uint64_t number :
         {std::uint64_t{pour.first}, std::uint64_t{pour.count}, pour.seed})
        hash.add(number);
    add(hash, pour.region);
    for (const double number : {pour.rate, pour.start, pour.end})
        hash.add(number);
}

void add(Hash& hash, const WallShape& shape) {
    const auto add_part = [&](const auto& part) {
        if constexpr (std::is_same_v<decltype(part), const Vec3&>) {
            add(hash, part);
        } else {
            hash.add(part);
        }
    };
    std::visit([&](const auto& s) { s.each_part(add_part); }, shape);
}

void add(Hash& hash, const Wall& wall) {
    add(hash, wall.shape);
    add(hash, wall.velocity);
    hash.add(std::uint64_t{wall.species} + (std::uint64_t{wall.drive.has_value()} << 32));
    if (wall.drive) add(hash, *wall.drive);
    if (wall.angular_velocity != 0.0) hash.add(wall.angular_velocity);
    if (!wall.load) return;
    for (const double number :
         {wall.load->mass, wall.load->force, wall.load->target_velocity, wall.load->gain})
        hash.add(number);
    if (wall.load->start != 0.0) hash.add(wall.load->start);
}

void add(Hash& hash, const HeatBodies& heat) {
    hash.add(heat.start);
    hash.add(heat.specific_heat);
    hash.add(heat.conductivity);
    for (const WarmWall& wall : heat.walls) {
        hash.add(std::uint64_t{wall.temperature.has_value()});
        hash.add(wall.temperature.value_or(0.0));
        hash.add(wall.conductivity);
    }
}

}  // namespace

std::uint64_t fingerprint(const Packing& packing) {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(packing.dimension));
    if (packing.has_line_contacts()) hash.add(packing.length);
    add(hash, packing.radius);
    add(hash, packing.mass);
    add(hash, packing.inertia);
    add(hash, packing.position);
    add(hash, packing.velocity);
    add(hash, packing.angular_velocity);
    for (const std::uint16_t species : packing.species)
        hash.add(std::uint64_t{species});
    for (const char fixed : packing.fixed)
        hash.add(std::uint64_t{fixed != 0});
    for (const Species& species : packing.species_list) {
        hash.add(species.elasticity.youngs_modulus);
        hash.add(species.elasticity.poisson_ratio);
        hash.add(species.elasticity.yield_stress);
        hash.add(species.elasticity.bulk_viscosity);
        hash.add(species.elasticity.shear_viscosity);
    }
    hash.add(std::uint64_t{packing.walls.size()});
    for (const Wall& wall : packing.walls)
        add(hash, wall);
    add(hash, packing.box.lower);
    add(hash, packing.box.upper);
    for (const bool periodic : packing.box.periodic)
        hash.add(std::uint64_t{periodic});
    if (const auto& strain = packing.box.strain) {
        for (const Vec3& v : {strain->rate, strain->shear_rate, strain->stress})
            add(hash, v);
        for (const bool piston : strain->has_piston)
            hash.add(std::uint64_t{piston});
        hash.add(strain->mass);
        hash.add(strain->damping);
        if (strain->start != 0.0) hash.add(strain->start);
    }
    add(hash, packing.gravity);
    add(hash, packing.law);
    add(hash, packing.friction);
    add(hash, packing.rolling);
    hash.add(packing.skin);
    for (const PairSettings& pair : packing.pairs)
        add(hash, pair);
    if (!packing.elements.empty()) add(hash, packing.elements);
    if (!packing.pours.empty() || !packing.exits.empty()) {
        hash.add(std::uint64_t{packing.pours.size()});
        hash.add(std::uint64_t{packing.exits.size()});
    }
    for (const Pour& pour : packing.pours)
        add(hash, pour);
    for (const Exit& exit : packing.exits) {
        hash.add(std::uint64_t{exit.place.index()});
        std::visit([&](const auto& place) { add(hash, place); }, exit.place);
    }
    if (packing.heat) add(hash, *packing.heat);
    if (packing.precision == Precision::mixed) hash.add(std::uint64_t{1});
    if (packing.has_shapes()) {
        add(hash, packing.semi_axes);
        for (const shapes::Quaternion& q : packing.orientation) {
            for (const double part : {q.w, q.x, q.y, q.z})
                hash.add(part);
        }
        for (const shapes::Exponents& e : packing.exponents) {
            hash.add(e.plane);
            hash.add(e.axis);
        }
        for (std::size_t i = 0; i < packing.clumps.size(); ++i) {
            hash.add(std::uint64_t{packing.is_clump(i)});
            if (!packing.is_clump(i)) continue;
            for (const shapes::Ball& ball : packing.clumps[i]->balls) {
                add(hash, ball.centre);
                hash.add(ball.radius);
            }
        }
    }
    return hash.sum();
}

}  // namespace beadwave::packing
