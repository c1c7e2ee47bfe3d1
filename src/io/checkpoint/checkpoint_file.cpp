#include "io/checkpoint/checkpoint_file.hpp"

#include "beadwave/input_error.hpp"
#include "chain/fingerprint.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/files/error_words.hpp"
#include "io/files/staged_file.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <system_error>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

const ResultKind checkpoint_result{.name = "a checkpoint", .is_one = begins_as_checkpoint};

/// A number of 64 bits as text: HDF5 would hand it back as a double.
std::string fingerprint_text(const chain::Chain& chain) {
    return fmt::format("{:016x}", chain::fingerprint(chain));
}

template <typename Engine>
void write_state(const hdf5::File& file, const fs::path& history_path, const std::string& model,
                 const running::Attempt& attempt, Engine& engine,
                 const std::vector<double>& observers) {
    const hdf5::Group checkpoint = hdf5::create_group(file.id(), "checkpoint");
    hdf5::write_text(checkpoint.id(), "history", history_path.filename().string());
    hdf5::write_text(checkpoint.id(), "model", model);
    hdf5::write_scalar(checkpoint.id(), "step", engine.step());
    hdf5::write_scalar(checkpoint.id(), "time_step", attempt.time_step.step);
    const hdf5::Group notes = hdf5::create_group(checkpoint.id(), "notes");
    for (std::size_t i = 0; i < attempt.notes.size(); ++i)
        hdf5::write_text(notes.id(), fmt::format("{:02}", i), attempt.notes[i]);
    hdf5::write_vector<double>(checkpoint.id(), "observers", observers);
    const hdf5::Group columns = hdf5::create_group(checkpoint.id(), "engine");
    for (const auto& column : engine.state())
        hdf5::write_vector<double>(columns.id(), column.name, column.values);
}

/// The history so far, a dynamics::Engine's or a packing's.
template <typename History, typename Engine>
void write_whole(const Output& output, History& history, const fs::path& history_path,
                 const std::string& model, const running::Attempt& attempt, Engine& engine,
                 const std::vector<double>& observers) {
    StagedFile staged(output, checkpoint_result);
    hdf5::File file;
    try {
        file = hdf5::create_file(staged.path(), seal_bytes);
        history.copy_to(file);
        write_state(file, history_path, model, attempt, engine, observers);
        hsize_t reserved = 0;
        hdf5::reserve(file, reserved);
        hdf5::flush(file);
        hdf5::close(file);
        seal(staged.path());
        staged.publish_synced();
    } catch (const std::exception& error) {
        hdf5::abandon(file);
        throw std::runtime_error(fmt::format("{}: {}", output.path.string(), words_of(error)));
    }
}

}  // namespace

fs::path checkpoint_beside(const fs::path& history) {
    return fs::path(history).concat(".checkpoint.h5");
}

void check_checkpoint_place(const Output& checkpoint, const fs::path& history) {
    check_name(history, partial_beside(checkpoint.path));
    // A folder that cannot be used is found by creating the history.
    std::error_code ignored;
    if (fs::exists(checkpoint.path, ignored)) {
        const StagedFile staged(checkpoint, checkpoint_result);
    }
}

void write_checkpoint(const Output& output, HistoryFile& history, const fs::path& history_path,
                      const running::Attempt& attempt, const chain::Chain& chain,
                      dynamics::Engine& engine, const std::vector<double>& observers) {
    write_whole(output, history, history_path, fingerprint_text(chain), attempt, engine, observers);
}

void write_checkpoint(const Output& output, PackingHistory& history, const fs::path& history_path,
                      const running::Attempt& attempt, const packing::PackingEngine& engine,
                      const std::vector<double>& observers) {
    write_whole(output, history, history_path, "packing", attempt, engine, observers);
}

void write_checkpoint(const Output& output, ContinuableHistory& history,
                      const fs::path& history_path, const running::Attempt& attempt,
                      const std::string& model, std::int64_t step,
                      const std::vector<double>& numbers) {
    struct NoEngine {
        std::int64_t at;
        std::int64_t step() const { return at; }
        static std::span<const dynamics::StateColumn> state() { return {}; }
    } engine{step};
    write_whole(output, history, history_path, model, attempt, engine, numbers);
}

