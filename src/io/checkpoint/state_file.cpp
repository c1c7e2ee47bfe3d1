#include "io/checkpoint/state_file.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/atomic_file.hpp"
#include "io/durable/checksum_header.hpp"
#include "io/files/error_message.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <fmt/format.h>

#include <span>
#include <stdexcept>

namespace beadwave::io {
namespace {

const ResultKind state_result{.name = "a state or a checkpoint", .is_one = begins_as_checkpoint};

void write_numbers(const hdf5::Group& group, const NamedNumbers& all) {
    for (const auto& [name, numbers] : all)
        hdf5::write_vector<double>(group.id(), name, numbers);
}

NamedNumbers read_numbers(const hdf5::Group& group) {
    NamedNumbers all;
    for (const std::string& name : hdf5::names_in(group))
        all[name] = hdf5::read_vector(group.id(), name);
    return all;
}

void write_content(hid_t file, const SystemState& state) {
    const hdf5::Group parameters = hdf5::create_group(file, "parameters");
    hdf5::write_text(parameters.id(), "scenario", state.text);
    if (!state.file_texts.empty()) {
        const hdf5::Group files =
            hdf5::create_group(parameters.id(), "files", state.file_texts.size());
        for (const auto& [key, text] : state.file_texts)
            hdf5::write_text(files.id(), key, text);
    }
    if (!state.arrays.empty()) write_numbers(hdf5::create_group(file, "arrays"), state.arrays);
    const hdf5::Group group = hdf5::create_group(file, "state");
    hdf5::write_text(group.id(), "system", state.system);
    hdf5::write_scalar(group.id(), "step", state.step);
    hdf5::write_scalar(group.id(), "time_step", state.time_step);
    hdf5::write_vector<double>(group.id(), "ledger", state.ledger);
    write_numbers(hdf5::create_group(group.id(), "engine", state.columns.size()), state.columns);
}

}  // namespace

void write_state(const Output& output, const SystemState& state) {
    AtomicFile result(output, state_result);
    const std::string path = result.path().string();
    try {
        hdf5::write_file(path, checksum_header_bytes,
                         [&](hid_t file) { write_content(file, state); });
        write_checksum_header(path);
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}: {}", output.path.string(), message_of(error)));
    }
    result.commit();
}

SystemState read_state(const std::filesystem::path& path) {
    check_checksum_header(path);
    SystemState state{};
    try {
        const hdf5::File file = hdf5::open_to_read(path);
        if (!hdf5::has(file.id(), "state")) {
            throw InputError(fmt::format(
                "{}: is the checkpoint of a run, not a saved state; resume() continues the run",
                path.string()));
        }
        const hdf5::Group parameters = hdf5::open_group(file.id(), "parameters");
        state.text = hdf5::read_text(parameters.id(), "scenario");
        if (hdf5::has(parameters.id(), "files")) {
            const hdf5::Group files = hdf5::open_group(parameters.id(), "files");
            for (const std::string& key : hdf5::names_in(files))
                state.file_texts[key] = hdf5::read_text(files.id(), key);
        }
        if (hdf5::has(file.id(), "arrays"))
            state.arrays = read_numbers(hdf5::open_group(file.id(), "arrays"));
        const hdf5::Group group = hdf5::open_group(file.id(), "state");
        state.system = hdf5::read_text(group.id(), "system");
        const double step = hdf5::read_number(group.id(), "step");
        if (!(step >= 0.0 && step < 9e15))
            throw std::runtime_error("step is not the number of a step");
        state.step = static_cast<std::int64_t>(step);
        state.time_step = hdf5::read_number(group.id(), "time_step");
        state.ledger = hdf5::read_vector(group.id(), "ledger");
        state.columns = read_numbers(hdf5::open_group(group.id(), "engine"));
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: is damaged: {}", path.string(), error.what()));
    }
    return state;
}

}  // namespace beadwave::io
