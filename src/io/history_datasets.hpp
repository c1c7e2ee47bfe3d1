// What an open history consists of, whether it was made or is continued.
#pragma once

#include "beadwave/io/hdf5.hpp"
#include "beadwave/io/history_file.hpp"
#include "h5md.hpp"

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::io {

struct HistoryFile::Datasets {
    std::string name;
    std::vector<double> start;  ///< position of each bead at displacement zero [m]
    std::optional<chain::Drive> left_drive, right_drive;
    std::size_t sensor_count = 0;
    hdf5::File file;  // before the series: it must close after them
    std::optional<h5md::Series> sensors, snapshots, contacts, walls, energy;
    hsize_t reserved = 0;  ///< see hdf5::flush
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_flush = Clock::now();
    bool failed = false;

    /// Makes the elements that grow, or opens those of an earlier piece of the run.
    void make_series(const hdf5::Group& beads, const hdf5::Group& observables,
                     const chain::Chain& chain, std::span<const std::int64_t> sensor_beads,
                     bool with_snapshots, h5md::Element kind);

    /// Runs `action`, naming the file in its error. After one failure nothing is tried again: the
    /// file stays as it was flushed last.
    template <typename Action>
    void guarded(const Action& action) {
        if (failed)
            throw std::runtime_error(name + ": cannot write after an earlier failure");
        try {
            action();
        } catch (const std::exception& error) {
            failed = true;
            hdf5::abandon(file);
            throw std::runtime_error(name + ": " + error.what());
        }
    }

    void write_buffers() {
        for (std::optional<h5md::Series>* series : {&sensors, &snapshots, &contacts, &walls, &energy}) {
            if (*series)
                (*series)->write();
        }
    }

    void flush() {
        write_buffers();
        hdf5::flush(file, reserved);
        last_flush = Clock::now();
    }

    template <typename... Fill>
    void append(h5md::Series& series, std::int64_t step, double time, const Fill&... fill) {
        guarded([&] {
            series.append(step, time, fill...);
            if (Clock::now() - last_flush >= std::chrono::seconds(1))
                flush();
        });
    }
};

}  // namespace beadwave::io