CheckpointFile::CheckpointFile(const fs::path& path) : path_(path) {
    check_seal(path);
    try {
        file_ = hdf5::open_to_read(path);
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: {}", path.string(), error.what()));
    }
    try {
        const hdf5::Group parameters = hdf5::open_group(file_.id(), "parameters");
        scenario_text_ = hdf5::read_text(parameters.id(), "scenario");
        if (hdf5::has(parameters.id(), "files")) {
            const hdf5::Group files = hdf5::open_group(parameters.id(), "files");
            for (const std::string& key : hdf5::names_in(files))
                file_texts_[key] = hdf5::read_text(files.id(), key);
        }
        const hdf5::Group checkpoint = hdf5::open_group(file_.id(), "checkpoint");
        const fs::path history = hdf5::read_text(checkpoint.id(), "history");
        const bool is_a_name =
            !history.empty() && history == history.filename() && history != "." && history != "..";
        if (!is_a_name) throw std::runtime_error("history is no file's name, without a folder");
        history_path_ = path.parent_path() / history;
        model_ = hdf5::read_text(checkpoint.id(), "model");
        const double step = hdf5::read_number(checkpoint.id(), "step");
        if (!(step >= 0.0 && step < 9e15)) throw std::runtime_error("step is no step of a run");
        step_ = static_cast<std::int64_t>(step);
        time_step_ = hdf5::read_number(checkpoint.id(), "time_step");
        observers_ = hdf5::read_vector(checkpoint.id(), "observers");
        const hdf5::Group notes = hdf5::open_group(checkpoint.id(), "notes");
        for (const std::string& name : hdf5::names_in(notes))
            notes_.push_back(hdf5::read_text(notes.id(), name));
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: is damaged: {}", path.string(), error.what()));
    }
}

void CheckpointFile::of_another_build(const std::string& why) const {
    throw InputError(fmt::format("{}: was written by another build of beadwave {}: {}",
                                 path_.string(), BEADWAVE_VERSION, why));
}

void CheckpointFile::check_model(const std::string& model) const {
    if (model_ == model) return;
    throw InputError(fmt::format("{}: is damaged: its scenario is a {}, but not its state",
                                 path_.string(), model));
}

void CheckpointFile::check_fits(const chain::Chain& chain, dynamics::Engine& engine) const {
    if (model_ != fingerprint_text(chain)) {
        throw InputError(
            fmt::format("{}: is of another chain: beads, gaps, laws or loads differ from those "
                        "that are to go on",
                        path_.string()));
    }
    try {
        const hdf5::Group columns = hdf5::open_group(file_.id(), "checkpoint/engine");
        for (const dynamics::StateColumn& column : engine.state()) {
            const auto shape = hdf5::shape_of(hdf5::open_dataset(columns.id(), column.name));
            if (shape != std::vector<hsize_t>{column.values.size()})
                throw std::runtime_error(column.name + " has another length");
        }
    } catch (const std::runtime_error& error) {
        of_another_build(error.what());
    }
}

running::SavedState CheckpointFile::saved_state() const {
    const auto restore = [this](dynamics::Engine& engine) {
        const hdf5::Group columns = hdf5::open_group(file_.id(), "checkpoint/engine");
        for (const dynamics::StateColumn& column : engine.state())
            hdf5::read_into(hdf5::open_dataset(columns.id(), column.name), column.values);
    };
    return {.step = step_, .observers = observers_, .restore = restore};
}

running::PackingSavedState CheckpointFile::packing_saved_state() const {
    const auto restore = [this](packing::PackingEngine& engine) {
        std::map<std::string, std::vector<double>> read;  // spans of them are handed out
        try {
            const hdf5::Group columns = hdf5::open_group(file_.id(), "checkpoint/engine");
            engine.restore(step_, [&](const std::string& name) -> std::span<const double> {
                auto& column = read[name];
                column = hdf5::read_vector(columns.id(), name);
                return column;
            });
        } catch (const std::exception& error) {
            of_another_build(error.what());
        }
    };
    return {.step = step_, .observers = observers_, .restore = restore};
}

}  // namespace beadwave::io
