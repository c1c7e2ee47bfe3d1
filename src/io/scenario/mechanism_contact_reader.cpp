#include "io/scenario/mechanism_contact_reader.hpp"

#include "beadwave/input_error.hpp"
#include "io/scenario/elasticity_reader.hpp"
#include "io/scenario/law_reader.hpp"
#include "io/toml/number_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::io {
namespace {

using mechanism::Vector;

constexpr std::string_view material_keys[] = {"youngs_modulus", "poisson_ratio", "yield_stress"};

/// One kind of contact: the keys that it adds to those of all contacts, and how they are read.
struct Kind {
    std::string_view name;
    std::vector<std::string> keys;
    void (*read)(const TomlTable&, mechanism::Contact&);
};

void read_journal(const TomlTable& table, mechanism::Contact& contact) {
    mechanism::Journal journal{.point = need_vector(table, "point", "m"),
                               .bearing_centre = read_vector(table, "bearing_centre", "m")};
    journal.bearing_radius = table.needed_number("bearing_radius", above_zero("m"));
    journal.clearance = table.needed_number("clearance", above_zero("m"));
    if (!(journal.clearance < journal.bearing_radius))
        table.fail("clearance", "must be smaller than bearing_radius");
    journal.length = table.number("length", above_zero("m"));
    contact.geometry = journal;
}

void read_prismatic(const TomlTable& table, mechanism::Contact& contact) {
    contact.geometry = mechanism::Prismatic{
        .point = need_vector(table, "point", "m"),
        .axis = need_vector(table, "axis", "-"),
        .length = table.needed_number("length", above_zero("m")),
        .height = table.needed_number("height", above_zero("m")),
        .clearance = table.needed_number("clearance", above_zero("m")),
        .corner_radius = table.number("corner_radius", above_zero("m")).value_or(0.0)};
}

void read_point_line(const TomlTable& table, mechanism::Contact& contact) {
    contact.geometry =
        mechanism::PointLine{.point = need_vector(table, "point", "m"),
                             .line_point = need_vector(table, "line_point", "m"),
                             .normal = need_vector(table, "normal", "-"),
                             .radius = table.number("radius", above_zero("m")).value_or(0.0)};
}

void read_sphere_sphere(const TomlTable& table, mechanism::Contact& contact) {
    const std::string_view wanted = "two radii, each a number above 0, in m";
    const auto radii = table.need(table.numbers("radii", above_zero("m")), "radii", wanted);
    if (radii.size() != 2) table.fail("radii", fmt::format("give {}", wanted));
    contact.geometry = mechanism::SphereSphere{
        .centres = {need_vector(table, "first", "m"), need_vector(table, "second", "m")},
        .radii = {radii[0], radii[1]}};
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"journal",
         {"point", "bearing_centre", "bearing_radius", "clearance", "length"},
         read_journal},
        {"prismatic",
         {"point", "axis", "length", "height", "clearance", "corner_radius"},
         read_prismatic},
        {"point-line", {"point", "line_point", "normal", "radius"}, read_point_line},
        {"sphere-sphere", {"first", "second", "radii"}, read_sphere_sphere}};
    return all;
}

/// Refuses a value that has another name now.
void refuse_old_value(
    const TomlTable& table, std::string_view key, std::string_view value,
    std::initializer_list<std::pair<std::string_view, std::string_view>> renamed) {
    for (const auto& [old_name, new_name] : renamed) {
        if (value == old_name) table.fail(key, fmt::format("is now \"{}\"", new_name));
    }
}

const Kind& read_kind(const TomlTable& table) {
    const std::string_view wanted = R"("journal", "prismatic", "point-line" or "sphere-sphere")";
    const std::string name = table.need(table.text("kind", wanted), "kind", wanted);
    refuse_old_value(table, "kind", name,
                     {{"guide", "prismatic"}, {"tip", "point-line"}, {"balls", "sphere-sphere"}});
    const auto found = std::ranges::find(kinds(), name, &Kind::name);
    if (found != kinds().end()) return *found;
    std::vector<std::string> known;
    for (const Kind& kind : kinds())
        known.emplace_back(kind.name);
    table.fail("kind", fmt::format("must be {}{}", wanted, did_you_mean(name, known)));
}

