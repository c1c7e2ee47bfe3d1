#include "io/history/packing_history.hpp"

#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/contact_table.hpp"
#include "io/history/history_parts.hpp"
#include "io/history/history_writer.hpp"
#include "packing/wall_motion.hpp"

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

using packing::Packing;
using packing::Vec3;

/// Copies one vector per item.
auto copy_of(std::span<const Vec3> vectors) {
    return [vectors](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size() / 3; ++i) {
            out[3 * i] = vectors[first + i].x;
            out[3 * i + 1] = vectors[first + i].y;
            out[3 * i + 2] = vectors[first + i].z;
        }
    };
}

auto just(double number) {
    return [number](std::size_t, std::span<double> out) { out[0] = number; };
}

auto just(const Vec3& v) {
    return [v](std::size_t first, std::span<double> out) {
        const double parts[] = {v.x, v.y, v.z};
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = parts[first + i];
    };
}

hdf5::Dataset write_vectors(hid_t parent, const std::string& name, std::span<const Vec3> vectors,
                            const char* unit) {
    std::vector<double> numbers;
    for (const Vec3& v : vectors)
        numbers.insert(numbers.end(), {v.x, v.y, v.z});
    const std::vector<hsize_t> shape{vectors.size(), 3};
    hdf5::Dataset dataset = hdf5::create_dataset(parent, name, hdf5::type_of<double>(), shape);
    hdf5::write_all(dataset, hdf5::type_of<double>(), numbers.data());
    h5md::set_unit(dataset, unit);
    return dataset;
}

/// Without snapshots the edges are one vector. With snapshots H5MD wants one matrix per snapshot,
/// which make_series() creates.
void write_box(const hdf5::Group& all, const Packing& packing, bool snapshots) {
    const hdf5::Group box = hdf5::create_group(all.id(), "box");
    std::vector<std::string> boundary;
    for (const bool periodic : packing.box.periodic)
        boundary.emplace_back(periodic ? "periodic" : "none");
    hdf5::set_attribute(box.id(), "dimension", 3);
    hdf5::set_attribute(box.id(), "boundary", std::span<const std::string>(boundary));
    const Vec3 edges = packing.box.upper - packing.box.lower, lower = packing.box.lower;
    if (!packing.box.repeats()) return;
    if (!snapshots) {
        h5md::set_unit(hdf5::write_vector<double>(box.id(), "edges",
                                                  std::vector<double>{edges.x, edges.y, edges.z}),
                       "m");
    }
    h5md::set_unit(hdf5::write_vector<double>(box.id(), "lower",
                                              std::vector<double>{lower.x, lower.y, lower.z}),
                   "m");
}

void write_walls(const hdf5::Group& parameters, const Packing& packing) {
    if (packing.walls.empty()) return;
    std::vector<Vec3> point, normal;
    for (const packing::Wall& wall : packing.walls) {
        point.push_back(wall.point);
        normal.push_back(wall.normal);
    }
    write_vectors(parameters.id(), "wall_point", point, "m");
    write_vectors(parameters.id(), "wall_normal", normal, "1");
}

void write_particles(const hdf5::File& file, const Packing& packing, bool snapshots) {
    const hdf5::Group particles = hdf5::create_group(file.id(), "particles");
    const hdf5::Group all = hdf5::create_group(particles.id(), "all");
    write_box(all, packing, snapshots);
    write_ids(all, packing.particles());
    h5md::set_unit(hdf5::write_vector<double>(all.id(), "mass", packing.mass), "kg");
    h5md::set_unit(hdf5::write_vector<double>(all.id(), "radius", packing.radius), "m");
    h5md::set_unit(hdf5::write_vector<double>(all.id(), "inertia", packing.inertia), "kg m2");
    std::vector<std::string> names;
    for (const packing::Species& species : packing.species_list)
        names.push_back(species.name);
    write_species(all, names, packing.particles(),
                  [&](std::size_t i) { return static_cast<int>(packing.species[i]); });
}

}  // namespace

