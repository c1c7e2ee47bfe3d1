#include "jobs/collision_job.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/contact_patch.hpp"
#include "beadwave/laws/impact_limit.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/running/run_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::jobs {
namespace {

struct CollisionColumn {
    io::Quantity quantity;
    double laws::Collision::*value;
};

const std::vector<CollisionColumn>& collision_columns() {
    using laws::Collision;
    static const std::vector<CollisionColumn> columns{
        {{"restitution", "", "", ""}, &Collision::restitution},
        {{"rebound_speed", "m s-1", "m_per_s", ""}, &Collision::rebound_speed},
        {{"max_force", "N", "N", ""}, &Collision::max_force},
        {{"max_overlap", "m", "m", ""}, &Collision::max_overlap},
        {{"residual_overlap", "m", "m", ""}, &Collision::residual_overlap},
        {{"duration", "s", "s", ""}, &Collision::duration},
        {{"compression_time", "s", "s", ""}, &Collision::compression_time},
        {{"dissipated_energy", "J", "J", ""}, &Collision::dissipated_energy}};
    return columns;
}

/// A column for an impact of rigid bodies, once for each definition of restitution.
struct ImpactColumn {
    const char *name, *unit, *csv_unit;
    double (*value)(const laws::RigidImpact&);
};

constexpr ImpactColumn impact_columns[] = {
    {"separation_speed", "m s-1", "m_per_s", [](const auto& i) { return -i.after.approach; }},
    {"slip_speed", "m s-1", "m_per_s", [](const auto& i) { return i.after.slip; }},
    {"normal_impulse", "N s", "N_s", [](const auto& i) { return i.normal_impulse; }},
    {"tangential_impulse", "N s", "N_s", [](const auto& i) { return i.tangential_impulse; }},
    {"dissipated_energy", "J", "J", [](const auto& i) { return i.dissipated; }}};

constexpr std::pair<const char*, laws::RestitutionDefinition> definitions[] = {
    {"newton", laws::RestitutionDefinition::newton},
    {"poisson", laws::RestitutionDefinition::poisson},
    {"stronge", laws::RestitutionDefinition::stronge}};

/// A warning of a circle's radius or a strip's half-width that Hertz's theory does not cover.
std::optional<std::string> wide_contact(const io::CollisionCase& collision,
                                        const laws::Collision& hit) {
    if (collision.line) {
        return laws::too_wide(laws::contact_strip(*collision.line, hit.max_force).half_width,
                              laws::smaller_radius(*collision.line));
    }
    const auto circle = ellipse_of(collision);
    if (!circle || !collision.contact.bodies) return std::nullopt;
    const auto& [a, b] = *collision.contact.bodies;
    return laws::too_wide(circle->semi_major(hit.max_force, collision.contact.modulus),
                          std::min(std::abs(a.radius), std::abs(b.radius)));
}

}  // namespace

std::vector<ImpactResult> impact_results(const io::ImpactCase& given, double speed) {
    const laws::RigidContact contact =
        laws::rigid_contact(given.first, given.second, given.friction);
    std::vector<ImpactResult> results;
    for (const auto& [name, definition] : definitions) {
        results.push_back(
            {.definition = name,
             .impact = laws::collide(contact, {.approach = speed, .slip = given.slip_speed},
                                     given.restitution, definition)});
    }
    return results;
}

laws::Collision collision_of(const io::CollisionCase& collision,
                             const std::function<void(const laws::CollisionMoment&)>& watch) {
    if (collision.line) {
        return laws::collide(laws::make_line(*collision.line, collision.law, collision.speed),
                             collision.line->mass, collision.speed, watch);
    }
    return laws::collide(laws::make(collision.contact, collision.law), collision.contact.mass,
                         collision.speed, watch);
}

std::optional<laws::ContactEllipse> ellipse_of(const io::CollisionCase& collision) {
    if (collision.ellipse) return collision.ellipse;
    const laws::Contact& contact = collision.contact;
    if (collision.line || collision.impact || !(contact.radius > 0.0 && contact.modulus > 0.0))
        return std::nullopt;
    const std::string& family = laws::find(collision.law.name)->family;
    if (family.starts_with("elastoplastic") || family == "adhesion") return std::nullopt;
    return laws::contact_circle(contact.radius);
}

std::vector<std::string> warnings_of(const io::CollisionCase& collision,
                                     const laws::Collision& hit) {
    std::vector<std::string> warnings = collision.warnings;
    if (collision.impact_limit) {
        if (auto warning =
                laws::beyond_impact_limit(collision.law.name, collision.line.has_value(),
                                          "an impact at", collision.speed, *collision.impact_limit))
            warnings.push_back(std::move(*warning));
    }
    if (auto warning = wide_contact(collision, hit)) warnings.push_back(std::move(*warning));
    if (!collision.ellipse || !collision.shortest_length) return warnings;
    if (auto warning = laws::too_long(*collision.ellipse, hit.max_force, collision.contact.modulus,
                                      *collision.shortest_length))
        warnings.push_back(std::move(*warning));
    return warnings;
}

CollisionJob::CollisionJob(io::CollisionCase collision, const scenario::Origin& origin)
    : collision_(std::move(collision)) {
    if (collision_.line || collision_.impact) return;  // checked by their reader
    try {
        laws::make(collision_.contact, collision_.law);
    } catch (const ArgumentError& error) {
        origin.fail("law.name", error.what());
    }
}

io::Columns CollisionJob::columns() const {
    io::Columns columns;
    columns.body = "collision";
    if (collision_.impact) {
        for (const auto& [definition, which] : definitions) {
            for (const ImpactColumn& column : impact_columns) {
                columns.of_run.push_back({fmt::format("{}_{}", definition, column.name),
                                          column.unit, column.csv_unit, ""});
            }
        }
        return columns;
    }
    for (const CollisionColumn& column : collision_columns())
        columns.of_run.push_back(column.quantity);
    return columns;
}

JobResult CollisionJob::run(const RunRequest& /*request*/, ProgressCallback& callback) const {
    const auto start = std::chrono::steady_clock::now();
    callback.begin(1, 0.0, 1);
    JobResult result{};
    result.warnings = collision_.warnings;
    if (collision_.impact) {
        for (const ImpactResult& each : impact_results(*collision_.impact, collision_.speed)) {
            for (const ImpactColumn& column : impact_columns)
                result.numbers.push_back(column.value(each.impact));
        }
    } else {
        laws::Collision hit{};
        try {
            hit = collision_of(collision_);
        } catch (const std::runtime_error& error) {
            throw running::RunError(error.what());
        }
        for (const CollisionColumn& column : collision_columns())
            result.numbers.push_back(hit.*column.value);
        result.warnings = warnings_of(collision_, hit);
    }
    result.updates = 1.0;
    result.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace beadwave::jobs
