// The datasets of an open history of a chain, new or continued.
#pragma once

#include "io/history/history_file.hpp"
#include "io/history/history_writer.hpp"

#include <optional>
#include <vector>

namespace beadwave::io {

struct HistoryFile::Datasets : HistoryWriter {
    using HistoryWriter::HistoryWriter;

    std::vector<double> start;  ///< initial position of each bead [m]
    std::optional<chain::Drive> left_drive, right_drive;
    std::size_t sensor_count = 0;
    std::optional<h5md::Series> sensors, snapshots, contacts, walls, energy;

    /// Creates or opens the elements that grow.
    void make_series(const chain::Chain& chain, std::span<const std::int64_t> sensor_beads,
                     bool with_snapshots, h5md::Element kind);

    std::vector<h5md::Series*> series() override {
        return those_of(sensors, snapshots, contacts, walls, energy);
    }

    void close_series() override {
        for (auto* each : {&sensors, &snapshots, &contacts, &walls, &energy})
            each->reset();
    }
};

}  // namespace beadwave::io
