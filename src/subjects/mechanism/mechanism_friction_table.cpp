#include "subjects/mechanism/mechanism_friction_table.hpp"

#include "io/scenario/sliding_keys.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace beadwave::io {

Table<mechanism::Friction> contact_friction_table() {
    using mechanism::Friction;
    Table<Friction> t;
    t.add("law",
          words({"ambrosio", "modified-coulomb", "linear", "coulomb"})
              .otherwise("`\"ambrosio\"`; with the contact law impulse `\"coulomb\"`"),
          &Friction::law,
          "ambrosio: the force grows with the slip speed, so a body at rest creeps; "
          "modified-coulomb: likewise, with a static coefficient at `stiction_speed`; linear: a "
          "spring holds the bodies up to Coulomb's limit, so they stick; coulomb, with the contact "
          "law impulse alone: they stick exactly");
    t.add("coefficient", from_zero("-").needed(), &Friction::coefficient,
          "Coulomb friction coefficient");
    t.add("static_coefficient", from_zero("-").otherwise("`coefficient`"),
          &Friction::static_coefficient,
          "coefficient of contacts that stick, `coefficient` or larger; modified-coulomb: the "
          "largest one, at `stiction_speed`. Impacts under the contact law impulse take "
          "`coefficient`");
    add_slip_speed(t);
    t.renamed("v0", "slip_tolerance");
    t.add("slip_tolerance", from_zero("m/s"), &Friction::slip_tolerance,
          "ambrosio: up to this slip speed there is no friction");
    t.renamed("v1", "full_slip_speed");
    t.add("full_slip_speed", above_zero("m/s").ranges("above `slip_tolerance`"),
          &Friction::full_slip_speed,
          "ambrosio: from this slip speed on the friction is full; it is linear in between");
    const Key stiffness = named("stiffness", above_zero("N/m"), "linear: of the tangential spring")
                              .otherwise("needed for `\"linear\"`");
    t.add(stiffness, &Friction::stiffness);
    t.add("damping", from_zero("N s/m"), &Friction::damping,
          "linear: of the damper beside this spring");
    const Key stiction =
        named("stiction_speed", above_zero("m/s"),
              "modified-coulomb: slip speed of the static coefficient; below it the coefficient "
              "falls to 0")
            .otherwise("needed for `\"modified-coulomb\"`");
    const Key dynamic = named("dynamic_speed", above_zero("m/s").ranges("above `stiction_speed`"),
                              "modified-coulomb: from this slip speed on `coefficient` acts")
                            .otherwise("needed for `\"modified-coulomb\"`");
    t.add(stiction, &Friction::stiction_speed);
    t.add(dynamic, &Friction::dynamic_speed);
    return t.rule([=](const TomlTable& table, const Friction& friction, Reading& reading) {
        using Law = Friction::Law;
        if (friction.law == Law::linear) table.need(table.number(stiffness), stiffness);
        if (friction.law == Law::modified_coulomb) {
            table.need(table.number(stiction), stiction);
            table.need(table.number(dynamic), dynamic);
        }
        if (friction.law == Law::ambrosio && !(friction.full_slip_speed > friction.slip_tolerance))
            table.fail("full_slip_speed", "must be larger than slip_tolerance");
        constexpr std::pair<const char*, Law> own_keys[] = {
            {"slip_tolerance", Law::ambrosio},
            {"full_slip_speed", Law::ambrosio},
            {"stiffness", Law::linear},
            {"damping", Law::linear},
            {"stiction_speed", Law::modified_coulomb},
            {"dynamic_speed", Law::modified_coulomb}};
        constexpr const char* names[] = {"ambrosio", "modified-coulomb", "linear", "coulomb"};
        for (const auto& [key, law] : own_keys) {
            if (law == friction.law || !table.has(key)) continue;
            const char* const name = names[static_cast<std::size_t>(friction.law)];
            reading.no_effect(table.key(key), fmt::format("law {} does not use it", name));
        }
        if (table.has("stribeck_exponent") && !(friction.stribeck_speed > 0.0)) {
            reading.no_effect(table.key("stribeck_exponent"),
                              "there is no stribeck_speed, and so no curve");
        }
    });
}

Table<mechanism::JointFriction> joint_friction_table(std::string_view size,
                                                     double mechanism::JointFriction::*member,
                                                     std::string_view meaning) {
    using mechanism::JointFriction;
    Table<JointFriction> t;
    t.add("coefficient", from_zero("-").needed(), &JointFriction::coefficient,
          "Coulomb friction coefficient. The joint sticks exactly");
    t.add("static_coefficient", from_zero("-").otherwise("`coefficient`"),
          &JointFriction::static_coefficient,
          "coefficient while the joint sticks, `coefficient` or larger");
    add_slip_speed(t);
    return t.add(size, above_zero("m").needed(), member, meaning);
}

}  // namespace beadwave::io
