#include "subjects/mechanism/mechanism_reader.hpp"

#include "io/scenario/common_tables.hpp"
#include "io/scenario/dissipation_table.hpp"
#include "io/scenario/file_rows.hpp"
#include "io/scenario/law_reader.hpp"
#include "io/toml/toml_text.hpp"
#include "mechanism/motor_curve.hpp"
#include "scenario/usual_ranges.hpp"
#include "subjects/mechanism/mechanism_contact_table.hpp"
#include "subjects/mechanism/mechanism_force_tables.hpp"
#include "subjects/mechanism/mechanism_friction_table.hpp"
#include "subjects/mechanism/mechanism_units.hpp"
#include "subjects/mechanism/mechanism_wear_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::io {
namespace {

using mechanism::Joint;
using mechanism::JointKind;
using mechanism::Mechanism;
using mechanism::Vector;

struct Body : mechanism::Body {
    std::optional<std::string> material;
};

/// What the file gives; the mechanism takes its bodies without their materials.
struct Draft : ReadMechanism {
    Materials materials;
    std::vector<Body> bodies;
    std::optional<std::string> ground_material;
};

Table<Body> body_table() {
    Table<Body> t;
    t.add("name", of(Kind::text).needed("a name"), &Body::name,
          "each different; `\"ground\"` is the frame that does not move");
    t.add("mass", above_zero("kg").needed(), &Body::mass, "mass");
    t.add("inertia", above_zero("kg m^2").needed(), &Body::inertia,
          "moment of inertia about the centre of mass");
    t.add("centre", vector2("m").needed(), &Body::centre, "centre of mass at the start");
    t.add("velocity", vector2("m/s").otherwise("what joints and motors impose, otherwise rest"),
          &Body::velocity,
          "velocity of the centre at the start. The program refuses a velocity that the joints do "
          "not allow");
    t.renamed("spin", "angular_velocity");
    t.add("angular_velocity", any_number("rad/s").otherwise("as for `velocity`"),
          &Body::angular_velocity,
          "angular velocity at the start, anticlockwise. The program refuses a value that the "
          "joints do not allow");
    return t.add("material", material(), &Body::material,
                 "material for contacts without their own");
}

Table<Joint> joint_table() {
    Table<Joint> revolute, slider;
    revolute.add("point", vector2("m").needed(), &Joint::point, "common point");
    revolute.table(
        plain("friction", Kind::table, "friction of the pin"), &Joint::friction,
        joint_friction_table("radius", &mechanism::JointFriction::radius, "radius of the pin"));
    slider.table(plain("friction", Kind::table, "friction of the slider"), &Joint::friction,
                 joint_friction_table("length", &mechanism::JointFriction::length,
                                      "length of the guided part, the centre of the second body in "
                                      "its middle: a torque presses its ends against the sides"));
    slider.add("axis", vector2("-").needed(), &Joint::axis,
               "direction of the slider, of any length above 0");
    slider.add("point", vector2("m"), &Joint::point, "no effect");
    slider.rule([](const TomlTable& table, const Joint& joint, const Reading&) {
        if (joint.axis == Vector{}) table.fail("axis", "has zero length");
    });
    Table<Joint> t;
    t.choose(named("kind", words({"revolute", "slider"}).needed(),
                   "revolute: the two bodies rotate about a common point; slider: the second body "
                   "slides along an axis of the first"),
             &Joint::kind, revolute, slider);
    add_bodies(t, "the first and the second body");
    t.row(named("speed", any_number("rad/s or m/s"),
                "motor: speed of the second body relative to the first. No load changes it"),
          [](const TomlTable& table, const Key& key, Joint& joint, const Reading&) {
              Key speed = key;
              speed.limits.unit = joint.kind == JointKind::revolute ? "rad/s" : "m/s";
              if (const auto number = table.number(speed))
                  joint.motor = mechanism::Motor{.times = {0.0}, .speeds = {*number}};
          });
    t.row(plain("speed_file", Kind::file,
                "the same speed over time: columns `time_s` and `speed_rad_per_s` or "
                "`speed_m_per_s`; times from 0; linear between the rows, constant before and after "
                "them. The acceleration, and with it every inertia force, jumps at the rows; "
                "`displacement_file` is smooth"),
          [](const TomlTable& table, const Key& key, Joint& joint, Reading& reading) {
              if (!table.has(key.name)) return;
              if (joint.motor) table.fail(key.name, "cannot be given together with speed");
              const bool turns = joint.kind == JointKind::revolute;
              FileRows rows = read_file_rows(
                  table, key, {turns ? "speed_rad_per_s" : "speed_m_per_s"}, reading);
              joint.motor = mechanism::Motor{.times = std::move(rows.first),
                                             .speeds = std::move(rows.columns[0])};
          });
    return t.row(
        plain("displacement_file", Kind::file,
              "motor: displacement of the second body relative to the first over time: "
              "columns `time_s` and `angle_rad` or `displacement_m`, four rows or more "
              "from time 0 to `time.end`. Only differences count. The cubic spline passes "
              "through the rows, so that the acceleration is continuous: with 50 rows per "
              "period inertia forces are right to 0.21 % (1.2 % in the first and last two "
              "intervals), four times better with twice the rows. Three equal rows, or two at "
              "the start or the end, are a rest"),
        [](const TomlTable& table, const Key& key, Joint& joint, Reading& reading) {
            if (!table.has(key.name)) return;
            if (joint.motor)
                table.fail(key.name, "cannot be given together with speed or speed_file");
            const bool turns = joint.kind == JointKind::revolute;
            FileRows rows =
                read_file_rows(table, key, {turns ? "angle_rad" : "displacement_m"}, reading);
            if (rows.first.size() < SmoothCurve::fewest_rows)
                table.fail(key.name, "needs four rows or more");
            if (rows.first.front() != 0.0) table.fail(key.name, "the first row must be at time 0");
            const SmoothCurve curve(std::move(rows.first), std::move(rows.columns[0]));
            if (!std::isfinite(curve.largest_slope() + curve.largest_curvature()))
                table.fail(key.name, "its times are too close together");
            constexpr double least = 1e-6;  // of the speed: inertia feels the acceleration
            if (const auto swing = curve.swing(least)) {
                reading.warnings.push_back(fmt::format("{}: {}", table.key(key.name),
                                                       sentence_of(*swing, turns ? "rad" : "m")));
            }
            joint.motor = mechanism::motor_through(curve);
        });
}

void take_bodies(const TomlTable& root, Draft& draft, Reading& reading) {
    for (const Body& body : draft.bodies) {
        const std::string key = fmt::format("body.{}.name", reading.names.size());
        if (body.name == "ground") root.fail(key, "is the name of the frame that does not move");
        if (std::ranges::find(reading.names, body.name) != reading.names.end())
            root.fail(key, "another body has this name");
        reading.names.push_back(body.name);
        draft.mechanism.bodies.push_back(body);
    }
}

Table<Mechanism> integrator_table() {
    Table<Mechanism> t;
    t.row(named("method", words({"event-driven", "moreau-jean"}).otherwise("`\"event-driven\"`"),
                "event-driven: steps of any length, which end at each impact; moreau-jean: a "
                "time-stepping scheme, for many contacts under the law impulse. It needs "
                "`time.step`"),
          [](const TomlTable& table, const Key& key, Mechanism& mechanism, const Reading&) {
              if (table.word(key).value_or(0) == 1) mechanism.stepping.emplace();
          });
    t.row(named("accuracy", between(1e-13, 1e-2).otherwise("1e-08"),
                "event-driven: largest relative error of one step"),
          [](const TomlTable& table, const Key& key, Mechanism& mechanism, Reading& reading) {
              const auto accuracy = table.number(key);
              if (!accuracy) return;
              mechanism.accuracy = *accuracy;
              if (mechanism.stepping) {
                  reading.no_effect(table.key(key.name),
                                    "the method moreau-jean has time.step in its place");
              }
          });
    const auto of_stepping = [](auto take) {
        return
            [take](const TomlTable& table, const Key& key, Mechanism& mechanism, Reading& reading) {
                const auto number = table.number(key);
                if (!number) return;
                if (mechanism.stepping)
                    take(*mechanism.stepping, *number);
                else
                    reading.no_effect(table.key(key.name), "only the method moreau-jean uses it");
            };
    };
    t.row(named("theta", between(0.5, 1.0).otherwise("0.5"),
                "moreau-jean: weight of the end of the step. 0.5 keeps the energy of smooth motion "
                "best; 1 damps fast oscillations"),
          of_stepping([](mechanism::TimeStepping& s, double number) { s.theta = number; }));
    return t.row(
        named("penetration_tolerance",
              above_zero("m").otherwise("a thousandth of the size of the mechanism"),
              "moreau-jean: a warning says where bodies overlap by more. They overlap by up to "
              "impact speed times step"),
        of_stepping(
            [](mechanism::TimeStepping& s, double number) { s.penetration_tolerance = number; }));
}

Table<Mechanism> mechanism_rows() {
    Table<Mechanism> t;
    t.table("gravity", "acceleration", vector2("m/s^2").needed().under("Gravity, accuracy, time"),
            &Mechanism::gravity, "acceleration of gravity");
    t.table(plain("integrator", Kind::table), integrator_table());
    Table<Mechanism> time;
    time.add(time_end_key(), &Mechanism::end);
    const Key step = named("step", above_zero("s").otherwise("needed for `\"moreau-jean\"`"),
                           "moreau-jean: the longest step; steps divide `time.interval` evenly");
    time.row(step, [](const TomlTable& table, const Key& key, Mechanism& mechanism, Reading&) {
        if (mechanism.stepping) {
            mechanism.stepping->step = table.need(table.number(key), key);
        } else if (table.has(key.name)) {
            table.fail(key.name,
                       "needs integrator.method = \"moreau-jean\"; otherwise integrator.accuracy "
                       "controls the steps of a mechanism");
        }
    });
    time.add("interval",
             above_zero("s").otherwise("`time.end` / 2000; moreau-jean: whole steps near it"),
             &Mechanism::interval, "time between samples of the history");
    time.rule([](const TomlTable& table, Mechanism& mechanism, Reading& reading) {
        check_time_end(table, mechanism.end);
        if (table.has("interval")) {
            if (!mechanism.stepping || mechanism.stepping->step <= mechanism.interval) return;
            mechanism.stepping->step = mechanism.interval;
            reading.warnings.push_back(fmt::format(
                "time.step is longer than time.interval: steps of {:g} s are taken, one for each "
                "sample",
                mechanism.interval));
            return;
        }
        // As many samples as a plot can show.
        mechanism.interval = mechanism.end / 2000.0;
        if (!mechanism.stepping) return;
        const double steps = std::round(mechanism.interval / mechanism.stepping->step);
        mechanism.interval = std::max(steps, 1.0) * mechanism.stepping->step;
    });
    return t.table(plain("time", Kind::table).needed("[time] with end, in s"), time);
}

/// [law] is read for each contact, together with the law of the contact.
const Table<Draft>& draft_table() {
    static const Table<Draft> table = [] {
        Table<Draft> t;
        t.add(title_key().under("Title and materials"), &Draft::title);
        t.row(materials_key().optional(),
              [](const TomlTable& root, const Key&, Draft& draft, Reading& reading) {
                  reading.materials = &draft.materials;
                  if (root.has("material")) read_materials(root, draft.materials, reading);
              });
        t.table("ground", "material", material().under("Bodies"), &Draft::ground_material,
                "material of the ground, for contacts without their own");
        t.tables(plain("body", Kind::tables, "rigid bodies, numbered from 0").needed(),
                 &Draft::bodies, body_table());
        t.rule(take_bodies);
        t.include(Table<Mechanism>().tables(
                      plain("joint", Kind::tables, "joints without clearance").under("Joints"),
                      &Mechanism::joints, joint_table()),
                  &Draft::mechanism);
        t.include(force_tables(), &Draft::mechanism);
        t.known(contacts_key());
        t.known(wear_key());
        t.known(Key(law_key()).optional().under("Law"));
        t.include(mechanism_rows(), &Draft::mechanism);
        t.table(plain("dissipation", Kind::table,
                      "the energy that contacts dissipated, one by one, in every sample"),
                &Draft::dissipation, dissipation_table());
        return t.table(checkpoint_key(), &Draft::checkpoints, checkpoint_table());
    }();
    return table;
}

/// Newton's is the definition of restitution of the method "moreau-jean" where none is given.
void take_newton(const TomlDocument& document, Mechanism& mechanism) {
    const auto tables = document.root().tables("contact").value_or(std::vector<TomlTable>{});
    const auto defines = [](const TomlTable& holder) {
        const auto law = holder.has("law") ? holder.table("law") : std::nullopt;
        return law && law->has("definition");
    };
    const bool all = defines(document.root());
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        auto* law = std::get_if<mechanism::Impulse>(&mechanism.contacts[i].law);
        if (law != nullptr && !all && !defines(tables.at(i)))
            law->definition = laws::RestitutionDefinition::newton;
    }
}

