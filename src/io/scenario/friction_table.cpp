#include "io/scenario/friction_table.hpp"

#include "io/scenario/sliding_keys.hpp"

#include <fmt/format.h>

#include <string>

namespace beadwave::io {

using laws::Friction;
using laws::FrictionLaw;

Table<Friction> friction_table() {
    const Key stiffness = named("stiffness", above_zero("N/m"), "tangential stiffness")
                              .otherwise("needed for `\"linear\"`, the only law that uses it");
    const Key coefficient = named("coefficient", from_zero("-"), "friction coefficient")
                                .otherwise("needed, except for `\"none\"`");
    Table<Friction> t;
    t.add("law", words({"none", "linear", "mindlin", "mindlin-displacement", "coulomb"}).needed(),
          &Friction::law,
          "tangential law; `\"coulomb\"`: without a spring, the friction of rigid contacts alone");
    t.add(coefficient, &Friction::coefficient);
    t.add(stiffness, &Friction::stiffness);
    t.add("static_coefficient", from_zero("-").otherwise("`friction.coefficient`"),
          &Friction::static_coefficient,
          "friction coefficient of contacts that stick, `friction.coefficient` or larger");
    add_slip_speed(t);
    t.add("damping", from_zero("N s/m"), &Friction::damping,
          "tangential damping: the coefficient of a dashpot beside the spring");
    t.add("damping_ratio", from_zero("-"), &Friction::damping_ratio,
          "tangential damping of Mindlin's laws, divided by the critical damping of their spring");
    t.add("damping_factor", from_zero("-"), &Friction::damping_factor,
          "tangential damping of Mindlin's laws, divided by that which the restitution of the "
          "normal law sets");
    t.add("normal_damping_factor", from_zero("-"), &Friction::normal_damping_factor,
          "tangential damping of Mindlin's laws, divided by the damping of the normal law");
    return t.rule([=](const TomlTable& table, Friction& friction, Reading& reading) {
        const std::string law = *table.text(plain("law", Kind::text));
        const bool linear = friction.law == FrictionLaw::linear;
        const auto uses = [&](const Key& key, double& value, bool used, bool needed) {
            if (used && needed) table.need(table.number(key), key);
            if (used || !table.has(key.name)) return;
            value = 0.0;
            reading.no_effect(table.key(key.name), fmt::format("law {} does not use it", law));
        };
        uses(coefficient, friction.coefficient, friction.law != FrictionLaw::none, true);
        uses(stiffness, friction.stiffness, linear, true);
        const bool acts = friction.law != FrictionLaw::none, mindlin = friction.is_mindlin();
        uses(plain("damping", Kind::number), friction.damping, acts, false);
        uses(plain("damping_ratio", Kind::number), friction.damping_ratio, mindlin, false);
        uses(plain("damping_factor", Kind::number), friction.damping_factor, mindlin, false);
        uses(plain("normal_damping_factor", Kind::number), friction.normal_damping_factor, mindlin,
             false);
        uses(stribeck_speed_key(), friction.stribeck_speed, acts, false);
        uses(viscous_coefficient_key(), friction.viscous_coefficient, acts, false);
        if (table.has("stribeck_exponent") && !(friction.stribeck_speed > 0.0)) {
            reading.no_effect(table.key("stribeck_exponent"),
                              "there is no stribeck_speed, and so no curve");
        }
        if (acts || !friction.static_coefficient) return;
        friction.static_coefficient.reset();
        reading.no_effect(table.key("static_coefficient"),
                          fmt::format("law {} does not use it", law));
    });
}

}  // namespace beadwave::io
