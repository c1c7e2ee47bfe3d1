#include "subjects/mechanism/mechanism_contact_table.hpp"

#include "beadwave/input_error.hpp"
#include "io/scenario/common_tables.hpp"
#include "io/scenario/law_reader.hpp"
#include "mechanism/contact_force.hpp"
#include "subjects/mechanism/mechanism_friction_table.hpp"
#include "subjects/mechanism/mechanism_shape_table.hpp"
#include "subjects/mechanism/mechanism_wear_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::io {
namespace {

using mechanism::Contact;
using mechanism::Journal;
using mechanism::PointLine;
using mechanism::Prismatic;
using mechanism::Shapes;
using mechanism::SphereSphere;

Table<Journal> journal_rows() {
    Table<Journal> t;
    t.add("point", vector2("m").needed(), &Journal::point, "centre of the pin");
    t.renamed("hole", "bearing_centre");
    t.add("bearing_centre", vector2("m").otherwise("centre of the pin"), &Journal::bearing_centre,
          "centre of the hole");
    t.add("bearing_radius", above_zero("m").needed(), &Journal::bearing_radius,
          "radius of the hole");
    t.add("clearance", above_zero("m").ranges("above 0, below `bearing_radius`").needed(),
          &Journal::clearance, "radius of the hole minus radius of the pin");
    t.add("length", above_zero("m"), &Journal::length,
          "length of the bearing; makes it a line contact, which needs a [line "
          "law](LAWS.md#line-contacts)");
    return t.rule([](const TomlTable& table, const Journal& journal, const Reading&) {
        if (!(journal.clearance < journal.bearing_radius))
            table.fail("clearance", "must be smaller than bearing_radius");
    });
}

Table<Prismatic> prismatic_rows() {
    Table<Prismatic> t;
    t.add("point", vector2("m").needed(), &Prismatic::point,
          "centre of the block, midway between the walls");
    t.add("axis", vector2("-").needed(), &Prismatic::axis, "direction of the walls");
    t.add("length", above_zero("m").needed(), &Prismatic::length,
          "length of the block, along the axis");
    t.add("height", above_zero("m").needed(), &Prismatic::height,
          "height of the block, across the axis");
    t.add("clearance", above_zero("m").needed(), &Prismatic::clearance, "clearance on either side");
    return t.add("corner_radius", above_zero("m").otherwise("needed with materials"),
                 &Prismatic::corner_radius,
                 "radius of each of the four corners. Corners 0 and 1 touch the wall on the left "
                 "of the axis, 2 and 3 the other");
}

Table<PointLine> point_line_rows() {
    Table<PointLine> t;
    t.add("point", vector2("m").needed(), &PointLine::point, "the point");
    t.add("line_point", vector2("m").needed(), &PointLine::line_point, "a point on the line");
    t.add("normal", vector2("-").needed(), &PointLine::normal,
          "direction from the line to the free side");
    return t.add("radius", above_zero("m").otherwise("needed with materials"), &PointLine::radius,
                 "radius of the tip");
}

Table<SphereSphere> sphere_sphere_rows() {
    Table<SphereSphere> t;
    t.add(
        "first", vector2("m").needed(),
        [](SphereSphere & pair) -> auto& { return pair.centres[0]; }, "centre in the first body");
    t.add(
        "second", vector2("m").needed(),
        [](SphereSphere & pair) -> auto& { return pair.centres[1]; }, "centre in the second body");
    Key radii = named("radii", above_zero("m"), "the two radii")
                    .ranges("two numbers above 0")
                    .expects("two radii, each a number above 0, in m")
                    .needed();
    radii.kind = Kind::numbers;
    return t.add(std::move(radii), &SphereSphere::radii);
}

/// The table `name`: a shape of the first or second body.
template <class Place>
void add_shape(Table<Shapes>& t, Key key, Place place) {
    static const Table<ReadShape> rows = shape_table();
    key.children = rows.keys();
    t.row(std::move(key),
          [place](const TomlTable& table, const Key& its_key, Shapes& pair, Reading& reading) {
              ReadShape read;
              rows.read(table.need(table.table(its_key.name), its_key), read, reading);
              pair.*place = std::move(read.shape);
          });
}

Table<Shapes> shapes_rows() {
    const std::string wanted =
        "a table such as { shape = \"circle\", centre = [0.0, 0.0], radius = "
        "0.01 }";
    Table<Shapes> t;
    add_shape(t, plain("first", Kind::table, "outline of the first body").needed(wanted),
              &Shapes::first);
    add_shape(t,
              plain("second", Kind::table, "outline of the second body: takes the keys of `first`")
                  .needed(wanted)
                  .like("first"),
              &Shapes::second);
    return t;
}

const Key stiffness_key = named("stiffness", above_zero("N/m^1.5"),
                                "replaces the materials; line contacts need the materials");

const Table<Contact>& contact_table() {
    static const Table<Contact> all = [] {
        Table<Contact> t;
        t.choose(named("kind",
                       words({"journal", "prismatic", "point-line", "sphere-sphere", "shapes"})
                           .renamed({{"guide", "prismatic"},
                                     {"tip", "point-line"},
                                     {"balls", "sphere-sphere"}})
                           .needed(),
                       "journal: a pin of the first body in a hole of the second; prismatic: a "
                       "block of the first body between two parallel walls of the second; "
                       "point-line: a point of the first body against an endless line of the "
                       "second; sphere-sphere: two spheres or discs; shapes: any two outlines"),
                 &Contact::geometry, journal_rows(), prismatic_rows(), point_line_rows(),
                 sphere_sphere_rows(), shapes_rows());
        t.add("name", of(Kind::text).otherwise("kind and number"), &Contact::name,
              "name in the output");
        add_bodies(t, "the first and the second body");
        for (Key& key : elasticity_table().keys())
            t.known(std::move(key).otherwise("materials of the bodies"));
        t.known(stiffness_key);
        t.add("effective_mass",
              above_zero("kg").otherwise(
                  "effective mass of the mechanism along the normal, at each closing"),
              &Contact::effective_mass, "for laws that use it");
        t.known(named(
            "law", Key(law_key()).optional().otherwise("`[law]`").like("law"),
            "law of this contact: a table such as `{ name = \"flores\", restitution = 0.6 }`. Keys "
            "of `[law]` override its keys, so `--set law.name=hertz` changes every contact"));
        t.add(
            "line_length", above_zero("m"), &Contact::line_length,
            "length of the contact across the plane; makes it a line contact, which needs a [line "
            "law](LAWS.md#line-contacts). A journal has `length`");
        t.renamed("memory", "history");
        t.add("history",
              words({"reset", "persistent"}).renamed({{"impact", "reset"}, {"kept", "persistent"}}),
              &Contact::persistent_history,
              "`\"reset\"`: each impact meets undeformed material; `\"persistent\"`: the law's "
              "memory outlasts the impact");
        t.table(plain("friction", Kind::table, "friction of this contact"), &Contact::friction,
                contact_friction_table());
        return t.known(wear_of_contact_key());
    }();
    return all;
}

/// Whether the contact has materials of its own, or a stiffness.
bool has_material(const TomlTable& table) {
    static const Table<laws::Elasticity> elasticity = elasticity_table();
    return table.has(stiffness_key.name) ||
           std::ranges::any_of(elasticity.keys(),
                               [&](const Key& key) { return table.has(key.name); });
}

std::variant<mechanism::Materials, mechanism::Stiffness> read_materials_or_stiffness(
    const TomlTable& table, const Contact& contact, const BodyMaterials& materials,
    Reading& reading) {
    static const Table<laws::Elasticity> elasticity = elasticity_table();
    const bool own =
        std::ranges::any_of(elasticity.keys(), [&](const Key& key) { return table.has(key.name); });
    if (const auto stiffness = table.number(stiffness_key)) {
        if (own)
            table.fail(
                "stiffness",
                "cannot be given together with youngs_modulus, poisson_ratio or yield_stress");
        return mechanism::Stiffness{*stiffness};
    }
    mechanism::Materials made;
    for (std::size_t i = 0; i < 2; ++i) {
        if (own) {
            elasticity.read_rows(table, made.elasticity[i], reading);
            continue;
        }
        const std::size_t body = contact.bodies[i];
        const bool ground = body == mechanism::ground;
        const auto& material = ground ? materials.of_ground : materials.of_bodies[body];
        if (!material) {
            table.fail(
                "youngs_modulus",
                fmt::format("missing; give it with poisson_ratio, or stiffness, in "
                            "N/m^1.5, or give a material to {}",
                            ground ? "[ground]" : fmt::format("body \"{}\"", reading.names[body])));
        }
        made.elasticity[i] = reading.materials->at(*material).elasticity;
    }
    return made;
}

mechanism::Impulse read_impulse(const TomlTable& table, bool counts, Reading& reading) {
    for (const std::string& name : table.names()) {
        if (name != "name" && name != "restitution" && name != "definition")
            reading.no_effect(table.key(name), "the law impulse does not take it");
    }
    mechanism::Impulse law{.restitution = table.needed_number(named(
                               "restitution", between(0.0, 1.0), "of impacts that take no time"))};
    if (const auto word = table.word(impulse_definition_key())) {
        law.definition = static_cast<laws::RestitutionDefinition>(*word);
        const std::string key = table.key("definition");
        const bool known = std::ranges::any_of(reading.warnings, [&](const std::string& warning) {
            return warning.starts_with(key + " has no effect");
        });
        if (!counts && !known) {
            reading.no_effect(
                key, "of one contact without friction all definitions of the restitution are one");
        }
    }
    return law;
}

/// `holder` contains the table `law`; `counts`: its definition of the restitution may count, as a
/// contact that takes this law has friction, or others may close with it.
void read_contact_law(const TomlTable& holder, bool counts, Contact& contact, Reading& reading) {
    const auto table = holder.table("law");
    if (table && table->has_text("name") && *table->text(plain("name", Kind::text)) == "impulse") {
        contact.law = read_impulse(*table, counts, reading);
        return;
    }
    if (mechanism::is_line_contact(contact)) {
        contact.law = read_line_law(holder, reading);
    } else {
        contact.law = read_law(holder, std::nullopt, reading);
        // In a mechanism it has an effect: every impact has its own impact speed.
        std::erase_if(reading.warnings, [](const std::string& warning) {
            return warning.starts_with("law.min_impact_speed has no effect");
        });
    }
    if (table && table->has("min_impact_speed")) {
        contact.min_impact_speed =
            table->needed_number(named("min_impact_speed", above_zero("m/s")));
    }
}

/// The keys of [law] override those of the law of the contact.
void read_law_of(const TomlDocument& document, std::size_t i, const TomlTable& table,
                 Contact& contact, Reading& reading) {
    const TomlTable root = document.root();
    const auto contacts = root.tables("contact").value_or(std::vector<TomlTable>{});
    const bool several = contacts.size() > 1 ||
                         std::holds_alternative<Prismatic>(contact.geometry) ||
                         std::holds_alternative<Shapes>(contact.geometry);
    const bool own = several || table.has("friction");
    const bool any = several || std::ranges::any_of(contacts, [](const TomlTable& other) {
                         return other.has("friction");
                     });
    if (!table.has("law")) return read_contact_law(root, any, contact, reading);
    if (!root.has("law")) return read_contact_law(table, own, contact, reading);
    for (const TomlTable* parent : {&table, &root})
        parent->table("law");  // throws if it is not a table
    const auto holder = table.merged("law", root);
    const bool shared = root.table("law")->has("definition");
    read_contact_law(TomlTable(*holder, fmt::format("contact.{}", i), document.origin),
                     shared ? any : own, contact, reading);
}

}  // namespace

