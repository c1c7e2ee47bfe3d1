#include "device_pairs.hpp"

#include "list_kernel.hpp"
#include "step_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace beadwave::packing {

using on_device::is_image;
using on_device::is_second;
using on_device::none;
using on_device::slice;

DevicePairs::DevicePairs(std::unique_ptr<device::Device> on, std::size_t law, std::size_t slider,
                         const KeptOfContacts& kept, bool velocities, bool predicted)
    : device_(std::move(on)), kept_(kept), velocities_(velocities), has_predicted_(predicted) {
    const std::string module = fmt::format("packing_step_{}", law), list = "packing_list";
    step_ = device_->kernel(module, fmt::format("step_{}_{}", slider, kept.rolls ? 1 : 0));
    delicate_step_ =
        device_->kernel(module, fmt::format("delicate_{}_{}", slider, kept.rolls ? 1 : 0));
    inspect_ = device_->kernel(list, "inspect_bodies");
    copy_images_ = device_->kernel(list, "copy_images");
    flush_ = device_->kernel(list, "flush");
    gather_ = device_->kernel(list, "gather_places");
    scatter_ = device_->kernel(list, "scatter");
    swap_ = device_->kernel(list, "swap");
    std::vector<std::int64_t> fresh(on_device::result_slots * on_device::slot_numbers);
    for (std::size_t k = 0; k < fresh.size(); ++k)
        fresh[k] = on_device::fresh_result(k);
    for (auto& results : results_)
        results.assign(*device_, fresh);
    const std::uint32_t zero = 0;
    for (auto& count : delicate_count_)
        count.assign(*device_, {&zero, 1});
}

on_device::BodyColumns DevicePairs::columns(std::size_t side) const {
    return {place_[side].data(), half_[side].data(),
            has_predicted_ ? predicted_[side].data() : nullptr, delicate_[side].data()};
}

void DevicePairs::flush(double* column, std::size_t numbers) {
    launch(flush_, numbers, on_device::FlushArguments{numbers, column});
}

void DevicePairs::take_memory(ContactMemory& memory) {
    const std::vector<simd::Column*> from = memory.columns();
    memory_.resize(from.size());
    const auto sides = static_cast<std::int64_t>(entry_.size());
    for (std::size_t column = 0; column < from.size(); ++column) {
        const simd::Column& its = *from[column];
#pragma omp parallel for
        for (std::int64_t k = 0; k < sides; ++k)
            staging_[static_cast<std::size_t>(k)] = entry_[static_cast<std::size_t>(k)] == none
                                                        ? 0.0
                                                        : its[entry_[static_cast<std::size_t>(k)]];
        memory_[column].assign(*device_, staging_);
        flush(memory_[column].data(), entry_.size());
    }
    memory_stale_ = false;
}

void DevicePairs::give_memory(ContactMemory& memory) {
    const std::vector<simd::Column*> to = memory.columns();
    const auto sides = static_cast<std::int64_t>(entry_.size());
    for (std::size_t column = 0; column < to.size(); ++column) {
        device_->download(staging_.data(), memory_[column].data(),
                          staging_.size() * sizeof(double));
        simd::Column& its = *to[column];
#pragma omp parallel for
        for (std::int64_t k = 0; k < sides; ++k) {
            const auto side = static_cast<std::size_t>(k);
            if (gives_[side] != 0) its[entry_[side]] = staging_[side];
        }
    }
}

