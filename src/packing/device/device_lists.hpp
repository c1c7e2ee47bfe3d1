// The columns of the neighbour lists that a device builds itself (device_list.cpp).
#pragma once

#include "device_pairs.hpp"
#include "row_kernel.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::packing {

struct DevicePairs::Lists {
    device::KernelHandle copy, permute, watch, cells, members, rows, externals, ranks, finish;
    DeviceList<std::uint8_t> flags;
    DeviceList<std::uint32_t> kind, row_of_kinds, id, slot_of, old_slot_of, cell, cell_begin,
        cell_next, members_of_cells, found, count, upper, external, ghosts, overflow, upper_before,
        external_before, external_begin, block_pairs, ghosts_before, external_first,
        external_second, external_rank, wall_begin, other, self, row, partner, slice_begin, sides;
    DeviceList<std::int32_t> periods;
    DeviceList<std::uint64_t> found_image, external_image, image_number;
    DeviceList<on_device::WallSide> wall_sides;
    DeviceList<double> gap, rolling_work, kick, angular_kick;
    std::vector<DeviceList<double>> memory;
    DeviceList<std::int64_t> deepest;
    std::uint32_t images = 0;
};

}  // namespace beadwave::packing