std::variant<mechanism::Materials, mechanism::Stiffness> read_materials_or_stiffness(
    const TomlTable& table, const mechanism::Contact& contact, const NamedBodies& bodies,
    const Materials& materials) {
    const bool own = std::ranges::any_of(material_keys, [&](auto key) { return table.has(key); });
    if (const auto stiffness = table.number("stiffness", above_zero("N/m^1.5"))) {
        if (own)
            table.fail(
                "stiffness",
                "cannot be given together with youngs_modulus, poisson_ratio or yield_stress");
        return mechanism::Stiffness{*stiffness};
    }
    mechanism::Materials made;
    for (std::size_t i = 0; i < 2; ++i) {
        if (own) {
            made.elasticity[i] = read_elasticity(table);
            continue;
        }
        const std::size_t body = contact.bodies[i];
        const auto& material =
            body == mechanism::ground ? bodies.ground_material : bodies.materials[body];
        if (!material) {
            table.fail("youngs_modulus",
                       fmt::format("missing; give it with poisson_ratio, or stiffness, in "
                                   "N/m^1.5, or give a material to {}",
                                   body == mechanism::ground
                                       ? "[ground]"
                                       : fmt::format("body \"{}\"", bodies.names[body])));
        }
        made.elasticity[i] = materials.at(*material).elasticity;
    }
    return made;
}

mechanism::Impulse read_impulse(const TomlTable& root, std::vector<std::string>& warnings) {
    const TomlTable table = *root.table("law");
    const laws::Parameter range{
        .name = {}, .unit = "-", .meaning = {}, .lowest = 0.0, .highest = 1.0};
    for (const std::string& name : table.names()) {
        if (name != "name" && name != "restitution") {
            warnings.push_back(
                fmt::format("{} has no effect: the law impulse does not take it", table.key(name)));
        }
    }
    return {.restitution = table.needed_number("restitution", range)};
}

/// `holder` contains the table `law`.
void read_contact_law(const TomlTable& holder, mechanism::Contact& contact, NamedFiles& files,
                      std::vector<std::string>& warnings) {
    const auto table = holder.table("law");
    if (table && table->has_text("name") && *table->text("name") == "impulse") {
        contact.law = read_impulse(holder, warnings);
        return;
    }
    const auto* journal = std::get_if<mechanism::Journal>(&contact.geometry);
    if (journal != nullptr && journal->length) {
        contact.law = read_line_law(holder, warnings);
    } else {
        std::vector<std::string> law_warnings;
        contact.law = read_law(holder, std::nullopt, files, law_warnings);
        // In a mechanism it has an effect: every impact has its own impact speed.
        std::erase_if(law_warnings, [](const std::string& warning) {
            return warning.starts_with("law.min_impact_speed has no effect");
        });
        warnings.insert(warnings.end(), law_warnings.begin(), law_warnings.end());
    }
    if (table && table->has("min_impact_speed"))
        contact.min_impact_speed = table->needed_number("min_impact_speed", above_zero("m/s"));
}

std::optional<mechanism::Friction> read_friction(const TomlTable& contact) {
    const auto table = contact.table("friction");
    if (!table) return std::nullopt;
    table->allow_only({"law", "coefficient", "slip_tolerance", "full_slip_speed"});
    const std::string name = table->text("law").value_or("ambrosio");
    if (name != "ambrosio") table->fail("law", R"(must be "ambrosio")");
    mechanism::Friction friction;
    friction.coefficient = table->needed_number("coefficient", from_zero("-"));
    friction.slip_tolerance =
        table->number("slip_tolerance", from_zero("m/s")).value_or(friction.slip_tolerance);
    friction.full_slip_speed =
        table->number("full_slip_speed", above_zero("m/s")).value_or(friction.full_slip_speed);
    if (!(friction.full_slip_speed > friction.slip_tolerance))
        table->fail("full_slip_speed", "must be larger than slip_tolerance");
    return friction;
}

