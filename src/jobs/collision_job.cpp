#include "jobs/collision_job.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/running/run_error.hpp"

#include <chrono>
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

}  // namespace

laws::Collision collision_of(const io::CollisionCase& collision,
                             const std::function<void(const laws::CollisionMoment&)>& watch) {
    if (collision.line) {
        return laws::collide(laws::make_line(*collision.line, collision.law, collision.speed),
                             collision.line->mass, collision.speed, watch);
    }
    return laws::collide(laws::make(collision.contact, collision.law), collision.contact.mass,
                         collision.speed, watch);
}

CollisionJob::CollisionJob(io::CollisionCase collision, const scenario::Origin& origin)
    : collision_(std::move(collision)) {
    if (collision_.line) return;  // checked by its reader
    try {
        laws::make(collision_.contact, collision_.law);
    } catch (const ArgumentError& error) {
        origin.fail("law.name", error.what());
    }
}

io::Columns CollisionJob::columns() const {
    io::Columns columns;
    columns.body = "collision";
    for (const CollisionColumn& column : collision_columns())
        columns.of_run.push_back(column.quantity);
    return columns;
}

JobResult CollisionJob::run(const RunRequest& /*request*/, ProgressCallback& callback) const {
    const auto start = std::chrono::steady_clock::now();
    callback.begin(1, 0.0, 1);
    laws::Collision hit{};
    try {
        hit = collision_of(collision_);
    } catch (const std::runtime_error& error) {
        throw running::RunError(error.what());
    }
    JobResult result{};
    for (const CollisionColumn& column : collision_columns())
        result.numbers.push_back(hit.*column.value);
    result.warnings = collision_.warnings;
    result.updates = 1.0;
    result.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace beadwave::jobs
