#include "io/history/history_file.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/h5md.hpp"
#include "io/history/history_datasets.hpp"
#include "io/history/history_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

/// One number per bead, contact or sensor, in the form that Value::append expects.
auto copy_of(std::span<const double> numbers) {
    return [numbers](std::size_t first, std::span<double> out) {
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
    };
}

/// One vector per bead: `x(bead)` along the chain, zero across it.
template <typename X>
auto vectors_along_chain(const X& x) {
    return [x](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size() / 3; ++i) {
            out[3 * i] = x(first + i);
            out[3 * i + 1] = out[3 * i + 2] = 0.0;
        }
    };
}

/// One number per bead, and `more`. For a distributed chain only the space: the ranks write the
/// values.
void write_column(const hdf5::Group& group, const std::string& name, const char* unit,
                  const std::vector<double>& numbers, const chain::Chain& chain, hsize_t more = 0) {
    h5md::set_unit(chain.partition ? hdf5::create_to_fill(group.id(), name, hdf5::type_of<double>(),
                                                          chain.total() + more)
                                   : hdf5::write_vector<double>(group.id(), name, numbers),
                   unit);
}

void write_parameters(const hdf5::File& file, const chain::Chain& chain,
                      const RunDescription& run) {
    const hdf5::Group parameters = write_run(file, run, "chain");
    // With it and the displacements a reader can compute the overlap of every contact.
    write_column(parameters, "contact_gap", "m", chain.gap, chain, 1);
}

void write_box(const hdf5::Group& beads) {
    const hdf5::Group box = hdf5::create_group(beads.id(), "box");
    const std::vector<std::string> boundary(3, "none");
    hdf5::set_attribute(box.id(), "dimension", 3);
    hdf5::set_attribute(box.id(), "boundary", std::span<const std::string>(boundary));
}

void write_beads(const hdf5::Group& beads, const chain::Chain& chain) {
    write_box(beads);
    write_ids(beads, chain.total(), !chain.partition);
    write_column(beads, "mass", "kg", chain.mass, chain);
    write_column(beads, "radius", "m", chain.radius, chain);
    write_species(
        beads, chain.species_names, chain.total(),
        [&](std::size_t bead) { return static_cast<int>(chain.species[bead]); }, !chain.partition);
}

}  // namespace

HistoryFile::Datasets& HistoryFile::opened() const {
    return static_cast<Datasets&>(SwmrHistory::opened());
}

HistoryFile::HistoryFile(const Output& output, const chain::Chain& chain,
                         std::span<const std::int64_t> sensor_beads, bool snapshots,
                         const RunDescription& run)
    : SwmrHistory(std::make_unique<Datasets>(output)) {
    Datasets& data = opened();
    const auto make = [&] {
        write_parameters(data.file, chain, run);
        const hdf5::Group particles = hdf5::create_group(data.file.id(), "particles");
        write_beads(hdf5::create_group(particles.id(), "beads"), chain);
        hdf5::create_group(data.file.id(), "observables");
        data.make_series(chain, sensor_beads, snapshots, h5md::Element::made);
        if (data.sensors) write_sensor_numbers(data.file, *data.sensors, "beads", sensor_beads);
        data.close_series();
    };
    data.begin(make,
               [&] { data.make_series(chain, sensor_beads, snapshots, h5md::Element::continued); });
}

void HistoryFile::append_sensors(std::int64_t step, double time, std::span<const double> force,
                                 std::span<const double> velocity) {
    Datasets& data = opened();
    if (force.size() != data.sensor_count || velocity.size() != data.sensor_count) {
        throw std::logic_error("a sample needs one force and one velocity per sensor");
    }
    if (data.sensors) data.append(*data.sensors, step, time, copy_of(force), copy_of(velocity));
}

void HistoryFile::append_snapshot(std::int64_t step, double time,
                                  std::span<const double> displacement,
                                  std::span<const double> velocity,
                                  std::span<const double> contact_force) {
    Datasets& data = opened();
    if (!data.snapshots) throw std::logic_error("the history file was created without snapshots");
    const std::span<const double> start = data.start;
    if (displacement.size() != start.size() || velocity.size() != start.size()) {
        throw std::logic_error("a snapshot needs one displacement and one velocity per bead");
    }
    if (contact_force.size() != start.size() + 1)
        throw std::logic_error("a snapshot needs one force per contact");
    data.append(*data.snapshots, step, time,
                vectors_along_chain([=](std::size_t i) { return start[i] + displacement[i]; }),
                vectors_along_chain([=](std::size_t i) { return velocity[i]; }),
                copy_of(displacement));
    data.append(*data.contacts, step, time, copy_of(contact_force));
    append_walls(step, time);
}

std::vector<hdf5::RowPlaces> HistoryFile::reserve_snapshot() {
    Datasets& data = opened();
    std::vector<hdf5::RowPlaces> places;
    data.guarded([&] {
        places = data.snapshots->reserve();
        for (hdf5::RowPlaces& each : data.contacts->reserve())
            places.push_back(std::move(each));
    });
    return places;
}

void HistoryFile::commit_snapshot(std::int64_t step, double time) {
    Datasets& data = opened();
    data.guarded([&] {
        data.snapshots->commit(step, time);
        data.contacts->commit(step, time);
    });
    append_walls(step, time);
}

void HistoryFile::roll_back_snapshot() {
    Datasets& data = opened();
    data.guarded([&] {
        data.snapshots->roll_back();
        data.contacts->roll_back();
    });
}

void HistoryFile::append_walls(std::int64_t step, double time) {
    Datasets& data = opened();
    if (!data.walls) return;
    const double walls[] = {data.left_drive ? data.left_drive->displacement(time) : 0.0,
                            data.right_drive ? data.right_drive->displacement(time) : 0.0};
    data.append(*data.walls, step, time, copy_of(walls));
}

std::vector<std::int64_t> HistoryFile::column_places() const {
    std::vector<std::int64_t> places;
    for (const char* name : bead_columns)
        places.push_back(hdf5::place_of(hdf5::open_dataset(opened().file.id(), name)));
    return places;
}

std::filesystem::path HistoryFile::growing_path() const {
    return opened().place.path();
}

void HistoryFile::append_energy(std::int64_t step, double time, const observers::Ledger& ledger,
                                std::span<const double> observed) {
    std::vector<double> numbers;
    for (const observers::LedgerEntry& entry : observers::sampled_entries)
        numbers.push_back(entry.of(ledger));
    numbers.insert(numbers.end(), observed.begin(), observed.end());
    Datasets& data = opened();
    data.append_numbers(*data.energy, step, time, numbers);
}

double HistoryFile::bytes_of(const running::SampleCounts& samples) const {
    const Datasets& data = opened();
    return samples.sensors * bytes_per_sample(data.sensors) +
           samples.snapshots * bytes_per_sample(data.snapshots, data.contacts, data.walls) +
           samples.energy * bytes_per_sample(data.energy);
}

}  // namespace beadwave::io
