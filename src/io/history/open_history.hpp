// What every open history consists of, whatever it is of: a file that others may read while it
// grows, and series of samples.
#pragma once

#include "io/files/error_words.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/growing_file.hpp"
#include "io/history/growing_history.hpp"
#include "io/history/h5md.hpp"
#include "io/history/undo_log.hpp"

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::io {

class OpenHistory {
  public:
    explicit OpenHistory(const Output& output) : name(output.path.string()), place(output) {}
    /// Goes on from a checkpoint; the caller then calls go_on().
    OpenHistory(const Output& output, const KeptHistory& earlier)
        : name(output.path.string()), place(output, earlier) {}
    virtual ~OpenHistory() = default;
    OpenHistory(const OpenHistory&) = delete;
    OpenHistory& operator=(const OpenHistory&) = delete;

    std::string name;
    GrowingFile place;  // before the file: it must be let go after it
    UndoLog undo;       // the same
    hdf5::File file;    // before the series: it must close after them
    hdf5::Dataset notes;

    /// Writes everything but samples, /h5md itself and the rest by `make()`, and lets readers in;
    /// `open()` then opens what grows.
    template <typename Make, typename Open>
    void begin(const Make& make, const Open& open) {
        guarded([&] {
            file = hdf5::create_file_to_share(place.path(), undo, h5md::write_metadata);
            make();
            hdf5::create_text_list(file.id(), notes_name, longest_note);
            const std::int64_t mark_at =
                hdf5::place_of(hdf5::write_vector<std::int64_t>(file.id(), mark_name, Mark{}));
            share(open);
            undo.begin(place.descriptor(), mark_at);
        });
    }

    /// The same with a history that goes on.
    template <typename Open>
    void go_on(const KeptHistory& earlier, const Open& open) {
        guarded([&] {
            if (place.goes_on()) {
                undo.go_on(place.descriptor(), earlier);
            } else {
                undo.begin(place.descriptor(), earlier.standing.mark_at);
            }
            file = hdf5::open_to_share(place.path(), undo);
            share(open);
        });
    }

    /// Runs `action`, naming the file in its error. After one failure nothing is tried again: the
    /// file stays as it was flushed last.
    template <typename Action>
    void guarded(const Action& action) {
        if (failed) throw std::runtime_error(name + ": cannot write after an earlier failure");
        try {
            action();
        } catch (const std::exception& error) {
            failed = true;
            hdf5::abandon(file);
            throw WriteError(name + ": " + words_of(error) + what_is_left());
        }
    }

    template <typename... Fill>
    void append(h5md::Series& series, std::int64_t step, double time, const Fill&... fill) {
        guarded([&] {
            series.append(step, time, fill...);
            unseen = true;
        });
    }

    /// The same of a series of single numbers.
    void append_numbers(h5md::Series& series, std::int64_t step, double time,
                        std::span<const double> numbers) {
        guarded([&] {
            series.append_numbers(step, time, numbers);
            unseen = true;
        });
    }

    /// If the last time is half a second ago: often enough for a person who looks on, too seldom to
    /// cost anything.
    void keep_current() {
        if (unseen && Clock::now() - last_flush >= between_looks) guarded([&] { flush(); });
    }

    void flush() {
        write_samples();
        flush_series();
        hdf5::flush(file);
        last_flush = Clock::now();
        unseen = false;
    }

    /// How it stands, on the disk.
    HistoryStanding stand() {
        HistoryStanding standing;
        guarded([&] {
            flush();
            place.sync();
            standing = undo.stand();
        });
        if (place.lost()) standing.rescued = place.rescue(standing.bytes);
        return standing;
    }

    /// That standing is in a checkpoint now.
    void follow(const std::filesystem::path& checkpoint, const HistoryStanding& standing) {
        guarded([&] { undo.follow(checkpoint, standing); });
    }

    /// Flushes, closes and gives the file its final name. `noted` is what gives reason to doubt it.
    void close(std::span<const std::string> noted, Run run) {
        if (failed) return;
        if (!noted.empty()) guarded([&] { hdf5::write_text_list(notes, noted, longest_note); });
        finish();
        place.publish();
        if (run == Run::ended) undo.clear_mark();
    }

    /// See GrowingHistory::lost().
    bool lost() {
        if (!lost_ && Clock::now() - last_look >= between_looks) {
            last_look = Clock::now();
            lost_ = place.lost();
        }
        return lost_;
    }

    /// See GrowingHistory::leave().
    std::string leave() {
        if (failed) return {};  // that error has said it
        try {
            finish();
        } catch (const std::exception&) {  // the disk that made the run fail may be full
        }
        return what_is_left();
    }

    /// The series, those that there are.
    virtual std::vector<h5md::Series*> series() = 0;
    virtual void close_series() = 0;

  protected:
    virtual void flush_series() {
        for (const h5md::Series* each : series())
            each->flush();
    }
    bool unseen = false;  ///< whether there are samples that were not flushed

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr auto between_looks = std::chrono::milliseconds(500);
    static constexpr auto notes_name = "parameters/notes";
    static constexpr auto mark_name = "parameters/checkpoint";
    static constexpr std::size_t longest_note = 2000;

    template <typename Open>
    void share(const Open& open) {
        hdf5::let_readers_in(file);
        notes = hdf5::open_dataset(file.id(), notes_name);
        open();
        place.let_readers_in();
        shared = true;
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
            notes = {};
            hdf5::close(file);
        });
    }

    /// Lets others open what was flushed last. "; OUT.running.h5 holds ..." if that is not under
    /// the final name.
    std::string what_is_left() {
        if (!shared || place.lost()) return {};
        hdf5::unmark(place.path());
        if (place.publish_if_new()) return {};
        return "; " + place.path().string() + " holds the history up to there";
    }

    hsize_t reserved = 0;  ///< see hdf5::flush
    Clock::time_point last_flush = Clock::now(), last_look = last_flush;
    bool lost_ = false;
    bool shared = false;  ///< whether it can be read by others
    bool failed = false;
};

/// Of those of the optional series that are there.
template <typename... Optional>
double bytes_per_sample(const Optional&... series) {
    return (0.0 + ... + (series ? series->bytes_per_sample() : 0.0));
}

/// Pointers to those of the optional series that are there.
template <typename... Optional>
std::vector<h5md::Series*> those_of(Optional&... series) {
    std::vector<h5md::Series*> present;
    ((series ? present.push_back(&*series) : void()), ...);
    return present;
}

}  // namespace beadwave::io
