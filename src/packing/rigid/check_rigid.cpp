#include "packing/rigid/check_rigid.hpp"

#include "laws/tangential/sliding_coefficient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

using laws::FrictionLaw;

std::string fault_of_friction(const laws::Friction& friction) {
    if (friction.law != FrictionLaw::none && friction.law != FrictionLaw::coulomb)
        return "friction: rigid contacts have no tangential stiffness; expected the law "
               "\"coulomb\", or \"none\"";
    if (friction.static_coefficient && *friction.static_coefficient != friction.coefficient)
        return "friction: rigid contacts have one coefficient; expected no static_coefficient";
    if (laws::depends_on_slip_speed(friction))
        return "friction: rigid contacts have one coefficient at every slip speed; expected no "
               "stribeck_speed and no viscous_coefficient";
    if (friction.damping > 0.0 || friction.has_relative_damping())
        return "friction: rigid contacts have no tangential dashpot; expected no damping";
    return {};
}

std::string fault_of_wall(const Wall& wall) {
    if (!std::holds_alternative<Plane>(wall.shape))
        return "is curved or a mesh; expected planes around rigid contacts";
    if (wall.load) return "has a mass; expected a wall at rest or driven beside rigid contacts";
    if (wall.angular_velocity != 0.0)
        return "turns; expected a wall that moves without turning beside rigid contacts";
    return {};
}

std::string fault_of_law(const laws::Settings& law) {
    for (const laws::Parameter& parameter : laws::rigid_law().parameters) {
        if (!law.values.contains(parameter.name) || !parameter.accepts(law.number(parameter.name)))
            return fmt::format("law rigid: {} must be {}", parameter.name, parameter.allowed());
    }
    const double iterations = law.number("solver_iterations");
    if (iterations != std::floor(iterations))
        return fmt::format("law rigid: solver_iterations is {:g}; expected a whole number",
                           iterations);
    return {};
}

/// Whether two laws have the same solver.
bool same_solver(const laws::Settings& one, const laws::Settings& other) {
    return one.number("solver_tolerance") == other.number("solver_tolerance") &&
           one.number("solver_iterations") == other.number("solver_iterations");
}

}  // namespace

std::string validate_rigid(const Packing& p) {
    if (!p.is_rigid()) {
        return p.friction.law == FrictionLaw::coulomb
                   ? "friction: the law \"coulomb\" is that of rigid contacts; expected the law "
                     "\"rigid\" in [law], or the friction \"linear\" or \"mindlin\""
                   : "";
    }
    if (std::string wrong = fault_of_law(p.law); !wrong.empty()) return wrong;
    if (p.has_shapes())
        return "law rigid: has spheres and cylinders; expected no ellipsoids, superellipsoids or "
               "clumps";
    if (std::string wrong = fault_of_friction(p.friction); !wrong.empty()) return wrong;
    const auto rolls = [](const PairSettings& pair) { return pair.rolling.acts(); };
    if (p.rolling.acts() || std::ranges::any_of(p.pairs, rolls))
        return "rolling: rigid contacts have no resistance to rolling and twisting; expected none";
    for (std::size_t k = 0; k < p.pairs.size(); ++k) {
        for (const std::string& wrong :
             {fault_of_friction(p.pairs[k].friction), fault_of_law(p.pairs[k].law)})
            if (!wrong.empty()) return fmt::format("pair {}: {}", k, wrong);
        if (!same_solver(p.pairs[k].law, p.law))
            return fmt::format(
                "pair {}: one solver finds the impulses of all contacts; expected solver_tolerance "
                "and solver_iterations in [law] alone",
                k);
    }
    for (std::size_t w = 0; w < p.walls.size(); ++w) {
        if (std::string wrong = fault_of_wall(p.walls[w]); !wrong.empty())
            return fmt::format("wall {}: {}", w, wrong);
    }
    if (p.box.strain)
        return "box: strains; expected a box that stays as it is around rigid contacts";
    if (!p.elements.empty())
        return "foundation, resonator, load, drive and bond: particles with rigid contacts cannot "
               "carry them yet; expected none of them";
    if (!p.pours.empty())
        return "pour: particles with rigid contacts are there from the start; expected no pour";
    if (!p.exits.empty()) return "exit: particles with rigid contacts stay; expected no exit";
    if (p.heat) return "law rigid: its contacts conduct no heat; expected no [heat]";
    if (p.precision != Precision::full)
        return "precision: rigid contacts are computed in double precision; expected \"double\"";
    if (p.place != Place::host)
        return "device: rigid contacts are computed on the processor's cores; expected no device";
    return {};
}

}  // namespace beadwave::packing
