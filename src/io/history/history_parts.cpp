#include "io/history/history_parts.hpp"

#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"

#include <algorithm>
#include <vector>

namespace beadwave::io {
namespace {

/// Writes value(0), value(1), ... without a whole column in memory.
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

}  // namespace

hdf5::Group write_run(const hdf5::File& file, const RunDescription& run,
                      const std::string& system) {
    hdf5::Group parameters = hdf5::create_group(file.id(), "parameters");
    hdf5::write_scalar(parameters.id(), "format_version", format_version);
    hdf5::write_text(parameters.id(), "system", system);
    hdf5::write_text(parameters.id(), "scenario", run.scenario_text);
    hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
    hdf5::write_text(parameters.id(), "law", run.law);
    if (!run.file_texts.empty()) {
        const hdf5::Group files = hdf5::create_group(parameters.id(), "files");
        for (const auto& [key, text] : run.file_texts)
            hdf5::write_text(files.id(), key, text);
    }
    // A mechanism has no fixed time step: its history is sampled at equal intervals.
    const bool sampled = system == "mechanism";
    h5md::set_unit(hdf5::write_scalar(parameters.id(), sampled ? "sampling_interval" : "time_step",
                                      run.time_step),
                   "s");
    hdf5::write_scalar(parameters.id(), sampled ? "samples" : "steps", run.steps);
    hdf5::write_scalar(parameters.id(), "threads", run.threads);
    return parameters;
}

void write_ids(const hdf5::Group& beads, hsize_t count, bool here) {
    const hid_t type = hdf5::type_of<std::int64_t>();
    if (!here) {
        hdf5::create_to_fill(beads.id(), "id", type, count);
        return;
    }
    const hdf5::Dataset dataset = hdf5::create_dataset(beads.id(), "id", type, {&count, 1});
    write_in_pieces<std::int64_t>(dataset, type, count,
                                  [](std::size_t bead) { return static_cast<std::int64_t>(bead); });
}

void write_species(const hdf5::Group& beads, std::span<const std::string> names, hsize_t count,
                   const std::function<int(std::size_t)>& species, bool here) {
    const hdf5::Type type(hdf5::checked("create", "species type",
                                        [] { return H5Tenum_create(hdf5::type_of<int>()); }));
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        const std::string& name = names[static_cast<std::size_t>(i)];
        hdf5::checked("name species", name,
                      [&] { return H5Tenum_insert(type.id(), name.c_str(), &i); });
    }
    if (!here) {
        hdf5::create_to_fill(beads.id(), "species", type.id(), count);
        return;
    }
    const hdf5::Dataset dataset =
        hdf5::create_dataset(beads.id(), "species", type.id(), {&count, 1});
    write_in_pieces<int>(dataset, type.id(), count, species);
}

void write_sensor_numbers(const hdf5::File& file, const h5md::Series& sensors,
                          const std::string& name, std::span<const std::int64_t> numbers) {
    constexpr std::size_t most_in_attribute = 4000;
    for (std::size_t quantity = 0; quantity < 2 && numbers.size() <= most_in_attribute; ++quantity)
        hdf5::set_attribute(sensors.value(quantity).dataset().id(), name, numbers);
    const bool chain = hdf5::has(file.id(), "observables/sensor_force");
    const hdf5::Group force = hdf5::open_group(
        file.id(), chain ? "observables/sensor_force" : "observables/net_contact_force");
    const hdf5::Group velocity = hdf5::open_group(file.id(), "observables/sensor_velocity");
    hdf5::write_vector<std::int64_t>(force.id(), name, numbers);
    h5md::link(force.id(), name.c_str(), velocity.id());
}

}  // namespace beadwave::io