struct PackingHistory::Datasets : HistoryWriter {
    Datasets(const Output& output, const Packing& what) : HistoryWriter(output), packing(what) {}
    Datasets(const Output& output, const ResumePoint& earlier, const Packing& what)
        : HistoryWriter(output, earlier), packing(what) {}

    const Packing& packing;
    std::size_t sensor_count = 0;
    std::optional<h5md::Series> sensors, snapshots, box, walls, energy, momentum;
    std::optional<ContactTable> contacts;

    void make_series(std::size_t sensor_number, bool with_snapshots, h5md::Element kind);

    std::vector<h5md::Series*> series() override {
        return those_of(sensors, snapshots, box, walls, energy, momentum);
    }
    void close_series() override {
        for (auto* each : {&sensors, &snapshots, &box, &walls, &energy, &momentum})
            each->reset();
        contacts.reset();
    }
    void flush_series() override {
        if (contacts) contacts->flush();
        HistoryWriter::flush_series();
    }
    void appended() { unflushed = true; }
};

void PackingHistory::Datasets::make_series(std::size_t sensor_number, bool with_snapshots,
                                           h5md::Element kind) {
    using Quantities = std::vector<h5md::Quantity>;
    const hdf5::Group all = hdf5::open_group(file.id(), "particles/all");
    const hdf5::Group observables = hdf5::open_group(file.id(), "observables");
    const hsize_t count = packing.particles(), wall_count = packing.walls.size();
    if (with_snapshots) {
        snapshots.emplace(all.id(),
                          Quantities{{"position", "m", {count, 3}},
                                     {"velocity", "m s-1", {count, 3}},
                                     {"displacement", "m", {count, 3}},
                                     {"angular_velocity", "rad s-1", {count, 3}}},
                          kind);
        if (packing.box.repeats()) {
            box.emplace(hdf5::open_group(all.id(), "box").id(), Quantities{{"edges", "m", {3, 3}}},
                        kind);
        }
        if (wall_count > 0) {
            walls.emplace(observables.id(), Quantities{{"wall_displacement", "m", {wall_count, 3}}},
                          kind);
        }
        const bool made = kind == h5md::Element::made;
        const hdf5::Group connectivity = made ? hdf5::create_group(file.id(), "connectivity")
                                              : hdf5::open_group(file.id(), "connectivity");
        const hdf5::Group group = made ? hdf5::create_group(connectivity.id(), "contacts")
                                       : hdf5::open_group(connectivity.id(), "contacts");
        contacts.emplace(group.id(), kind);
    }
    sensor_count = sensor_number;
    if (sensor_number > 0) {
        sensors.emplace(observables.id(),
                        Quantities{{"net_contact_force", "N", {sensor_number, 3}},
                                   {"sensor_velocity", "m s-1", {sensor_number, 3}}},
                        kind);
    }
    Quantities entries;
    for (const observers::PackingLedgerEntry& entry : observers::sampled_packing_entries)
        entries.push_back({entry.quantity, *entry.unit == '\0' ? "1" : entry.unit, {}});
    energy.emplace(observables.id(), entries, kind);
    momentum.emplace(
        observables.id(),
        Quantities{{"momentum", "kg m s-1", {3}}, {"angular_momentum", "kg m2 s-1", {3}}}, kind);
}

PackingHistory::Datasets& PackingHistory::opened() const {
    return static_cast<Datasets&>(SwmrHistory::opened());
}

