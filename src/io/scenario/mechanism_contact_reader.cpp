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

/// What one kind of contact adds to the keys of all, and how they are read.
struct Kind {
    std::string_view name;
    std::vector<std::string> keys;
    void (*read)(const TomlTable&, mechanism::Contact&);
};

void read_journal(const TomlTable& table, mechanism::Contact& contact) {
    mechanism::Journal journal{.point = need_vector(table, "point", "m"),
                               .hole = read_vector(table, "hole", "m")};
    journal.bearing_radius = table.needed_number("bearing_radius", above_zero("m"));
    journal.clearance = table.needed_number("clearance", above_zero("m"));
    if (!(journal.clearance < journal.bearing_radius))
        table.fail("clearance", "leaves no pin: it must be below bearing_radius");
    journal.length = table.number("length", above_zero("m"));
    contact.geometry = journal;
}

void read_guide(const TomlTable& table, mechanism::Contact& contact) {
    contact.geometry = mechanism::Guide{
        .point = need_vector(table, "point", "m"),
        .axis = need_vector(table, "axis", "-"),
        .length = table.needed_number("length", above_zero("m")),
        .height = table.needed_number("height", above_zero("m")),
        .clearance = table.needed_number("clearance", above_zero("m")),
        .corner_radius = table.number("corner_radius", above_zero("m")).value_or(0.0)};
}

void read_tip(const TomlTable& table, mechanism::Contact& contact) {
    contact.geometry =
        mechanism::Tip{.point = need_vector(table, "point", "m"),
                       .line_point = need_vector(table, "line_point", "m"),
                       .normal = need_vector(table, "normal", "-"),
                       .radius = table.number("radius", above_zero("m")).value_or(0.0)};
}

void read_balls(const TomlTable& table, mechanism::Contact& contact) {
    const std::string_view wanted = "two radii, each a number above 0, in m";
    const auto radii = table.need(table.numbers("radii", above_zero("m")), "radii", wanted);
    if (radii.size() != 2) table.fail("radii", fmt::format("give {}", wanted));
    contact.geometry = mechanism::Balls{
        .centres = {need_vector(table, "first", "m"), need_vector(table, "second", "m")},
        .radii = {radii[0], radii[1]}};
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"journal", {"point", "hole", "bearing_radius", "clearance", "length"}, read_journal},
        {"guide", {"point", "axis", "length", "height", "clearance", "corner_radius"}, read_guide},
        {"tip", {"point", "line_point", "normal", "radius"}, read_tip},
        {"balls", {"first", "second", "radii"}, read_balls}};
    return all;
}

const Kind& read_kind(const TomlTable& table) {
    const std::string_view wanted = R"("journal", "guide", "tip" or "balls")";
    const std::string name = table.need(table.text("kind", wanted), "kind", wanted);
    const auto found = std::ranges::find(kinds(), name, &Kind::name);
    if (found != kinds().end()) return *found;
    std::vector<std::string> known;
    for (const Kind& kind : kinds())
        known.emplace_back(kind.name);
    table.fail("kind", fmt::format("must be {}{}", wanted, did_you_mean(name, known)));
}

std::variant<mechanism::Materials, mechanism::Stiffness> read_stuff(
    const TomlTable& table, const mechanism::Contact& contact, const NamedBodies& bodies,
    const Materials& materials) {
    const bool own = std::ranges::any_of(material_keys, [&](auto key) { return table.has(key); });
    if (const auto stiffness = table.number("stiffness", above_zero("N/m^1.5"))) {
        if (own)
            table.fail("stiffness", "stands beside youngs_modulus or the like; give one of both");
        return mechanism::Stiffness{*stiffness};
    }
    mechanism::Materials stuff;
    for (std::size_t i = 0; i < 2; ++i) {
        if (own) {
            stuff.elasticity[i] = read_elasticity(table);
            continue;
        }
        const std::size_t body = contact.bodies[i];
        const auto& material =
            body == mechanism::ground ? bodies.ground_material : bodies.materials[body];
        if (!material) {
            table.fail("youngs_modulus",
                       fmt::format("missing; give it with poisson_ratio, or stiffness, in "
                                   "N/m^1.5, or a material to {}",
                                   body == mechanism::ground
                                       ? "[ground]"
                                       : fmt::format("body \"{}\"", bodies.names[body])));
        }
        stuff.elasticity[i] = materials.at(*material).elasticity;
    }
    return stuff;
}

