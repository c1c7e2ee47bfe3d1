#include "subjects/packing/pair_table.hpp"

#include "io/scenario/law_reader.hpp"
#include "io/scenario/sliding_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::io {
namespace {

using packing::PairPlan;
using packing::Scenario;

Table<PairPlan> pair_table() {
    Table<PairPlan> t;
    t.row(plain("materials", Kind::texts, "the two materials, or one twice")
              .ranges("two names, such as `[\"steel\", \"glass\"]`")
              .expects(R"(two names of materials, such as ["steel", "glass"])")
              .needed(),
          [](const TomlTable& table, const Key& key, PairPlan& pair, Reading& reading) {
              const auto given = table.need(table.texts(key, 2, 2), key);
              for (std::size_t side = 0; side < 2; ++side) {
                  pair.materials[side] = given[side];
                  if (reading.materials->contains(given[side])) continue;
                  table.fail("materials", fmt::format("there is no material \"{}\"", given[side]));
              }
          });
    Key law = Key(law_key()).optional().otherwise("`[law]`").like("law");
    law.meaning = "numbers in place of those of `[law]`, such as `{ restitution = 0.5 }`";
    law.renamed_children = {};  // no earlier version had this table
    t.known(std::move(law));
    Table<PairPlan> friction;
    friction.add("coefficient", from_zero("-").otherwise("`friction.coefficient`"),
                 &PairPlan::friction, "friction coefficient of these contacts");
    friction.add("static_coefficient", from_zero("-").otherwise("`friction.static_coefficient`"),
                 &PairPlan::static_friction,
                 "friction coefficient of these contacts while they stick");
    friction.add(stribeck_speed_key().otherwise("`friction.stribeck_speed`"),
                 &PairPlan::stribeck_speed);
    friction.add(stribeck_exponent_key().otherwise("`friction.stribeck_exponent`"),
                 &PairPlan::stribeck_exponent);
    friction.add(viscous_coefficient_key().otherwise("`friction.viscous_coefficient`"),
                 &PairPlan::viscous_friction);
    const auto damping = [&](const char* name, const char* unit, auto member) {
        friction.add(name, from_zero(unit).otherwise("the damping of `[friction]`"), member,
                     "tangential damping of these contacts, in place of any damping of "
                     "`[friction]`");
    };
    damping("damping", "N s/m", &PairPlan::damping);
    damping("damping_ratio", "-", &PairPlan::damping_ratio);
    damping("damping_factor", "-", &PairPlan::damping_factor);
    damping("normal_damping_factor", "-", &PairPlan::normal_damping_factor);
    t.table(plain("friction", Kind::table), friction);
    t.table("rolling", "coefficient", from_zero("-").otherwise("`rolling.coefficient`"),
            &PairPlan::rolling, "of these contacts");
    t.table("twisting", "coefficient", from_zero("-").otherwise("`twisting.coefficient`"),
            &PairPlan::twisting, "of these contacts");
    return t;
}

bool same_materials(const PairPlan& a, const PairPlan& b) {
    return (a.materials[0] == b.materials[0] && a.materials[1] == b.materials[1]) ||
           (a.materials[0] == b.materials[1] && a.materials[1] == b.materials[0]);
}

bool is_used(const Scenario& scenario, const std::string& material) {
    const auto is = [&](const auto& part) { return part.material == material; };
    return std::ranges::any_of(scenario.groups, is) || std::ranges::any_of(scenario.walls, is);
}

void finish(const TomlTable& table, const Scenario& scenario, PairPlan& pair, Reading& reading) {
    pair.law = scenario.law;
    if (const auto law = table.table("law"))
        pair.law = changed_law(*law, scenario.law, scenario.has_line_contacts());
    const auto resists = [&](const char* name, const auto& coefficient, bool acts) {
        if (coefficient && !acts)
            table.fail(name, fmt::format("has no [{0}] to differ from; give [{0}], with the "
                                         "coefficient of all other contacts",
                                         name));
    };
    resists("friction", pair.friction, scenario.friction.law != laws::FrictionLaw::none);
    const auto has_friction = scenario.friction.law != laws::FrictionLaw::none;
    for (const auto& number :
         {pair.static_friction, pair.stribeck_speed, pair.stribeck_exponent, pair.viscous_friction,
          pair.damping, pair.damping_ratio, pair.damping_factor, pair.normal_damping_factor})
        resists("friction", number, has_friction);
    if (pair.stribeck_exponent && has_friction && !pair.stribeck_speed &&
        !(scenario.friction.stribeck_speed > 0.0)) {
        reading.no_effect(table.key("friction.stribeck_exponent"),
                          "there is no stribeck_speed, and so no curve");
    }
    resists("rolling", pair.rolling, scenario.rolling.acts());
    resists("twisting", pair.twisting, scenario.rolling.acts());
    for (const std::string& material : pair.materials) {
        if (!is_used(scenario, material))
            reading.no_effect(table.key("materials"),
                              fmt::format("nothing is of \"{}\"", material));
    }
}

}  // namespace

Table<Scenario> pairs_row() {
    Table<Scenario> t;
    t.tables(plain("pair", Kind::tables, "contacts of two materials with numbers of their own"),
             &Scenario::pairs, pair_table());
    return t.rule([](const TomlTable& root, Scenario& scenario, Reading& reading) {
        const auto tables = root.tables("pair");
        auto& pairs = scenario.pairs;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto same = std::find_if(
                pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(i),
                [&](const PairPlan& other) { return same_materials(other, pairs[i]); });
            if (same != pairs.begin() + static_cast<std::ptrdiff_t>(i)) {
                (*tables)[i].fail("materials",
                                  fmt::format("are those of pair {}, too", same - pairs.begin()));
            }
            finish((*tables)[i], scenario, pairs[i], reading);
        }
    });
}

}  // namespace beadwave::io
