// What the host adds up between the kernels that build a device's neighbour list.

#include "device_lists.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {

using on_device::ListArguments;
using on_device::slice;

/// Sums the counts before each particle and each block, and makes room for the new rows.
void DevicePairs::sum_counts(ListArguments& a, const NewOrder& order) {
    Lists& l = *lists_;
    const std::size_t n = particles_, blocks = (n + block_size - 1) / block_size,
                      slices = (n + slice - 1) / slice;
    const auto download = [&](const DeviceList<std::uint32_t>& from) {
        std::vector<std::uint32_t> to(n);
        device_->download(to.data(), from.data(), n * sizeof to[0]);
        return to;
    };
    const std::vector<std::uint32_t> count = download(l.count), upper = download(l.upper),
                                     external = download(l.external), ghosts = download(l.ghosts);
    std::vector<std::uint32_t> upper_before(n), external_before(n), ghosts_before(n),
        external_begin(blocks + 1, 0), block_pairs(blocks, 0), begin(slices + 1, 0);
    std::uint32_t externals = 0, images = 0, in_block = 0;
    std::uint64_t sides = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t b = i / block_size;
        if (i % block_size == 0) {
            external_begin[b] = externals;
            in_block = 0;
        }
        upper_before[i] = in_block;
        external_before[i] = externals;
        ghosts_before[i] = images;
        in_block += upper[i];
        externals += external[i];
        images += ghosts[i];
        block_pairs[b] += upper[i] + external[i];
    }
    external_begin[blocks] = externals;
    for (std::size_t s = 0; s < slices; ++s) {
        begin[s] = static_cast<std::uint32_t>(sides);
        std::uint32_t longest = 0;
        for (std::size_t i = s * slice; i < std::min(n, (s + 1) * slice); ++i) {
            const std::uint32_t walls =
                order.wall_begin.empty() ? 0 : order.wall_begin[i + 1] - order.wall_begin[i];
            longest = std::max(longest, count[i] + walls);
        }
        sides += slice * longest;
    }
    if (sides >= on_device::none)
        throw device::DeviceError("the packing has too many pairs for a device");
    l.images = images;
    const auto side_count = static_cast<std::size_t>(sides);
    l.upper_before.assign(*device_, upper_before);
    l.external_before.assign(*device_, external_before);
    l.ghosts_before.assign(*device_, ghosts_before);
    l.external_begin.assign(*device_, external_begin);
    l.block_pairs.assign(*device_, block_pairs);
    l.slice_begin.assign(*device_, begin);
    for (auto* const list : {&l.external_first, &l.external_second, &l.external_rank})
        list->resize(*device_, externals);
    l.external_image.resize(*device_, externals);
    for (auto* const list : {&l.other, &l.self, &l.partner})
        list->resize(*device_, side_count);
    if (!single_row_) l.row.resize(*device_, side_count);
    if (list_settings_.box.repeats()) l.image_number.resize(*device_, side_count);
    l.gap.resize(*device_, side_count);
    l.memory.resize(memory_.size());
    for (auto& column : l.memory)
        column.resize(*device_, side_count);
    l.sides.resize(*device_, slices * slice);
    l.wall_begin.assign(*device_, order.wall_begin);
    l.wall_sides.assign(*device_, order.wall_sides);
    image_.resize(*device_, images);
    image_of_.resize(*device_, images);
    point_to_rows(a, order, externals);
}

/// Points the arguments to the sums and to the new rows.
void DevicePairs::point_to_rows(ListArguments& a, const NewOrder& order, std::uint32_t externals) {
    Lists& l = *lists_;
    a.upper_before = l.upper_before.data();
    a.external_before = l.external_before.data();
    a.ghosts_before = l.ghosts_before.data();
    a.external_begin = l.external_begin.data();
    a.block_pairs = l.block_pairs.data();
    a.externals = externals;
    a.external_first = l.external_first.data();
    a.external_second = l.external_second.data();
    a.external_image = l.external_image.data();
    a.external_rank = l.external_rank.data();
    a.wall_begin = order.wall_begin.empty() ? nullptr : l.wall_begin.data();
    a.wall_sides = l.wall_sides.data();
    a.first_image = particles_ + order.wall_particles.size();
    a.slice_begin = l.slice_begin.data();
    a.sides = l.sides.data();
    a.other = l.other.data();
    a.self = l.self.data();
    a.row = single_row_ ? nullptr : l.row.data();
    a.gap = l.gap.data();
    for (std::size_t c = 0; c < l.memory.size(); ++c)
        a.memory[c] = l.memory[c].data();
    a.identity = {l.partner.data(), list_settings_.box.repeats() ? l.image_number.data() : nullptr};
    a.image_of = image_of_.data();
    a.image_ghost = image_.data();
}

/// Brings the other columns of particles into the new order.
void DevicePairs::move_lines(const ListArguments& a) {
    Lists& l = *lists_;
    const auto move = [&](const DeviceList<double>& from, DeviceList<double>& to,
                          std::uint32_t width, std::size_t size) {
        to.resize(*device_, size);
        launch(l.permute, particles_,
               on_device::PermuteArguments{.particles = particles_,
                                           .id = a.id,
                                           .old_slot_of = a.old_slot_of,
                                           .width = width,
                                           .from = from.data(),
                                           .to = to.data()});
    };
    const std::size_t next = now_ ^ 1;
    move(half_[now_], half_[next], line, line * bodies_);
    if (has_predicted_) move(predicted_[now_], predicted_[next], line, line * bodies_);
    const auto move_in_place = [&](DeviceList<double>& column, DeviceList<double>& other,
                                   std::uint32_t width) {
        if (column.size() == 0) return;
        move(column, other, width, column.size());
        std::swap(column, other);
    };
    move_in_place(kick_, l.kick, 2);
    move_in_place(angular_kick_, l.angular_kick, 1);
    move_in_place(rolling_work_, l.rolling_work, 1);
}

}  // namespace beadwave::packing
