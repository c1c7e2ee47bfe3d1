// The kernels of neighbour lists and of copies, for a graphics processor.

// Clang's own header for device code needs it first.
// clang-format off
#include <cstdlib>
// clang-format on

#include "device/thread_number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#pragma clang force_cuda_host_device begin
#include "body_kernel.hpp"
#include "row_kernel.hpp"
#pragma clang force_cuda_host_device end

#define BEADWAVE_EACH(name, Arguments, count, ...)               \
    extern "C" __attribute__((global)) void name(                \
        const beadwave::packing::on_device::Arguments a) {       \
        using namespace beadwave::packing::on_device;            \
        const std::size_t k = beadwave::device::thread_number(); \
        if (k < a.count) __VA_ARGS__;                            \
    }

BEADWAVE_EACH(copy_images, ImageArguments, images, copy_image(a, k))
BEADWAVE_EACH(flush, FlushArguments, numbers, flush_number(a, k))
BEADWAVE_EACH(inspect_bodies, InspectArguments, bodies, inspect(a, k))
BEADWAVE_EACH(gather_places, GatherArguments, count, gather_place(a, k))
BEADWAVE_EACH(scatter, ScatterArguments, count, scatter_lines(a, k))
BEADWAVE_EACH(swap, SwapArguments, threads, swap_sides(a, k))

BEADWAVE_EACH(copy_all, CopyArguments, numbers, copy_number(a, k))
BEADWAVE_EACH(permute_lines, PermuteArguments, particles, permute(a, k))
BEADWAVE_EACH(watch, ListArguments, particles, watch_walls(a, k, [&](double depth) {
                  __nvvm_atom_max_gen_ll(reinterpret_cast<long long*>(a.deepest_wall),
                                         ordered(depth));
              }))
BEADWAVE_EACH(cells, ListArguments, particles, find_cell(a, k, [&](std::uint32_t cell) {
                  __nvvm_atom_add_gen_i(reinterpret_cast<int*>(a.cell_next) + cell, 1);
              }))
BEADWAVE_EACH(members, ListArguments, particles, fill_cell(a, k, [&](std::uint32_t cell) {
                  return static_cast<std::uint32_t>(
                      __nvvm_atom_add_gen_i(reinterpret_cast<int*>(a.cell_next) + cell, 1));
              }))
BEADWAVE_EACH(rows, ListArguments, particles, find_row(a, k))
BEADWAVE_EACH(externals, ListArguments, particles, list_external(a, k))
BEADWAVE_EACH(ranks, ListArguments, externals, rank_external(a, k))
BEADWAVE_EACH(finish, ListArguments, particles, finish_row(a, k))