PackingHistory::PackingHistory(const Output& output, const Packing& packing,
                               std::span<const std::int64_t> sensors, bool snapshots,
                               const RunDescription& run)
    : SwmrHistory(std::make_unique<Datasets>(output, packing)) {
    Datasets& data = opened();
    const auto make = [&] {
        {
            const hdf5::Group parameters = write_run(data.file, run, "packing");
            hdf5::write_scalar(parameters.id(), "dimension", packing.dimension);
            write_walls(parameters, packing);
        }
        write_particles(data.file, packing, snapshots);
        hdf5::create_group(data.file.id(), "observables");
        data.make_series(sensors.size(), snapshots, h5md::Element::made);
        if (data.sensors) write_sensor_numbers(data.file, *data.sensors, "particles", sensors);
        data.close_series();
    };
    data.begin(make,
               [&] { data.make_series(sensors.size(), snapshots, h5md::Element::continued); });
}

PackingHistory::PackingHistory(const Output& output, const Packing& packing,
                               std::span<const std::int64_t> sensors, bool snapshots,
                               const ResumePoint& earlier)
    : SwmrHistory(std::make_unique<Datasets>(output, earlier, packing)) {
    Datasets& data = opened();
    data.resume_from(
        earlier, [&] { data.make_series(sensors.size(), snapshots, h5md::Element::continued); });
}

void PackingHistory::append_sensors(std::int64_t step, double time, std::span<const Vec3> force,
                                    std::span<const Vec3> velocity) {
    Datasets& data = opened();
    if (force.size() != data.sensor_count || velocity.size() != data.sensor_count)
        throw std::logic_error("a sample needs one force and one velocity per sensor");
    if (data.sensors) data.append(*data.sensors, step, time, copy_of(force), copy_of(velocity));
}

void PackingHistory::append_snapshot(std::int64_t step, double time,
                                     const packing::PackingEngine& engine) {
    const std::vector<Vec3> displacement = engine.displacement(), velocity = engine.velocity(),
                            angular_velocity = engine.angular_velocity();
    const std::vector<packing::ContactState> contacts = engine.contacts();
    append_snapshot(step, time, {displacement, velocity, angular_velocity, contacts});
}

void PackingHistory::append_snapshot(std::int64_t step, double time, const PackingSnapshot& now) {
    Datasets& data = opened();
    if (!data.snapshots) throw std::logic_error("the history file was created without snapshots");
    std::vector<Vec3> position = data.packing.position;
    for (std::size_t i = 0; i < position.size(); ++i)
        position[i] += now.displacement[i];
    data.append(*data.snapshots, step, time, copy_of(position), copy_of(now.velocity),
                copy_of(now.displacement), copy_of(now.angular_velocity));
    data.guarded([&] { data.contacts->append(step, time, now.contacts, position); });
    data.appended();
    if (data.box) {
        const Vec3 edges = data.packing.box.upper - data.packing.box.lower;
        const std::vector<Vec3> matrix{{edges.x, 0, 0}, {0, edges.y, 0}, {0, 0, edges.z}};
        data.append(*data.box, step, time, copy_of(matrix));
    }
    if (!data.walls) return;
    std::vector<Vec3> walls;
    for (const packing::Wall& wall : data.packing.walls)
        walls.push_back(wall_displacement(wall, time));
    data.append(*data.walls, step, time, copy_of(walls));
}

void PackingHistory::append_energy(std::int64_t step, double time,
                                   const observers::PackingLedger& ledger,
                                   const packing::PackingTotals& totals) {
    Datasets& data = opened();
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        data.append(*data.energy, step, time,
                    just(observers::sampled_packing_entries[k].of(ledger))...);
    }
    (std::make_index_sequence<observers::sampled_packing_entries.size()>{});
    data.append(*data.momentum, step, time, just(totals.momentum), just(totals.angular_momentum));
}

double PackingHistory::bytes_of(const running::SampleCounts& samples, std::size_t contacts) const {
    const Datasets& data = opened();
    const double of_contacts =
        static_cast<double>(contacts) * static_cast<double>(ContactTable::bytes_per_contact);
    return samples.sensors * bytes_per_sample(data.sensors) +
           samples.snapshots * (bytes_per_sample(data.snapshots, data.walls) + of_contacts) +
           samples.energy * bytes_per_sample(data.energy, data.momentum);
}

}  // namespace beadwave::io