std::string names_of_laws(const Mechanism& mechanism) {
    std::vector<std::string> names;
    for (const mechanism::Contact& contact : mechanism.contacts) {
        const auto* law = std::get_if<laws::Settings>(&contact.law);
        const std::string name = law != nullptr ? law->name : "impulse";
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return comma_separated(names);
}

std::vector<std::string> high_frictions(const Mechanism& mechanism) {
    std::vector<std::string> warnings;
    const auto check = [&](const char* table, std::size_t number, const auto& friction) {
        if (!friction) return;
        const std::string place = fmt::format("{}.{}.friction.", table, number);
        if (auto doubt = scenario::high_friction(place + "coefficient", friction->coefficient))
            warnings.push_back(std::move(*doubt));
        if (auto doubt = scenario::high_friction(place + "static_coefficient",
                                                 friction->static_coefficient.value_or(0.0)))
            warnings.push_back(std::move(*doubt));
    };
    for (std::size_t c = 0; c < mechanism.contacts.size(); ++c)
        check("contact", c, mechanism.contacts[c].friction);
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
        check("joint", j, mechanism.joints[j].friction);
    return warnings;
}

}  // namespace

std::vector<Key> mechanism_keys() {
    return draft_table().keys();
}

ReadMechanism read_mechanism(TomlDocument document, NamedFiles files) {
    const TomlTable root = document.root();
    Draft draft;
    Reading reading{.files = std::move(files)};
    draft_table().read(root, draft, reading);
    BodyMaterials materials{.of_bodies = {}, .of_ground = draft.ground_material};
    for (Body& body : draft.bodies)
        materials.of_bodies.push_back(std::move(body.material));
    Mechanism& mechanism = draft.mechanism;
    mechanism.contacts = read_contacts(document, materials, reading);
    if (mechanism.stepping) take_newton(document, mechanism);
    read_wear(document, mechanism, reading);
    if (mechanism.contacts.empty() && root.has("law"))
        reading.warnings.emplace_back("law has no effect: there is no contact");
    if (mechanism.contacts.empty() && draft.dissipation.any())
        reading.warnings.emplace_back("dissipation has no effect: there is no contact");
    located(document.origin, [&] { mechanism::check(mechanism); });
    if (auto doubt = mechanism_units(mechanism, draft.materials))
        reading.warnings.push_back(std::move(*doubt));
    for (std::string& doubt : high_frictions(mechanism))
        reading.warnings.push_back(std::move(doubt));
    ReadMechanism result = std::move(draft);
    result.laws = names_of_laws(result.mechanism);
    result.text = std::move(document.text);
    result.origin = std::move(document.origin);
    result.file_texts = reading.files.texts();
    result.warnings = std::move(reading.warnings);
    return result;
}

}  // namespace beadwave::io
