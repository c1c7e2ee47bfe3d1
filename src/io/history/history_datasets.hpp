// What an open history consists of, whether it was made or is continued.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/growing_file.hpp"
#include "io/history/h5md.hpp"
#include "io/history/history_file.hpp"

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::io {

struct HistoryFile::Datasets {
    explicit Datasets(const std::filesystem::path& path) : name(path.string()), place(path) {}

    std::string name;
    GrowingFile place;          // before the file: it must be let go after it
    std::vector<double> start;  ///< position of each bead at displacement zero [m]
    std::optional<chain::Drive> left_drive, right_drive;
    std::size_t sensor_count = 0;
    hdf5::File file;  // before the series: it must close after them
    std::optional<h5md::Series> sensors, snapshots, contacts, walls, energy;
    hsize_t reserved = 0;  ///< see hdf5::flush
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_flush = Clock::now();
    bool unseen = false;  ///< whether there are samples that were not flushed
    bool shared = false;  ///< whether it can be read by others
    bool failed = false;

    /// Writes everything but samples, by `make(file)`, and lets readers in.
    template <typename Make>
    void begin(const chain::Chain& chain, std::span<const std::int64_t> sensor_beads,
               bool with_snapshots, const Make& make);

    /// Makes the elements that grow, or opens them.
    void make_series(const chain::Chain& chain, std::span<const std::int64_t> sensor_beads,
                     bool with_snapshots, h5md::Element kind);

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
            throw std::runtime_error(name + ": " + error.what() + what_is_left());
        }
    }

    /// Lets others open what was flushed last. "; OUT.running.h5 holds ..." if that is not under
    /// the final name.
    std::string what_is_left() {
        if (!shared) return {};
        hdf5::unmark(place.path());
        if (place.publish_if_new()) return {};
        return "; " + place.path().string() + " holds the history up to there";
    }

    template <typename Action>
    void for_each_series(const Action& action) {
        for (std::optional<h5md::Series>* series :
             {&sensors, &snapshots, &contacts, &walls, &energy}) {
            if (*series) action(**series);
        }
    }

    void close_series() {
        for (std::optional<h5md::Series>* series :
             {&sensors, &snapshots, &contacts, &walls, &energy})
            series->reset();
    }

    void write_samples() {
        for_each_series([](h5md::Series& series) { series.write(); });
        hdf5::reserve(file, reserved);
    }

    void finish() {
        guarded([&] {
            write_samples();
            close_series();
            hdf5::close(file);
        });
    }

    void flush() {
        write_samples();
        for_each_series([](const h5md::Series& series) { series.flush(); });
        hdf5::flush(file);
        last_flush = Clock::now();
        unseen = false;
    }

    /// Often enough for a person who looks on, too seldom to cost anything.
    bool due() const {
        return unseen && Clock::now() - last_flush >= std::chrono::milliseconds(500);
    }

    template <typename... Fill>
    void append(h5md::Series& series, std::int64_t step, double time, const Fill&... fill) {
        guarded([&] {
            series.append(step, time, fill...);
            unseen = true;
        });
    }
};

template <typename Make>
void HistoryFile::Datasets::begin(const chain::Chain& chain,
                                  std::span<const std::int64_t> sensor_beads, bool with_snapshots,
                                  const Make& make) {
    guarded([&] {
        file = hdf5::create_file_to_share(place.path());
        make();
        hdf5::let_readers_in(file);
        make_series(chain, sensor_beads, with_snapshots, h5md::Element::continued);
        place.let_readers_in();
        shared = true;
    });
}

}  // namespace beadwave::io
