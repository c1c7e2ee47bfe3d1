#include "tasks/collide.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/relaxation.hpp"
#include "beadwave/laws/restitution.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/collision_job.hpp"
#include "jobs/subject.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "tasks/law_numbers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <utility>

namespace beadwave::tasks {
namespace {

using Recorder = std::function<void(const laws::CollisionMoment&)>;

std::vector<FormulaResult> formulas_of(const io::CollisionCase& c) {
    std::vector<FormulaResult> results;
    if (c.line || c.ellipse) return results;  // the formulas are for spheres
    laws::Impact impact{.contact = c.contact,
                        .speed = c.speed,
                        .poisson_ratio = c.poisson_ratio,
                        .density = c.density};
    if (c.law.values.contains("psi")) impact.psi = c.law.number("psi");
    if (c.law.values.contains("xi")) impact.xi = c.law.number("xi");
    for (const laws::RestitutionFormula& formula : laws::restitution_formulas()) {
        if (const auto e = laws::restitution_by(formula, impact))
            results.push_back({formula.name, *e});
    }
    return results;
}

CollisionResult collide_document(io::TomlDocument document, io::NamedFiles files,
                                 bool with_trajectory) {
    const jobs::Announcement* const announced = jobs::collided_by(document.root());
    if (announced == nullptr && document.root().has("time")) {
        document.origin.fail(
            "time", "makes this a scenario, for `beadwave run`; a collision case has no [time]");
    }
    if (announced == nullptr)
        return collide(io::read_case(document, std::move(files)), with_trajectory);
    const jobs::Subject* const subject = jobs::find_subject(announced->name);
    if (subject == nullptr)
        document.origin.fail(announced->collides, jobs::built_without(*announced));
    CollisionResult result{
        .collided = {}, .hit = {}, .formulas = {}, .trajectory = {}, .moduli = {}};
    result.report = subject->collide(std::move(document), std::move(files), with_trajectory);
    result.trajectory = std::move(result.report->trajectory);
    return result;
}

}  // namespace

CollisionResult collide(const std::filesystem::path& file, std::span<const std::string> overrides,
                        bool with_trajectory) {
    return collide_document(io::load_toml(file, overrides), io::NamedFiles::relative_to(file),
                            with_trajectory);
}

CollisionResult collide_text(std::string text, const std::string& name,
                             const std::optional<std::filesystem::path>& folder,
                             bool with_trajectory) {
    return collide_document(
        io::parse_toml(std::move(text), name),
        folder ? io::NamedFiles::relative_to(*folder / name) : io::NamedFiles::from_texts({}),
        with_trajectory);
}

CollisionResult collide(io::CollisionCase collided, bool with_trajectory) {
    CollisionResult result{
        .collided = std::move(collided), .hit = {}, .formulas = {}, .trajectory = {}, .moduli = {}};
    if (result.collided.impact) {
        if (with_trajectory)
            throw ArgumentError("an impact of rigid bodies takes no time: it has no trajectory");
        result.impacts = jobs::impact_results(*result.collided.impact, result.collided.speed);
        return result;
    }
    const Recorder record = [&](const laws::CollisionMoment& now) {
        result.trajectory.push_back(now);
    };
    result.hit = jobs::collision_of(result.collided, with_trajectory ? record : Recorder());
    result.formulas = formulas_of(result.collided);
    io::CollisionCase& c = result.collided;
    c.warnings = jobs::warnings_of(c, result.hit);
    result.ellipse = jobs::ellipse_of(c);
    if (c.line) result.strip = laws::contact_strip(*c.line, result.hit.max_force);
    if (c.law.name == "jian" && !c.line) {
        const laws::Relaxation material = laws::relaxation_of(c.contact, c.law);
        for (const double time : {0.0, result.hit.compression_time, result.hit.duration})
            result.moduli.push_back(
                {time, material.shear_modulus(time), material.bulk_modulus(time)});
    }
    if (c.law.name == "poursina-nikravesh" && !c.line) {
        const double n = c.law.number("exponent");
        result.damping =
            laws::optimal_damping({.restitution = c.law.number("restitution"),
                                   .exponent = n,
                                   .stiffness = laws::power_stiffness(c.contact, c.law, n),
                                   .mass = c.contact.mass,
                                   .speed = c.speed});
    }
    return result;
}

nlohmann::ordered_json CollisionResult::json() const {
    if (report) return report->json;
    if (collided.impact) {
        nlohmann::ordered_json impact = impact_json(*collided.impact, collided.speed, impacts);
        impact["warnings"] = collided.warnings;
        return impact;
    }
    nlohmann::ordered_json json{{"law", collided.law.name},
                                {"contact", collided.line      ? "line"
                                            : collided.ellipse ? "ellipse"
                                                               : "point"},
                                {"speed", collided.speed},
                                {"restitution", hit.restitution},
                                {"rebound_speed", hit.rebound_speed},
                                {"max_force", hit.max_force},
                                {"max_overlap", hit.max_overlap},
                                {"residual_overlap", hit.residual_overlap},
                                {"duration", hit.duration},
                                {"dissipated_energy", hit.dissipated_energy},
                                {"restitution_formulas", nlohmann::ordered_json::object()}};
    for (const FormulaResult& f : formulas)
        json["restitution_formulas"][std::string(f.name)] = f.restitution;
    if (ellipse) {
        const laws::ContactEllipse& e = *ellipse;
        const double force = hit.max_force, modulus = collided.contact.modulus;
        json["ellipse"] = {{"axis_ratio", e.axis_ratio},
                           {"mean_radius", e.mean_radius},
                           {"equivalent_radius", e.equivalent_radius},
                           {"semi_major", e.semi_major(force, modulus)},
                           {"semi_minor", e.semi_minor(force, modulus)},
                           {"largest_pressure", e.largest_pressure(force, modulus)}};
    }
    if (strip) {
        json["strip"] = {{"half_width", strip->half_width},
                         {"largest_pressure", strip->largest_pressure}};
    }
    if (damping) json["damping"] = damping_json(*damping);
    json["warnings"] = collided.warnings;
    for (const Moduli& m : moduli) {
        json["moduli"].push_back(
            {{"time", m.time}, {"shear_modulus", m.shear}, {"bulk_modulus", m.bulk}});
    }
    return json;
}

}  // namespace beadwave::tasks
