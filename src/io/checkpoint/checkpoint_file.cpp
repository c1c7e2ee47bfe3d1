#include "io/checkpoint/checkpoint_file.hpp"

#include "beadwave/input_error.hpp"
#include "chain/fingerprint.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/files/error_words.hpp"
#include "io/files/staged_file.hpp"
#include "io/files/writing.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/undo_log.hpp"
#include "packing/fingerprint.hpp"
#include "ranks/together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

const ResultKind checkpoint_result{.name = "a checkpoint", .is_one = begins_as_checkpoint};

/// A number of 64 bits as text: HDF5 would hand it back as a double.
std::string text_of(std::uint64_t fingerprint) {
    return fmt::format("{:016x}", fingerprint);
}

/// What the scenario and the files that it names said.
void write_texts(const hdf5::File& file, const hdf5::File& history) {
    const hdf5::Group from = hdf5::open_group(history.id(), "parameters");
    const hdf5::Group to = hdf5::create_group(file.id(), "parameters");
    hdf5::write_text(to.id(), "scenario", hdf5::read_text(from.id(), "scenario"));
    if (!hdf5::has(from.id(), "files")) return;
    const hdf5::Group named = hdf5::open_group(from.id(), "files");
    const hdf5::Group files = hdf5::create_group(to.id(), "files");
    for (const std::string& key : hdf5::names_in(named))
        hdf5::write_text(files.id(), key, hdf5::read_text(named.id(), key));
}

void write_standing(const hdf5::Group& checkpoint, const fs::path& history,
                    const HistoryStanding& standing) {
    const hdf5::Group group = hdf5::create_group(checkpoint.id(), "history");
    hdf5::write_text(group.id(), "name", history.filename().string());
    if (!standing.rescued.empty()) hdf5::write_text(group.id(), "rescued", standing.rescued);
    hdf5::write_vector<std::int64_t>(
        group.id(), "standing",
        std::array{standing.bytes, standing.mark_at, standing.token, standing.before});
    std::vector<std::int64_t> numbers, words;
    for (const auto& [number, page] : standing.pages) {
        numbers.push_back(number);
        words.insert(words.end(), page.begin(), page.end());
    }
    hdf5::write_vector<std::int64_t>(group.id(), "page_numbers", numbers);
    hdf5::write_vector<std::int64_t>(group.id(), "pages", words);
}

/// All but the engine's columns, which go into the group that this returns.
hdf5::Group write_standing_of_run(const hdf5::Group& checkpoint, const std::string& model,
                                  const running::Attempt& attempt, std::int64_t step,
                                  const std::vector<double>& observers) {
    hdf5::write_text(checkpoint.id(), "model", model);
    hdf5::write_scalar(checkpoint.id(), "step", step);
    hdf5::write_scalar(checkpoint.id(), "time_step", attempt.time_step.step);
    const hdf5::Group notes = hdf5::create_group(checkpoint.id(), "notes");
    for (std::size_t i = 0; i < attempt.notes.size(); ++i)
        hdf5::write_text(notes.id(), fmt::format("{:02}", i), attempt.notes[i]);
    hdf5::write_vector<double>(checkpoint.id(), "observers", observers);
    return hdf5::create_group(checkpoint.id(), "engine");
}

void finish(hdf5::File& file) {
    hsize_t reserved = 0;
    hdf5::reserve(file, reserved);
    hdf5::flush(file);
    hdf5::close(file);
}

