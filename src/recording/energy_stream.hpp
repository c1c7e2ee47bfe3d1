// The stream of the energy ledger, the same for all systems.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "recording/stream.hpp"

namespace beadwave::recording {

/// `ledger` is read at each sample and must outlive the stream.
inline Stream energy_stream(SystemKind system, Pace pace, const Ledger& ledger) {
    Stream stream{pace, "energy", {}};
    for (const LedgerEntry& entry : sampled_entries(system)) {
        stream.channels.push_back({.path = std::string("observables/") + entry.quantity,
                                   .unit = *entry.unit == '\0' ? "1" : entry.unit,
                                   .fill = [&ledger, entry](std::size_t, std::span<double> out) {
                                       out[0] = entry.of(ledger);
                                   }});
    }
    return stream;
}

}  // namespace beadwave::recording