mechanism::Impulse read_impulse(const TomlTable& root, std::vector<std::string>& notes) {
    const TomlTable table = *root.table("law");
    const laws::Parameter range{
        .name = {}, .unit = "-", .meaning = {}, .lowest = 0.0, .highest = 1.0};
    for (const std::string& name : table.names()) {
        if (name != "name" && name != "restitution") {
            notes.push_back(
                fmt::format("{} has no effect: impulse does not take it", table.key(name)));
        }
    }
    return {.restitution = table.needed_number("restitution", range)};
}

/// `holder` has the table `law`.
void read_contact_law(const TomlTable& holder, mechanism::Contact& contact, NamedFiles& files,
                      std::vector<std::string>& notes) {
    const auto table = holder.table("law");
    if (table && table->has_text("name") && *table->text("name") == "impulse") {
        contact.law = read_impulse(holder, notes);
        return;
    }
    const auto* journal = std::get_if<mechanism::Journal>(&contact.geometry);
    if (journal != nullptr && journal->length) {
        contact.law = read_line_law(holder, notes);
    } else {
        std::vector<std::string> said;
        contact.law = read_law(holder, std::nullopt, files, said);
        // Here it has: every impact has a speed of its own.
        std::erase_if(said, [](const std::string& note) {
            return note.starts_with("law.impact_speed_floor has no effect");
        });
        notes.insert(notes.end(), said.begin(), said.end());
    }
    if (table && table->has("impact_speed_floor"))
        contact.impact_speed_floor = table->needed_number("impact_speed_floor", above_zero("m/s"));
}

std::optional<mechanism::Friction> read_friction(const TomlTable& contact) {
    const auto table = contact.table("friction");
    if (!table) return std::nullopt;
    table->allow_only({"law", "coefficient", "v0", "v1"});
    const std::string name = table->text("law").value_or("ambrosio");
    if (name != "ambrosio") table->fail("law", R"(must be "ambrosio")");
    mechanism::Friction friction;
    friction.coefficient = table->needed_number("coefficient", from_zero("-"));
    friction.slow = table->number("v0", from_zero("m/s")).value_or(friction.slow);
    friction.fast = table->number("v1", above_zero("m/s")).value_or(friction.fast);
    if (!(friction.fast > friction.slow)) table->fail("v1", "must exceed v0");
    return friction;
}

bool read_memory(const TomlTable& table) {
    const std::string_view wanted = R"("impact" or "kept")";
    const std::string word = table.text("memory", wanted).value_or("impact");
    if (word != "impact" && word != "kept") table.fail("memory", fmt::format("must be {}", wanted));
    return word == "kept";
}

}  // namespace

std::array<std::size_t, 2> NamedBodies::pair(const TomlTable& table) const {
    const std::string_view wanted = R"(two names, as in ["ground", "crank"])";
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
                   fmt::format("there is no body of this name{}", did_you_mean(given[i], known)));
    }
    if (pair[0] == pair[1]) table.fail("bodies", "names one body twice");
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
                                              NamedFiles& files, std::vector<std::string>& notes) {
    const TomlTable root = document.root();
    std::vector<mechanism::Contact> contacts;
    const auto tables = root.tables("contact");
    if (!tables) return contacts;
    for (std::size_t i = 0; i < tables->size(); ++i) {
        const TomlTable& table = (*tables)[i];
        const Kind& kind = read_kind(table);
        std::vector<std::string> known = {"name",          "kind",           "bodies",
                                          "law",           "friction",       "memory",
                                          "stiffness",     "effective_mass", "youngs_modulus",
                                          "poisson_ratio", "yield_stress"};
        known.insert(known.end(), kind.keys.begin(), kind.keys.end());
        table.allow_only(known);
        mechanism::Contact contact;
        contact.name = table.text("name").value_or(fmt::format("{} {}", kind.name, i));
        contact.bodies = bodies.pair(table);
        kind.read(table, contact);
        contact.materials = read_stuff(table, contact, bodies, materials);
        contact.effective_mass = table.number("effective_mass", above_zero("kg"));
        contact.keeps_memory = read_memory(table);
        contact.friction = read_friction(table);
        if (!table.has("law")) {
            read_contact_law(root, contact, files, notes);
        } else if (!root.has("law")) {
            read_contact_law(table, contact, files, notes);
        } else {
            // What [law] says comes before what the contact says: --set law.name=... speaks for
            // all.
            toml::table merged =
                *(*document.table["contact"].as_array())[i].at_path("law").as_table();
            for (const auto& [key, value] : *document.table["law"].as_table())
                merged.insert_or_assign(key, value);
            toml::table holder;
            holder.insert("law", merged);
            read_contact_law(
                TomlTable(holder, table.key("law").substr(0, table.key("law").size() - 4),
                          document.origin),
                contact, files, notes);
        }
        contacts.push_back(std::move(contact));
    }
    return contacts;
}

}  // namespace beadwave::io
