#include "jobs/chain_memory.hpp"

#include "jobs/units.hpp"
#include "observers/observables.hpp"
#include "running/sample_counts.hpp"

#include <span>
#include <utility>

namespace beadwave::jobs {
namespace {

void append(std::vector<double>& to, std::span<const double> row) {
    to.insert(to.end(), row.begin(), row.end());
}

void clear_for(std::vector<double>& column, double numbers) {
    column.clear();
    column.reserve(static_cast<std::size_t>(numbers));
}

}  // namespace

ChainMemory::ChainMemory(const chain::Chain& chain, running::Settings settings,
                         io::RunDescription run)
    : chain_(chain),
      settings_(std::move(settings)),
      run_(std::move(run)),
      position_(chain.positions()) {}

void ChainMemory::begin(const running::StepTrial& trial, int threads) {
    const running::SampleCounts samples = running::sample_counts(settings_, trial.time_step);
    const auto beads = static_cast<double>(chain_.beads());
    const auto sensors = static_cast<double>(settings_.sensors.size());
    const auto observed = static_cast<double>(observers::observables().size());
    const double of_sensors = sensors > 0.0 ? samples.sensors : 0.0;
    check_memory_for(8.0 *
                     (of_sensors * (2.0 + 2.0 * sensors) + samples.snapshots * (3.0 * beads + 5.0) +
                      samples.energy * (11.0 + observed)));
    sensors_.clear_for(of_sensors);
    clear_for(force_, of_sensors * sensors);
    clear_for(sensor_velocity_, of_sensors * sensors);
    snapshots_.clear_for(samples.snapshots);
    clear_for(displacement_, samples.snapshots * beads);
    clear_for(velocity_, samples.snapshots * beads);
    clear_for(contact_force_, samples.snapshots * (beads + 1.0));
    clear_for(walls_, drives() ? 2.0 * samples.snapshots : 0.0);
    energy_.clear_for(samples.energy);
    ledger_.clear();
    ledger_.reserve(static_cast<std::size_t>(samples.energy));
    clear_for(observed_, samples.energy * observed);
    run_.time_step = trial.time_step.step;
    run_.steps = trial.time_step.count;
    run_.threads = threads;
}

running::Sinks ChainMemory::sinks() {
    running::Sinks sinks;
    if (!settings_.sensors.empty()) {
        sinks.sensors = [this](auto step, auto time, auto force, auto velocity) {
            sensors_.add(step, time);
            append(force_, force);
            append(sensor_velocity_, velocity);
        };
    }
    sinks.snapshot = [this](auto step, double time, auto displacement, auto velocity,
                            auto contact_force) {
        snapshots_.add(step, time);
        append(displacement_, displacement);
        append(velocity_, velocity);
        append(contact_force_, contact_force);
        if (!drives()) return;
        for (const auto& drive : {chain_.left_drive, chain_.right_drive})
            walls_.push_back(drive ? drive->displacement(time) : 0.0);
    };
    sinks.energy = [this](auto step, auto time, const observers::Ledger& ledger, auto observed) {
        energy_.add(step, time);
        ledger_.push_back(ledger);
        append(observed_, observed);
    };
    return sinks;
}

std::vector<ArrayView> ChainMemory::arrays() const {
    const std::size_t beads = chain_.beads(), sensors = settings_.sensors.size();
    std::vector<ArrayView> all{rows_of("radius", "m", chain_.radius.data(), beads, {}),
                               rows_of("mass", "kg", chain_.mass.data(), beads, {}),
                               rows_of("start", "m", position_.data(), beads, {}),
                               rows_of("contact_gap", "m", chain_.gap.data(), beads + 1, {})};
    if (sensors > 0) {
        all.push_back({.name = "sensors",
                       .unit = {},
                       .data = settings_.sensors.data(),
                       .whole = true,
                       .shape = {sensors},
                       .strides = {sizeof(std::int64_t)}});
        add_times(all, "sensor", sensors_);
        const std::size_t samples = sensors_.count();
        all.push_back(rows_of("sensor_force", "N", force_.data(), samples, {sensors}));
        all.push_back(
            rows_of("sensor_velocity", "m s-1", sensor_velocity_.data(), samples, {sensors}));
    }
    if (settings_.snapshot_interval) {
        const std::size_t samples = snapshots_.count();
        add_times(all, "snapshot", snapshots_);
        all.push_back(rows_of("displacement", "m", displacement_.data(), samples, {beads}));
        all.push_back(rows_of("velocity", "m s-1", velocity_.data(), samples, {beads}));
        all.push_back(rows_of("contact_force", "N", contact_force_.data(), samples, {beads + 1}));
        if (drives()) all.push_back(rows_of("wall_displacement", "m", walls_.data(), samples, {2}));
    }
    const std::size_t samples = energy_.count();
    add_times(all, "energy", energy_);
    static const observers::Ledger none{};
    const observers::Ledger& first = samples > 0 ? ledger_.front() : none;
    for (const observers::LedgerEntry& entry : observers::sampled_entries) {
        all.push_back(column_of(entry.quantity, unit_of(entry.unit), &(first.*entry.value),
                                sizeof(observers::Ledger), {samples}));
    }
    const auto observables = observers::observables();
    for (std::size_t k = 0; k < observables.size(); ++k) {
        all.push_back(column_of(observables[k].name, observables[k].unit, observed_.data() + k,
                                observables.size() * sizeof(double), {samples}));
    }
    return all;
}

void ChainMemory::save(const io::Output& output) const {
    io::HistoryFile file(output, chain_, settings_.sensors, settings_.snapshot_interval.has_value(),
                         run_);
    const auto row = [](const std::vector<double>& column, std::size_t sample, std::size_t width) {
        return std::span<const double>(column).subspan(sample * width, width);
    };
    const std::size_t sensors = settings_.sensors.size(), beads = chain_.beads();
    for (std::size_t i = 0; i < sensors_.count(); ++i) {
        file.append_sensors(sensors_.step[i], sensors_.time[i], row(force_, i, sensors),
                            row(sensor_velocity_, i, sensors));
    }
    for (std::size_t i = 0; i < snapshots_.count(); ++i) {
        file.append_snapshot(snapshots_.step[i], snapshots_.time[i], row(displacement_, i, beads),
                             row(velocity_, i, beads), row(contact_force_, i, beads + 1));
    }
    for (std::size_t i = 0; i < energy_.count(); ++i) {
        file.append_energy(energy_.step[i], energy_.time[i], ledger_[i],
                           row(observed_, i, observers::observables().size()));
    }
    file.close(warnings_, io::Run::ended);  // no checkpoint continues it
}

}  // namespace beadwave::jobs