/// The engine is a dynamics::Engine or a packing's.
template <typename Engine>
void write_whole(const Output& output, GrowingHistory& history, const fs::path& history_path,
                 const std::string& model, const running::Attempt& attempt, Engine& engine,
                 const std::vector<double>& observers) {
    const HistoryStanding standing = history.stand();  // may add to the checkpoint before
    StagedFile staged(output, checkpoint_result);
    hdf5::File file;
    try {
        file = hdf5::create_file(staged.path(), seal_bytes);
        write_texts(file, history.file());
        {
            const hdf5::Group checkpoint = hdf5::create_group(file.id(), "checkpoint");
            const hdf5::Group columns =
                write_standing_of_run(checkpoint, model, attempt, engine.step(), observers);
            for (const auto& column : engine.state())
                hdf5::write_vector<double>(columns.id(), column.name, column.values);
            write_standing(checkpoint, history_path, standing);
        }
        finish(file);
        seal(staged.path());
        staged.publish_synced(
            [&](const fs::path& published) { history.follow(published, standing); });
    } catch (const WriteError&) {
        throw;  // the history's, which has its name
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
    write_whole(output, history, history_path, text_of(chain::fingerprint(chain)), attempt, engine,
                observers);
}

void write_checkpoint(const Output& output, PackingHistory& history, const fs::path& history_path,
                      const running::Attempt& attempt, const packing::Packing& packing,
                      const packing::PackingEngine& engine, const std::vector<double>& observers) {
    write_whole(output, history, history_path, text_of(packing::fingerprint(packing)), attempt,
                engine, observers);
}

void write_checkpoint(const Output& output, GrowingHistory& history, const fs::path& history_path,
                      const running::Attempt& attempt, const std::string& model, std::int64_t step,
                      const std::vector<double>& numbers) {
    struct NoEngine {
        std::int64_t at;
        std::int64_t step() const { return at; }
        static std::span<const dynamics::StateColumn> state() { return {}; }
    } engine{step};
    write_whole(output, history, history_path, model, attempt, engine, numbers);
}

void write_shared_checkpoint(const Output& output, GrowingHistory* history,
                             const fs::path& history_path, const running::Attempt& attempt,
                             const chain::Chain& chain, dynamics::Engine& engine,
                             const std::vector<double>& observers) {
    ranks::Ranks& ranks = *chain.ranks();
    const std::string model = text_of(chain::fingerprint(chain));
    const std::vector<dynamics::StateColumn> state = engine.state();
    const std::int64_t step = engine.step();
    std::optional<StagedFile> staged;
    HistoryStanding standing;
    std::vector<std::int64_t> places(state.size());
    std::string path;
    ranks::together(&ranks, [&] {
        if (!ranks.first()) return;
        standing = history->stand();
        staged.emplace(output, checkpoint_result);
        path = staged->path().string();
        hdf5::File file = hdf5::create_file(path, seal_bytes);
        try {
            write_texts(file, history->file());
            {
                const hdf5::Group checkpoint = hdf5::create_group(file.id(), "checkpoint");
                const hdf5::Group columns =
                    write_standing_of_run(checkpoint, model, attempt, step, observers);
                for (std::size_t i = 0; i < state.size(); ++i) {
                    places[i] = hdf5::place_of(hdf5::create_to_fill(
                        columns.id(), state[i].name, hdf5::type_of<double>(), state[i].total));
                }
                write_standing(checkpoint, history_path, standing);
            }
            finish(file);
        } catch (const std::exception& error) {
            hdf5::abandon(file);
            throw std::runtime_error(fmt::format("{}: {}", output.path.string(), words_of(error)));
        }
    });
    const Writing writing(ranks, output.path.string(), path);
    ranks.broadcast(std::as_writable_bytes(std::span(places)));
    ranks::together(&ranks, [&] {
        for (std::size_t i = 0; i < state.size(); ++i) {
            const std::size_t before = state[i].first * sizeof(double);
            writing.write<double>(places[i] + static_cast<std::int64_t>(before), state[i].values);
        }
        writing.sync();
    });
    ranks.broadcast(path);
    try {
        seal(path, &ranks);
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}: {}", output.path.string(), words_of(error)));
    }
    ranks::together(&ranks, [&] {
        if (!ranks.first()) return;
        staged->publish_synced(
            [&](const fs::path& published) { history->follow(published, standing); });
    });
}

