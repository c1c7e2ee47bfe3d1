#include "io/scenario/mechanism_reader.hpp"

#include "csv_rows.hpp"
#include "io/scenario/common_reader.hpp"
#include "io/scenario/mechanism_contact_reader.hpp"
#include "io/toml/number_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace beadwave::io {
namespace {

mechanism::Body read_body(const TomlTable& table, NamedBodies& bodies, const Materials& materials) {
    table.allow_only(
        {"name", "mass", "inertia", "centre", "velocity", "angular_velocity", "material"});
    mechanism::Body body;
    body.name = table.need(table.text("name"), "name", "a name");
    if (body.name == "ground") table.fail("name", "is the name of the frame that does not move");
    if (std::ranges::find(bodies.names, body.name) != bodies.names.end())
        table.fail("name", "another body has this name");
    body.mass = table.needed_number("mass", above_zero("kg"));
    body.inertia = table.needed_number("inertia", above_zero("kg m^2"));
    body.centre = need_vector(table, "centre", "m");
    body.velocity = read_vector(table, "velocity", "m/s");
    body.angular_velocity = table.number("angular_velocity", any_number("rad/s"));
    bodies.names.push_back(body.name);
    bodies.materials.push_back(read_material_name(table, materials));
    return body;
}

std::optional<mechanism::Motor> read_motor(const TomlTable& table, mechanism::JointKind kind,
                                           NamedFiles& files) {
    const bool turns = kind == mechanism::JointKind::revolute;
    if (const auto speed = table.number("speed", any_number(turns ? "rad/s" : "m/s"))) {
        if (table.has("speed_file"))
            table.fail("speed_file", "cannot be given together with speed");
        return mechanism::Motor{.times = {0.0}, .speeds = {*speed}};
    }
    if (!table.has("speed_file")) return std::nullopt;
    const NamedFile file = files.read(table, "speed_file", "CSV");
    std::istringstream text(file.text);
    CsvRows rows(text, file.name, {"time_s", turns ? "speed_rad_per_s" : "speed_m_per_s"},
                 OtherColumns::refused);
    mechanism::Motor motor;
    while (rows.next()) {
        const auto time = rows.number(0), speed = rows.number(1);
        if (!time || !speed) rows.fail("needs a time and a speed");
        if (!motor.times.empty() && !(*time > motor.times.back()))
            rows.fail("the time must increase");
        motor.times.push_back(*time);
        motor.speeds.push_back(*speed);
    }
    if (motor.times.empty()) table.fail("speed_file", "the file has no row");
    return motor;
}

mechanism::Joint read_joint(const TomlTable& table, const NamedBodies& bodies, NamedFiles& files) {
    const std::string_view wanted = R"("revolute" or "slider")";
    const std::string kind = table.need(table.text("kind", wanted), "kind", wanted);
    if (kind != "revolute" && kind != "slider") {
        const std::vector<std::string> known = {"revolute", "slider"};
        table.fail("kind", fmt::format("must be {}{}", wanted, did_you_mean(kind, known)));
    }
    mechanism::Joint joint;
    if (kind == "revolute") {
        table.allow_only({"kind", "bodies", "point", "speed", "speed_file"});
        joint.point = need_vector(table, "point", "m");
    } else {
        table.allow_only({"kind", "bodies", "axis", "point", "speed", "speed_file"});
        joint.kind = mechanism::JointKind::slider;
        joint.axis = need_vector(table, "axis", "-");
        if (joint.axis == mechanism::Vector{}) table.fail("axis", "has zero length");
    }
    joint.bodies = bodies.pair(table);
    joint.motor = read_motor(table, joint.kind, files);
    return joint;
}

void read_time(const TomlTable& root, mechanism::Mechanism& mechanism) {
    const TomlTable table = root.need(root.table("time"), "time", "[time] with end, in s");
    table.allow_only({"end", "interval"});
    mechanism.end = table.needed_number("end", above_zero("s"));
    // As many samples as a plot can show.
    mechanism.interval = table.number("interval", above_zero("s")).value_or(mechanism.end / 2000.0);
}

void read_accuracy(const TomlTable& root, mechanism::Mechanism& mechanism) {
    const auto table = root.table("integrator");
    if (!table) return;
    table->allow_only({"accuracy"});
    const laws::Parameter range{
        .name = {}, .unit = "-", .meaning = {}, .lowest = 1e-13, .highest = 1e-2};
    mechanism.accuracy = table->number("accuracy", range).value_or(mechanism.accuracy);
}

std::string names_of_laws(const mechanism::Mechanism& mechanism) {
    std::vector<std::string> names;
    for (const mechanism::Contact& contact : mechanism.contacts) {
        const auto* law = std::get_if<laws::Settings>(&contact.law);
        const std::string name = law != nullptr ? law->name : "impulse";
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

ReadMechanism read_mechanism(TomlDocument document, NamedFiles files) {
    const TomlTable root = document.root();
    root.allow_only({"title", "material", "ground", "body", "joint", "contact", "law", "gravity",
                     "integrator", "time", "checkpoint"});
    ReadMechanism result;
    mechanism::Mechanism& mechanism = result.mechanism;
    result.title = root.text("title").value_or("");
    const Materials materials = root.has("material") ? read_materials(root) : Materials{};
    NamedBodies bodies;
    if (const auto table = root.table("ground")) {
        table->allow_only({"material"});
        bodies.ground_material = read_material_name(*table, materials);
    }
    const auto body_tables = root.need(root.tables("body"), "body", "at least one [[body]]");
    for (const TomlTable& table : body_tables)
        mechanism.bodies.push_back(read_body(table, bodies, materials));
    if (const auto tables = root.tables("joint")) {
        for (const TomlTable& table : *tables)
            mechanism.joints.push_back(read_joint(table, bodies, files));
    }
    mechanism.contacts = read_contacts(document, bodies, materials, files, result.warnings);
    if (mechanism.contacts.empty() && root.has("law"))
        result.warnings.emplace_back("law has no effect: there is no contact");
    if (const auto table = root.table("gravity")) {
        table->allow_only({"acceleration"});
        mechanism.gravity = need_vector(*table, "acceleration", "m/s^2");
    }
    read_accuracy(root, mechanism);
    read_time(root, mechanism);
    result.checkpoints = read_checkpoints(root);
    located(document.origin, [&] { mechanism::check(mechanism); });
    result.laws = names_of_laws(mechanism);
    result.text = std::move(document.text);
    result.origin = std::move(document.origin);
    result.file_texts = files.texts();
    return result;
}

}  // namespace beadwave::io
