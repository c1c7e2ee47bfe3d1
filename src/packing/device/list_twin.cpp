#include "body_kernel.hpp"
#include "device/twin.hpp"
#include "row_kernel.hpp"
#include "step_twin.hpp"
#include "twin_atomics.hpp"

namespace beadwave::packing::on_device {
namespace {

template <class Arguments, auto count, void (*function)(const Arguments&, std::size_t)>
void run_each(const void* arguments, std::size_t first, std::size_t end) {
    const auto& a = *static_cast<const Arguments*>(arguments);
    for (std::size_t k = first; k < end && k < a.*count; ++k)
        function(a, k);
}

void count_cell(const ListArguments& a, std::size_t i) {
    find_cell(a, i, [&](std::uint32_t cell) { take_next(a.cell_next[cell]); });
}
void take_member(const ListArguments& a, std::size_t i) {
    fill_cell(a, i, [&](std::uint32_t cell) { return take_next(a.cell_next[cell]); });
}
void watch_depth(const ListArguments& a, std::size_t i) {
    watch_walls(a, i, [&](double depth) { raise(*a.deepest_wall, ordered(depth)); });
}

}  // namespace

void add_list_twin_kernels() {
    const auto add = [](const char* name, device::TwinKernel run) {
        device::add_twin_kernel("packing_list", name, run);
    };
    add("copy_images", &run_each<ImageArguments, &ImageArguments::images, &copy_image>);
    add("flush", &run_each<FlushArguments, &FlushArguments::numbers, &flush_number>);
    add("inspect_bodies", &run_each<InspectArguments, &InspectArguments::bodies, &inspect>);
    add("gather_places", &run_each<GatherArguments, &GatherArguments::count, &gather_place>);
    add("scatter", &run_each<ScatterArguments, &ScatterArguments::count, &scatter_lines>);
    add("swap", &run_each<SwapArguments, &SwapArguments::threads, &swap_sides>);
    add("copy_all", &run_each<CopyArguments, &CopyArguments::numbers, &copy_number>);
    add("permute_lines", &run_each<PermuteArguments, &PermuteArguments::particles, &permute>);
    constexpr auto particles = &ListArguments::particles;
    add("watch", &run_each<ListArguments, particles, &watch_depth>);
    add("cells", &run_each<ListArguments, particles, &count_cell>);
    add("members", &run_each<ListArguments, particles, &take_member>);
    add("rows", &run_each<ListArguments, particles, &find_row>);
    add("externals", &run_each<ListArguments, particles, &list_external>);
    add("ranks", &run_each<ListArguments, &ListArguments::externals, &rank_external>);
    add("finish", &run_each<ListArguments, particles, &finish_row>);
}

}  // namespace beadwave::packing::on_device