/// Whether the law's history persists from impact to impact.
bool read_history(const TomlTable& table) {
    const std::string_view wanted = R"("reset" or "persistent")";
    const std::string word = table.text("history", wanted).value_or("reset");
    refuse_old_value(table, "history", word, {{"impact", "reset"}, {"kept", "persistent"}});
    if (word != "reset" && word != "persistent")
        table.fail("history", fmt::format("must be {}", wanted));
    return word == "persistent";
}

}  // namespace

std::array<std::size_t, 2> NamedBodies::pair(const TomlTable& table) const {
    const std::string_view wanted = R"(two names, such as ["ground", "crank"])";
    const auto given = table.need(table.texts("bodies"), "bodies", wanted);
    if (given.size() != 2) table.fail("bodies", fmt::format("give {}", wanted));
    std::array<std::size_t, 2> pair{};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto found = std::ranges::find(names, given[i]);
        pair[i] = static_cast<std::size_t>(found - names.begin());
        if (found != names.end()) continue;
        pair[i] = mechanism::ground;
        if (given[i] == "ground") continue;
        std::vector<std::string> known = names;
        known.emplace_back("ground");
        table.fail(fmt::format("bodies[{}]", i),
                   fmt::format("there is no body with this name{}", did_you_mean(given[i], known)));
    }
    if (pair[0] == pair[1]) table.fail("bodies", "names the same body twice");
    return pair;
}

std::optional<Vector> read_vector(const TomlTable& table, std::string_view name,
                                  std::string_view unit) {
    const auto numbers = table.numbers(name, any_number(unit));
    if (!numbers) return std::nullopt;
    if (numbers->size() != 2)
        table.fail(name, fmt::format("has {} numbers; give x and y", numbers->size()));
    return Vector{(*numbers)[0], (*numbers)[1]};
}

Vector need_vector(const TomlTable& table, std::string_view name, std::string_view unit) {
    return table.need(read_vector(table, name, unit), name,
                      fmt::format("[x, y]{}", unit == "-" ? "" : fmt::format(", in {}", unit)));
}

std::vector<mechanism::Contact> read_contacts(const TomlDocument& document,
                                              const NamedBodies& bodies, const Materials& materials,
                                              NamedFiles& files,
                                              std::vector<std::string>& warnings) {
    const TomlTable root = document.root();
    std::vector<mechanism::Contact> contacts;
    const auto tables = root.tables("contact");
    if (!tables) return contacts;
    for (std::size_t i = 0; i < tables->size(); ++i) {
        const TomlTable& table = (*tables)[i];
        const Kind& kind = read_kind(table);
        std::vector<std::string> known = {"name",          "kind",           "bodies",
                                          "law",           "friction",       "history",
                                          "stiffness",     "effective_mass", "youngs_modulus",
                                          "poisson_ratio", "yield_stress"};
        known.insert(known.end(), kind.keys.begin(), kind.keys.end());
        table.allow_only(known);
        mechanism::Contact contact;
        contact.name = table.text("name").value_or(fmt::format("{} {}", kind.name, i));
        contact.bodies = bodies.pair(table);
        kind.read(table, contact);
        contact.materials = read_materials_or_stiffness(table, contact, bodies, materials);
        contact.effective_mass = table.number("effective_mass", above_zero("kg"));
        contact.persistent_history = read_history(table);
        contact.friction = read_friction(table);
        if (!table.has("law")) {
            read_contact_law(root, contact, files, warnings);
        } else if (!root.has("law")) {
            read_contact_law(table, contact, files, warnings);
        } else {
            // [law] overrides the law of the contact: --set law.name=... applies to all contacts.
            toml::table merged =
                *(*document.table["contact"].as_array())[i].at_path("law").as_table();
            for (const auto& [key, value] : *document.table["law"].as_table())
                merged.insert_or_assign(key, value);
            toml::table holder;
            holder.insert("law", merged);
            read_contact_law(
                TomlTable(holder, table.key("law").substr(0, table.key("law").size() - 4),
                          document.origin),
                contact, files, warnings);
        }
        contacts.push_back(std::move(contact));
    }
    return contacts;
}

}  // namespace beadwave::io
