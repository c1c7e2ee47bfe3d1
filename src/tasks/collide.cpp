#include "tasks/collide.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"

#include <functional>
#include <utility>

namespace beadwave::tasks {
namespace {

using Recorder = std::function<void(const laws::CollisionMoment&)>;

laws::Collision hit_of(const io::CollisionCase& c, const Recorder& record) {
    if (c.line) {
        return laws::collide(laws::make_line(*c.line, c.law, c.speed), c.line->mass, c.speed,
                             record);
    }
    return laws::collide(laws::make(c.contact, c.law), c.contact.mass, c.speed, record);
}

std::vector<FormulaResult> formulas_of(const io::CollisionCase& c) {
    std::vector<FormulaResult> results;
    if (c.line) return results;  // the formulas are for spheres
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

}  // namespace

CollisionResult collide(io::CollisionCase collided, bool with_trajectory) {
    CollisionResult result{
        .collided = std::move(collided), .hit = {}, .formulas = {}, .trajectory = {}};
    if (result.collided.impact) {
        if (with_trajectory)
            throw ArgumentError("an impact of rigid bodies takes no time: it has no trajectory");
        result.impacts = impact_results(*result.collided.impact, result.collided.speed);
        return result;
    }
    const Recorder record = [&](const laws::CollisionMoment& now) {
        result.trajectory.push_back(now);
    };
    result.hit = hit_of(result.collided, with_trajectory ? record : Recorder());
    result.formulas = formulas_of(result.collided);
    return result;
}

nlohmann::ordered_json CollisionResult::json() const {
    if (collided.impact) return impact_json(*collided.impact, collided.speed, impacts);
    nlohmann::ordered_json json{{"law", collided.law.name},
                                {"contact", collided.line ? "line" : "point"},
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
    return json;
}

}  // namespace beadwave::tasks
