#include "bodies.hpp"

#include "packing/neighbours/pair_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {

using simd::Column;

Bodies::Bodies(const Packing& packing, BlockShare& share, const BodyNeeds& needs)
    : packing_(packing),
      share_(share),
      needs_(needs),
      particles_(packing.particles()),
      smallest_radius_(packing.radius.smallest()),
      slot_(share.shared() ? 0 : packing.particles()),
      id_(share.bodies()),
      rolling_work_(needs.rolling ? share.bodies() : 0) {
    std::iota(slot_.begin(), slot_.end(), 0U);
    std::iota(id_.begin(), id_.end(), static_cast<std::uint32_t>(share.begin_slot()));
    if (share.shared()) index_.reset(id_);
    for (int side = 0; side < 2; ++side) {
        place_[side] = Column(line * held());
        half_[side] = Column(line * held());
        if (needs.predicted) predicted_[side] = Column(line * held());
    }
    for (std::size_t i = 0; i < held(); ++i) {
        place(i)[3] = packing.radius[id_[i]];
        place(i)[7] = 1.0 / packing.radius[id_[i]];
        put(place(i) + 4, packing.position[id_[i]]);
    }
}

Lines Bodies::lines(int side) {
    return {place_[side].data(), half_[side].data(),
            needs_.predicted ? predicted_[side].data() : nullptr};
}

Lines Bodies::next_lines() {
    Lines next = lines(writes_ == StepWrites::in_place ? now_ : now_ ^ 1);
    if (writes_ == StepWrites::half_in_place) next.half = half_[now_].data();
    return next;
}

void Bodies::flip() {
    if (writes_ == StepWrites::in_place) return;
    now_ ^= 1;
    if (writes_ == StepWrites::half_in_place) std::swap(half_[0], half_[1]);
}

void Bodies::add_changes(int threads) {
    double *const to = half_[now_].data(), *const change = half_[now_ ^ 1].data();
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t i = line * share_.begin(); i < line * share_.end(); i += line) {
        for (std::size_t k = i; k < i + line; ++k)
            to[k] += change[k];
        change[i + 3] = change[i + 7] = 0.0;
    }
}

void Bodies::predict_present() {
    if (needs_.predicted) std::copy_n(half_[now_].data(), line * held(), predicted_[now_].data());
}

void Bodies::place_image(std::size_t g) {
    // Whole lines, because the compiler expands a copy of known size in place.
    constexpr std::size_t bytes = line * sizeof(double);
    const std::size_t from = ghosts[g].of, to = held() + g;
    put(place(to), displacement(from));
    if (needs_.velocities) std::memcpy(half(to), half(from), bytes);
    if (needs_.predicted) std::memcpy(predicted(to), predicted(from), bytes);
}

void Bodies::place_image(std::size_t g, const Edges& moved, const Edges& rate,
                         const Edges& predicted_rate) {
    const Ghost& ghost = ghosts[g];
    const std::size_t from = ghost.of, to = held() + g;
    const auto shift = [&](const double* of, double* image, const Edges& edges) {
        put(image, triple(of) + edges.shift(ghost.image));
    };
    const auto shift_velocity = [&](const double* of, double* image, const Edges& edges) {
        shift(of, image, edges);
        put(image + 4, triple(of + 4));
    };
    shift(place(from), place(to), moved);
    if (needs_.velocities) shift_velocity(half(from), half(to), rate);
    shift_velocity(predicted(from), predicted(to), predicted_rate);
}

void Bodies::update_images() {
    for (std::size_t g = 0; g < ghosts.size(); ++g)
        if (ghosts[g].wall < 0) place_image(g);
}

void Bodies::set_kicks(double time_step, int threads) {
    kick_.resize(2 * held());
    inverse_kick_.resize(kick_.size());
    angular_kick_.resize(needs_.rolling ? held() : 0);
    mass_.resize(needs_.masses ? held() : 0);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t i = 0; i < held(); ++i) {
        const double half_step = is_fixed(i) ? 0.0 : 0.5 * time_step;
        kick_[2 * i] = half_step * (1.0 / mass(i));
        const double angular = radius(i) * (half_step * (1.0 / inertia(i)));
        if (needs_.rolling) angular_kick_[i] = angular;
        if (needs_.masses) mass_[i] = mass(i);
        kick_[2 * i + 1] = radius(i) * angular;
        for (std::size_t k = 2 * i; k < 2 * i + 2; ++k)
            inverse_kick_[k] = 1.0 / kick_[k];
    }
}

void Bodies::recentre(int threads) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            packing::recentre(place(i)[4 + k], place(i)[k]);
    }
}

