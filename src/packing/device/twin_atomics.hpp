// What threads of the twin change together.
#pragma once

#include <atomic>
#include <cstdint>

namespace beadwave::packing::on_device {

inline void lower(std::int64_t& to, std::int64_t value) {
    const std::atomic_ref<std::int64_t> place(to);
    std::int64_t now = place.load();
    while (value < now && !place.compare_exchange_weak(now, value)) {
    }
}
inline void raise(std::int64_t& to, std::int64_t value) {
    const std::atomic_ref<std::int64_t> place(to);
    std::int64_t now = place.load();
    while (value > now && !place.compare_exchange_weak(now, value)) {
    }
}
/// Adds 1; returns the number before.
inline std::uint32_t take_next(std::uint32_t& number) {
    return std::atomic_ref<std::uint32_t>(number).fetch_add(1);
}

}  // namespace beadwave::packing::on_device
