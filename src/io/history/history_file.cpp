#include "io/history/history_file.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/h5md.hpp"
#include "io/history/history_datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

/// One number a bead, contact or sensor, as Value::append wants them.
auto copy_of(std::span<const double> numbers) {
    return [numbers](std::size_t first, std::span<double> out) {
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
    };
}

/// One vector a bead: `x(bead)` along the chain, zero across it.
template <typename X>
auto vectors_along_chain(const X& x) {
    return [x](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size() / 3; ++i) {
            out[3 * i] = x(first + i);
            out[3 * i + 1] = out[3 * i + 2] = 0.0;
        }
    };
}

auto just(double number) {
    return [number](std::size_t, std::span<double> out) { out[0] = number; };
}

void write_parameters(const hdf5::File& file, const chain::Chain& chain,
                      const RunDescription& run) {
    const hdf5::Group parameters = hdf5::create_group(file.id(), "parameters");
    hdf5::write_text(parameters.id(), "scenario", run.scenario_text);
    hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
    hdf5::write_text(parameters.id(), "law", run.law);
    if (!run.file_texts.empty()) {
        const hdf5::Group files = hdf5::create_group(parameters.id(), "files");
        for (const auto& [key, text] : run.file_texts)
            hdf5::write_text(files.id(), key, text);
    }
    h5md::set_unit(hdf5::write_scalar(parameters.id(), "time_step", run.time_step), "s");
    hdf5::write_scalar(parameters.id(), "steps", run.steps);
    hdf5::write_scalar(parameters.id(), "threads", run.threads);
    // With the displacements, what a reader needs for the overlap of every contact.
    h5md::set_unit(hdf5::write_vector<double>(parameters.id(), "contact_gap", chain.gap), "m");
}

void write_box(const hdf5::Group& beads) {
    const hdf5::Group box = hdf5::create_group(beads.id(), "box");
    const std::vector<std::string> boundary(3, "none");
    hdf5::set_attribute(box.id(), "dimension", 3);
    hdf5::set_attribute(box.id(), "boundary", std::span<const std::string>(boundary));
}

/// value(0), value(1), ..., without a column of them.
template <typename Number, typename Value>
void write_in_pieces(const hdf5::Dataset& dataset, hid_t type, hsize_t count, const Value& value) {
    std::vector<Number> piece(std::min<hsize_t>(count, 1 << 16));
    for (hsize_t first = 0; first < count; first += piece.size()) {
        const hsize_t size = std::min<hsize_t>(piece.size(), count - first);
        for (hsize_t i = 0; i < size; ++i)
            piece[i] = value(static_cast<std::size_t>(first + i));
        hdf5::write_block(dataset, type, {&first, 1}, {&size, 1}, piece.data());
    }
}

void write_ids(const hdf5::Group& beads, hsize_t count) {
    const hid_t type = hdf5::type_of<std::int64_t>();
    const hdf5::Dataset dataset = hdf5::create_dataset(beads.id(), "id", type, {&count, 1});
    write_in_pieces<std::int64_t>(dataset, type, count,
                                  [](std::size_t bead) { return static_cast<std::int64_t>(bead); });
}

/// An enumeration: integers for programs, material names for people.
void write_species(const hdf5::Group& beads, const chain::Chain& chain) {
    const hdf5::Type type(hdf5::checked("create", "species type",
                                        [] { return H5Tenum_create(hdf5::type_of<int>()); }));
    for (int i = 0; i < static_cast<int>(chain.species_names.size()); ++i) {
        const std::string& name = chain.species_names[static_cast<std::size_t>(i)];
        hdf5::checked("name species", name,
                      [&] { return H5Tenum_insert(type.id(), name.c_str(), &i); });
    }
    const hsize_t count = chain.species.size();
    const hdf5::Dataset dataset =
        hdf5::create_dataset(beads.id(), "species", type.id(), {&count, 1});
    write_in_pieces<int>(dataset, type.id(), count,
                         [&](std::size_t bead) { return static_cast<int>(chain.species[bead]); });
}

void write_beads(const hdf5::Group& beads, const chain::Chain& chain) {
    write_box(beads);
    write_ids(beads, chain.beads());
    h5md::set_unit(hdf5::write_vector<double>(beads.id(), "mass", chain.mass), "kg");
    h5md::set_unit(hdf5::write_vector<double>(beads.id(), "radius", chain.radius), "m");
    write_species(beads, chain);
}

