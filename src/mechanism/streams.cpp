#include "mechanism/streams.hpp"

#include "mechanism/contact_point.hpp"
#include "mechanism/dissipation_streams.hpp"
#include "mechanism/simulate.hpp"
#include "mechanism/wear_streams.hpp"
#include "recording/energy_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace beadwave::mechanism {
namespace {

using recording::Channel;
using recording::Fill;
using recording::Pace;

/// A quantity of an impact in the file.
struct ImpactColumn {
    const char *name, *unit;
    double Impact::*part;
};
constexpr ImpactColumn impact_columns[] = {
    {"start", "s", &Impact::start},
    {"end", "s", &Impact::end},
    {"impact_speed", "m s-1", &Impact::impact_speed},
    {"separation_speed", "m s-1", &Impact::separation_speed},
    {"peak_force", "N", &Impact::peak_force},
    {"peak_time", "s", &Impact::peak_time},
    {"largest_overlap", "m", &Impact::largest_overlap},
    {"dissipated", "J", &Impact::dissipated},
    {"effective_mass", "kg", &Impact::mass},
    {"poisson_restitution", "", &Impact::poisson_restitution},
    {"stronge_restitution", "", &Impact::stronge_restitution}};

}  // namespace

std::string contact_point_name(const Mechanism& mechanism, std::size_t contact,
                               std::size_t corner) {
    const Contact& of = mechanism.contacts[contact];
    if (std::holds_alternative<Prismatic>(of.geometry))
        return fmt::format("{}, corner {}", of.name, corner);
    const auto* pair = std::get_if<Shapes>(&of.geometry);
    if (pair == nullptr) return of.name;
    const auto place = shapes::places_of(pair->first, pair->second).at(corner);
    if (place->name.empty()) return of.name;
    const std::size_t body = of.bodies[place->owner];
    return fmt::format("{}, {} of {}", of.name, place->name,
                       body == ground ? "ground" : mechanism.bodies[body].name);
}

void Streams::add_springs(recording::Description& all) const {
    std::vector<std::string> names, torsion_names;
    for (const Spring& spring : mechanism_.springs)
        names.push_back(spring.name);
    for (const TorsionSpring& spring : mechanism_.torsion_springs)
        torsion_names.push_back(spring.name);
    const auto add = [&](std::size_t before, std::vector<std::string> of, const std::string& group,
                         const char* extension, const char* extension_unit, const char* force,
                         const char* force_unit) {
        if (of.empty()) return;
        const std::size_t count = of.size();
        const auto fill = [this, before](double SpringSample::*part) -> Fill {
            return recording::per_item(
                [this, before, part](std::size_t i) { return now_->springs[before + i].*part; });
        };
        all.streams.push_back(
            {Pace::snapshots,
             "",
             {{group + extension, extension_unit, {count}, fill(&SpringSample::extension)},
              {group + force, force_unit, {count}, fill(&SpringSample::force)}}});
        all.constants.push_back({group + "s", "", "", {count}, std::move(of)});
    };
    const std::size_t springs = names.size();
    add(0, std::move(names), "observables/spring", "_extension", "m", "_force", "N");
    add(springs, std::move(torsion_names), "observables/torsion_spring", "_angle", "rad", "_torque",
        "N m");
}

void Streams::add_joints(recording::Description& all) const {
    const std::size_t count = mechanism_.joints.size();
    if (count == 0) return;
    std::vector<std::string> names;
    const auto name_of = [&](std::size_t body) -> std::string {
        return body == ground ? "ground" : mechanism_.bodies[body].name;
    };
    for (const Joint& joint : mechanism_.joints)
        names.push_back(fmt::format("{}-{}", name_of(joint.bodies[0]), name_of(joint.bodies[1])));
    const Fill force = [this](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = now_->joints[first + i / 2].force[i % 2];
    };
    const Fill torque =
        recording::per_item([this](std::size_t i) { return now_->joints[i].torque; });
    all.streams.push_back({Pace::snapshots,
                           "",
                           {{"observables/joint_force", "N", {count, 2}, force},
                            {"observables/joint_torque", "N m", {count}, torque}}});
    all.constants.push_back({"observables/joints", "", "", {count}, std::move(names)});
    add_joint_friction(all);
}

void Streams::add_joint_friction(recording::Description& all) const {
    const auto& joints = mechanism_.joints;
    const auto add = [&](JointKind kind, const char* path, const char* unit) {
        const bool given = std::ranges::any_of(joints, [&](const Joint& joint) {
            return joint.friction.has_value() && joint.kind == kind;
        });
        if (!given) return;
        const Fill fill = recording::per_item([this, kind](std::size_t i) {
            if (mechanism_.joints[i].kind != kind) return 0.0;
            for (const JointFrictionState& friction : now_->joint_frictions) {
                if (friction.joint == i) return friction.force;
            }
            return 0.0;
        });
        all.streams.push_back({Pace::snapshots, "", {{path, unit, {joints.size()}, fill}}});
    };
    add(JointKind::revolute, "observables/joint_friction_torque", "N m");
    add(JointKind::slider, "observables/joint_friction_force", "N");
}