void DevicePairs::take(const List& list, const HostLines& lines, ContactMemory& memory) {
    particles_ = list.particles;
    bodies_ = particles_ + list.ghosts.size() + 1;
    if (stale_) {
        take_list(list);
        memory_stale_ = true;
        kick_.assign(*device_, list.kick);
        angular_kick_.assign(*device_, list.angular_kick);
        any_far_ = !list.reach.empty();
        reach_.assign(*device_, list.reach);
        const KindTable& table = list.table.kernel();
        const std::size_t rows = list.table.rows();
        parameters_.clear();
        parameters_.reserve(table.law_fields + table.slider_fields + 6);
        const auto add = [&](const double* from) {
            parameters_.emplace_back().assign(*device_, {from, rows});
            flush(parameters_.back().data(), rows);
            return parameters_.back().data();
        };
        for (std::size_t k = 0; k < table.law_fields; ++k)
            parameter_table_.law[k] = add(table.law[k]);
        for (std::size_t k = 0; k < table.slider_fields; ++k)
            parameter_table_.slider[k] = add(table.slider[k]);
        for (std::size_t k = 0; kept_.rolls && k < 4; ++k)
            parameter_table_.rolling[k] = add(table.rolling[k]);
        parameter_table_.inverse_radii = add(table.inverse_radii);
        parameter_table_.turning = add(table.turning);
        std::vector<std::uint32_t> image, of;
        wall_ghosts_.clear();
        wall_particles_.clear();
        for (std::size_t g = 0; g < list.ghosts.size(); ++g) {
            const auto number = static_cast<std::uint32_t>(g);
            if (list.ghosts[g].wall >= 0) {
                wall_ghosts_.push_back(static_cast<std::uint32_t>(particles_ + g));
                wall_particles_.push_back(list.ghosts[g].of);
            } else {
                image.push_back(number);
                of.push_back(list.ghosts[g].of);
            }
        }
        image_.assign(*device_, image);
        image_of_.assign(*device_, of);
        wall_body_.assign(*device_, wall_ghosts_);
        wall_of_.assign(*device_, wall_particles_);
        wall_places_.resize(*device_, 3 * wall_ghosts_.size());
        wall_lines_.resize(*device_, 3 * line * wall_ghosts_.size());
        ghost_force_.resize(*device_, 3 * ghost_pairs_.size());
        stale_ = false;
    }
    if (memory_stale_) take_memory(memory);
    const auto upload = [&](DeviceList<double>& to, const double* from) {
        to.assign(*device_, {from, line * bodies_});
        flush(to.data(), line * bodies_);
    };
    upload(place_[now_], lines.now.place);
    upload(half_[now_], lines.now.half);
    if (has_predicted_) upload(predicted_[now_], lines.now.predicted);
    // Ghosts and the dummy have their radii and references on both sides.
    place_[now_ ^ 1].assign(*device_, {lines.now.place, line * bodies_});
    half_[now_ ^ 1].resize(*device_, line * bodies_);
    if (has_predicted_)
        predicted_[now_ ^ 1].assign(*device_, {lines.now.predicted, line * bodies_});
    rolling_work_.assign(*device_, lines.rolling_work);
    for (auto& side : delicate_)
        side.resize(*device_, bodies_);
    delicate_particles_.resize(*device_, particles_);
    inspect_all();
}

void DevicePairs::inspect_all() {
    launch(inspect_, bodies_,
           on_device::InspectArguments{.bodies = bodies_,
                                       .particles = particles_,
                                       .lines = columns(now_),
                                       .sides = sides(false),
                                       .memory = static_cast<std::uint32_t>(kept_.normal_numbers),
                                       .sliding = kept_.slides ? 4U : 0U,
                                       .rolling = kept_.rolls ? 4U : 0U});
}

void DevicePairs::give(const HostLines& lines, ContactMemory& memory) {
    const auto download = [&](double* to, const DeviceList<double>& from, std::size_t count) {
        device_->download(to, from.data(), count * sizeof(double));
    };
    download(lines.now.place, place_[now_], line * particles_);
    download(lines.now.half, half_[now_], line * particles_);
    if (has_predicted_) download(lines.now.predicted, predicted_[now_], line * particles_);
    if (lines.next.half != nullptr) download(lines.next.half, half_[now_ ^ 1], line * particles_);
    if (!lines.rolling_work.empty())
        download(lines.rolling_work.data(), rolling_work_, lines.rolling_work.size());
    give_memory(memory);
    ahead_ = false;
}

void DevicePairs::give_velocities(double* half) const {
    device_->download(half, half_[now_].data(), line * particles_ * sizeof(double));
}

void DevicePairs::give_places(double* place) const {
    device_->download(place, place_[now_].data(), line * particles_ * sizeof(double));
}

on_device::Sides DevicePairs::sides(bool last) const {
    on_device::Sides of{.slice_begin = slice_begin_.data(),
                        .count = count_.data(),
                        .other = other_.data(),
                        .self = self_.data(),
                        .row = single_row_ ? nullptr : row_.data(),
                        .gap = gap_.data(),
                        .memory = {},
                        .sliding = {},
                        .rolling = {},
                        .tangential_force = {}};
    auto column = memory_.begin();  // the order of ContactMemory::each_column()
    for (std::size_t k = 0; k < kept_.normal_numbers; ++k)
        of.memory[k] = (column++)->data();
    for (std::size_t k = 0; k < 4; ++k) {
        if (kept_.slides) of.sliding[k] = (column++)->data();
        if (kept_.rolls) of.rolling[k] = (column++)->data();
    }
    for (std::size_t k = 0; kept_.tangential_force && last && k < 3; ++k)
        of.tangential_force[k] = (column++)->data();
    return of;
}

