#include "jobs/mechanism_memory.hpp"

#include "io/history/mechanism_history.hpp"
#include "io/history/mechanism_impacts.hpp"
#include "mechanism/contact_point.hpp"
#include "mechanism/simulate.hpp"

#include <fmt/format.h>

#include <utility>

namespace beadwave::jobs {
namespace {

using mechanism::BodyState;
using mechanism::ContactSample;
using mechanism::Impact;

}  // namespace

MechanismMemory::MechanismMemory(const io::ReadMechanism& read) : read_(read) {
    const mechanism::Mechanism& given = read.mechanism;
    const auto samples = static_cast<double>(mechanism::samples_of(given)) + 1.0;
    const std::size_t points = mechanism::contact_points_of(given).size();
    check_memory_for(samples * static_cast<double>(given.bodies.size() * sizeof(BodyState) +
                                                   points * sizeof(ContactSample) +
                                                   sizeof(mechanism::Ledger) + 16));
    times_.clear_for(samples);
    bodies_.reserve(static_cast<std::size_t>(samples) * given.bodies.size());
    contact_samples_.reserve(static_cast<std::size_t>(samples) * points);
    for (const mechanism::Body& body : given.bodies) {
        mass_.push_back(body.mass);
        inertia_.push_back(body.inertia);
    }
}

void MechanismMemory::add(std::int64_t number, const mechanism::Sample& sample) {
    times_.add(number, sample.time);
    bodies_.insert(bodies_.end(), sample.bodies.begin(), sample.bodies.end());
    contact_samples_.insert(contact_samples_.end(), sample.contact_points.begin(),
                            sample.contact_points.end());
    ledger_.push_back(sample.ledger);
}

std::vector<ArrayView> MechanismMemory::arrays() const {
    const std::size_t samples = times_.count(), bodies = read_.mechanism.bodies.size();
    std::vector<ArrayView> all{rows_of("mass", "kg", mass_.data(), bodies, {}),
                               rows_of("inertia", "kg m2", inertia_.data(), bodies, {})};
    add_times(all, "snapshot", times_);
    static const BodyState no_body{};
    const BodyState& body = bodies_.empty() ? no_body : bodies_.front();
    const auto vector_of = [&](const char* name, const char* unit, const mechanism::Vector& first) {
        return columns_of(name, unit, first.data(), sizeof(BodyState), {samples, bodies}, 2);
    };
    const auto number_of = [&](const char* name, const char* unit, const double& first) {
        return column_of(name, unit, &first, sizeof(BodyState), {samples, bodies});
    };
    all.push_back(vector_of("position", "m", body.centre));
    all.push_back(vector_of("velocity", "m s-1", body.velocity));
    all.push_back(vector_of("acceleration", "m s-2", body.acceleration));
    all.push_back(number_of("angle", "rad", body.angle));
    all.push_back(number_of("angular_velocity", "rad s-1", body.angular_velocity));
    all.push_back(number_of("angular_acceleration", "rad s-2", body.angular_acceleration));
    add_times(all, "energy", times_);
    static const mechanism::Ledger no_ledger{};
    const mechanism::Ledger& ledger = ledger_.empty() ? no_ledger : ledger_.front();
    for (const io::MechanismLedgerColumn& column : io::mechanism_ledger_columns) {
        all.push_back(column_of(column.name, column.unit, &(ledger.*column.part),
                                sizeof(mechanism::Ledger), {samples}));
    }
    if (impacts_.empty()) return all;
    static const ContactSample no_sample{};
    const ContactSample& point = contact_samples_.empty() ? no_sample : contact_samples_.front();
    const auto of_point = [&](const char* name, const char* unit, const double& first) {
        return column_of(name, unit, &first, sizeof(ContactSample), {samples, impacts_.size()});
    };
    all.push_back(of_point("overlap", "m", point.overlap));
    all.push_back(of_point("approach_speed", "m s-1", point.approach_speed));
    all.push_back(of_point("contact_force", "N", point.force));
    all.push_back(of_point("friction_force", "N", point.friction));
    all.push_back(columns_of("journal_displacement", "m", point.journal_displacement.data(),
                             sizeof(ContactSample), {samples, impacts_.size()}, 2));
    for (const mechanism::ContactImpacts& at_point : impacts_) {
        static const Impact no_impact{};
        const Impact& first = at_point.impacts.empty() ? no_impact : at_point.impacts.front();
        const std::string name = io::contact_point_name(read_.mechanism, at_point);
        for (const io::ImpactColumn& column : io::impact_columns) {
            all.push_back(column_of(fmt::format("impacts/{}/{}", name, column.name), column.unit,
                                    &(first.*column.part), sizeof(Impact),
                                    {at_point.impacts.size()}));
        }
    }
    return all;
}

void MechanismMemory::save(const io::Output& output) const {
    io::MechanismHistory file(output, read_);
    const std::size_t bodies = read_.mechanism.bodies.size(), points = impacts_.size();
    for (std::size_t i = 0; i < times_.count(); ++i) {
        const auto body = bodies_.begin() + static_cast<std::ptrdiff_t>(i * bodies);
        const auto point = contact_samples_.begin() + static_cast<std::ptrdiff_t>(i * points);
        file.append(times_.step[i],
                    {.time = times_.time[i],
                     .bodies = {body, body + static_cast<std::ptrdiff_t>(bodies)},
                     .contact_points = {point, point + static_cast<std::ptrdiff_t>(points)},
                     .ledger = ledger_[i]});
    }
    for (std::size_t s = 0; s < points; ++s) {
        for (const Impact& impact : impacts_[s].impacts)
            file.append_impact(s, impact);
    }
    file.close({}, io::Run::ended);  // no checkpoint continues it
}

}  // namespace beadwave::jobs
