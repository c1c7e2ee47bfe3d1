// What an open history of a chain consists of, whether it was made or is continued.
#pragma once

#include "io/history/history_file.hpp"
#include "io/history/open_history.hpp"

#include <optional>
#include <vector>

namespace beadwave::io {

struct HistoryFile::Datasets : OpenHistory {
    using OpenHistory::OpenHistory;

    std::vector<double> start;  ///< position of each bead at displacement zero [m]
    std::optional<chain::Drive> left_drive, right_drive;
    std::size_t sensor_count = 0;
    std::optional<h5md::Series> sensors, snapshots, contacts, walls, energy;

    /// Makes the elements that grow, or opens them.
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
