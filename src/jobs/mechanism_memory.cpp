#include "jobs/mechanism_memory.hpp"

#include "io/history/mechanism_history.hpp"
#include "io/history/mechanism_impacts.hpp"
#include "mechanism/simulate.hpp"
#include "mechanism/spot.hpp"

#include <fmt/format.h>

#include <utility>

namespace beadwave::jobs {
namespace {

using mechanism::BodyMotion;
using mechanism::Impact;
using mechanism::SpotMoment;

}  // namespace

MechanismMemory::MechanismMemory(const io::ReadMechanism& read) : read_(read) {
    const mechanism::Mechanism& given = read.mechanism;
    const auto samples = static_cast<double>(mechanism::samples_of(given)) + 1.0;
    const std::size_t spots = mechanism::spots_of(given).size();
    check_memory_for(samples * static_cast<double>(given.bodies.size() * sizeof(BodyMotion) +
                                                   spots * sizeof(SpotMoment) +
                                                   sizeof(mechanism::Ledger) + 16));
    times_.clear_for(samples);
    bodies_.reserve(static_cast<std::size_t>(samples) * given.bodies.size());
    spot_moments_.reserve(static_cast<std::size_t>(samples) * spots);
    for (const mechanism::Body& body : given.bodies) {
        mass_.push_back(body.mass);
        inertia_.push_back(body.inertia);
    }
}

void MechanismMemory::add(std::int64_t sample, const mechanism::Moment& moment) {
    times_.add(sample, moment.time);
    bodies_.insert(bodies_.end(), moment.bodies.begin(), moment.bodies.end());
    spot_moments_.insert(spot_moments_.end(), moment.spots.begin(), moment.spots.end());
    ledger_.push_back(moment.ledger);
}

std::vector<ArrayView> MechanismMemory::arrays() const {
    const std::size_t samples = times_.count(), bodies = read_.mechanism.bodies.size();
    std::vector<ArrayView> all{rows_of("mass", "kg", mass_.data(), bodies, {}),
                               rows_of("inertia", "kg m2", inertia_.data(), bodies, {})};
    add_times(all, "snapshot", times_);
    static const BodyMotion no_body{};
    const BodyMotion& body = bodies_.empty() ? no_body : bodies_.front();
    const auto vector_of = [&](const char* name, const char* unit, const mechanism::Vector& first) {
        return columns_of(name, unit, first.data(), sizeof(BodyMotion), {samples, bodies}, 2);
    };
    const auto number_of = [&](const char* name, const char* unit, const double& first) {
        return column_of(name, unit, &first, sizeof(BodyMotion), {samples, bodies});
    };
    all.push_back(vector_of("position", "m", body.centre));
    all.push_back(vector_of("velocity", "m s-1", body.velocity));
    all.push_back(vector_of("acceleration", "m s-2", body.acceleration));
    all.push_back(number_of("angle", "rad", body.angle));
    all.push_back(number_of("spin", "rad s-1", body.spin));
    all.push_back(number_of("spin_acceleration", "rad s-2", body.spin_acceleration));
    add_times(all, "energy", times_);
    static const mechanism::Ledger no_ledger{};
    const mechanism::Ledger& ledger = ledger_.empty() ? no_ledger : ledger_.front();
    for (const io::MechanismLedgerColumn& column : io::mechanism_ledger_columns) {
        all.push_back(column_of(column.name, "J", &(ledger.*column.part), sizeof(mechanism::Ledger),
                                {samples}));
    }
    if (spots_.empty()) return all;
    static const SpotMoment no_spot{};
    const SpotMoment& spot = spot_moments_.empty() ? no_spot : spot_moments_.front();
    const auto of_spot = [&](const char* name, const char* unit, const double& first) {
        return column_of(name, unit, &first, sizeof(SpotMoment), {samples, spots_.size()});
    };
    all.push_back(of_spot("overlap", "m", spot.overlap));
    all.push_back(of_spot("approach_speed", "m s-1", spot.approach));
    all.push_back(of_spot("contact_force", "N", spot.force));
    all.push_back(of_spot("friction_force", "N", spot.friction));
    all.push_back(columns_of("eccentricity", "m", spot.offset.data(), sizeof(SpotMoment),
                             {samples, spots_.size()}, 2));
    for (const mechanism::SpotRecord& record : spots_) {
        static const Impact no_impact{};
        const Impact& first = record.impacts.empty() ? no_impact : record.impacts.front();
        const std::string name = io::spot_name(read_.mechanism, record);
        for (const io::ImpactColumn& column : io::impact_columns) {
            all.push_back(column_of(fmt::format("impacts/{}/{}", name, column.name), column.unit,
                                    &(first.*column.part), sizeof(Impact),
                                    {record.impacts.size()}));
        }
    }
    return all;
}

void MechanismMemory::save(const io::Output& output) const {
    io::MechanismHistory file(output, read_);
    const std::size_t bodies = read_.mechanism.bodies.size(), spots = spots_.size();
    for (std::size_t i = 0; i < times_.count(); ++i) {
        const auto body = bodies_.begin() + static_cast<std::ptrdiff_t>(i * bodies);
        const auto spot = spot_moments_.begin() + static_cast<std::ptrdiff_t>(i * spots);
        file.append(times_.step[i], {.time = times_.time[i],
                                     .bodies = {body, body + static_cast<std::ptrdiff_t>(bodies)},
                                     .spots = {spot, spot + static_cast<std::ptrdiff_t>(spots)},
                                     .ledger = ledger_[i]});
    }
    for (std::size_t s = 0; s < spots; ++s) {
        for (const Impact& impact : spots_[s].impacts)
            file.append_impact(s, impact);
    }
    file.close({}, io::Run::ended);  // no checkpoint goes on from it
}

}  // namespace beadwave::jobs