/// Which beads the sensors are in: a dataset beside the values, and as long as all readers can take
/// it (HDF5's classic attributes end at 64 KiB) an attribute of them.
void write_sensor_beads(const hdf5::File& file, const h5md::Series& sensors,
                        std::span<const std::int64_t> beads) {
    constexpr std::size_t most_in_attribute = 4000;
    for (std::size_t quantity = 0; quantity < 2 && beads.size() <= most_in_attribute; ++quantity)
        hdf5::set_attribute(sensors.value(quantity).dataset().id(), "beads", beads);
    const hdf5::Group force = hdf5::open_group(file.id(), "observables/sensor_force");
    const hdf5::Group velocity = hdf5::open_group(file.id(), "observables/sensor_velocity");
    hdf5::write_vector<std::int64_t>(force.id(), "beads", beads);
    h5md::link(force.id(), "beads", velocity.id());
}

}  // namespace

HistoryFile::Datasets& HistoryFile::opened() const {
    if (!datasets_) throw std::logic_error("the history file is closed");
    return *datasets_;
}

HistoryFile::HistoryFile(const std::filesystem::path& path, const chain::Chain& chain,
                         std::span<const std::int64_t> sensor_beads, bool snapshots,
                         const RunDescription& run)
    : datasets_(std::make_unique<Datasets>(path)) {
    Datasets& data = *datasets_;
    data.begin(chain, sensor_beads, snapshots, [&] {
        h5md::write_metadata(data.file);
        write_parameters(data.file, chain, run);
        const hdf5::Group particles = hdf5::create_group(data.file.id(), "particles");
        write_beads(hdf5::create_group(particles.id(), "beads"), chain);
        hdf5::create_group(data.file.id(), "observables");
        data.make_series(chain, sensor_beads, snapshots, h5md::Element::made);
        if (data.sensors) write_sensor_beads(data.file, *data.sensors, sensor_beads);
        data.close_series();
    });
}

HistoryFile::~HistoryFile() {
    try {
        close();
    } catch (const std::exception&) {  // who wants to know calls close()
    }
}

HistoryFile::HistoryFile(HistoryFile&&) noexcept = default;
HistoryFile& HistoryFile::operator=(HistoryFile&& other) noexcept {
    std::swap(datasets_, other.datasets_);  // ours is closed properly, by the other's destructor
    return *this;
}

void HistoryFile::append_sensors(std::int64_t step, double time, std::span<const double> force,
                                 std::span<const double> velocity) {
    Datasets& data = opened();
    if (force.size() != data.sensor_count || velocity.size() != data.sensor_count) {
        throw std::logic_error("a sample needs one force and one velocity a sensor");
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
        throw std::logic_error("a snapshot needs one displacement and one velocity a bead");
    }
    if (contact_force.size() != start.size() + 1)
        throw std::logic_error("a snapshot needs one force a contact");
    data.append(*data.snapshots, step, time,
                vectors_along_chain([=](std::size_t i) { return start[i] + displacement[i]; }),
                vectors_along_chain([=](std::size_t i) { return velocity[i]; }),
                copy_of(displacement));
    data.append(*data.contacts, step, time, copy_of(contact_force));
    if (!data.walls) return;
    const double walls[] = {data.left_drive ? data.left_drive->displacement(time) : 0.0,
                            data.right_drive ? data.right_drive->displacement(time) : 0.0};
    data.append(*data.walls, step, time, copy_of(walls));
}

void HistoryFile::append_energy(std::int64_t step, double time, const observers::Ledger& ledger) {
    Datasets& data = opened();
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        data.append(*data.energy, step, time, just(observers::sampled_entries[k].of(ledger))...);
    }
    (std::make_index_sequence<observers::sampled_entries.size()>{});
}

void HistoryFile::keep_current() {
    Datasets& data = opened();
    if (data.due()) data.guarded([&] { data.flush(); });
}

void HistoryFile::close() {
    if (!datasets_) return;
    const std::unique_ptr<Datasets> data = std::move(datasets_);
    if (data->failed) return;
    data->finish();
    data->place.publish();
}

void HistoryFile::discard() {
    datasets_.reset();
}

std::string HistoryFile::leave() {
    if (!datasets_) return {};
    const std::unique_ptr<Datasets> data = std::move(datasets_);
    if (data->failed) return {};  // that error has said it
    try {
        data->finish();
    } catch (const std::exception& error) {
        return std::string("; ") + error.what();
    }
    return data->what_is_left();
}

}  // namespace beadwave::io
