#include "io/checkpoint/checkpoint_file.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/atomic_file.hpp"
#include "io/durable/checksum_header.hpp"
#include "io/durable/parallel_file.hpp"
#include "io/durable/undo_log.hpp"
#include "io/files/error_message.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "ranks/collective.hpp"

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

/// Copies the text of the scenario and of the files that it names.
void write_texts(const hdf5::File& file, const hdf5::File& history) {
    const hdf5::Group from = hdf5::open_group(history.id(), "parameters");
    const hdf5::Group to = hdf5::create_group(file.id(), "parameters");
    hdf5::write_text(to.id(), "scenario", hdf5::read_text(from.id(), "scenario"));
    if (!hdf5::has(from.id(), "files")) return;
    const hdf5::Group named = hdf5::open_group(from.id(), "files");
    const std::vector<std::string> keys = hdf5::names_in(named);
    const hdf5::Group files = hdf5::create_group(to.id(), "files", keys.size());
    for (const std::string& key : keys)
        hdf5::write_text(files.id(), key, hdf5::read_text(named.id(), key));
}

void write_history_record(const hdf5::Group& checkpoint, const fs::path& history,
                          const CheckpointRecord& record) {
    const hdf5::Group group = hdf5::create_group(checkpoint.id(), "history");
    hdf5::write_text(group.id(), "name", history.filename().string());
    if (!record.rescued.empty()) hdf5::write_text(group.id(), "rescued", record.rescued);
    hdf5::write_vector<std::int64_t>(
        group.id(), "state",
        std::array{record.bytes, record.token_at, record.token, record.before});
    std::vector<std::int64_t> numbers, words;
    for (const auto& [number, page] : record.pages) {
        numbers.push_back(number);
        words.insert(words.end(), page.begin(), page.end());
    }
    hdf5::write_vector<std::int64_t>(group.id(), "page_numbers", numbers);
    hdf5::write_vector<std::int64_t>(group.id(), "pages", words);
}

/// Writes everything except the columns, and returns the group for them.
hdf5::Group write_run_state(const hdf5::Group& checkpoint, const running::StepTrial& trial,
                            const RunState& state) {
    hdf5::write_text(checkpoint.id(), "system", state.system);
    hdf5::write_scalar(checkpoint.id(), "step", state.step);
    hdf5::write_scalar(checkpoint.id(), "time_step", trial.time_step.step);
    const hdf5::Group warnings = hdf5::create_group(checkpoint.id(), "warnings");
    for (std::size_t i = 0; i < trial.warnings.size(); ++i)
        hdf5::write_text(warnings.id(), fmt::format("{:02}", i), trial.warnings[i]);
    hdf5::write_vector<double>(checkpoint.id(), "observers", state.observers);
    return hdf5::create_group(checkpoint.id(), "engine");
}

void finish(hdf5::File& file) {
    hsize_t reserved = 0;
    hdf5::reserve(file, reserved);
    hdf5::flush(file);
    hdf5::close(file);
}

}  // namespace

std::string text_of(std::uint64_t fingerprint) {
    // The HDF5 reader would return a number as a double.
    return fmt::format("{:016x}", fingerprint);
}

fs::path checkpoint_path(const fs::path& history) {
    return fs::path(history).concat(".checkpoint.h5");
}

void check_checkpoint_place(const Output& checkpoint, const fs::path& history) {
    check_name(history, partial_path(checkpoint.path));
    // An unusable folder is detected when the history is created.
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(checkpoint.path, ignored))) {
        const AtomicFile result(checkpoint, checkpoint_result);
    }
}

void write_checkpoint(const Output& output, HistoryStore* history, const fs::path& history_path,
                      const running::StepTrial& trial, const RunState& state,
                      ranks::Communicator* ranks) {
    const bool first = ranks == nullptr || ranks->first();
    std::optional<AtomicFile> result;
    CheckpointRecord record;
    std::vector<std::int64_t> places(state.columns.size());
    std::string path;
    const auto named = [&](const auto& action) {
        try {
            action();
        } catch (const WriteError&) {
            throw;  // error of the history, with its name
        } catch (const std::exception& error) {
            throw std::runtime_error(
                fmt::format("{}: {}", output.path.string(), message_of(error)));
        }
    };
    ranks::collective(ranks, [&] {
        if (!first) return;
        record = history->capture();  // may add pages to the previous checkpoint
        result.emplace(output, checkpoint_result);
        path = result->path().string();
        hdf5::File file;
        named([&] {
            try {
                file = hdf5::create_file(path, checksum_header_bytes);
                write_texts(file, history->file());
                {
                    const hdf5::Group checkpoint = hdf5::create_group(file.id(), "checkpoint");
                    const hdf5::Group columns = write_run_state(checkpoint, trial, state);
                    for (std::size_t i = 0; i < state.columns.size(); ++i) {
                        const running::SavedColumn& column = state.columns[i];
                        if (ranks == nullptr || column.total == 0) {
                            hdf5::write_vector<double>(columns.id(), column.name, column.values);
                        } else {
                            places[i] = hdf5::place_of(hdf5::create_to_fill(
                                columns.id(), column.name, hdf5::type_of<double>(), column.total));
                        }
                    }
                    write_history_record(checkpoint, history_path, record);
                }
                finish(file);
            } catch (...) {
                hdf5::discard(file);
                throw;
            }
        });
    });
    if (ranks != nullptr) {
        const ParallelFile writing(*ranks, output.path.string(), path);
        ranks->broadcast(std::as_writable_bytes(std::span(places)));
        ranks::collective(ranks, [&] {
            for (std::size_t i = 0; i < state.columns.size(); ++i) {
                const std::size_t before = state.columns[i].first * sizeof(double);
                writing.write<double>(places[i] + static_cast<std::int64_t>(before),
                                      state.columns[i].values);
            }
            writing.sync();
        });
        ranks->broadcast(path);
    }
    named([&] { write_checksum_header(path, ranks); });
    ranks::collective(ranks, [&] {
        if (!first) return;
        result->commit_synced(
            [&](const fs::path& committed) { history->log_to(committed, record); });
    });
}

