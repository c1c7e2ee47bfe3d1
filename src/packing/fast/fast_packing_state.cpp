// The fast engine's state as columns, and back.

#include "fast_packing_engine.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {

std::vector<PackingColumn> FastPackingEngine::state() const {
    std::vector<PackingColumn> columns;
    // With ranks: columns that all have are those of the first.
    const bool first_rank = !share_.shared() || share_.ranks().first();
    const auto whole = [&](const char* name, std::span<const double> values) {
        columns.push_back(
            {name, first_rank ? values : std::span<const double>(), 0, values.size()});
    };
    const auto of_particles = [&](const char* name, std::span<const double> all,
                                  std::size_t width) {
        const std::size_t from = width * share_.begin(), to = width * share_.end();
        columns.push_back(
            {name, all.subspan(from, to - from), width * share_.begin_slot(), width * particles()});
    };
    contacts_.show_springs();
    state_values_.clear();
    state_values_.reserve(10);
    of_particles("order", state_values_.emplace_back(bodies_.ids().begin(), bodies_.ids().end()),
                 1);
    Bodies::each_column(bodies_, [&](const char* name, std::span<const double> all) {
        of_particles(name, all, line);
    });
    if (far_.acts()) {
        std::vector<double>& reach = state_values_.emplace_back(far_.reach());
        reach.resize(bodies_.held());  // none is fast: there are no numbers
        of_particles("reach", reach, 1);
    }
    std::vector<double>& walls = state_values_.emplace_back();
    for (const std::vector<Vec3>* each : {&wall_forces_.force, &wall_at_list_}) {
        for (const Vec3& v : *each)
            walls.insert(walls.end(), {v.x, v.y, v.z});
    }
    whole("walls", walls);
    if (walls_move_) {
        std::vector<double> moving = wall_forces_.torque;
        if (mesh_turns_) moving.push_back(list_time_);
        for (const WallLoads::State& load : loads_.states()) {
            for (std::size_t k = 0; k < WallLoads::State::numbers; ++k)
                moving.push_back(load.number(k));
        }
        state_values_.push_back(std::move(moving));
        whole("moving_walls", state_values_.back());
    }
    std::vector<double>& accounting = state_values_.emplace_back();
    accounting = {wall_work_, initial_power_, initial_stored_, static_cast<double>(list_builds_)};
    for (const std::array<double, 3>& corner : {extent_.lowest, extent_.highest})
        accounting.insert(accounting.end(), corner.begin(), corner.end());
    whole("accounting", state_values_.back());
    if (box_.strains()) {
        state_values_.push_back(box_.numbers());
        whole("box", state_values_.back());
    }
    if (elements_.any()) {
        state_values_.push_back(elements().numbers());
        whole("elements", state_values_.back());
    }
    if (population_.changes()) {
        state_values_.push_back(population_.numbers());
        whole("population", state_values_.back());
    }
    if (contacts_.mixed) {
        state_values_.push_back({contacts_.mixed->rounding()});
        whole("mixed", state_values_.back());
    }
    if (works_) {
        works_->each_number([&](const char* name, const std::vector<double>& numbers) {
            state_values_.push_back(numbers);
            whole(name, state_values_.back());
        });
        const std::size_t walls = packing_.walls.size();
        columns.push_back({"block_rubbing", std::as_const(*works_).block_rubbing(),
                           walls * share_.first_block(), walls * bodies_.blocks()});
    }
    if (rolls_) of_particles("rolling_work", bodies_.rolling_work(), 1);
    ListedContacts::each_column(contacts_, [&](const std::string& name, const Column& column) {
        columns.push_back(
            {name, {column.data(), contacts_.entries.count()}, entries_before_, all_entries_});
    });
    return columns;
}

void FastPackingEngine::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = [&](const std::string& name, std::size_t count) {
        const std::span<const double> values = column(name);
        if (values.size() != count) {
            throw std::invalid_argument(
                fmt::format("{}: {} numbers; expected {}", name, values.size(), count));
        }
        return values;
    };
    bodies_.restore_order(take("order", particles()));
    step_ = step;
    const auto take_own = [&](const std::string& name, std::size_t width, auto to) {
        std::ranges::copy(column.part(name, width * share_.begin_slot(), width * bodies_.held(),
                                      width * particles()),
                          to);
    };
    Bodies::each_column(bodies_, [&](const char* name, std::span<double> all) {
        take_own(name, line, all.begin());
    });
    bodies_.check_places();
    if (far_.acts()) far_.restore(take("reach", particles()));
    const auto walls = take("walls", 6 * packing_.walls.size());
    for (std::size_t w = 0; w < packing_.walls.size(); ++w) {
        wall_forces_.force[w] = triple(walls.data() + 3 * w);
        wall_at_list_[w] = triple(walls.data() + 3 * (packing_.walls.size() + w));
    }
    if (walls_move_) {
        constexpr std::size_t of_load = WallLoads::State::numbers;
        std::vector<WallLoads::State>& loads = loads_.states();
        std::vector<double>& torque = wall_forces_.torque;
        const std::size_t before = torque.size() + (mesh_turns_ ? 1 : 0);
        const auto moving = take("moving_walls", before + of_load * loads.size());
        std::copy_n(moving.begin(), torque.size(), torque.begin());
        if (mesh_turns_) list_time_ = moving[before - 1];
        for (std::size_t i = 0; i < of_load * loads.size(); ++i)
            loads[i / of_load].number(i % of_load) = moving[before + i];
    }
    loads_.restore(time());
    if (box_.strains()) box_.restore(step_, take("box", box_.count()));
    if (elements_.any()) elements_.restore(step_, take("elements", elements_.numbers().size()));
    const auto accounting = take("accounting", 10);
    wall_work_ = accounting[0];
    initial_power_ = accounting[1];
    initial_stored_ = accounting[2];
    list_builds_ = static_cast<std::int64_t>(accounting[3]);
    if (rolls_) take_own("rolling_work", 1, bodies_.rolling_work().begin());
    if (population_.changes()) {
        population_.restore(column("population"));
        packing_.fixed = population_.held();
        elements_.set_absent(population_.absent());
    }
    if (contacts_.mixed) {
        contacts_.mixed->restore_rounding(take("mixed", 1).front());
        contacts_.mixed->mark_stale();
    }
    build_pair_list();
    if (works_) {
        works_->restore(column("contact_accounts"), column("contact_works"));
        const std::size_t walls = packing_.walls.size();
        const std::span<double> rubbing = works_->block_rubbing();
        std::ranges::copy(column.part("block_rubbing", walls * share_.first_block(), rubbing.size(),
                                      walls * bodies_.blocks()),
                          rubbing.begin());
    }
    std::copy_n(accounting.begin() + 4, 3, extent_.lowest.begin());
    std::copy_n(accounting.begin() + 7, 3, extent_.highest.begin());
    ListedContacts::each_column(contacts_, [&](const std::string& name, Column& values) {
        std::ranges::copy(
            column.part(name, entries_before_, contacts_.entries.count(), all_entries_),
            values.data());
    });
    update_ghosts();
    adopt_mixed_pairs();
}

}  // namespace beadwave::packing
