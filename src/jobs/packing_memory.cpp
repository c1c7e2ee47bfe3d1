#include "jobs/packing_memory.hpp"

#include "jobs/units.hpp"
#include "packing/wall_motion.hpp"
#include "running/sample_counts.hpp"

#include <span>
#include <utility>

namespace beadwave::jobs {
namespace {

using packing::ContactState;
using packing::Vec3;

static_assert(sizeof(Vec3) == 3 * sizeof(double));
static_assert(sizeof(std::size_t) == sizeof(std::int64_t));

template <class Row>
void append(std::vector<Vec3>& to, const Row& row) {
    to.insert(to.end(), row.begin(), row.end());
}

/// The address of the first record plus `offset`; null for an empty array.
template <class Record>
const double* at(const std::vector<Record>& records, std::size_t offset) {
    if (records.empty()) return nullptr;
    return reinterpret_cast<const double*>(reinterpret_cast<const char*>(records.data()) + offset);
}

ArrayView vectors(std::string name, std::string unit, const std::vector<Vec3>& records,
                  std::size_t samples, std::size_t each) {
    return columns_of(std::move(name), std::move(unit), at(records, 0), sizeof(Vec3),
                      {samples, each}, 3);
}

}  // namespace

PackingMemory::PackingMemory(const packing::Packing& packing, running::Settings settings,
                             io::RunDescription run)
    : packing_(packing), settings_(std::move(settings)), run_(std::move(run)) {}

void PackingMemory::begin(const running::StepTrial& trial, const packing::PackingEngine& engine) {
    const running::SampleCounts samples = running::sample_counts(settings_, trial.time_step);
    const auto particles = static_cast<double>(packing_.particles());
    const auto sensors = static_cast<double>(settings_.sensors.size());
    const double of_sensors = sensors > 0.0 ? samples.sensors : 0.0;
    check_memory_for(
        of_sensors * (16.0 + 48.0 * sensors) +
        samples.snapshots * (72.0 * particles + static_cast<double>(sizeof(ContactState)) *
                                                    static_cast<double>(engine.closed_contacts())) +
        samples.energy *
            static_cast<double>(sizeof(observers::PackingLedger) + sizeof(packing::PackingTotals)));
    sensors_.clear_for(of_sensors);
    snapshots_.clear_for(samples.snapshots);
    energy_.clear_for(samples.energy);
    for (std::vector<Vec3>* column : {&force_, &sensor_velocity_}) {
        column->clear();
        column->reserve(static_cast<std::size_t>(of_sensors * sensors));
    }
    for (std::vector<Vec3>* column : {&displacement_, &velocity_, &angular_velocity_}) {
        column->clear();
        column->reserve(static_cast<std::size_t>(samples.snapshots * particles));
    }
    contacts_.clear(), row_splits_.assign(1, 0), walls_.clear(), ledger_.clear(), totals_.clear();
    run_.time_step = trial.time_step.step;
    run_.steps = trial.time_step.count;
    run_.threads = engine.threads();
}

running::PackingSinks PackingMemory::sinks() {
    running::PackingSinks sinks;
    if (!settings_.sensors.empty()) {
        sinks.sensors = [this](auto step, auto time, auto force, auto velocity) {
            sensors_.add(step, time);
            append(force_, force);
            append(sensor_velocity_, velocity);
        };
    }
    sinks.snapshot = [this](auto step, double time, const packing::PackingEngine& engine) {
        snapshots_.add(step, time);
        append(displacement_, engine.displacement());
        append(velocity_, engine.velocity());
        append(angular_velocity_, engine.angular_velocity());
        const std::vector<ContactState> contacts = engine.contacts();
        contacts_.insert(contacts_.end(), contacts.begin(), contacts.end());
        row_splits_.push_back(static_cast<std::int64_t>(contacts_.size()));
        for (const packing::Wall& wall : packing_.walls)
            walls_.push_back(wall_displacement(wall, time));
    };
    sinks.energy = [this](auto step, auto time, const auto& ledger, const auto& totals) {
        energy_.add(step, time);
        ledger_.push_back(ledger);
        totals_.push_back(totals);
    };
    return sinks;
}

std::vector<ArrayView> PackingMemory::arrays() const {
    const std::size_t particles = packing_.particles(), sensors = settings_.sensors.size();
    const auto whole = [](std::string name, const std::vector<std::int64_t>& numbers) {
        return ArrayView{.name = std::move(name),
                         .unit = {},
                         .data = numbers.data(),
                         .whole = true,
                         .shape = {numbers.size()},
                         .strides = {sizeof(std::int64_t)}};
    };
    std::vector<ArrayView> all{
        rows_of("radius", "m", packing_.radius.data(), particles, {}),
        rows_of("mass", "kg", packing_.mass.data(), particles, {}),
        rows_of("inertia", "kg m2", packing_.inertia.data(), particles, {}),
        columns_of("start", "m", at(packing_.position, 0), sizeof(Vec3), {particles}, 3)};
    if (sensors > 0) {
        all.push_back(whole("sensors", settings_.sensors));
        add_times(all, "sensor", sensors_);
        all.push_back(vectors("net_contact_force", "N", force_, sensors_.count(), sensors));
        all.push_back(
            vectors("sensor_velocity", "m s-1", sensor_velocity_, sensors_.count(), sensors));
    }
    if (settings_.snapshot_interval) {
        const std::size_t samples = snapshots_.count(), count = contacts_.size();
        add_times(all, "snapshot", snapshots_);
        all.push_back(vectors("displacement", "m", displacement_, samples, particles));
        all.push_back(vectors("velocity", "m s-1", velocity_, samples, particles));
        all.push_back(
            vectors("angular_velocity", "rad s-1", angular_velocity_, samples, particles));
        if (!packing_.walls.empty()) {
            all.push_back(
                vectors("wall_displacement", "m", walls_, samples, packing_.walls.size()));
        }
        all.push_back(whole("contacts/row_splits", row_splits_));
        all.push_back({.name = "contacts/pair",
                       .unit = {},
                       .data = contacts_.empty() ? nullptr : &contacts_.front().first,
                       .whole = true,
                       .shape = {count, 2},
                       .strides = {sizeof(ContactState), sizeof(std::int64_t)}});
        const auto of_contact = [&](const char* name, const char* unit, std::size_t offset) {
            return column_of(name, unit, at(contacts_, offset), sizeof(ContactState), {count});
        };
        all.push_back(of_contact("contacts/overlap", "m", offsetof(ContactState, overlap)));
        const auto vector_of = [&](const char* name, std::size_t offset) {
            return columns_of(name, "N", at(contacts_, offset), sizeof(ContactState), {count}, 3);
        };
        all.push_back(vector_of("contacts/normal_force", offsetof(ContactState, normal_force)));
        all.push_back(
            vector_of("contacts/tangential_force", offsetof(ContactState, tangential_force)));
    }
    const std::size_t samples = energy_.count();
    add_times(all, "energy", energy_);
    static const observers::PackingLedger none{};
    const observers::PackingLedger& first = samples > 0 ? ledger_.front() : none;
    for (const observers::PackingLedgerEntry& entry : observers::sampled_packing_entries) {
        all.push_back(column_of(entry.quantity, unit_of(entry.unit), &(first.*entry.value),
                                sizeof(observers::PackingLedger), {samples}));
    }
    const auto of_totals = [&](const char* name, const char* unit, std::size_t offset) {
        return columns_of(name, unit, at(totals_, offset), sizeof(packing::PackingTotals),
                          {samples}, 3);
    };
    all.push_back(of_totals("momentum", "kg m s-1", offsetof(packing::PackingTotals, momentum)));
    all.push_back(of_totals("angular_momentum", "kg m2 s-1",
                            offsetof(packing::PackingTotals, angular_momentum)));
    return all;
}

void PackingMemory::save(const io::Output& output) const {
    io::PackingHistory file(output, packing_, settings_.sensors,
                            settings_.snapshot_interval.has_value(), run_);
    const auto row = [](const std::vector<Vec3>& column, std::size_t sample, std::size_t width) {
        return std::span<const Vec3>(column).subspan(sample * width, width);
    };
    const std::size_t sensors = settings_.sensors.size(), particles = packing_.particles();
    for (std::size_t i = 0; i < sensors_.count(); ++i) {
        file.append_sensors(sensors_.step[i], sensors_.time[i], row(force_, i, sensors),
                            row(sensor_velocity_, i, sensors));
    }
    for (std::size_t i = 0; i < snapshots_.count(); ++i) {
        const auto begin = static_cast<std::size_t>(row_splits_[i]);
        const auto end = static_cast<std::size_t>(row_splits_[i + 1]);
        const io::PackingSnapshot now{.displacement = row(displacement_, i, particles),
                                      .velocity = row(velocity_, i, particles),
                                      .angular_velocity = row(angular_velocity_, i, particles),
                                      .contacts = std::span(contacts_).subspan(begin, end - begin)};
        file.append_snapshot(snapshots_.step[i], snapshots_.time[i], now);
    }
    for (std::size_t i = 0; i < energy_.count(); ++i)
        file.append_energy(energy_.step[i], energy_.time[i], ledger_[i], totals_[i]);
    file.close(warnings_, io::Run::ended);  // no checkpoint continues it
}

}  // namespace beadwave::jobs
