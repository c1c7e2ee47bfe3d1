#include "io/history/history_store.hpp"

#include "io/durable/full_io.hpp"
#include "io/durable/swmr_file.hpp"
#include "io/durable/undo_log.hpp"
#include "io/files/error_message.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/constants.hpp"
#include "io/history/h5md.hpp"
#include "io/history/row_table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

namespace beadwave::io {
namespace {

using Clock = std::chrono::steady_clock;

/// Often enough for a person who watches, with negligible cost.
constexpr auto flush_interval = std::chrono::milliseconds(500);
constexpr auto warnings_name = "parameters/warnings";
constexpr auto token_name = "parameters/checkpoint";
constexpr std::size_t longest_warning = 2000;

}  // namespace

struct HistoryStore::Open {
    std::string name;
    recording::Description description;
    SwmrFile place;   // before `file`: it must be released after it
    UndoLog undo;     // likewise
    hdf5::File file;  // before its datasets: it must be closed after them
    hdf5::Dataset warnings;
    std::vector<h5md::Series> series;  ///< by stream
    std::vector<RowTable> tables;
    struct Sampled {
        std::vector<h5md::Series*> series;  ///< not those that are distributed over ranks
        std::vector<RowTable*> tables;
    };
    std::array<Sampled, recording::paces.size()> sampled;  ///< by pace
    hsize_t reserved = 0;                                  ///< see hdf5::reserve
    Clock::time_point last_flush = Clock::now();
    bool unflushed = false;  ///< there are samples that are not flushed
    bool shared = false;     ///< others can read it
    bool failed = false;
    std::string left{};  ///< after a failure: the rest of the error message, where the history is

    Open(const Output& output, recording::Description what, const RunDescription& run)
        : name(output.path.string()), description(std::move(what)), place(output) {
        guarded([&] {
            const hdf5::Silence silence;
            file = hdf5::create_swmr_file(place.path(), undo, h5md::write_metadata);
            write_run(file, run, description.system);
            write_constants(file, description);
            open_datasets(h5md::Element::made);
            for (std::size_t s = 0; s < series.size(); ++s) {
                const recording::Stream& stream = description.streams[s];
                if (stream.pace == recording::Pace::sensors)
                    write_sensor_numbers(file, description, stream, series[s]);
            }
            close_datasets();
            hdf5::create_text_list(file.id(), warnings_name, longest_warning);
            const std::int64_t token_at = hdf5::place_of(
                hdf5::write_vector<std::int64_t>(file.id(), token_name, HistoryToken{}));
            share();
            undo.begin(place.descriptor(), token_at);
        });
    }

    Open(const Output& output, recording::Description what, const ResumePoint& earlier)
        : name(output.path.string()), description(std::move(what)), place(output, earlier) {
        guarded([&] {
            if (place.continues()) {
                undo.resume_from(place.descriptor(), earlier);
            } else {
                undo.begin(place.descriptor(), earlier.record.token_at);
            }
            file = hdf5::open_swmr_file(place.path(), undo);
            share();
        });
    }

    /// Runs `action` and adds the name of the file to its error. After a failure nothing is written
    /// any more: the file remains as last flushed.
    template <typename Action>
    void guarded(const Action& action) {
        if (failed) throw std::runtime_error(name + ": cannot write after an earlier failure");
        try {
            action();
        } catch (const std::exception& error) {
            failed = true;
            hdf5::discard(file);
            left = incomplete_file_text();
            throw WriteError(name + ": " + message_of(error) + left);
        }
    }

    void open_datasets(h5md::Element kind) {
        series.reserve(description.streams.size());
        for (const recording::Stream& stream : description.streams)
            series.emplace_back(file.id(), stream, description.counts.of(stream.pace), kind);
        tables.reserve(description.tables.size());
        for (const recording::Table& table : description.tables)
            tables.emplace_back(file.id(), table, kind);
        for (std::size_t s = 0; s < series.size(); ++s) {
            const recording::Stream& stream = description.streams[s];
            if (!stream.shared) of(stream.pace).series.push_back(&series[s]);
        }
        for (std::size_t t = 0; t < tables.size(); ++t) {
            const recording::Table& table = description.tables[t];
            if (table.pace && !table.shared) of(*table.pace).tables.push_back(&tables[t]);
        }
    }
    Sampled& of(recording::Pace pace) { return sampled[static_cast<std::size_t>(pace)]; }

    void close_datasets() {
        sampled = {};
        series.clear();
        tables.clear();
    }

    void share() {
        hdf5::start_swmr(file);
        warnings = hdf5::open_dataset(file.id(), warnings_name);
        open_datasets(h5md::Element::continued);
        place.share_lock();
        shared = true;
    }

    void write_samples() {
        for (h5md::Series& each : series)
            each.write();
        hdf5::reserve(file, reserved);
    }

    void flush() {
        const hdf5::Silence silence;
        write_samples();
        for (RowTable& each : tables)
            each.flush();
        for (const h5md::Series& each : series)
            each.flush();
        hdf5::flush(file);
        last_flush = Clock::now();
        unflushed = false;
    }

    void finish() {
        guarded([&] {
            const hdf5::Silence silence;
            write_samples();
            close_datasets();
            warnings = {};
            hdf5::close(file);
        });
    }

    void commit(Run run) {
        try {
            place.commit();
        } catch (const LostFile& error) {
            if (run == Run::stopped) throw;  // the checkpoint has a copy
            naming(name, [&] { undo.clear_token(); });
            throw std::runtime_error(error.what() +
                                     ("; the whole history is " + place.rescue().string()));
        }
    }

