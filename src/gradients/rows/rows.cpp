#include "gradients/rows/rows.hpp"

#include <algorithm>

namespace beadwave::gradients {

Rows::Rows(const ChainColumns& columns)
    : columns_(columns),
      memory_(columns.memory_numbers(), columns.length()),
      displacement_(columns.length()),
      half_(columns.length()),
      force_(columns.length()),
      velocity_(columns.length()),
      change_(columns.length()) {}

void Rows::load(const State& state) {
    step_ = state.step;
    active_ = state.active;
    std::ranges::copy(state.displacement, displacement_.data());
    for (std::size_t i = 0; i < columns_.beads(); ++i)
        half_[i] = state.velocity[i] + state.velocity_change[i];
    std::ranges::copy(state.velocity, velocity_.data());
    std::ranges::copy(state.velocity_change, change_.data());
    for (std::size_t k = 0; k < memory_.own.size(); ++k)
        std::ranges::copy(state.memory[k], memory_.pointers[k]);
}

void Rows::save(State& state) const {
    const auto copy = [](const simd::Column& from, std::size_t count, std::vector<double>& to) {
        to.assign(from.data(), from.data() + count);
    };
    state.step = step_;
    state.active = active_;
    copy(displacement_, columns_.beads(), state.displacement);
    copy(velocity_, columns_.beads(), state.velocity);
    copy(change_, columns_.beads(), state.velocity_change);
    state.memory.resize(memory_.own.size());
    for (std::size_t k = 0; k < memory_.own.size(); ++k)
        copy(memory_.own[k], columns_.beads() + 1, state.memory[k]);
}

/// The last of the active beads are at rest, so that within a chunk nothing passes them.
void Rows::grow() {
    constexpr auto lot = static_cast<std::size_t>(row_chunk);
    if (active_ >= columns_.beads()) return;
    for (std::size_t i = active_ - std::min(active_, lot); i < active_; ++i) {
        if (displacement_[i] == 0.0 && velocity_[i] == 0.0 && change_[i] == 0.0) continue;
        active_ = std::min(columns_.beads(), active_ + lot);
        return;
    }
}

void Rows::read_row(std::size_t begin, std::size_t end, std::int64_t step,
                    std::vector<std::vector<double>>& readings) const {
    for (const ChainColumns::Read& each : columns_.reads(begin, end)) {
        double& to = readings[each.channel][static_cast<std::size_t>(step)];
        const std::size_t i = columns_.channels()[each.channel].index;
        if (columns_.channels()[each.channel].kind != Channel::Kind::sensor_force) {
            to = each.velocity ? velocity_[i] : force_[i];
        } else if (each.index == i) {
            to = 0.5 * (force_[i] + force_[i + 1]);
        }
    }
}

void Rows::advance_chunk(std::int64_t count, std::vector<std::vector<double>>* readings,
                         bool records) {
    if (step_ % row_chunk == 0) grow();
    if (records) recorded_.chunks.push_back({step_, active_});
    const std::size_t length = columns_.entries(active_);
    for_bands(
        length, static_cast<std::size_t>(count),
        [&](std::size_t begin, std::size_t end, std::size_t at) {
            const std::int64_t step = step_ + 1 + static_cast<std::int64_t>(at);
            const auto row = recorded_.row_of(step);
            columns_.kernel().forward(
                columns_.chain(),
                {.begin = begin,
                 .end = end,
                 .length = length,
                 .step = static_cast<std::int32_t>(row),
                 .displacement = displacement_.data(),
                 .half = half_.data(),
                 .force = force_.data(),
                 .velocity = velocity_.data(),
                 .change = change_.data(),
                 .store_all = step == step_ + count,
                 .memory = memory_.pointers.data(),
                 .record = records ? recorded_.rows.data() + row * columns_.length() : nullptr,
                 .log = records ? &recorded_.log : nullptr});
            if (readings != nullptr) read_row(begin, end, step, *readings);
        });
    step_ += count;
}

void Rows::advance_chunks(std::int64_t count, std::vector<std::vector<double>>* readings,
                          bool records) {
    for (const std::int64_t end = step_ + count; step_ < end;)
        advance_chunk(std::min(end - step_, row_chunk - step_ % row_chunk), readings, records);
}

void Rows::advance(std::int64_t count, std::vector<std::vector<double>>* readings) {
    // Nothing acts on beads at rest.
    for (std::size_t c = columns_.entries(active_); c < columns_.length(); ++c)
        force_[c] = 0.0;
    advance_chunks(count, readings, false);
}

void Rows::advance_and_record(std::int64_t count) {
    recorded_.from = step_;
    recorded_.count = count;
    recorded_.chunks.clear();
    const std::size_t capacity = static_cast<std::size_t>(count) * columns_.length();
    if (capacity > recorded_.rows.size()) recorded_.rows = simd::Column(capacity);
    if (!memory_.own.empty())
        recorded_.log.clear(columns_.length(), static_cast<std::size_t>(count), memory_.own.size());
    advance_chunks(count, nullptr, true);
}

}  // namespace beadwave::gradients
