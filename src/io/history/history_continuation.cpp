// The growing elements of a chain's history: created for a new history, opened for a continued one.
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/history_datasets.hpp"
#include "io/history/history_parts.hpp"
#include "observers/observables.hpp"

namespace beadwave::io {

void HistoryFile::Datasets::make_series(const chain::Chain& chain,
                                        std::span<const std::int64_t> sensor_beads,
                                        bool with_snapshots, h5md::Element kind) {
    const hdf5::Group beads = hdf5::open_group(file.id(), "particles/beads");
    const hdf5::Group observables = hdf5::open_group(file.id(), "observables");
    using Quantities = std::vector<h5md::Quantity>;
    const hsize_t count = chain.total();
    if (with_snapshots) {
        if (!chain.partition) start = chain.positions();
        snapshots.emplace(beads.id(),
                          Quantities{{"position", "m", {count, 3}},
                                     {"velocity", "m s-1", {count, 3}},
                                     {"displacement", "m", {count}}},
                          kind);
        contacts.emplace(observables.id(), Quantities{{"contact_force", "N", {count + 1}}}, kind);
        left_drive = chain.left_drive;
        right_drive = chain.right_drive;
        if (left_drive || right_drive)
            walls.emplace(observables.id(), Quantities{{"wall_displacement", "m", {2}}}, kind);
    }
    sensor_count = sensor_beads.size();
    const hsize_t across = sensor_count;
    if (across > 0) {
        sensors.emplace(
            observables.id(),
            Quantities{{"sensor_force", "N", {across}}, {"sensor_velocity", "m s-1", {across}}},
            kind);
    }
    Quantities entries;
    for (const observers::LedgerEntry& entry : observers::sampled_entries)
        entries.push_back({entry.quantity, *entry.unit == '\0' ? "1" : entry.unit, {}});
    for (const observers::Observable& observable : observers::observables())
        entries.push_back({observable.name, observable.unit, {}});
    energy.emplace(observables.id(), entries, kind);
}

HistoryFile::HistoryFile(const Output& output, const chain::Chain& chain,
                         std::span<const std::int64_t> sensor_beads, bool snapshots,
                         const ResumePoint& earlier)
    : SwmrHistory(std::make_unique<Datasets>(output, earlier)) {
    Datasets& data = opened();
    data.resume_from(earlier, [&] {
        data.make_series(chain, sensor_beads, snapshots, h5md::Element::continued);
    });
}

}  // namespace beadwave::io