void Bodies::sort(std::span<const char> absent, int threads) {
    if (share_.shared()) return sort_on_ranks(absent, threads);
    const std::size_t particles = slot_.size();
    std::vector<SortItem> items(particles);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t i = 0; i < particles; ++i)
        items[i] = sort_item(i);
    std::span<SortItem> present(items);
    if (!absent.empty()) {
        // Behind the others, so that their blocks sleep.
        const auto behind =
            std::stable_partition(items.begin(), items.end(), [&](const SortItem& item) {
                return absent[static_cast<std::size_t>(item.number)] == 0;
            });
        present = present.first(static_cast<std::size_t>(behind - items.begin()));
    }
    split_into_blocks(present, threads);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t b = 0; b < blocks(); ++b) {
        const std::size_t begin = b * block_size, end = std::min(particles, begin + block_size);
        sort_block(std::span(items).subspan(begin, end - begin), smallest_radius_);
    }
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t i = 0; i < items.size(); ++i)
        slot_[static_cast<std::size_t>(items[i].number)] = static_cast<std::uint32_t>(i);
}

void Bodies::sort_places(int threads) {
    const std::vector<std::uint32_t> before = id_;
    std::swap(place_[now_], place_[now_ ^ 1]);
    const Column& unsorted = place_[now_ ^ 1];
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint32_t to = slot_[before[i]];
        id_[to] = before[i];
        std::copy_n(unsorted.data() + line * i, line, place(to));
    }
}

void Bodies::widen(const Reference& reference, int threads) {
    const std::size_t bodies = dummy() + std::size_t{1};
    const auto widen_one = [&](Column& column, std::size_t kept) {
        if (column.size() >= line * bodies) return;
        Column wide = Column::unset(line * (bodies + ghosts.size() / 8));
        std::copy_n(column.data(), line * kept, wide.data());
        std::fill(wide.data() + line * kept, wide.data() + line * held(), 0.0);
        column = std::move(wide);
    };
    for (int side = 0; side < 2; ++side) {
        widen_one(place_[side], side == now_ ? held() : 0);
        widen_one(half_[side], held());
        if (needs_.predicted) widen_one(predicted_[side], side == now_ ? held() : 0);
    }
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t i = 0; i < held(); ++i)
        std::copy_n(place(i), line, place_[now_ ^ 1].data() + line * i);
    place_ghosts(reference);
}

/// The references and radii of ghosts and the place of the dummy; all other numbers of their lines
/// are 0.
void Bodies::place_ghosts(const Reference& reference) {
    for (auto* const sides : {&place_, &half_, &predicted_}) {
        for (Column& side : *sides)
            if (side.size() > 0)
                std::fill_n(side.data() + line * held(), line * (ghosts.size() + 1), 0.0);
    }
    for (Column& side : place_)
        put(side.data() + line * dummy() + 4, {1e6, 1e6, 1e6});
    for (std::size_t g = 0; g < ghosts.size(); ++g) {
        const Ghost& ghost = ghosts[g];
        const Vec3 its_reference = reference(g);
        const std::size_t at = line * (held() + g);
        for (Column& side : place_) {
            put(side.data() + at + 4, its_reference);
            side[at + 3] = ghost.wall >= 0 ? 0.0 : radius(ghost.of);
            side[at + 7] = 1.0 / radius(ghost.of);
        }
    }
}

void Bodies::restore_order(std::span<const double> order) {
    if (!is_order(order))
        throw std::invalid_argument("order: names a particle twice, or one that does not exist");
    share_.hold({});
    id_.assign(order.begin(), order.end());
    if (share_.shared()) {
        index_.reset(id_);
    } else {
        for (std::size_t i = 0; i < id_.size(); ++i)
            slot_[id_[i]] = static_cast<std::uint32_t>(i);
    }
    for (Column* const lines : {&place_[now_], &half_[now_], &half_[now_ ^ 1]})
        *lines = Column(line * held());
    if (needs_.predicted) predicted_[now_] = Column(line * held());
    rolling_work_.resize(needs_.rolling ? held() : 0);
}

void Bodies::check_places() {
    for (std::size_t i = 0; i < held(); ++i) {
        const double its_radius = packing_.radius[id_[i]];
        if (radius(i) != its_radius)
            throw std::invalid_argument(fmt::format(
                "place: particle {} has radius {} m; expected {}", id_[i], radius(i), its_radius));
        place(i)[7] = 1.0 / its_radius;  // 0 in checkpoints of earlier versions
    }
}

}  // namespace beadwave::packing