CheckpointFile::CheckpointFile(const fs::path& path, ranks::Ranks* ranks) : path_(path) {
    const std::uintmax_t sealed = check_seal(path, ranks);
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
        model_ = hdf5::read_text(checkpoint.id(), "model");
        const double step = hdf5::read_number(checkpoint.id(), "step");
        if (!(step >= 0.0 && step < 9e15)) throw std::runtime_error("step is no step of a run");
        step_ = static_cast<std::int64_t>(step);
        time_step_ = hdf5::read_number(checkpoint.id(), "time_step");
        observers_ = hdf5::read_vector(checkpoint.id(), "observers");
        const hdf5::Group notes = hdf5::open_group(checkpoint.id(), "notes");
        for (const std::string& name : hdf5::names_in(notes))
            notes_.push_back(hdf5::read_text(notes.id(), name));
        read_history(sealed);
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: is damaged: {}", path.string(), error.what()));
    }
}

void CheckpointFile::read_history(std::uintmax_t sealed) {
    const hdf5::Group group = hdf5::open_group(file_.id(), "checkpoint/history");
    const auto name_in = [&](const char* dataset) {
        const fs::path name = hdf5::read_text(group.id(), dataset);
        const bool is_a_name =
            !name.empty() && name == name.filename() && name != "." && name != "..";
        if (!is_a_name) throw std::runtime_error("history is no file's name, without a folder");
        return name;
    };
    history_.checkpoint = path_;
    history_.history = path_.parent_path() / name_in("name");
    HistoryStanding& standing = history_.standing;
    if (hdf5::has(group.id(), "rescued")) standing.rescued = name_in("rescued").string();

    const std::vector<std::int64_t> numbers = hdf5::read_integer_list(group.id(), "standing");
    const bool right = numbers.size() == 4 && numbers[0] > 0 && numbers[1] >= 0 &&
                       numbers[1] <= numbers[0] - static_cast<std::int64_t>(sizeof(Mark));
    if (!right) throw std::runtime_error("how its history stands is no four numbers");
    standing.bytes = numbers[0], standing.mark_at = numbers[1];
    standing.token = numbers[2], standing.before = numbers[3];

    const auto page_numbers = hdf5::read_integer_list(group.id(), "page_numbers");
    const auto words = hdf5::read_integer_list(group.id(), "pages");
    if (words.size() / page_words != page_numbers.size() || words.size() % page_words != 0)
        throw std::runtime_error("its history's pages are not as many as their numbers");
    for (std::size_t i = 0; i < page_numbers.size(); ++i) {
        const std::int64_t number = page_numbers[i];
        if (number < 0 || number > standing.bytes / page_bytes)
            throw std::runtime_error("a page of its history lies outside of it");
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(i * page_words), page_words,
                    standing.pages[number].begin());
    }

    std::ifstream stream(path_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(sealed));
    const std::string behind{std::istreambuf_iterator<char>(stream), {}};
    const AddedPages added = added_pages(behind, standing.token);
    standing.pages.insert(added.pages.begin(), added.pages.end());
    history_.added = static_cast<std::int64_t>(added.pages.size());
    history_.checkpoint_bytes = static_cast<std::int64_t>(sealed) + added.bytes;
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
    if (model_ != text_of(chain::fingerprint(chain))) {
        throw InputError(
            fmt::format("{}: is of another chain: beads, gaps, laws or loads differ from those "
                        "that are to go on",
                        path_.string()));
    }
    try {
        const hdf5::Group columns = hdf5::open_group(file_.id(), "checkpoint/engine");
        for (const dynamics::StateColumn& column : engine.state()) {
            const auto shape = hdf5::shape_of(hdf5::open_dataset(columns.id(), column.name));
            if (shape != std::vector<hsize_t>{column.total})
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
            std::ranges::copy(hdf5::read_rows(hdf5::open_dataset(columns.id(), column.name),
                                              column.first, column.values.size()),
                              column.values.begin());
    };
    return {.step = step_, .observers = observers_, .restore = restore};
}

running::PackingSavedState CheckpointFile::saved_state(const packing::Packing& packing) const {
    if (model_ != text_of(packing::fingerprint(packing))) {
        throw InputError(fmt::format(
            "{}: is of another packing: particles, walls, box or laws differ from those "
            "that are to go on",
            path_.string()));
    }
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