recording::Description Streams::description() const {
    recording::Description all{.system = "mechanism", .bodies = "particles/all"};
    const std::size_t bodies = mechanism_.bodies.size();
    const std::vector<ContactPoint> points = contact_points_of(mechanism_);
    const double samples = static_cast<double>(samples_of(mechanism_)) + 1.0;
    all.counts = {.snapshots = samples};
    const std::string group = "particles/all/";
    std::vector<double> masses, inertias, clearances;
    std::vector<std::string> body_names, point_names;
    for (const Body& body : mechanism_.bodies) {
        masses.push_back(body.mass);
        inertias.push_back(body.inertia);
        body_names.push_back(body.name);
    }
    all.constants.push_back({group + "mass", "mass", "kg", {bodies}, all.keep(std::move(masses))});
    all.constants.push_back(
        {group + "inertia", "inertia", "kg m2", {bodies}, all.keep(std::move(inertias))});
    all.constants.push_back({group + "id", "", "", {bodies}, recording::Numbering{bodies}});
    all.constants.push_back({group + "name", "", "", {bodies}, std::move(body_names)});
    all.constants.push_back({"parameters/accuracy", "", "", {}, mechanism_.accuracy});
    if (mechanism_.stepping) {
        all.constants.push_back(
            {"parameters/integration_step", "", "s", {}, mechanism_.stepping->step});
    }
    all.constants.push_back({"parameters/end_time", "", "s", {}, mechanism_.end});

    const auto vector_of = [this](Vector BodyState::*part) -> Fill {
        return [this, part](std::size_t first, std::span<double> out) {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = (now_->bodies[first + i / 2].*part)[i % 2];
        };
    };
    const auto number_of = [this](double BodyState::*part) -> Fill {
        return recording::per_item([this, part](std::size_t i) { return now_->bodies[i].*part; });
    };
    all.streams.push_back(
        {Pace::snapshots,
         "snapshot",
         {{group + "position", "m", {bodies, 2}, vector_of(&BodyState::centre), true},
          {group + "velocity", "m s-1", {bodies, 2}, vector_of(&BodyState::velocity), true},
          {group + "acceleration", "m s-2", {bodies, 2}, vector_of(&BodyState::acceleration), true},
          {group + "angle", "rad", {bodies}, number_of(&BodyState::angle)},
          {group + "angular_velocity",
           "rad s-1",
           {bodies},
           number_of(&BodyState::angular_velocity)},
          {group + "angular_acceleration",
           "rad s-2",
           {bodies},
           number_of(&BodyState::angular_acceleration)}}});
    all.streams.push_back(
        recording::energy_stream(recording::SystemKind::mechanism, Pace::snapshots, ledger_));
    add_springs(all);
    add_joints(all);
    add_dissipation(all, mechanism_, dissipation_, &now_);
    add_wear(all, mechanism_, &now_);
    if (points.empty()) return all;

    for (const ContactPoint& point : points) {
        point_names.push_back(contact_point_name(mechanism_, point.contact, point.corner));
        const bool journal = point.kind == ContactPoint::Kind::journal;
        clearances.push_back(journal ? point.contact_distance : 0.0);
    }
    const auto of_point = [this](double ContactSample::*part) -> Fill {
        return recording::per_item(
            [this, part](std::size_t i) { return now_->contact_points[i].*part; });
    };
    const auto vector_of_point = [this](Vector ContactSample::*part) -> Fill {
        return [this, part](std::size_t first, std::span<double> out) {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = (now_->contact_points[first + i / 2].*part)[i % 2];
        };
    };
    const std::size_t count = points.size();
    all.streams.push_back(
        {Pace::snapshots,
         "",
         {{"observables/overlap", "m", {count}, of_point(&ContactSample::overlap)},
          {"observables/approach_speed",
           "m s-1",
           {count},
           of_point(&ContactSample::approach_speed)},
          {"observables/contact_force", "N", {count}, of_point(&ContactSample::force)},
          {"observables/friction_force", "N", {count}, of_point(&ContactSample::friction)},
          {"observables/contact_position",
           "m",
           {count, 2},
           vector_of_point(&ContactSample::position)},
          {"observables/contact_normal", "", {count, 2}, vector_of_point(&ContactSample::normal)},
          {"observables/journal_displacement",
           "m",
           {count, 2},
           vector_of_point(&ContactSample::journal_displacement)}}});
    for (std::size_t i = 0; i < count; ++i) {
        recording::Table table{.path = fmt::format("impacts/{}", i),
                               .name = "impacts/" + point_names[i],
                               .pace = {},
                               .chunk = 256,
                               .columns = {},
                               .rows = [] { return std::size_t{1}; },
                               .contact = point_names[i]};
        for (const ImpactColumn& column : impact_columns) {
            table.columns.push_back(
                {.name = column.name,
                 .unit = column.unit,
                 .fill = [this, part = column.part](std::size_t, std::span<double> out) {
                     out[0] = impact_->*part;
                 }});
        }
        all.tables.push_back(std::move(table));
    }
    all.constants.push_back(
        {"observables/clearance", "", "m", {count}, all.keep(std::move(clearances))});
    all.constants.push_back({"observables/contacts", "", "", {count}, std::move(point_names)});
    return all;
}

}  // namespace beadwave::mechanism
