#include "running/broken_bonds.hpp"

#include "recording/archive.hpp"

#include <algorithm>
#include <span>

namespace beadwave::running {

void BrokenBonds::update(std::vector<Row> all, double step) {
    std::erase_if(all, [&](const Row& row) { return row.step <= seen_; });
    std::ranges::stable_sort(all, {}, &Row::step);
    fresh_ = std::move(all);
    seen_ = step;
}

recording::Table BrokenBonds::table(const char* bodies, std::size_t width, double time_step) const {
    recording::Table table{.path = "connectivity/broken_bonds",
                           .name = "broken_bonds",
                           .pace = recording::Pace::energy,
                           .chunk = 256,
                           .columns = {},
                           .rows = [this] { return fresh_.size(); },
                           .expected_rows = 1};
    const auto add = [&](const char* name, const char* unit, std::size_t numbers, bool whole,
                         auto number) {
        table.columns.push_back({name, unit, numbers, whole,
                                 [this, numbers, number](std::size_t first, std::span<double> out) {
                                     for (std::size_t k = 0; k < out.size(); ++k)
                                         out[k] = number(fresh_[first + k / numbers], k % numbers);
                                 }});
    };
    add(bodies, "", width, true, [](const Row& row, std::size_t k) { return row.bodies[k]; });
    add("break_time", "s", 1, false,
        [time_step](const Row& row, std::size_t) { return row.step * time_step; });
    add("broken_energy", "J", 1, false, [](const Row& row, std::size_t) { return row.energy; });
    return table;
}

void BrokenBonds::serialize(Archive& archive) {
    archive(seen_);
}

}  // namespace beadwave::running
