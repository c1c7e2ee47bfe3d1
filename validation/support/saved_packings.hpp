// The state of an engine of packings as a checkpoint holds it.
#pragma once

#include "packing/packing_engine.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace beadwave::validation {

using SavedPacking = std::map<std::string, std::vector<double>>;

inline SavedPacking saved(const packing::PackingEngine& engine) {
    SavedPacking all;
    for (const packing::PackingColumn& column : engine.state())
        all[column.name].assign(column.values.begin(), column.values.end());
    return all;
}

/// `columns` must outlive the call only.
inline void restore(packing::PackingEngine& engine, std::int64_t step,
                    const SavedPacking& columns) {
    engine.restore(
        step, [&](const std::string& name) { return std::span<const double>(columns.at(name)); });
}

}  // namespace beadwave::validation