Key bodies_key(std::string_view meaning) {
    return plain("bodies", Kind::texts, meaning)
        .ranges("two names, such as `[\"ground\", \"crank\"]`")
        .expects(R"(two names, such as ["ground", "crank"])")
        .needed();
}

std::size_t body_named(const std::string& name, const std::vector<std::string>& names,
                       const TomlTable& table, const std::string& key) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        table.fail(key,
                   fmt::format("there is no body with this name{}", did_you_mean(name, names)));
    }
    return static_cast<std::size_t>(found - names.begin());
}

std::array<std::size_t, 2> read_bodies(const TomlTable& table, const Key& key,
                                       const Reading& reading) {
    const auto given = table.need(table.texts(key, 2, 2), key);
    std::vector<std::string> known = reading.names;
    known.emplace_back("ground");
    std::array<std::size_t, 2> pair{};
    for (std::size_t i = 0; i < 2; ++i) {
        pair[i] = body_named(given[i], known, table, fmt::format("bodies[{}]", i));
        if (pair[i] == reading.names.size()) pair[i] = mechanism::ground;
    }
    if (pair[0] == pair[1]) table.fail("bodies", "names the same body twice");
    return pair;
}

Key contacts_key() {
    Key key = plain("contact", Kind::tables, "contacts with clearance").under("Contacts");
    key.children = contact_table().keys();
    key.renamed_children = contact_table().renamed();
    return key;
}

std::vector<Contact> read_contacts(const TomlDocument& document, const BodyMaterials& materials,
                                   Reading& reading) {
    std::vector<Contact> contacts;
    for (const TomlTable& table :
         document.root().tables("contact").value_or(std::vector<TomlTable>{})) {
        const std::size_t i = contacts.size();
        Contact& contact = contacts.emplace_back();
        contact_table().read(table, contact, reading);
        if (!table.has("name")) {
            contact.name = fmt::format(
                "{} {}", contact_table().keys().front().words[contact.geometry.index()], i);
        }
        read_law_of(document, i, table, contact, reading);
        const bool impulse = std::holds_alternative<mechanism::Impulse>(contact.law);
        if (!impulse || has_material(table))
            contact.materials = read_materials_or_stiffness(table, contact, materials, reading);
        if (impulse && contact.friction && !table.table("friction")->has("law"))
            contact.friction->law = mechanism::Friction::Law::coulomb;
    }
    return contacts;
}

}  // namespace beadwave::io