    /// Lets others open the file as last flushed. Returns "; OUT.running.h5 holds ..." if it does
    /// not get the final name.
    std::string incomplete_file_text() {
        if (!shared || place.lost()) return {};
        place.keep();
        try {
            hdf5::clear_swmr_flag(place.descriptor());
            if (place.commit_if_new()) return {};
        } catch (const std::exception&) {  // the earlier error is the one that counts
        }
        return "; " + place.path().string() + " holds the history up to there";
    }
};

HistoryStore::HistoryStore(const Output& output, recording::Description description,
                           const RunDescription& run)
    : open_(std::make_unique<Open>(output, std::move(description), run)) {}

HistoryStore::HistoryStore(const Output& output, recording::Description description,
                           const ResumePoint& earlier)
    : open_(std::make_unique<Open>(output, std::move(description), earlier)) {}

HistoryStore::~HistoryStore() {
    close_incomplete();
}

HistoryStore::Open& HistoryStore::opened() const {
    if (!open_) throw std::logic_error("the history file is closed");
    return *open_;
}

void HistoryStore::sample(recording::Pace pace, std::int64_t step, double time) {
    Open& open = opened();
    open.guarded([&] {
        const Open::Sampled& sampled = open.of(pace);
        for (h5md::Series* each : sampled.series)
            each->append(step, time);
        for (RowTable* each : sampled.tables)
            each->append_sample(step, time);
        open.unflushed = true;
    });
}

bool HistoryStore::samples(recording::Pace pace, std::span<const std::int64_t> steps,
                           std::span<const double> times) {
    Open& open = opened();
    const Open::Sampled& sampled = open.of(pace);
    if (!sampled.tables.empty() || !std::ranges::all_of(sampled.series, &h5md::Series::collects))
        return false;
    open.guarded([&] {
        for (h5md::Series* each : sampled.series)
            each->append(steps, times);
        open.unflushed = true;
    });
    return true;
}

void HistoryStore::append_rows(std::size_t table) {
    Open& open = opened();
    open.guarded([&] { open.tables.at(table).append(); });
    open.unflushed = true;
}

double HistoryStore::expected_bytes() const {
    const Open& open = opened();
    double bytes = 0.0;
    for (std::size_t s = 0; s < open.series.size(); ++s) {
        bytes += open.description.counts.of(open.description.streams[s].pace) *
                 open.series[s].bytes_per_sample();
    }
    for (const recording::Table& table : open.description.tables) {
        std::size_t width = 0;
        for (const recording::Column& column : table.columns)
            width += column.width;
        if (table.pace)
            bytes += open.description.counts.of(*table.pace) *
                     static_cast<double>(table.expected_rows * width * sizeof(double));
    }
    return bytes;
}

bool HistoryStore::lost() const {
    return opened().place.lost();
}

void HistoryStore::flush_if_due(Clock::time_point now) {
    Open& open = opened();
    if (!open.unflushed || now - open.last_flush < flush_interval) return;
    open.guarded([&] { open.flush(); });
    open.last_flush = now;
}

CheckpointRecord HistoryStore::capture() {
    Open& open = opened();
    CheckpointRecord record;
    open.guarded([&] {
        open.flush();
        open.place.sync();
        record = open.undo.capture();
    });
    if (open.place.lost()) record.rescued = open.place.rescue(record.bytes);
    return record;
}

void HistoryStore::log_to(const std::filesystem::path& checkpoint, const CheckpointRecord& record) {
    opened().guarded([&] { open_->undo.log_to(checkpoint, record); });
}

const hdf5::File& HistoryStore::file() const {
    return opened().file;
}

void HistoryStore::close(std::span<const std::string> messages, Run run) {
    if (!open_) return;
    const std::unique_ptr<Open> open = std::move(open_);
    if (open->failed) return;
    if (!messages.empty()) {
        open->guarded([&] { hdf5::write_text_list(open->warnings, messages, longest_warning); });
    }
    open->finish();
    open->commit(run);
    if (run == Run::ended) naming(open->name, [&] { open->undo.clear_token(); });
}

void HistoryStore::discard() {
    open_.reset();
}

std::string HistoryStore::close_incomplete() {
    if (!open_) return {};
    const std::unique_ptr<Open> open = std::move(open_);
    if (open->failed) return {};  // the earlier error holds the text
    try {
        open->finish();
    } catch (const WriteError&) {  // the disk that made the run fail may be full
        return open->left;
    } catch (const std::exception&) {  // or there is no memory
    }
    return open->incomplete_file_text();
}

std::vector<hdf5::RowPlaces> HistoryStore::reserve(const Shared& of) {
    std::vector<hdf5::RowPlaces> places;
    opened().guarded([&] {
        places = of.table ? open_->tables.at(of.number).reserve(of.rows)
                          : open_->series.at(of.number).reserve();
    });
    return places;
}

void HistoryStore::commit(const Shared& of, std::int64_t step, double time) {
    opened().guarded([&] {
        of.table ? open_->tables.at(of.number).commit(step, time)
                 : open_->series.at(of.number).commit(step, time);
    });
}

void HistoryStore::roll_back(const Shared& of) {
    opened().guarded([&] {
        of.table ? open_->tables.at(of.number).roll_back()
                 : open_->series.at(of.number).roll_back();
    });
}

std::vector<std::int64_t> HistoryStore::constant_places() const {
    std::vector<std::int64_t> places;
    for (const recording::Constant& constant : opened().description.constants) {
        if (constant.shared)
            places.push_back(hdf5::place_of(hdf5::open_dataset(open_->file.id(), constant.path)));
    }
    return places;
}

std::filesystem::path HistoryStore::growing_path() const {
    return opened().place.path();
}

}  // namespace beadwave::io