CheckpointFile::CheckpointFile(const fs::path& path, ranks::Communicator* ranks) : path_(path) {
    const std::uintmax_t covered = check_checksum_header(path, ranks);
    try {
        file_ = hdf5::open_to_read(path);
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: {}", path.string(), error.what()));
    }
    if (hdf5::has(file_.id(), "state")) {
        throw InputError(fmt::format(
            "{}: is a state that Python saved, not the checkpoint of a run; beadwave.load() in "
            "Python continues it",
            path.string()));
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
        system_ = hdf5::read_text(checkpoint.id(), "system");
        const double step = hdf5::read_number(checkpoint.id(), "step");
        if (!(step >= 0.0 && step < 9e15))
            throw std::runtime_error("step is not the number of a step");
        step_ = static_cast<std::int64_t>(step);
        time_step_ = hdf5::read_number(checkpoint.id(), "time_step");
        observers_ = hdf5::read_vector(checkpoint.id(), "observers");
        const hdf5::Group warnings = hdf5::open_group(checkpoint.id(), "warnings");
        for (const std::string& name : hdf5::names_in(warnings))
            warnings_.push_back(hdf5::read_text(warnings.id(), name));
        read_history(covered);
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: is damaged: {}", path.string(), error.what()));
    }
}

void CheckpointFile::read_history(std::uintmax_t covered) {
    const hdf5::Group group = hdf5::open_group(file_.id(), "checkpoint/history");
    const auto name_in = [&](const char* dataset) {
        const fs::path name = hdf5::read_text(group.id(), dataset);
        const bool is_a_name =
            !name.empty() && name == name.filename() && name != "." && name != "..";
        if (!is_a_name) throw std::runtime_error("history is not the name of a file");
        return name;
    };
    history_.checkpoint = path_;
    history_.history = path_.parent_path() / name_in("name");
    CheckpointRecord& record = history_.record;
    if (hdf5::has(group.id(), "rescued")) record.rescued = name_in("rescued").string();

    const std::vector<std::int64_t> numbers = hdf5::read_integer_list(group.id(), "state");
    const bool right = numbers.size() == 4 && numbers[0] > 0 && numbers[1] >= 0 &&
                       numbers[1] <= numbers[0] - static_cast<std::int64_t>(sizeof(HistoryToken));
    if (!right) throw std::runtime_error("the state of its history is not four valid numbers");
    record.bytes = numbers[0], record.token_at = numbers[1];
    record.token = numbers[2], record.before = numbers[3];

    const auto page_numbers = hdf5::read_integer_list(group.id(), "page_numbers");
    const auto words = hdf5::read_integer_list(group.id(), "pages");
    if (words.size() / page_words != page_numbers.size() || words.size() % page_words != 0)
        throw std::runtime_error("the pages of its history do not match their numbers");
    for (std::size_t i = 0; i < page_numbers.size(); ++i) {
        const std::int64_t number = page_numbers[i];
        if (number < 0 || number > record.bytes / page_bytes)
            throw std::runtime_error("a page of its history is outside of it");
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(i * page_words), page_words,
                    record.pages[number].begin());
    }

    std::ifstream stream(path_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(covered));
    const std::string behind{std::istreambuf_iterator<char>(stream), {}};
    const AddedPages added = added_pages(behind, record.token);
    record.pages.insert(added.pages.begin(), added.pages.end());
    history_.added = static_cast<std::int64_t>(added.pages.size());
    history_.checkpoint_bytes = static_cast<std::int64_t>(covered) + added.bytes;
}

void CheckpointFile::refuse_other_build(const std::string& why) const {
    throw InputError(fmt::format("{}: was written by another build of beadwave {}: {}",
                                 path_.string(), BEADWAVE_VERSION, why));
}

void CheckpointFile::refuse_damaged(const std::string& why) const {
    throw InputError(fmt::format("{}: is damaged: {}", path_.string(), why));
}

void CheckpointFile::check_system(const std::string& system) const {
    if (system_ == system) return;
    throw InputError(fmt::format("{}: is damaged: its scenario is a {}, but its state is not",
                                 path_.string(), system));
}

running::SavedState CheckpointFile::saved_state() const {
    const auto restore = [this](running::System& system) {
        if (system_ != text_of(system.fingerprint()))
            throw InputError(fmt::format("{}: belongs to {}", path_.string(), system.another()));
        try {
            const hdf5::Group columns = hdf5::open_group(file_.id(), "checkpoint/engine");
            system.restore(step_, [&](const std::string& name, std::size_t first, std::size_t count,
                                      std::size_t total) {
                if (total == 0) return hdf5::read_vector(columns.id(), name);
                const hdf5::Dataset column = hdf5::open_dataset(columns.id(), name);
                if (hdf5::shape_of(column) != std::vector<hsize_t>{total})
                    throw std::runtime_error(name + " has another length");
                return hdf5::read_rows(column, first, count);
            });
        } catch (const std::exception& error) {
            refuse_other_build(error.what());
        }
    };
    return {.step = step_, .observers = observers_, .restore = restore};
}

}  // namespace beadwave::io