DevicePairs::Found DevicePairs::step(const Step& step) {
    on_device::StepArguments a{};
    a.particles = particles_;
    a.before = columns(now_);
    a.after = columns(now_ ^ 1);
    if (step.last) a.after = {nullptr, half_[now_ ^ 1].data(), nullptr, nullptr};
    a.sides = sides(step.last);
    a.parameters = parameter_table_;
    a.kick = kick_.data();
    a.angular_kick = angular_kick_.data();
    a.rolling_work = rolling_work_.data();
    std::ranges::copy(step.gravity_change, a.gravity_change);
    a.time_step = step.time_step;
    a.sliding_step = step.sliding_step;
    a.reach = any_far_ ? reach_.data() : nullptr;
    a.results = results_[results_now_].data();
    a.results_next = results_[results_now_ ^ 1].data();
    a.power = step.power ? 1 : 0;
    a.ghost_force = step.wall_forces ? ghost_force_.data() : nullptr;
    a.trace_number = !traced_list_.empty() ? trace_number_.data() : nullptr;
    a.trace = trace_.data();
    a.delicate = delicate_particles_.data();
    a.delicate_count = delicate_count_[results_now_].data();
    a.delicate_count_next = delicate_count_[results_now_ ^ 1].data();
    launch(step_, particles_, a);
    launch(delicate_step_, particles_, a);
    ahead_ = true;
    std::array<std::int64_t, on_device::result_slots * on_device::slot_numbers> results;
    device_->download(results.data(), a.results, sizeof results);
    results_now_ ^= 1;
    Found found{.extent = {}, .deepest = 0.0, .farthest = 0.0};
    std::array<std::int64_t, on_device::slot_numbers> all{};
    for (std::size_t k = 0; k < on_device::slot_numbers; ++k)
        all[k] = on_device::fresh_result(k);
    for (std::size_t k = 0; k < results.size(); ++k) {
        std::int64_t& to = all[k % on_device::slot_numbers];
        to = k % on_device::slot_numbers < 3 ? std::min(to, results[k]) : std::max(to, results[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        found.extent.lowest[k] = on_device::from_ordered(all[k]);
        found.extent.highest[k] = on_device::from_ordered(all[3 + k]);
    }
    found.deepest = on_device::from_ordered(all[6]);
    found.farthest = on_device::from_ordered(all[7]);
    return found;
}

void DevicePairs::flip() {
    now_ ^= 1;
    copy_images();
}

void DevicePairs::copy_images() {
    launch(copy_images_, image_.size(),
           on_device::ImageArguments{.images = image_.size(),
                                     .particles = particles_,
                                     .ghost = image_.data(),
                                     .of = image_of_.data(),
                                     .lines = columns(now_),
                                     .half = velocities_ ? 1U : 0U});
}

void DevicePairs::give_wall_particles(double* place) {
    const std::size_t count = wall_ghosts_.size();
    if (count == 0) return;
    launch(gather_, count,
           on_device::GatherArguments{count, wall_of_.data(), place_[now_].data(),
                                      wall_places_.data()});
    wall_staging_.resize(3 * line * count);
    device_->download(wall_staging_.data(), wall_places_.data(), 3 * count * sizeof(double));
    for (std::size_t k = 0; k < count; ++k)
        std::copy_n(wall_staging_.data() + 3 * k, 3, place + line * wall_particles_[k]);
}

void DevicePairs::take_wall_ghosts(const Lines& lines, std::size_t first) {
    const std::size_t count = wall_ghosts_.size();
    if (count == 0) return;
    wall_staging_.resize(3 * line * count);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t from = line * (first + k);
        double* const to = wall_staging_.data() + 3 * line * k;
        std::copy_n(lines.place + from, line, to);
        std::copy_n(lines.half + from, line, to + line);
        if (has_predicted_) std::copy_n(lines.predicted + from, line, to + 2 * line);
    }
    device_->upload(wall_lines_.data(), wall_staging_.data(),
                    wall_staging_.size() * sizeof(double));
    launch(
        scatter_, count,
        on_device::ScatterArguments{count, wall_body_.data(), wall_lines_.data(), columns(now_)});
    if (swaps_.empty()) return;
    swapped_.assign(*device_, swaps_);
    on_device::SwapArguments swap{.threads = 1,
                                  .count = swaps_.size() / 2,
                                  .sides = swapped_.data(),
                                  .columns = memory_.size(),
                                  .column = {}};
    for (std::size_t column = 0; column < memory_.size(); ++column)
        swap.column[column] = memory_[column].data();
    launch(swap_, 1, swap);
    swaps_.clear();
}

void DevicePairs::swap_memory(std::size_t one, std::size_t two) {
    swaps_.insert(swaps_.end(), {side_of_[one], side_of_[two]});
}

std::span<const double> DevicePairs::ghost_forces() {
    ghost_forces_.resize(3 * ghost_pairs_.size());
    device_->download(ghost_forces_.data(), ghost_force_.data(),
                      ghost_forces_.size() * sizeof(double));
    return ghost_forces_;
}

void DevicePairs::trace(std::span<const std::uint32_t> bodies) {
    if (std::ranges::equal(bodies, traced_list_) && !bodies.empty()) return;
    traced_list_.assign(bodies.begin(), bodies.end());
    if (bodies.empty()) return;
    std::vector<std::uint32_t> number(particles_, 0);
    for (std::size_t k = 0; k < bodies.size(); ++k)
        number[bodies[k]] = static_cast<std::uint32_t>(k + 1);
    trace_number_.assign(*device_, number);
    trace_.resize(*device_, 6 * bodies.size());
    traced_.resize(6 * bodies.size());
}

std::span<const double> DevicePairs::traced() {
    device_->download(traced_.data(), trace_.data(), traced_.size() * sizeof(double));
    return traced_;
}

}  // namespace beadwave::packing
