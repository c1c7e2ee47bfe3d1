// The writer of a history, the same for all systems: a file that others can read while it grows,
// and series of samples.
#pragma once

#include "io/files/error_message.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/h5md.hpp"
#include "io/history/swmr_file.hpp"
#include "io/history/swmr_history.hpp"
#include "io/history/undo_log.hpp"

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::io {

class HistoryWriter {
  public:
    using Clock = std::chrono::steady_clock;

    explicit HistoryWriter(const Output& output) : name(output.path.string()), place(output) {}
    /// Continues from a checkpoint; the caller then calls resume_from().
    HistoryWriter(const Output& output, const ResumePoint& earlier)
        : name(output.path.string()), place(output, earlier) {}
    virtual ~HistoryWriter() = default;
    HistoryWriter(const HistoryWriter&) = delete;
    HistoryWriter& operator=(const HistoryWriter&) = delete;

    std::string name;
    SwmrFile place;   // before `file`: it must be released after it
    UndoLog undo;     // likewise
    hdf5::File file;  // before the series: it must be closed after them
    hdf5::Dataset warnings;

    /// Writes everything except samples: /h5md here, the rest by `make()`. Then starts SWMR, and
    /// `open()` opens the datasets that grow.
    template <typename Make, typename Open>
    void begin(const Make& make, const Open& open) {
        guarded([&] {
            file = hdf5::create_swmr_file(place.path(), undo, h5md::write_metadata);
            make();
            hdf5::create_text_list(file.id(), warnings_name, longest_warning);
            const std::int64_t token_at = hdf5::place_of(
                hdf5::write_vector<std::int64_t>(file.id(), token_name, HistoryToken{}));
            share(open);
            undo.begin(place.descriptor(), token_at);
        });
    }

    /// The same for a history that continues.
    template <typename Open>
    void resume_from(const ResumePoint& earlier, const Open& open) {
        guarded([&] {
            if (place.continues()) {
                undo.resume_from(place.descriptor(), earlier);
            } else {
                undo.begin(place.descriptor(), earlier.record.token_at);
            }
            file = hdf5::open_swmr_file(place.path(), undo);
            share(open);
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
            throw WriteError(name + ": " + message_of(error) + incomplete_file_text());
        }
    }

    template <typename... Fill>
    void append(h5md::Series& series, std::int64_t step, double time, const Fill&... fill) {
        guarded([&] {
            series.append(step, time, fill...);
            unflushed = true;
        });
    }

    /// The same for a series of single numbers.
    void append_numbers(h5md::Series& series, std::int64_t step, double time,
                        std::span<const double> numbers) {
        guarded([&] {
            series.append_numbers(step, time, numbers);
            unflushed = true;
        });
    }

    /// Flushes if the last flush is half a second ago: often enough for a person who watches, with
    /// negligible cost.
    void flush_if_due(Clock::time_point now) {
        if (!unflushed || now - last_flush < flush_interval) return;
        guarded([&] { flush(); });
        last_flush = now;
    }

    void flush() {
        write_samples();
        flush_series();
        hdf5::flush(file);
        last_flush = Clock::now();
        unflushed = false;
    }

    /// Syncs the history to the disk and returns its state.
    CheckpointRecord capture() {
        CheckpointRecord record;
        guarded([&] {
            flush();
            place.sync();
            record = undo.capture();
        });
        if (place.lost()) record.rescued = place.rescue(record.bytes);
        return record;
    }

    /// `record` is in a checkpoint now.
    void log_to(const std::filesystem::path& checkpoint, const CheckpointRecord& record) {
        guarded([&] { undo.log_to(checkpoint, record); });
    }

    /// See SwmrHistory::close().
    void close(std::span<const std::string> messages, Run run) {
        if (failed) return;
        if (!messages.empty())
            guarded([&] { hdf5::write_text_list(warnings, messages, longest_warning); });
        finish();
        commit(run);
        if (run == Run::ended) undo.clear_token();
    }

    /// See SwmrHistory::lost().
    bool lost() const { return place.lost(); }

    /// See SwmrHistory::close_incomplete().
    std::string close_incomplete() {
        if (failed) return {};  // the earlier error holds the text
        try {
            finish();
        } catch (const std::exception&) {  // the disk that made the run fail may be full
        }
        return incomplete_file_text();
    }

    /// All series that exist.
    virtual std::vector<h5md::Series*> series() = 0;
    virtual void close_series() = 0;

  protected:
    virtual void flush_series() {
        for (const h5md::Series* each : series())
            each->flush();
    }
    bool unflushed = false;  ///< there are samples that are not flushed

  private:
    static constexpr auto flush_interval = std::chrono::milliseconds(500);
    static constexpr auto warnings_name = "parameters/warnings";
    static constexpr auto token_name = "parameters/checkpoint";
    static constexpr std::size_t longest_warning = 2000;

    template <typename Open>
    void share(const Open& open) {
        hdf5::start_swmr(file);
        warnings = hdf5::open_dataset(file.id(), warnings_name);
        open();
        place.share_lock();
        shared = true;
    }

    void commit(Run run) {
        try {
            place.commit();
        } catch (const LostFile& error) {
            if (run == Run::stopped) throw;  // the checkpoint has a copy
            undo.clear_token();
            throw std::runtime_error(error.what() +
                                     ("; the whole history is " + place.rescue().string()));
        }
    }

    void write_samples() {
        for (h5md::Series* each : series())
            each->write();
        hdf5::reserve(file, reserved);
    }

    void finish() {
        guarded([&] {
            write_samples();
            close_series();
            warnings = {};
            hdf5::close(file);
        });
    }

    /// Lets others open the file as last flushed. Returns "; OUT.running.h5 holds ..." if it does
    /// not get the final name.
    std::string incomplete_file_text() {
        if (!shared || place.lost()) return {};
        hdf5::clear_swmr_flag(place.path());
        if (place.commit_if_new()) return {};
        return "; " + place.path().string() + " holds the history up to there";
    }

    hsize_t reserved = 0;  ///< see hdf5::flush
    Clock::time_point last_flush = Clock::now();
    bool shared = false;  ///< others can read it
    bool failed = false;
};

/// Sum over those optional series that exist.
template <typename... Optional>
double bytes_per_sample(const Optional&... series) {
    return (0.0 + ... + (series ? series->bytes_per_sample() : 0.0));
}

/// Pointers to those optional series that exist.
template <typename... Optional>
std::vector<h5md::Series*> those_of(Optional&... series) {
    std::vector<h5md::Series*> present;
    ((series ? present.push_back(&*series) : void()), ...);
    return present;
}

}  // namespace beadwave::io
